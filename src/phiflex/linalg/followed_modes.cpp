#include "phiflex/linalg/followed_modes.h"

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

namespace phiflex {
namespace {

constexpr int kWarmSweeps = 12, kColdSweeps = 300;
constexpr Index kEnergyBlocks = 3;       // of the basis: the modes and two sweeps
constexpr double kColdTolerance = 1e-2;  // largest, of the residuals of a cold start, for modes by energy
// Sweeps by the residual go on to this part of the tolerance: what they leave is noise in the prediction of the
// next modes from the last ones.
constexpr double kMargin = 0.5;

}  // namespace

FollowedModes::FollowedModes(Index count, double tolerance, Keeping keeping)
    : measure_(keeping == Keeping::by_residual ? Measure::residual : Measure::either),
      count_(count),
      kept_(count),
      tolerance_(tolerance) {
  if (count < 1) throw std::invalid_argument("FollowedModes: at least one mode");
  if (!(tolerance > 0)) throw std::invalid_argument("FollowedModes: the tolerance is larger than 0");
}

FollowedModes::FollowedModes(const Modes& start, Index count, double tolerance)
    : FollowedModes(count, tolerance) {
  measure_ = Measure::energy;
  kept_ = start.count();
  if (count > kept_) throw std::invalid_argument("FollowedModes: as many modes as wanted");
  make_basis(start.U.rows(), start.U.rows());
  davidson_->set_basis(start.U);
  modes_ = {start.lambda.head(count), start.U.leftCols(count), Vector::Zero(count)};
  weights_.setZero(count);
  warm_ = true;
}

FollowedModes::~FollowedModes() = default;
FollowedModes::FollowedModes(FollowedModes&&) noexcept = default;
FollowedModes& FollowedModes::operator=(FollowedModes&&) noexcept = default;

void FollowedModes::make_basis(Index rows, Index all_rows) {
  Davidson::Shape shape = Davidson::warm_shape(rows, all_rows, std::min(count_, all_rows));
  if (measure_ == Measure::energy) {
    const Index kept = std::min(kept_, all_rows);
    shape = {rows, all_rows, shape.wanted, kept, 0, kept, 0, std::min(all_rows, kEnergyBlocks * kept)};
  }
  davidson_ = std::make_unique<Davidson>(shape);
  warm_ = false;
}

ModesStatus FollowedModes::update(const AssembledPencil& pencil, ShiftInverse& inverse, Work& work) {
  const BlockRotations none;
  return update(
      pencil, inverse, [&]() -> const BlockRotations& { return none; }, work);
}

ModesStatus FollowedModes::update(const AssembledPencil& pencil, ShiftInverse& inverse, Turning turning,
                                  Work& work) {
  const OuterPhase phase(work, &Work::modes_seconds);
  team_ = &pencil.mass().team();
  if (total(*team_, pencil.size()) == 0) return ModesStatus::ok;
  ModesStatus status = ModesStatus::ok;
  if (warm_ && !any(*team_, davidson_->shape().rows != pencil.size())) {
    refreshed_ = false;
    const bool turned_last = std::exchange(turned_, false);
    if (turned_last) show_basis();
    if (!turned_last && keeps(pencil, inverse, work, status)) return status;
    if (status != ModesStatus::ok) return status;
    if (pencil.mass().lumped()) {
      if (const BlockRotations& R = turning(); any(*team_, !R.empty())) {
        R.apply(modes_.U);
        turned_ = true;
        if (keeps(pencil, inverse, work, status)) return status;
        if (status != ModesStatus::ok) return status;
        davidson_->turn(R);
      }
    }
  }
  status = refresh(pencil, inverse, work);
  refreshed_ = status == ModesStatus::ok;
  if (refreshed_) turned_ = false;
  return status;
}

// r of (2) or (3), with the weights as they are.
void FollowedModes::combine(const Pencil& pencil, Work& work) {
  combined_ = weights_.cwiseProduct(modes_.lambda);
  y_.noalias() = modes_.U * weights_;
  z_.noalias() = modes_.U * combined_;
  Ky_.resize(y_.rows(), 1);
  Mz_.resize(y_.rows(), 1);
  pencil.apply_K(y_, Ky_);
  ++work.stiffness_products;
  pencil.mass().apply(z_, Mz_);
  Ky_ -= Mz_;
}

bool FollowedModes::keeps(const Pencil& pencil, ShiftInverse& inverse, Work& work, ModesStatus& status) {
  if (measure_ == Measure::energy) return keeps_by_energy(pencil, inverse, work, status);
  combine(pencil, work);
  error_ = std::sqrt(sum(*team_, Ky_.squaredNorm()));  // (2)
  if (error_ <= tolerance_) return true;
  if (measure_ == Measure::residual) return false;
  saved_weights_ = weights_;
  const bool kept = keeps_by_energy(pencil, inverse, work, status);
  weights_ = saved_weights_;
  return kept;
}

bool FollowedModes::keeps_by_energy(const Pencil& pencil, ShiftInverse& inverse, Work& work,
                                    ModesStatus& status) {
  const double sigma = 1 / inverse.shift();
  for (Index i = 0; i < weights_.size(); ++i)
    weights_[i] = thue_morse_sign(i) / std::sqrt(std::max(std::abs(modes_.lambda[i]), sigma));
  combine(pencil, work);
  const double count = double(weights_.size());
  // (K + sigma M)^-1 is at most M^-1/(lambda_1 + sigma): modes that did not change at all need no solve.
  const double lowest = std::max(modes_.lambda[0], 0.) + sigma, most = tolerance_ * tolerance_ * count;
  if (pencil.mass().lumped()) {
    const double bound =
        sum(*team_, (Ky_.col(0).array().square() / pencil.mass().diagonal().array()).sum()) / lowest;
    error_ = std::sqrt(bound / count);
    if (bound <= most) return true;
  }
  status = modes_status(inverse.prepare(work));
  if (status != ModesStatus::ok) return false;
  inverse.apply(Ky_, y_, work);
  const double square = inverse.shift() * sum(*team_, Ky_.col(0).dot(y_.col(0)));  // (3)
  error_ = std::sqrt(std::max(square, 0.) / count);
  return square <= most;
}

void FollowedModes::show_basis() {
  modes_.U = davidson_->space().basis().leftCols(modes_.count());
}

ModesStatus FollowedModes::sweep(const Pencil& pencil, ShiftInverse& inverse, Work& work) {
  const Davidson::Problem problem = {pencil, &inverse, norm_, tolerance_, kMargin, work};
  davidson_->resume(problem);
  return measure_ == Measure::energy ? davidson_->converge_in_energy(problem, kWarmSweeps, error_)
                                     : davidson_->converge(problem, kWarmSweeps);
}

ModesStatus FollowedModes::refresh(const AssembledPencil& pencil, ShiftInverse& inverse, Work& work) {
  const Index rows = pencil.size();
  if (any(*team_, !davidson_ || davidson_->shape().rows != rows)) make_basis(rows, total(*team_, rows));
  ModesStatus status = warm_ ? sweep(pencil, inverse, work) : ModesStatus::not_converged;
  if (status == ModesStatus::not_converged) {
    warm_ = false;
    norm_ = std::max(pencil.norm(), std::numeric_limits<double>::min());
    if (!std::isfinite(norm_)) return ModesStatus::not_finite;
    const Davidson::Shape& shape = davidson_->shape();
    if (measure_ == Measure::energy) {
      Modes cold;
      status =
          compute_modes(pencil, shape.kept, {.tolerance = std::min(tolerance_, kColdTolerance)}, cold, work);
      if (status != ModesStatus::ok) return status;
      davidson_->set_basis(cold.U);
      status = davidson_->project({pencil, &inverse, norm_, tolerance_, kMargin, work});
    } else {
      Davidson cold(Davidson::cold_shape(rows, shape.all_rows, shape.wanted));
      status = cold.converge_cold({pencil, &inverse, norm_, tolerance_, kMargin, work}, kColdSweeps);
      if (status != ModesStatus::ok) return status;
      cold.keep();
      davidson_->set_basis(cold.space().basis());
      status = sweep(pencil, inverse, work);
    }
  }
  if (status != ModesStatus::ok) {
    davidson_->step_back();
    return status;
  }
  warm_ = true;
  davidson_->keep();
  davidson_->store(modes_);
  if (measure_ == Measure::energy) return status;
  error_ = modes_.residual.maxCoeff();
  weights_ = davidson_->scales().cwiseInverse();
  for (Index i = 0; i < weights_.size(); ++i) weights_[i] *= thue_morse_sign(i);
  saved_weights_.resize(weights_.size());
  return status;
}

void FollowedModes::forget() {
  warm_ = false;
}

void FollowedModes::save(ArchiveWriter& out) const {
  out.put(std::int64_t(count_));
  out.put(std::int64_t(warm_));
  if (!warm_) return;
  const ConstBlock basis = davidson_->space().basis();
  out.put(std::int64_t(turned_));
  out.put(norm_);
  out.put(as_span(modes_.lambda));
  out.put(as_span(modes_.residual));
  out.put(as_span(weights_));
  out.put(std::int64_t(basis.rows()));
  if (basis.rows() == 0) out.put(std::int64_t(basis.cols()));  // a rank without rows
  out.put(std::span<const double>(basis.data(), std::size_t(basis.size())));
}

void FollowedModes::load(ArchiveReader& in, Index all_rows) {
  if (in.get_integer() != count_) throw ArchiveError("the archive holds another number of modes");
  warm_ = in.get_integer() != 0;
  modes_ = {};
  if (!warm_) return;
  const auto get_vector = [&](Vector& x) {
    const std::vector<double> values = in.get_doubles();
    x = Eigen::Map<const Vector>(values.data(), Index(values.size()));
  };
  turned_ = in.get_integer() != 0;
  refreshed_ = false;
  norm_ = in.get_double();
  get_vector(modes_.lambda);
  get_vector(modes_.residual);
  get_vector(weights_);
  const Index rows = in.get_integer();
  constexpr std::int64_t most_columns = 1 << 20;
  const Index empty_columns = rows == 0 && all_rows > 0 ? Index(in.get_integer(0, most_columns)) : 0;
  const std::vector<double> numbers = in.get_doubles();
  const bool has_shape = rows > 0 ? !numbers.empty() && Index(numbers.size()) % rows == 0
                                  : rows == 0 && all_rows > 0 && numbers.empty();
  if (!has_shape) throw ArchiveError("the archive's modes have no shape");
  const Eigen::Map<const Matrix> basis(numbers.data(), rows,
                                       rows > 0 ? Index(numbers.size()) / rows : empty_columns);
  make_basis(rows, std::max(rows, all_rows));
  warm_ = true;
  const Davidson::Shape& shape = davidson_->shape();
  const Index least = measure_ == Measure::energy ? shape.kept : modes_.count();
  const Index most = std::min(shape.capacity, shape.kept + shape.previous);
  if (basis.cols() > most || basis.cols() < least || modes_.count() != shape.wanted ||
      modes_.residual.size() != modes_.count() || weights_.size() != modes_.count())
    throw ArchiveError("the archive's modes do not belong together");
  davidson_->set_basis(basis);
  show_basis();
}

}  // namespace phiflex
