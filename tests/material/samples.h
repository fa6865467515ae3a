// Deformation gradients for the tests of the laws, reproducible, with known principal stretches.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "phiflex/base/mat3.h"

namespace phiflex::test {

constexpr int kSamples = 50;

// With mu and lambda near 1 and stretches between 0.3 and 1.6 no term of any law exceeds 100, a formula has
// fewer than 100 operations, and singular vectors of stretches 0.1 apart magnify roundings by 10 per
// derivative: 100 * 100 * 10 * 1.1e-16 = 1.1e-11.
constexpr double kRounding = 1.1e-11;

inline double largest_entry(const Mat3<double>& m) {
  double largest = 0;
  for (const double x : m.e)
    largest = std::isnan(x) ? std::numeric_limits<double>::infinity() : std::max(largest, std::abs(x));
  return largest;
}

class Samples {
 public:
  explicit Samples(unsigned seed) : generator_(seed) {}

  double number(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(generator_);
  }
  Vec3<double> vector() { return {number(-1, 1), number(-1, 1), number(-1, 1)}; }
  Mat3<double> matrix() {
    Mat3<double> m;
    for (double& x : m.e) x = number(-1, 1);
    return m;
  }
  Mat3<double> rotation() {
    Vec3<double> a = vector(), b = vector();
    a = (1 / norm(a)) * a;
    b = b - dot(a, b) * a;
    b = (1 / norm(b)) * b;
    return from_columns(a, b, cross(a, b));
  }
  Mat3<double> with_stretches(const Vec3<double>& s) { return rotation() * diagonal(s) * rotation(); }

  // Stretches apart by at least 0.1.
  Mat3<double> ordinary() { return with_stretches({number(1.1, 1.6), number(0.8, 1.0), number(0.3, 0.7)}); }
  Mat3<double> inverted() { return with_stretches({number(1.1, 1.6), number(0.8, 1.0), -number(0.3, 0.7)}); }

 private:
  std::mt19937 generator_;
};

}  // namespace phiflex::test
