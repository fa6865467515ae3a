#include "phiflex/linalg/followed_modes.h"
#include "phiflex/base/outer_phase.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>

#include "phiflex/linalg/davidson.h"

namespace phiflex {
namespace {

constexpr Index kBlocks = 3;     // of the basis: the modes and two sweeps
constexpr int kMostSweeps = 12;  // beyond, modes are computed from nothing
constexpr double kTrusted = 4;   // a sweep takes this factor off (1), and it need not be looked at again

}  // namespace

FollowedModes::FollowedModes(const Modes& start, Index count, double tolerance)
    : count_(count),
      kept_(start.count()),
      tolerance_(tolerance),
      space_(start.U.rows(), std::min(start.U.rows(), kBlocks * kept_), kept_),
      U_(start.U.leftCols(count)),
      lambda_(start.lambda.head(count)),
      weights_(count),
      R_(start.U.rows(), kept_),
      W_(start.U.rows(), kept_),
      norms_(std::size_t(kept_)) {
  if (count < 1 || count > kept_) throw std::invalid_argument("FollowedModes: as many modes as wanted");
  if (!(tolerance > 0)) throw std::invalid_argument("FollowedModes: the tolerance is larger than 0");
  space_.set_basis(start.U);
}

double FollowedModes::scale(double lambda, double sigma) const {
  return std::max(std::abs(lambda), sigma);
}

ModesStatus FollowedModes::update(const AssembledPencil& pencil, ShiftInverse& inverse, Turning turning,
                                  Work& work) {
  const OuterPhase phase(work, &Work::modes_seconds);
  refreshed_ = false;
  const bool turned_last = std::exchange(turned_, false);
  if (turned_last) U_ = space_.basis().leftCols(count_);
  ModesStatus status = ModesStatus::ok;
  if (!turned_last && keeps(pencil, inverse, work, status)) return status;
  if (pencil.mass().lumped()) {
    if (const BlockRotations& R = turning(); !R.empty()) {
      R.apply(U_);
      turned_ = true;
      if (status == ModesStatus::ok && keeps(pencil, inverse, work, status)) return status;
      space_.turn(R);
    }
  }
  if (status == ModesStatus::ok) status = refresh(pencil, inverse, work);
  refreshed_ = status == ModesStatus::ok;
  if (refreshed_) turned_ = false;
  return status;
}

// (2)
bool FollowedModes::keeps(const Pencil& pencil, ShiftInverse& inverse, Work& work, ModesStatus& status) {
  const double sigma = 1 / inverse.shift();
  for (Index i = 0; i < count_; ++i) weights_[i] = thue_morse_sign(i) / std::sqrt(scale(lambda_[i], sigma));
  y_.noalias() = U_ * weights_;
  weights_.array() *= lambda_.array();
  z_.noalias() = U_ * weights_;
  pencil.apply_K(y_, Ky_);
  ++work.stiffness_products;
  pencil.mass().apply(z_, Mz_);
  Ky_ -= Mz_;
  // (K + sigma M)^-1 is at most M^-1/(lambda_1 + sigma): modes that did not change at all need no solve.
  const double lowest = std::max(lambda_[0], 0.) + sigma, most = tolerance_ * tolerance_ * double(count_);
  if (pencil.mass().lumped()) {
    const double bound = (Ky_.col(0).array().square() / pencil.mass().diagonal().array()).sum() / lowest;
    error_ = std::sqrt(bound / double(count_));
    if (bound <= most) return true;
  }
  status = modes_status(inverse.prepare(work));
  if (status != ModesStatus::ok) return false;
  inverse.apply(Ky_, y_, work);
  const double square = inverse.shift() * Ky_.col(0).dot(y_.col(0));
  error_ = std::sqrt(std::max(square, 0.) / double(count_));
  return square <= most;
}

ModesStatus FollowedModes::refresh(const AssembledPencil& pencil, ShiftInverse& inverse, Work& work) {
  ModesStatus status = sweep(pencil, inverse, work);
  if (status == ModesStatus::not_converged) {  // too far away
    Modes modes;
    status = compute_modes(pencil, kept_, {.tolerance = std::min(tolerance_, 1e-2)}, modes, work);
    if (status == ModesStatus::ok) {
      space_.set_basis(modes.U);
      space_.update(pencil, work);
      if (!space_.solve()) return ModesStatus::not_finite;
    }
  }
  if (status != ModesStatus::ok) return status;
  take_basis();
  return status;
}

// (3)
ModesStatus FollowedModes::sweep(const Pencil& pencil, ShiftInverse& inverse, Work& work) {
  const double sigma = 1 / inverse.shift();
  space_.truncate(kept_);
  space_.update(pencil, work);
  if (const ModesStatus status = modes_status(inverse.prepare(work)); status != ModesStatus::ok)
    return status;
  for (int done = 0; done < kMostSweeps; ++done) {
    if (!space_.solve()) return ModesStatus::not_finite;
    if (space_.size() == space_.rows()) return ModesStatus::ok;  // nothing can be better than the whole space
    if (space_.size() + kept_ > space_.capacity()) space_.keep(kept_);
    space_.residuals(pencil, 0, kept_, R_, norms_.data());
    inverse.apply(R_, W_, work);
    double sum = 0;  // (1)
    bool rounding = true;
    const double norm = done > 2 ? pencil.norm() : 0;
    for (Index i = 0; i < count_; ++i) {
      sum += std::max(0., R_.col(i).dot(W_.col(i))) * inverse.shift() / scale(space_.theta(i), sigma);
      rounding = rounding && norms_[std::size_t(i)].r <= kResidualRounding * norm * norms_[std::size_t(i)].Mu;
    }
    error_ = std::sqrt(sum / double(count_));
    if (!std::isfinite(error_)) return ModesStatus::not_finite;
    if (error_ <= tolerance_ || rounding) return ModesStatus::ok;
    ++work.mode_sweeps;
    if (space_.add(pencil, W_, work) == 0) return ModesStatus::ok;
    if (error_ <= kTrusted * tolerance_) return space_.solve() ? ModesStatus::ok : ModesStatus::not_finite;
  }
  return ModesStatus::not_converged;
}

void FollowedModes::take_basis() {
  space_.keep(kept_);
  for (Index i = 0; i < count_; ++i) lambda_[i] = space_.theta(i);
  U_ = space_.basis().leftCols(count_);
}

void FollowedModes::save(ArchiveWriter& out) const {
  const ConstBlock basis = space_.basis();
  out.put(std::int64_t(turned_));
  out.put(as_span(lambda_));
  out.put(std::span<const double>(basis.data(), std::size_t(U_.rows() * kept_)));
}

void FollowedModes::load(ArchiveReader& in) {
  turned_ = in.get_integer() != 0;
  refreshed_ = false;
  in.get_doubles(as_span(lambda_));
  const std::vector<double> numbers = in.get_doubles();
  if (Index(numbers.size()) != U_.rows() * kept_)
    throw ArchiveError("the archive's modes are of another model");
  space_.set_basis(Eigen::Map<const Matrix>(numbers.data(), U_.rows(), kept_));
  U_ = space_.basis().leftCols(count_);
}

}  // namespace phiflex
