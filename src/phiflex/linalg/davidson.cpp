#include "phiflex/linalg/davidson.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace phiflex {
namespace {

// Of (2) in modes.h.
constexpr double kRigid = 1e-6;          // of lambda_max: below, a mode counts as rigid
constexpr Index kFirstElastic = 7;       // mode of a free body
constexpr double kSmallestScale = 1e-8;  // of |A|: lambda_max is never taken for less

constexpr double kTrusted =
    4;  // a sweep takes this factor off an error in energy, which is not looked at again
constexpr Index kMany = 64, kFew = 8;  // modes

// Numbers in [-1, 1], the same for the same seed and rank (Steele, Lea, Flood: Fast splittable pseudorandom number
// generators, 2014).
void fill_randomly(unsigned seed, int rank, Matrix& X) {
  std::uint64_t state = seed + (std::uint64_t(rank) << 32);
  for (Index i = 0; i < X.size(); ++i) {
    std::uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    X.data()[i] = double(std::int64_t(z ^ (z >> 31))) * 0x1p-63;
  }
}

}  // namespace

ModesStatus modes_status(SolveStatus status) {
  switch (status) {
    case SolveStatus::ok:
      return ModesStatus::ok;
    case SolveStatus::not_positive_definite:
      return ModesStatus::not_positive_definite;
    case SolveStatus::not_converged:
      return ModesStatus::not_converged;
    case SolveStatus::not_finite:
      break;
  }
  return ModesStatus::not_finite;
}

// On the inverse of a step, all open pairs move in one sweep. Eight vectors at least: they fill a block, and the
// first elastic mode of a free body is among them and gives the rigid ones their scale. When modes are few, those
// of the last four refreshes stay beside the new ones: products are cheap against solves, and on a smooth motion
// they together hold the next modes to that order in the step and one more. For many, the products would cost
// more than the sweeps they save.
Davidson::Shape Davidson::warm_shape(Index rows, Index all_rows, Index wanted) {
  const Index guards = std::max({Index(2), kModesBlock - wanted, wanted / 5});
  const Index kept = std::min(all_rows, wanted + guards), block = std::min(kModesBlock, kept);
  const Index steps = wanted <= kFew ? 4 : 0;
  const Index previous = steps * wanted, sweep_columns = round_up_to_block(std::min(wanted, kMany), block);
  return {rows,     all_rows, wanted,        kept,
          previous, block,    sweep_columns, std::min(all_rows, kept + previous + 2 * sweep_columns)};
}

// The same from nothing: the step's shift may be far from the wanted eigenvalues, which takes a long basis.
Davidson::Shape Davidson::cold_shape(Index rows, Index all_rows, Index wanted) {
  Shape shape = warm_shape(rows, all_rows, wanted);
  shape.previous = shape.kept;
  shape.sweep_columns = shape.block;
  shape.capacity = std::min(all_rows, 2 * shape.kept + 6 * shape.block);
  return shape;
}

Davidson::Davidson(const Shape& shape)
    : shape_(shape),
      space_(shape.rows, shape.capacity, shape.block),
      residual_(Vector::Zero(shape.wanted)),
      scales_(Vector::Ones(shape.wanted)),
      norms_(std::size_t(shape.block)),
      R_(shape.rows, shape.block),
      W_(shape.rows, shape.block),
      open_(shape.rows, shape.sweep_columns) {}

ModesStatus Davidson::prepare(const Problem& problem) const {
  return modes_status(problem.inverse->prepare(problem.work));
}

ModesStatus Davidson::start(const Problem& problem) {
  space_.clear();
  random_ = 0;
  return add_random_block(problem);
}

void Davidson::resume(const Problem& problem) {
  random_ = 0;
  space_.update(problem.pencil, problem.work);
  const Index first = std::min(shape_.wanted, shape_.previous);
  space_.remember(first, shape_.kept, shape_.previous - first);
}

ModesStatus Davidson::project(const Problem& problem) {
  resume(problem);
  return space_.solve() ? ModesStatus::ok : ModesStatus::not_finite;
}

ModesStatus Davidson::add_random_block(const Problem& problem) {
  if (const ModesStatus status = prepare(problem); status != ModesStatus::ok) return status;
  fill_randomly(++random_, problem.pencil.mass().team().rank(), R_);
  problem.pencil.mass().apply(R_, W_);
  problem.inverse->apply(W_, R_, problem.work);
  added_ = space_.add(problem.pencil, R_, problem.work);
  return ModesStatus::ok;
}

// The residuals of the wanted pairs; of those that are not as small as sweeps make them the lowest are gathered.
void Davidson::check(const Problem& problem) {
  opened_ = missed_ = 0;
  const Index wanted = std::min(shape_.wanted, space_.pairs());
  double scale = kSmallestScale * problem.norm;
  for (Index i = 0; i < std::min(std::max(wanted, kFirstElastic), space_.pairs()); ++i)
    scale = std::max(scale, std::abs(space_.theta(i)));
  Index first = settled_;
  for (; first < wanted && opened_ < shape_.sweep_columns; first += shape_.block) {
    const Index count = std::min(shape_.block, wanted - first);
    space_.residuals(problem.pencil, first, count, R_, norms_.data());
    for (Index j = 0; j < count; ++j) {
      const auto [r, Ku, Mu] = norms_[std::size_t(j)];
      const bool rigid = std::abs(space_.theta(first + j)) <= kRigid * scale;
      scales_[first + j] = rigid ? scale * Mu : Ku;
      residual_[first + j] = r / scales_[first + j];
      const bool rounding = r <= kResidualRounding * problem.norm * Mu;
      const bool open = !rounding && !(residual_[first + j] <= problem.margin * problem.tolerance);
      if (!rounding && !(residual_[first + j] <= problem.tolerance)) ++missed_;
      if (!open && opened_ == 0) settled_ = first + j + 1;
      if (open && opened_ < shape_.sweep_columns) open_.col(opened_++) = R_.col(j);
    }
  }
  missed_ += std::max<Index>(wanted - first, 0);  // not looked at
}

// Adds the residuals of pairs [first, first + count) to those gathered.
void Davidson::gather(const Problem& problem, Index first, Index count) {
  count = std::min({count, space_.pairs() - first, shape_.sweep_columns - opened_});
  if (count <= 0) return;
  space_.residuals(problem.pencil, first, count, R_, norms_.data());
  open_.middleCols(opened_, count) = R_.leftCols(count);
  opened_ += count;
}

// (1)
ModesStatus Davidson::enlarge(const Problem& problem) {
  added_ = 0;
  for (Index first = 0; first < opened_; first += shape_.block) {
    if (const ModesStatus status = prepare(problem); status != ModesStatus::ok) return status;
    const Index count = std::min(shape_.block, opened_ - first);
    W_.leftCols(count) = open_.middleCols(first, count);
    W_.rightCols(shape_.block - count).setZero();
    problem.inverse->apply(W_, R_, problem.work);
    added_ += space_.add(problem.pencil, R_, problem.work);
  }
  return ModesStatus::ok;
}

ModesStatus Davidson::converge(const Problem& problem, int sweep_limit) {
  settled_ = 0;
  residual_.setOnes();  // of pairs that no sweep comes to look at
  for (int sweep = 0;; ++sweep) {
    if (!space_.solve()) return ModesStatus::not_finite;
    if (space_.size() + shape_.sweep_columns > space_.capacity() && space_.size() < shape_.all_rows)
      space_.keep(shape_.kept, shape_.previous);
    check(problem);
    if (opened_ == 0 && settled_ > 0) {  // what settled long ago is looked at again
      settled_ = 0;
      check(problem);
    }
    const bool whole = space_.size() == shape_.all_rows;  // nothing can be better than the whole space
    const bool converged = opened_ == 0 || (sweep == 0 && missed_ == 0);
    if (space_.pairs() >= shape_.wanted && (converged || whole)) return ModesStatus::ok;
    if (whole || sweep == sweep_limit)
      return space_.pairs() >= shape_.wanted && missed_ == 0 ? ModesStatus::ok : ModesStatus::not_converged;
    ++problem.work.mode_sweeps;
    // Pairs above the wanted ones fill the last block.
    if (const Index rest = opened_ % shape_.block; rest > 0)
      gather(problem, shape_.wanted, shape_.block - rest);
    if (const ModesStatus status = enlarge(problem); status != ModesStatus::ok) return status;
    if (added_ == 0)
      if (const ModesStatus status = add_random_block(problem); status != ModesStatus::ok) return status;
    if (added_ == 0) return ModesStatus::not_converged;
  }
}

ModesStatus Davidson::converge_in_energy(const Problem& problem, int sweep_limit, double& error) {
  if (const ModesStatus status = prepare(problem); status != ModesStatus::ok) return status;
  const double shift = problem.inverse->shift();
  for (int sweep = 0; sweep < sweep_limit; ++sweep) {
    if (!space_.solve()) return ModesStatus::not_finite;
    if (space_.size() == shape_.all_rows)
      return ModesStatus::ok;  // nothing can be better than the whole space
    if (space_.size() + shape_.kept > space_.capacity()) space_.keep(shape_.kept);
    space_.residuals(problem.pencil, 0, shape_.kept, R_, norms_.data());
    problem.inverse->apply(R_, W_, problem.work);
    double sum = 0;
    bool rounding = true;
    const double norm = sweep > 2 ? problem.pencil.norm() : 0;
    for (Index i = 0; i < shape_.wanted; ++i) {
      const auto [r, Ku, Mu] = norms_[std::size_t(i)];
      sum += std::max(0., phiflex::sum(problem.pencil.mass().team(), R_.col(i).dot(W_.col(i)))) * shift /
             std::max(std::abs(space_.theta(i)), 1 / shift);
      rounding = rounding && r <= kResidualRounding * norm * Mu;
    }
    error = std::sqrt(sum / double(shape_.wanted));
    if (!std::isfinite(error)) return ModesStatus::not_finite;
    if (error <= problem.tolerance || rounding) return ModesStatus::ok;
    ++problem.work.mode_sweeps;
    if (space_.add(problem.pencil, W_, problem.work) == 0) return ModesStatus::ok;
    if (error <= kTrusted * problem.tolerance)
      return space_.solve() ? ModesStatus::ok : ModesStatus::not_finite;
  }
  return ModesStatus::not_converged;
}

ModesStatus Davidson::converge_cold(const Problem& problem, int sweep_limit) {
  if (const ModesStatus status = start(problem); status != ModesStatus::ok) return status;
  constexpr int searches = 4;
  for (int search = 0; search < searches; ++search) {
    if (const ModesStatus status = converge(problem, sweep_limit); status != ModesStatus::ok) return status;
    bool found = false;
    if (const ModesStatus status = search_for_missed(problem, found); status != ModesStatus::ok)
      return status;
    if (!found) return converge(problem, sweep_limit);  // what the search found may be better
  }
  return ModesStatus::not_converged;
}

ModesStatus Davidson::search_for_missed(const Problem& problem, bool& found) {
  constexpr int sweeps = 3;
  found = false;
  const double last = space_.theta(shape_.wanted - 1);
  space_.keep(shape_.kept);
  if (space_.size() == shape_.all_rows) return ModesStatus::ok;
  if (const ModesStatus status = add_random_block(problem); status != ModesStatus::ok) return status;
  for (int sweep = 0; sweep < sweeps && space_.size() + shape_.block <= space_.capacity(); ++sweep) {
    if (!space_.solve()) return ModesStatus::not_finite;
    opened_ = 0;
    gather(problem, shape_.wanted, shape_.block);
    if (const ModesStatus status = enlarge(problem); status != ModesStatus::ok) return status;
  }
  if (!space_.solve()) return ModesStatus::not_finite;
  const double scale = std::max(std::abs(last), kSmallestScale * problem.norm);
  found = space_.theta(shape_.wanted - 1) < last - std::sqrt(problem.tolerance) * scale;
  return ModesStatus::ok;
}

void Davidson::store(Modes& modes) const {
  modes.lambda.resize(shape_.wanted);
  for (Index i = 0; i < shape_.wanted; ++i) modes.lambda[i] = space_.theta(i);
  modes.U = space_.basis().leftCols(shape_.wanted);
  modes.residual = residual_;
}

}  // namespace phiflex
