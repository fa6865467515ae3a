#include "phiflex/matfun/projected_function.h"

#include <algorithm>
#include <cmath>

namespace phiflex {
namespace {

// Below this size an eigendecomposition is cheaper than a series.
constexpr Index kSmall = 24;

// Whether sign (T - shift) is positive definite: by a Cholesky factorization within the band.
bool is_definite(const Eigen::Ref<const Matrix>& band, double sign, double shift, GrowingMatrix& factor) {
  const Index size = band.rows(), width = band.cols() - 1;
  auto L = factor.shape(size, width + 1);
  L = sign * band;
  L.col(0).array() -= sign * shift;
  for (Index j = 0; j < size; ++j) {
    if (!(L(j, 0) > 0)) return false;
    const Index below = std::min(width, size - 1 - j);
    for (Index d = 1; d <= below; ++d) {
      const double ratio = L(j, d) / L(j, 0);
      for (Index e = d; e <= below; ++e) L(j + d, e - d) -= ratio * L(j, e);
    }
  }
  return true;
}

// Y = T X for the leading `reach` rows, X zero below them less the width of the band.
void apply_banded(const Eigen::Ref<const Matrix>& band, const Eigen::Ref<const Matrix>& X, Index reach,
                  Eigen::Ref<Matrix> Y) {
  for (Index j = 0; j < X.cols(); ++j) {
    Y.col(j).head(reach) = band.col(0).head(reach).cwiseProduct(X.col(j).head(reach));
    for (Index d = 1; d < std::min(band.cols(), reach); ++d) {
      const auto side = band.col(d).head(reach - d);
      Y.col(j).head(reach - d) += side.cwiseProduct(X.col(j).segment(d, reach - d));
      Y.col(j).segment(d, reach - d) += side.cwiseProduct(X.col(j).head(reach - d));
    }
  }
}

}  // namespace

bool ProjectedFunction::evaluate(const PencilFunction& f, const Eigen::Ref<const Matrix>& T,
                                 const Eigen::Ref<const Matrix>& g, GrowingMatrix& C) {
  const Index size = T.rows();
  auto theta = theta_.shape(size, 1);
  auto S = S_.shape(size, size), coordinates = coordinates_.shape(size, g.cols()),
       weighted = weighted_.shape(size, f.rows()), result = C.shape(size, f.rows());
  if (!eigen_.solve(T, theta.col(0), S)) return false;
  multiply_transposed(S.topRows(g.rows()), g, coordinates);
  value_.resize(f.rows(), f.columns());
  for (Index l = 0; l < size; ++l) {
    f.evaluate(theta(l, 0), value_);
    weighted.row(l).transpose().noalias() = value_.lazyProduct(coordinates.row(l).transpose());
  }
  multiply(S, weighted, result);
  return result.allFinite();
}

// T_0 g = g,  T_1 g = X g,  T_(k+1) g = 2 X T_k g - T_(k-1) g  with X = (T - middle)/radius: T_k g fills the
// leading rows one width of the band after the other.
void ProjectedFunction::sum_series(const PencilFunction& f, const Eigen::Ref<const Matrix>& band,
                                   const Eigen::Ref<const Matrix>& g, Eigen::Ref<Matrix> C) {
  const Index size = band.rows(), width = band.cols() - 1;
  Eigen::Map<Matrix> blocks[] = {before_.shape(size, g.cols()), now_.shape(size, g.cols()),
                                 next_.shape(size, g.cols())};
  Eigen::Map<Matrix>*before = &blocks[0], *now = &blocks[1], *next = &blocks[2];
  for (Eigen::Map<Matrix>& block : blocks) block.setZero();
  C.setZero();
  now->topRows(g.rows()) = g;
  Index reach = g.rows();
  for (int k = 0;; ++k) {
    for (Index i = 0; i < f.rows(); ++i)
      for (Index j = 0; j < f.columns(); ++j)
        C.col(i).head(reach) += series_.coefficient(k, i, j) * now->col(j).head(reach);
    if (k == series_.degree()) return;
    reach = std::min(size, reach + width);
    apply_banded(band, *now, reach, *next);
    const double factor = (k == 0 ? 1 : 2) / series_.radius();
    next->topRows(reach) =
        factor * (next->topRows(reach) - series_.middle() * now->topRows(reach)) - before->topRows(reach);
    std::swap(before, now);
    std::swap(now, next);
  }
}

// Gershgorin's discs may reach far below zero where a function grows without bound, so both ends are drawn in
// until they lie within a few per cent of the spectrum.
std::pair<double, double> ProjectedFunction::spectral_interval(const Eigen::Ref<const Matrix>& band) {
  const Index size = band.rows();
  double low = band(0, 0), high = low;
  for (Index j = 0; j < size; ++j) {
    double radius = 0;
    for (Index d = 1; d < band.cols(); ++d) {
      if (j + d < size) radius += std::abs(band(j, d));
      if (j >= d) radius += std::abs(band(j - d, d));
    }
    low = std::min(low, band(j, 0) - radius);
    high = std::max(high, band(j, 0) + radius);
  }
  const double span = high - low, nearly_zero = -1e-13 * span;
  for (double inner = low; high - inner > 0.05 * span;) {
    const double between = 0.5 * (inner + high);
    (is_definite(band, -1, between, factor_) ? high : inner) = between;
  }
  if (low < nearly_zero) {
    double outer = low, inner = nearly_zero;
    if (is_definite(band, 1, inner, factor_)) outer = inner;
    while (outer < 1.05 * inner) {  // both negative, outer below the spectrum, inner not
      const double between = outer < 4 * inner ? -std::sqrt(outer * inner) : 0.5 * (outer + inner);
      (is_definite(band, 1, between, factor_) ? outer : inner) = between;
    }
    low = outer;
  }
  return {low, high};
}

bool ProjectedFunction::evaluate_banded(const PencilFunction& f, const Eigen::Ref<const Matrix>& band,
                                        const Eigen::Ref<const Matrix>& g, double accuracy,
                                        GrowingMatrix& C) {
  const Index size = band.rows();
  if (!band.allFinite()) return false;
  if (size > kSmall) {
    const auto [low, high] = spectral_interval(band);
    const auto outcome = series_.expand(f, low, high, std::max(accuracy, 1e-15), int(8 * size));
    if (outcome == ChebyshevSeries::Outcome::ok) {
      auto result = C.shape(size, f.rows());
      sum_series(f, band, g, result);
      return result.allFinite();
    }
  }
  auto dense = dense_.shape(size, size);
  dense.setZero();
  for (Index d = 0; d < band.cols(); ++d)
    for (Index j = 0; j + d < size; ++j) dense(j + d, j) = band(j, d);
  return evaluate(f, dense, g, C);
}

}  // namespace phiflex
