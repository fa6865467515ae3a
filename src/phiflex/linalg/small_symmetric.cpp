#include "phiflex/linalg/small_symmetric.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace phiflex {
namespace {

// Columns p and q of X become c X_p - s X_q and s X_p + c X_q.
void turn_columns(int n, std::span<double> X, int p, int q, double c, double s) {
  for (int i = 0; i < n; ++i) {
    const double xp = X[std::size_t(i + n * p)], xq = X[std::size_t(i + n * q)];
    X[std::size_t(i + n * p)] = c * xp - s * xq;
    X[std::size_t(i + n * q)] = s * xp + c * xq;
  }
}
void turn_rows(int n, std::span<double> X, int p, int q, double c, double s) {
  for (int i = 0; i < n; ++i) {
    const double xp = X[std::size_t(p + n * i)], xq = X[std::size_t(q + n * i)];
    X[std::size_t(p + n * i)] = c * xp - s * xq;
    X[std::size_t(q + n * i)] = s * xp + c * xq;
  }
}

}  // namespace

void diagonalize(int n, std::span<double> A, std::span<double> V) {
  if (n > kLargestSmall || A.size() != std::size_t(n * n) || V.size() != A.size())
    throw std::invalid_argument("diagonalize: sizes do not fit");
  const auto at = [&](int i, int j) -> double& { return A[std::size_t(i + n * j)]; };
  double size = 0;
  for (const double a : A) size = std::max(size, std::abs(a));
  const double least = std::numeric_limits<double>::epsilon() * size;
  constexpr int kMostSweeps = 30;  // ten serve matrices of twelve rows
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    bool turned = false;
    for (int p = 0; p < n; ++p) {
      for (int q = p + 1; q < n; ++q) {
        if (!(std::abs(at(p, q)) > 0.01 * least)) continue;
        turned = turned || std::abs(at(p, q)) > least;
        const double theta = (at(q, q) - at(p, p)) / (2 * at(p, q));
        const double t = std::copysign(1 / (std::abs(theta) + std::hypot(theta, 1.0)), theta);  // (1)
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        turn_columns(n, A, p, q, c, s);
        turn_rows(n, A, p, q, c, s);
        turn_columns(n, V, p, q, c, s);
        at(p, q) = at(q, p) = 0;
      }
    }
    if (!turned) return;
  }
}

}  // namespace phiflex
