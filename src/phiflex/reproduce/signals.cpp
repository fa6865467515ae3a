#include "phiflex/reproduce/signals.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace phiflex {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_samples = 2048;  // of the transform: the strongest line is far below its limit

template <class Take>
void for_each_between(const Signal& signal, double from, double to, const Take& take) {
  const double rounding = 1e-9 * std::max(std::abs(from), std::abs(to));
  for (std::size_t i = 0; i < signal.times.size(); ++i)
    if (signal.times[i] >= from - rounding && signal.times[i] <= to + rounding) take(signal.values[i]);
}

}  // namespace

double largest_of(const Signal& signal, double from, double to) {
  double largest = none;
  for_each_between(signal, from, to,
                   [&](double x) { largest = std::isnan(largest) ? x : std::max(largest, x); });
  return largest;
}

double smallest_of(const Signal& signal, double from, double to) {
  double smallest = none;
  for_each_between(signal, from, to,
                   [&](double x) { smallest = std::isnan(smallest) ? x : std::min(smallest, x); });
  return smallest;
}

double amplitude_of(const Signal& signal, double from, double to) {
  return (largest_of(signal, from, to) - smallest_of(signal, from, to)) / 2;
}

double mean_of(const Signal& signal, double from, double to) {
  double sum = 0;
  std::size_t count = 0;
  for_each_between(signal, from, to, [&](double x) {
    sum += x;
    ++count;
  });
  return count > 0 ? sum / static_cast<double>(count) : none;
}

double value_at(const Signal& signal, double t) {
  if (signal.times.empty()) return none;
  const auto after = std::lower_bound(signal.times.begin(), signal.times.end(), t);
  if (after == signal.times.begin()) return signal.values.front();
  if (after == signal.times.end()) return signal.values.back();
  const auto i = static_cast<std::size_t>(after - signal.times.begin());
  const double s = (t - signal.times[i - 1]) / (signal.times[i] - signal.times[i - 1]);
  return signal.values[i - 1] + s * (signal.values[i] - signal.values[i - 1]);
}

double strongest_period(const Signal& signal) {
  if (signal.times.size() < 4) return none;
  const double start = signal.times.front(), length = signal.times.back() - start;
  const std::size_t n = std::min(signal.times.size(), most_samples);
  std::vector<double> s(n);
  double mean = 0;
  for (std::size_t i = 0; i < n; ++i)
    mean += s[i] = value_at(signal, start + length * static_cast<double>(i) / static_cast<double>(n));
  mean /= static_cast<double>(n);
  std::vector<double> power(n / 2 + 1, 0.0);
  for (std::size_t k = 1; k < power.size(); ++k) {
    const std::complex<double> turn =
        std::polar(1.0, -2 * M_PI * static_cast<double>(k) / static_cast<double>(n));
    std::complex<double> sum = 0, factor = 1;
    for (std::size_t i = 0; i < n; ++i, factor *= turn) sum += (s[i] - mean) * factor;
    power[k] = std::norm(sum);
  }
  const auto best =
      static_cast<std::size_t>(std::max_element(power.begin() + 1, power.end()) - power.begin());
  if (!(power[best] > 0)) return none;
  double shift = 0;
  if (best > 1 && best + 1 < power.size()) {
    const double left = std::sqrt(power[best - 1]), peak = std::sqrt(power[best]),
                 right = std::sqrt(power[best + 1]);
    shift = right > left ? right / (peak + right) : -left / (peak + left);  // (3)
  }
  return length / (static_cast<double>(best) + shift);
}

double kept_amplitude(const Signal& signal, double period) {
  if (signal.times.empty() || !(period > 0)) return none;
  const double start = signal.times.front(), end = signal.times.back();
  if (period > end - start) return none;
  return amplitude_of(signal, end - period, end) / amplitude_of(signal, start, start + period);
}

}  // namespace phiflex
