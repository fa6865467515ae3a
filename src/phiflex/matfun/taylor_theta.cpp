#include "phiflex/matfun/taylor_theta.h"

#include <algorithm>
#include <cmath>

namespace phiflex {
namespace {

constexpr int kTerms = 80;  // of (1): at tolerance 2^-10 the last one adds less than 1e-3 of the sum

using Coefficients = std::array<double, kTerms>;

// |c_k| (m+1)!, k from m + 1: scaled so that the first is 1.
Coefficients backward_error_series(int m) {
  std::array<long double, kTerms> a{}, l{};  // coefficients of x^(m+i) in a and in log(g)', times m!
  long double factorial = 1;                 // m!
  for (int i = 2; i <= m; ++i) factorial *= i;
  for (int i = 0; i < kTerms; ++i) a[i] = i == 0 ? -1 : -a[i - 1] / i;
  Coefficients c;
  for (int i = 0; i < kTerms; ++i) {
    l[i] = a[i];
    // g has the coefficient a_(m+j) / (m+j+1) at x^(m+j+1), (2)
    for (int j = 0; m + j + 1 <= i; ++j) l[i] -= a[j] / factorial / (m + j + 1) * l[i - (m + j + 1)];
    c[i] = static_cast<double>(std::abs(l[i]) * (m + 1) / (m + i + 1));
  }
  return c;
}

struct Tables {
  std::array<Coefficients, kLargestTaylorDegree + 1> c;
  std::array<double, kLargestTaylorDegree + 1> log_factorial;  // of m + 1
  Tables() : log_factorial{} {
    for (int m = 1; m <= kLargestTaylorDegree; ++m) {
      c[m] = backward_error_series(m);
      log_factorial[m] = std::lgamma(m + 2.0);
    }
  }
};

}  // namespace

std::array<double, kLargestTaylorDegree + 1> taylor_thetas(double tolerance) {
  static const Tables tables;
  const double log_tolerance = std::log(std::min(tolerance, 0x1p-10));
  std::array<double, kLargestTaylorDegree + 1> theta{};
  for (int m = 1; m <= kLargestTaylorDegree; ++m) {
    // Newton for log of (1) as a function of log theta: convex and increasing, so that it descends to the
    // root from the guess of the first term alone.
    const double goal = log_tolerance + tables.log_factorial[m];
    double x = goal / m;
    for (int iteration = 0; iteration < 50; ++iteration) {
      const double t = std::exp(x);
      double sum = 0, slope = 0;
      for (int i = kTerms - 1; i >= 0; --i) {
        slope = slope * t + sum;
        sum = sum * t + tables.c[m][i];
      }
      const double change = (m * x + std::log(sum) - goal) / (m + t * slope / sum);
      x -= change;
      if (change < 1e-12) break;
    }
    theta[m] = std::exp(x);
  }
  return theta;
}

}  // namespace phiflex
