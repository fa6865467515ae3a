#include "phiflex/reproduce/signals.h"

#include <gtest/gtest.h>

#include <cmath>

namespace phiflex {
namespace {

struct Samples {
  std::vector<double> times, values;
  Signal signal() const { return {times, values}; }
};

template <class Function>
Samples sampled(double end, int count, const Function& function) {
  Samples samples;
  for (int i = 0; i <= count; ++i) {
    samples.times.push_back(end * i / count);
    samples.values.push_back(function(samples.times.back()));
  }
  return samples;
}

TEST(Signals, TheStrongestPeriodOfTwoTonesIsThatOfTheLouderOne) {
  const Samples tones = sampled(10, 1000, [](double t) {
    return 5 + 2 * std::sin(2 * M_PI * t / 0.7) + 0.5 * std::sin(2 * M_PI * t / 0.2);
  });
  // The lines lie 1/10 Hz apart; between them the neighbours' sizes tell where, up to what the other tone leaks.
  EXPECT_NEAR(strongest_period(tones.signal()), 0.7, 0.01);
}

TEST(Signals, ADecayingOscillationKeepsWhatItsExponentialSays) {
  const double rate = 0.3, period = 0.5, end = 10;
  const Samples decay =
      sampled(end, 4000, [&](double t) { return std::exp(-rate * t) * std::cos(2 * M_PI * t / period); });
  // First and last period lie 9.5 s apart.
  EXPECT_NEAR(kept_amplitude(decay.signal(), period), std::exp(-rate * (end - period)),
              0.02 * std::exp(-rate * 9.5));
}

TEST(Signals, AnAmplitudeIsHalfOfPeakToPeak) {
  const Samples wave = sampled(1, 1000, [](double t) { return 3 + 2 * std::sin(2 * M_PI * t); });
  EXPECT_NEAR(amplitude_of(wave.signal(), 0, 1), 2, 1e-12);
  EXPECT_NEAR(mean_of(wave.signal(), 0, 1), 3, 1e-2);
  EXPECT_NEAR(value_at(wave.signal(), 0.25), 5, 1e-12);
  EXPECT_NEAR(largest_of(wave.signal(), 0.5, 1), 3, 1e-9);
}

TEST(Signals, WhatDoesNotOscillateHasNoPeriod) {
  const Samples still = sampled(1, 100, [](double) { return 4.0; });
  EXPECT_TRUE(std::isnan(strongest_period(still.signal())));
  EXPECT_TRUE(std::isnan(amplitude_of(still.signal(), 2, 3)));
}

}  // namespace
}  // namespace phiflex
