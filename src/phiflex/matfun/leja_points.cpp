#include "phiflex/matfun/leja_points.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace phiflex {
namespace {

std::array<double, kLejaPairs> find_leja_points() {
  // Candidates as dense as Chebyshev points: between two of the last Leja points there are tens of them, and
  // any point near the maximum serves as well as the maximum.
  constexpr int kCandidates = 2001;
  std::array<double, kCandidates> candidate, product;
  for (int i = 0; i < kCandidates; ++i) {
    candidate[i] = 2 * std::cos(std::numbers::pi * i / (kCandidates - 1));
    product[i] = 1;
  }
  std::array<double, kLejaPairs> points;
  for (double& point : points) {
    point = candidate[std::max_element(product.begin(), product.end()) - product.begin()];
    for (int i = 0; i < kCandidates; ++i) product[i] *= std::abs(candidate[i] - point);
  }
  return points;
}

}  // namespace

const std::array<double, kLejaPairs>& leja_points() {
  static const auto points = find_leja_points();
  return points;
}

void NewtonExponential::compute(double shift, double k, double f) {
  for (int i = 0; i < kLejaPairs; ++i) y[i] = f * (2 + leja_points()[i]);

  // (4) by Taylor series in substeps h; |Y| <= 5, so that h sqrt(5) <= 1 leaves 1/24! after 24 terms. Extended
  // precision: the matrix of Opitz is far from normal.
  const int substeps = static_cast<int>(std::ceil(k * std::sqrt(5.0)));
  const long double h = substeps ? static_cast<long double>(k) / substeps : 0;
  std::array<long double, kLejaPairs> S{}, C{}, term, next;
  C[0] = 1;
  for (int step = 0; step < substeps; ++step) {
    // d^j/dk^j of odd is Y^(j/2) S for even j and Y^((j-1)/2) C for odd j, and even = odd'.
    auto add_series = [&](std::array<long double, kLejaPairs>& start, int j, auto& odd_sum, auto& even_sum) {
      term = start;
      for (; j < 24; j += 2) {
        for (int i = 0; i < kLejaPairs; ++i) {
          odd_sum[i] += term[i];
          even_sum[i] += term[i] * j / h;
        }
        for (int i = kLejaPairs - 1; i >= 0; --i)
          term[i] = (y[i] * term[i] + (i ? term[i - 1] : 0)) * h * h / ((j + 1) * (j + 2));
      }
    };
    std::array<long double, kLejaPairs> new_S{}, new_C{};
    next = C;
    for (long double& entry : next) entry *= h;
    add_series(S, 0, new_S, new_C);
    add_series(next, 1, new_S, new_C);
    S = new_S;
    C = new_C;
  }
  const long double factor = std::exp(static_cast<long double>(shift));
  for (int i = 0; i < kLejaPairs; ++i) {
    even[i] = static_cast<double>(factor * C[i]);
    odd[i] = static_cast<double>(factor * S[i]);
  }
}

}  // namespace phiflex
