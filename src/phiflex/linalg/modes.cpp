#include "phiflex/linalg/modes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "phiflex/base/outer_phase.h"
#include "phiflex/linalg/davidson.h"
#include "phiflex/linalg/dense_solvers.h"

namespace phiflex {
namespace {

// Columns that go through K and the inverse at once: enough to share their memory traffic, and more than the
// multiplicities that symmetric bodies have.
constexpr Index kBlock = 8;

constexpr Index kMany = 64, kFew = 8;

// Up to this size, and when a large part of all pairs is wanted, a dense solver is faster.
constexpr Index kDenseSize = 300, kDenseShare = 5;

// Sweeps of warm modes go on to this part of the tolerance: what they leave is noise in the prediction of the
// next modes from the last ones.
constexpr double kMargin = 0.5;

Index round_up(Index count, Index block) {
  return (count + block - 1) / block * block;
}

// On an exact inverse far below the wanted eigenvalues. Blocks grow with the count, so that the projected
// problems are not solved too often; a few vectors above the wanted ones speed up the convergence of the last.
Davidson::Shape direct_shape(Index rows, Index wanted) {
  const Index block = std::max(kBlock, round_up(wanted / 5, kBlock)), kept = wanted + block;
  return {rows, wanted, kept, 0, block, block, std::min(rows, std::max(2 * kept, kept + 4 * block))};
}

// On the inverse of a step, all open pairs move in one sweep. Eight vectors at least: they fill a block, and the
// first elastic mode of a free body is among them and gives the rigid ones their scale. When modes are few, those
// of the last four refreshes stay beside the new ones: products are cheap against solves, and on a smooth motion
// they together hold the next modes to that order in the step and one more. For many, the products would cost
// more than the sweeps they save.
Davidson::Shape warm_shape(Index rows, Index wanted) {
  const Index guards = std::max({Index(2), kBlock - wanted, wanted / 5});
  const Index kept = std::min(rows, wanted + guards), block = std::min(kBlock, kept);
  const Index steps = wanted <= kFew ? 4 : 0;
  const Index previous = steps * wanted, sweep_columns = round_up(std::min(wanted, kMany), block);
  return {rows,
          wanted,
          kept,
          previous,
          block,
          sweep_columns,
          std::min(rows, kept + previous + 2 * sweep_columns)};
}

// The same from nothing: the step's shift may be far from the wanted eigenvalues, which takes a long basis.
Davidson::Shape cold_shape(Index rows, Index wanted) {
  Davidson::Shape shape = warm_shape(rows, wanted);
  shape.previous = shape.kept;
  shape.sweep_columns = shape.block;
  shape.capacity = std::min(rows, 2 * shape.kept + 6 * shape.block);
  return shape;
}

void store_modes(const Davidson& davidson, Modes& modes) {
  const RitzSpace& space = davidson.space();
  const Index count = davidson.shape().wanted;
  modes.lambda.resize(count);
  for (Index i = 0; i < count; ++i) modes.lambda[i] = space.theta(i);
  modes.U = space.basis().leftCols(count);
  modes.residual = davidson.residual();
}

// Eigenvectors by a dense solver; empty when it fails.
Matrix dense_modes(const AssembledPencil& pencil, Index count) {
  Matrix K = Matrix(pencil.K().to_eigen());
  if (const LowRank* low = pencil.low_rank())
    K.noalias() += low->MU * low->scale.asDiagonal() * low->MU.transpose();
  Matrix M = pencil.mass().diagonal().asDiagonal();
  if (const SparseMatrix* consistent = pencil.mass().matrix()) M = Matrix(consistent->to_eigen());
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> eigen(K, M);
  if (eigen.info() != Eigen::Success) return {};
  return eigen.eigenvectors().leftCols(count);
}

// Factorizes M + s K with the largest s that leaves it positive definite, from 1/s = 1e-11 |A| on: far below
// the eigenvalues of interest, and above the rounding errors of a singular K.
SolveStatus factorize_with_large_shift(const AssembledPencil& pencil, double norm,
                                       CholeskyFactorization& cholesky, double& s, Work& work) {
  const PhaseTimer timer(work.factorization_seconds);
  SparseMatrix A(pencil.K().shared_pattern());
  for (double sigma = 1e-11 * norm;; sigma *= 100) {
    s = 1 / sigma;
    A.set(s, pencil.K());
    pencil.mass().add_to(1, A);
    ++work.factorizations;
    switch (cholesky.factorize(A)) {
      case FactorStatus::ok:
        return SolveStatus::ok;
      case FactorStatus::not_finite:
        return SolveStatus::not_finite;
      case FactorStatus::not_positive_definite:
        break;
    }
    if (sigma > norm) return SolveStatus::not_positive_definite;
  }
}

// From a random start until nothing is missed.
ModesStatus converge_cold(Davidson& davidson, const Davidson::Problem& problem, int sweep_limit) {
  if (const ModesStatus status = davidson.start(problem); status != ModesStatus::ok) return status;
  constexpr int searches = 4;
  for (int search = 0; search < searches; ++search) {
    if (const ModesStatus status = davidson.converge(problem, sweep_limit); status != ModesStatus::ok)
      return status;
    bool found = false;
    if (const ModesStatus status = davidson.search_for_missed(problem, found); status != ModesStatus::ok)
      return status;
    if (!found) return davidson.converge(problem, sweep_limit);  // what the search found may be better
  }
  return ModesStatus::not_converged;
}

}  // namespace

ModesStatus compute_modes(const AssembledPencil& pencil, Index count, const ModesOptions& options,
                          Modes& modes, Work& work) {
  const OuterPhase phase(work, &Work::modes_seconds);
  const Index rows = pencil.size();
  if (count < 0 || count > rows)
    throw std::invalid_argument("compute_modes: between none and as many modes as unknowns");
  modes = {};
  if (count == 0) return ModesStatus::ok;
  double norm = pencil.norm();
  if (!std::isfinite(norm)) return ModesStatus::not_finite;
  if (norm == 0) norm = 1;  // K = 0: every vector is a mode
  if (rows <= kDenseSize || count * kDenseShare > rows) {
    const Matrix U = dense_modes(pencil, count);
    if (U.size() == 0) return ModesStatus::not_finite;
    Davidson davidson({rows, count, count, 0, std::min(kBlock, count), std::min(kBlock, count), count});
    const Davidson::Problem problem = {pencil, nullptr, norm, options.tolerance, 1, work};
    davidson.set_basis(U);
    davidson.resume(problem);
    const ModesStatus status = davidson.converge(problem, 0);
    davidson.keep();
    store_modes(davidson, modes);
    return status;
  }
  CholeskyFactorization cholesky(pencil.K().shared_pattern());
  double s = 0;
  switch (factorize_with_large_shift(pencil, norm, cholesky, s, work)) {
    case SolveStatus::ok:
      break;
    case SolveStatus::not_positive_definite:
      return ModesStatus::not_positive_definite;
    case SolveStatus::not_finite:
      return ModesStatus::not_finite;
  }
  FactorizedShiftInverse inverse(cholesky, s);
  Davidson davidson(direct_shape(rows, count));
  const ModesStatus status =
      converge_cold(davidson, {pencil, &inverse, norm, options.tolerance, 1, work}, options.sweep_limit);
  if (davidson.space().pairs() < count) return status;
  davidson.keep();
  store_modes(davidson, modes);
  return status;
}

WarmModes::WarmModes(Index count, double tolerance) : count_(count), tolerance_(tolerance) {
  if (count < 1) throw std::invalid_argument("WarmModes: at least one mode");
  if (!(tolerance > 0)) throw std::invalid_argument("WarmModes: the tolerance is larger than 0");
}
WarmModes::~WarmModes() = default;
WarmModes::WarmModes(WarmModes&&) noexcept = default;
WarmModes& WarmModes::operator=(WarmModes&&) noexcept = default;

ModesStatus WarmModes::update(const Pencil& pencil, ShiftInverse& inverse, Work& work) {
  const BlockRotations none;
  return update(
      pencil, inverse, [&]() -> const BlockRotations& { return none; }, work);
}

ModesStatus WarmModes::update(const Pencil& pencil, ShiftInverse& inverse, Turning turning, Work& work) {
  const OuterPhase phase(work, &Work::modes_seconds);
  if (pencil.size() == 0) return ModesStatus::ok;
  const BlockRotations* rotations = nullptr;
  if (warm_ && davidson_->shape().rows == pencil.size()) {
    if (std::exchange(turned_, false)) show_basis();
    refreshed_ = false;
    if (keeps(pencil, work)) return ModesStatus::ok;
    if (!pencil.mass().matrix()) rotations = &turning();
    if (rotations && rotations->empty()) rotations = nullptr;
    if (rotations) {
      rotations->apply(modes_.U);
      turned_ = true;
      if (keeps(pencil, work)) return ModesStatus::ok;
      davidson_->turn(*rotations);
    }
  }
  const ModesStatus status = refresh(pencil, inverse, work);
  refreshed_ = status == ModesStatus::ok;
  if (refreshed_) turned_ = false;
  return status;
}

// (3)
bool WarmModes::keeps(const Pencil& pencil, Work& work) {
  y_.resize(modes_.U.rows(), 1);
  z_.resize(modes_.U.rows(), 1);
  y_.col(0).noalias() = modes_.U * weights_;
  combined_ = weights_.cwiseProduct(modes_.lambda);
  z_.col(0).noalias() = modes_.U * combined_;
  Ky_.resize(y_.rows(), 1);
  Mz_.resize(y_.rows(), 1);
  pencil.apply_K(y_, Ky_);
  ++work.stiffness_products;
  pencil.mass().apply(z_, Mz_);
  kept_residual_ = (Ky_ - Mz_).norm();
  return kept_residual_ <= tolerance_;
}

void WarmModes::show_basis() {
  modes_.U = davidson_->space().basis().leftCols(modes_.count());
}

ModesStatus WarmModes::refresh(const Pencil& pencil, ShiftInverse& inverse, Work& work) {
  constexpr int warm_sweeps = 12, cold_sweeps = 300;
  const Index rows = pencil.size();
  if (!davidson_ || davidson_->shape().rows != rows) {
    davidson_ = std::make_unique<Davidson>(warm_shape(rows, std::min(count_, rows)));
    warm_ = false;
  }
  ModesStatus status = ModesStatus::not_converged;
  if (warm_) {
    const Davidson::Problem problem = {pencil, &inverse, norm_, tolerance_, kMargin, work};
    davidson_->resume(problem);
    status = davidson_->converge(problem, warm_sweeps);
  }
  if (status == ModesStatus::not_converged) {
    warm_ = false;
    norm_ = std::max(pencil.norm(), std::numeric_limits<double>::min());
    if (!std::isfinite(norm_)) return ModesStatus::not_finite;
    const Davidson::Problem problem = {pencil, &inverse, norm_, tolerance_, kMargin, work};
    Davidson cold(cold_shape(rows, davidson_->shape().wanted));
    if (status = converge_cold(cold, problem, cold_sweeps); status != ModesStatus::ok) return status;
    cold.keep();
    davidson_->set_basis(cold.space().basis());
    davidson_->resume(problem);
    status = davidson_->converge(problem, warm_sweeps);
  }
  if (status != ModesStatus::ok) {
    davidson_->step_back();
    return status;
  }
  warm_ = true;
  davidson_->keep();
  store_modes(*davidson_, modes_);
  weights_ = davidson_->scales().cwiseInverse();
  for (Index i = 0; i < weights_.size(); ++i) weights_[i] *= thue_morse_sign(i);
  return ModesStatus::ok;
}

void WarmModes::forget() {
  warm_ = false;
}

void WarmModes::save(ArchiveWriter& out) const {
  out.put(std::int64_t(count_));
  out.put(std::int64_t(warm_));
  if (!warm_) return;
  const ConstBlock basis = davidson_->space().basis();
  out.put(norm_);
  out.put(as_span(modes_.lambda));
  out.put(as_span(modes_.residual));
  out.put(as_span(weights_));
  out.put(std::int64_t(basis.rows()));
  out.put(std::span<const double>(basis.data(), std::size_t(basis.size())));
}

void WarmModes::load(ArchiveReader& in) {
  if (in.get_integer() != count_) throw ArchiveError("the archive holds another number of modes");
  warm_ = in.get_integer() != 0;
  modes_ = {};
  if (!warm_) return;
  norm_ = in.get_double();
  const auto get_vector = [&](Vector& x) {
    const std::vector<double> values = in.get_doubles();
    x = Eigen::Map<const Vector>(values.data(), Index(values.size()));
  };
  get_vector(modes_.lambda);
  get_vector(modes_.residual);
  get_vector(weights_);
  const Index rows = in.get_integer();
  const std::vector<double> numbers = in.get_doubles();
  if (rows < 1 || numbers.empty() || Index(numbers.size()) % rows != 0)
    throw ArchiveError("the archive's modes have no shape");
  const Eigen::Map<const Matrix> basis(numbers.data(), rows, Index(numbers.size()) / rows);
  davidson_ = std::make_unique<Davidson>(warm_shape(rows, std::min(count_, rows)));
  if (basis.cols() > davidson_->shape().kept + davidson_->shape().previous ||
      modes_.count() != davidson_->shape().wanted || basis.cols() < modes_.count() ||
      modes_.residual.size() != modes_.count() || weights_.size() != modes_.count())
    throw ArchiveError("the archive's modes do not belong together");
  davidson_->set_basis(basis);
  turned_ = false;
  show_basis();
}

}  // namespace phiflex
