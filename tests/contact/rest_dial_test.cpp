// What slow contacts lose: rest_dial.h.
#include "phiflex/contact/rest_dial.h"

#include <gtest/gtest.h>

#include <random>

namespace phiflex {
namespace {

constexpr double kDialReach = 0.005, kDialGravity = 9.81;

TEST(RestDial, WithoutGammaSpeedOrGravityTheChordIsTheBarriersOwn) {
  const BarrierChord chord = barrier_chord(0.64, 0.49);
  for (const RestDial& dial :
       {RestDial{}, RestDial{.gamma = 1, .speed = 0, .time = 1}, usual_rest_dial(0, kDialReach)}) {
    const DialledChord made = dialled_chord(dial, 1, 0.8, 0.7, 0.01);
    EXPECT_DOUBLE_EQ(made.value, chord.value);
    EXPECT_DOUBLE_EQ(made.slope, chord.slope);
    EXPECT_EQ(made.taken, 0);
  }
}

TEST(RestDial, AtAnySpeedInLongStepsItIsBackwardEulersSlope) {
  const RestDial dial{.gamma = 1, .time = 0.004};
  const DialledChord made = dialled_chord(dial, 1, 0.8, 0.7, 0.01);
  EXPECT_NEAR(made.value, barrier_slope(0.49), 1e-13);
  EXPECT_DOUBLE_EQ(made.slope, barrier_curvature(0.7 * 0.7));
}

TEST(RestDial, TakesNeverLessThanNothingNeverPullsAndTakesAtMostAMultipleOfTheWork) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> distance(0.01, 1.3), exponent(-4, 2);
  for (int n = 0; n < 100000; ++n) {
    const double d = distance(random), d_next = distance(random);
    const RestDial dial{
        .gamma = 1, .speed = std::pow(10, exponent(random)), .time = std::pow(10, exponent(random))};
    const double h = std::pow(10, exponent(random));
    const BarrierChord chord = barrier_chord(d * d, d_next * d_next);
    const DialledChord made = dialled_chord(dial, 1, d, d_next, h);
    ASSERT_GE(made.taken, 0);
    ASSERT_LE(made.value, 0);
    ASSERT_GE(made.slope, 0);
    const double way = d_next * d_next - d * d;
    // The force of the step does the change of the energy less what is taken.
    ASSERT_NEAR(made.value * way, chord.value * way + made.taken,
                1e-12 * (std::abs(chord.value * way) + made.taken) + 1e-300);
    const double c = 1 / (1 + std::pow((d_next - d) / (h * dial.speed), 2));
    const double euler = (barrier_slope(d_next * d_next) - chord.value) * way;
    ASSERT_LE(made.taken, c * (std::abs(chord.value * way) + euler) * (1 + 1e-9));
  }
}

TEST(RestDial, ItsTangentIsTheDerivativeBySlowMotion) {
  // c hardly changes with the speed here, so that the derivative of the whole is the slope.
  const RestDial dial{.gamma = 0.7, .speed = 1e6, .time = 0.02};
  const auto value = [&](double x_next) {
    return dialled_chord(dial, 1, 0.8, std::sqrt(x_next), 0.01).value;
  };
  for (const double x_next : {0.60, 0.63, 0.66, 0.7}) {
    const double step = 1e-6, difference = (value(x_next + step) - value(x_next - step)) / (2 * step);
    EXPECT_NEAR(dialled_chord(dial, 1, 0.8, std::sqrt(x_next), 0.01).slope, difference, 1e-6 * difference);
  }
}

// A mass on a barrier whose weight is a thousandth of what it can carry: energy-momentum steps by bisection.
struct Bouncer {
  double d, v, weight = 50 * kDialReach;  // m, m/s, J per kg
  double taken = 0;

  double energy() const {
    return 0.5 * v * v + kDialGravity * d + weight * barrier(d * d / (kDialReach * kDialReach));
  }
  double force(const RestDial& dial, double d_next, double h, double* lost = nullptr) const {
    const DialledChord chord = dialled_chord(dial, kDialReach, d, d_next, h);
    if (lost) *lost = weight * chord.taken;
    return -weight * chord.value * (d + d_next) / (kDialReach * kDialReach) - kDialGravity;
  }
  void step(const RestDial& dial, double h) {
    double low = 1e-6 * d, high = d + 2 * h * std::abs(v) + kDialReach;
    for (int n = 0; n < 200; ++n) {
      const double middle = 0.5 * (low + high);
      (middle - d - h * v - 0.5 * h * h * force(dial, middle, h) > 0 ? high : low) = middle;
    }
    double lost = 0;
    force(dial, high, h, &lost);
    v = 2 * (high - d) / h - v;
    d = high;
    taken += lost;
  }
};

TEST(RestDial, ABodyFromTheEdgeOfTheReachComesToRestAtTheSameRateWhateverTheStep) {
  const RestDial dial = usual_rest_dial(kDialGravity, kDialReach);
  for (const double h : {0.0005, 0.001, 0.002, 0.004}) {
    Bouncer body{kDialReach, 0};
    const double start = body.energy();
    for (double t = 0; t < 0.5; t += h) body.step(dial, h);
    EXPECT_LT(std::abs(body.v), 1e-3) << "steps of " << h;
    EXPECT_NEAR(body.energy() + body.taken, start, 1e-9 * start);
  }
}

TEST(RestDial, AFallOfTenReachesKeepsItsBounce) {
  const RestDial dial = usual_rest_dial(kDialGravity, kDialReach);
  for (const double h : {0.0005, 0.002}) {
    Bouncer body{11 * kDialReach, 0};
    const double height = 10 * kDialReach * kDialGravity;
    while (body.taken == 0 || body.v < 0 || body.d < kDialReach) body.step(dial, h);
    EXPECT_GT(body.taken, 0);
    EXPECT_LT(body.taken, 0.01 * height) << "of one impact, in steps of " << h;
  }
}

}  // namespace
}  // namespace phiflex
