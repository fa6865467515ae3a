#include "phiflex/matfun/dense_phi.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace phiflex {
namespace {

struct PadeDegree {
  int q;
  double theta;  // largest |A|_1 for which r_q has a backward error below 2^-53 (Higham 2005, Table 2.3)
};
constexpr std::array<PadeDegree, 4> kLowDegrees = {{{3, 1.495585217958292e-2},
                                                    {5, 2.539398330063230e-1},
                                                    {7, 9.504178996162932e-1},
                                                    {9, 2.097847961257068}}};
constexpr double kTheta13 = 5.371920351148152;

std::array<double, 14> pade_coefficients(int q) {
  std::array<double, 14> b{};
  b[0] = 1;
  for (int j = 1; j <= q; ++j) b[j] = b[j - 1] * (q - j + 1) / ((2.0 * q - j + 1) * j);
  return b;
}

}  // namespace

// X = A^-1 X by elimination with row pivoting; A is overwritten.
void DenseExponential::solve_in_place(Eigen::Map<Matrix> A, Eigen::Map<Matrix> X) {
  for (Index k = 0; k < n_; ++k) {
    Index pivot;
    A.col(k).tail(n_ - k).cwiseAbs().maxCoeff(&pivot);
    if (pivot > 0) {
      A.row(k).swap(A.row(k + pivot));
      X.row(k).swap(X.row(k + pivot));
    }
    const Index below = n_ - k - 1;
    A.col(k).tail(below) /= A(k, k);
    for (Index j = k + 1; j < n_; ++j) A.col(j).tail(below) -= A(k, j) * A.col(k).tail(below);
  }
  A.triangularView<Eigen::UnitLower>().solveInPlace(X);
  A.triangularView<Eigen::Upper>().solveInPlace(X);
}

Eigen::Map<Matrix> DenseExponential::input(Index n) {
  n_ = n;
  input_.assign(static_cast<std::size_t>(n * n), 0.0);
  return {input_.data(), n, n};
}

bool DenseExponential::compute(double tau, const Eigen::Ref<const Matrix>& A) {
  n_ = A.rows();
  if (n_ == 0) return true;
  const std::size_t needed = static_cast<std::size_t>(7 * n_ * n_);
  if (storage_.size() < needed) storage_.resize(needed);
  auto E = square(0), B = square(1), A2 = square(2), A4 = square(3), A6 = square(4), U = square(5),
       V = square(6);

  const double norm = std::abs(tau) * A.cwiseAbs().colwise().sum().maxCoeff();
  // maxCoeff() may pass over a NaN; the sum does not.
  if (!(norm <= 0x1p52) || !std::isfinite(A.sum() * tau)) return false;

  int q = 13, squarings = 0;
  for (const PadeDegree& low : kLowDegrees) {
    if (norm <= low.theta) {
      q = low.q;
      break;
    }
  }
  if (norm > kTheta13) std::frexp(norm / kTheta13, &squarings);
  const auto b = pade_coefficients(q);
  B = std::ldexp(tau, -squarings) * A;
  A2.noalias() = B * B;
  if (q < 13) {
    // E = A^(2j), U / A and V accumulate their terms.
    E.setIdentity();
    A4.setIdentity();
    A4 *= b[1];
    V.setIdentity();
    for (int j = 2; j < q; j += 2) {
      A6.noalias() = E * A2;
      E = A6;
      V += b[j] * E;
      A4 += b[j + 1] * E;
    }
  } else {
    A4.noalias() = A2 * A2;
    A6.noalias() = A4 * A2;
    E = b[13] * A6 + b[11] * A4 + b[9] * A2;
    U.noalias() = A6 * E;
    E = b[12] * A6 + b[10] * A4 + b[8] * A2;
    V.noalias() = A6 * E;
    V += b[6] * A6 + b[4] * A4 + b[2] * A2;
    V.diagonal().array() += b[0];
    A4 = U + b[7] * A6 + b[5] * A4 + b[3] * A2;
    A4.diagonal().array() += b[1];
  }
  U.noalias() = B * A4;
  E = V + U;
  V -= U;
  solve_in_place(V, E);
  for (int i = 0; i < squarings; ++i) {
    U.noalias() = E * E;
    E = U;
  }
  return E.allFinite();
}

double DenseExponential::leading_norm(Index m) {
  constexpr int kIterations = 8;
  const auto F = value().topLeftCorner(m, m);
  auto x = square(1).col(0).head(m), y = square(2).col(0).head(m);
  x.setOnes();
  double norm = 0;
  for (int i = 0; i < kIterations; ++i) {
    const double length = x.norm();
    if (!(length > 0) || !std::isfinite(length)) break;
    x /= length;
    y.noalias() = F * x;
    norm = std::max(norm, y.norm());
    x.noalias() = F.transpose() * y;
  }
  return norm;
}

bool DensePhi::evaluate(const Eigen::Ref<const Matrix>& A, std::span<const Vector> u, double tau, Vector& w) {
  const Index n = A.rows(), p = u.empty() ? 0 : static_cast<Index>(u.size()) - 1;
  augmented_.setZero(n + p, n + p);
  augmented_.topLeftCorner(n, n) = tau * A;
  double factor = 1;
  for (Index k = 1; k <= p; ++k) {
    factor *= tau;
    if (u[k].size() > 0) augmented_.col(n + p - k).head(n) = factor * u[k];
    if (k < p) augmented_(n + p - k - 1, n + p - k) = 1;
  }
  start_.setZero(n + p);
  if (!u.empty() && u[0].size() > 0) start_.head(n) = u[0];
  if (p > 0) {
    auto B = augmented_.topRightCorner(n, p);
    const double size = B.cwiseAbs().colwise().sum().maxCoeff();
    if (!std::isfinite(size)) return false;
    int exponent = 0;
    if (size > 0) std::frexp(size, &exponent);
    B *= std::ldexp(1.0, -exponent);
    start_[n + p - 1] = std::ldexp(1.0, exponent);
  }
  if (!start_.allFinite() || !exponential_.compute(1, augmented_)) return false;
  w.noalias() = exponential_.value().topRows(n) * start_;
  return w.allFinite();
}

}  // namespace phiflex
