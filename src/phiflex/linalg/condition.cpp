#include "phiflex/linalg/condition.h"

#include <algorithm>
#include <cmath>

#include "phiflex/linalg/cholesky.h"

namespace phiflex {

double estimate_one_norm(Index n, VectorMap apply, VectorMap apply_transpose) {
  if (n == 0) return 0;
  Vector x = Vector::Constant(n, 1.0 / static_cast<double>(n)), y(n), z(n), signs(n);
  double estimate = 0;
  constexpr int kRounds = 6;  // (2) stops after two or three
  for (int round = 0; round < kRounds; ++round) {
    apply(x, y);
    const double found = y.lpNorm<1>();
    if (round > 1 && found <= estimate) break;
    estimate = std::max(estimate, found);
    for (Index i = 0; i < n; ++i) signs[i] = y[i] >= 0 ? 1 : -1;
    apply_transpose(signs, z);
    Index largest = 0;
    const double greatest = z.cwiseAbs().maxCoeff(&largest);
    if (round > 0 && greatest <= z.dot(x)) break;
    x.setZero(n);
    x[largest] = 1;
  }
  if (n == 1) return estimate;
  for (Index i = 0; i < n; ++i)
    x[i] = (i % 2 == 0 ? 1 : -1) * (1 + static_cast<double>(i) / static_cast<double>(n - 1));
  apply(x, y);
  return std::max(estimate, 2 * y.lpNorm<1>() / (3 * static_cast<double>(n)));
}

std::optional<double> estimate_condition(const SparseMatrix& K, const MassMatrix& mass, double c) {
  const Index n = K.rows();
  SparseMatrix shifted(K.shared_pattern());  // M + c K
  shifted.set(c, K);
  mass.add_to(1, shifted);
  CholeskyFactorization factorization(K.shared_pattern());
  if (factorization.factorize(shifted) != FactorStatus::ok) return std::nullopt;
  Vector between(n);
  // A = M^-1 (M + c K), so A' = (M + c K) M^-1.
  const double norm = estimate_one_norm(
      n,
      [&](const Vector& x, Vector& y) {
        shifted.apply(x, between);
        mass.solve(between, y);
      },
      [&](const Vector& x, Vector& y) {
        mass.solve(x, between);
        shifted.apply(between, y);
      });
  const double inverse_norm = estimate_one_norm(
      n,
      [&](const Vector& x, Vector& y) {
        mass.apply(x, between);
        factorization.solve(between, y);
      },
      [&](const Vector& x, Vector& y) {
        factorization.solve(x, between);
        mass.apply(between, y);
      });
  return norm * inverse_norm;
}

}  // namespace phiflex
