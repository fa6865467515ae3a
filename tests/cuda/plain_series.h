// The series of ere by plain sums, for programs that are built where nothing but nvcc is.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "phiflex/cuda/device_body.h"

namespace phiflex::device {

class PlainSeries final : public DeviceSeriesMaker {
 public:
  int made = 0;

  DeviceSeries make(double low, double high, double h, int largest_degree) override {
    ++made;
    DeviceSeries series;
    series.middle = 0.5 * (low + high);
    series.radius = std::max(0.5 * (high - low), 1e-300);
    for (int N = 16;; N *= 2) {
      std::vector<double> cosine(2 * std::size_t(N));
      for (std::size_t k = 0; k < cosine.size(); ++k) cosine[k] = std::cos(std::numbers::pi * double(k) / N);
      std::vector<std::array<double, 4>> f, a(std::size_t(N) + 1);
      for (int j = 0; j <= N; ++j)
        f.push_back(functions(series.middle + series.radius * cosine[std::size_t(j)], h));
      series.largest = {};
      for (std::size_t k = 0; k < a.size(); ++k)
        for (std::size_t e = 0; e < 4; ++e) {
          double sum = 0;
          for (std::size_t j = 0; j < f.size(); ++j)
            sum += (j == 0 || j + 1 == f.size() ? 0.5 : 1) * f[j][e] * cosine[j * k % cosine.size()];
          a[k][e] = (k == 0 || k + 1 == a.size() ? 1 : 2) * sum / N;
          series.largest[e] = std::max(series.largest[e], std::abs(a[k][e]));
        }
      const auto relative = [&](std::size_t k) {
        double most = 0;
        for (std::size_t e = 0; e < 4; ++e) most = std::max(most, std::abs(a[k][e]) / series.largest[e]);
        return most;
      };
      std::size_t degree = a.size() - a.size() / 8;
      double tail = 0;
      for (std::size_t k = degree; k < a.size(); ++k) tail = std::max(tail, relative(k));
      if (tail <= kAccuracy) {
        while (degree > 0 && relative(degree) <= kAccuracy) --degree;
        a.resize(degree + 1);
        series.coefficients = a;
        return series;
      }
      if (N >= largest_degree) {
        series.outcome = DeviceSeries::Outcome::not_resolved;
        return series;
      }
    }
  }
  // The extreme eigenvalues of the tridiagonal matrix by bisection, and outside of them half of what is left of
  // the last step; the bound of the sum shows where that was too little.
  std::array<double, 2> ends_of_spectrum(const std::vector<double>& alpha,
                                         const std::vector<double>& beta) override {
    double low = 0, high = 0;
    for (std::size_t j = 0; j < alpha.size(); ++j) {
      const double beside = beta[j] + (j > 0 ? beta[j - 1] : 0);
      low = std::min(low, alpha[j] - beside);
      high = std::max(high, alpha[j] + beside);
    }
    const double floor = low, ceiling = high, margin = 0.5 * beta.back();
    const auto bisect = [&](int below) {  // where more than so many eigenvalues are below
      double left = floor, right = ceiling;
      for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (left + right);
        (eigenvalues_below(middle, alpha, beta) > below ? right : left) = middle;
      }
      return right;
    };
    const double smallest = bisect(0);
    return {smallest < 0 ? smallest - margin : smallest, bisect(int(alpha.size()) - 1) + margin};
  }

 private:
  static constexpr double kAccuracy =
      1e-11;  // what is left of the functions' phases at h w_max = 1000 and more
  // The signs of the pivots of T - x (Sturm).
  static int eigenvalues_below(double x, const std::vector<double>& alpha, const std::vector<double>& beta) {
    int count = 0;
    double pivot = 1;
    for (std::size_t j = 0; j < alpha.size(); ++j) {
      pivot = alpha[j] - x - (j > 0 ? beta[j - 1] * beta[j - 1] / pivot : 0);
      if (pivot == 0) pivot = 1e-300;
      count += pivot < 0;
    }
    return count;
  }
  // With w = sqrt(lambda): sin(h w)/w and (1 - cos(h w))/w^2 of the positions, cos(h w) - 1 and sin(h w)/w of the
  // velocities.
  static std::array<double, 4> functions(double lambda, double h) {
    const double z = h * std::sqrt(std::abs(lambda));
    double sinc = 1, half = 1;  // sin(z)/z and sin(z/2)/(z/2)
    if (z > 1e-8) {
      sinc = (lambda > 0 ? std::sin(z) : std::sinh(z)) / z;
      half = (lambda > 0 ? std::sin(z / 2) : std::sinh(z / 2)) / (z / 2);
    }
    const double cosc = 0.5 * half * half;
    return {h * sinc, h * h * cosc, -lambda * h * h * cosc, h * sinc};
  }
};

}  // namespace phiflex::device
