#include "phiflex/matfun/convergence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace phiflex {

void Convergence::clear() {
  results_ = 0;
  error_ = 1;
  groups_.clear();
}

// change = |d_k|, projection = <d_k, d_(k-1)>, size = |y_k|.
double Convergence::estimate(double change, double projection, double size, Group& group) const {
  // Below round-off a change has neither rate nor direction.
  const bool is_roundoff = change <= 1e-14 * size, was_roundoff = group.change == 0;
  const double rate = is_roundoff ? 0 : results_ > 1 && !was_roundoff ? change / group.change : 1;  // q
  const double turn = is_roundoff || was_roundoff ? 0
                      : results_ > 2              ? projection / (group.change * group.change)
                                                  : 1;  // r
  const double drift = std::clamp(std::max(turn, 0.5 * (turn + group.turn_before)), 0.0, 0.95);
  const double now =
      is_roundoff ? 0 : change / size * std::max(drift / (1 - drift), std::min(0.8, rate));  // (1)
  const bool falls_fast = std::max({rate, group.rates_before[0], group.rates_before[1]}) < 0.35;
  const double estimate =
      falls_fast ? now : std::max({now, 0.5 * group.before[0], 0.5 * group.before[1], 0.5 * group.before[2]});
  group = {
      is_roundoff ? 0 : change, turn, {rate, group.rates_before[0]}, {now, group.before[0], group.before[1]}};
  return estimate;
}

void Convergence::add(const PencilFunction& f, const Eigen::Ref<const Matrix>& C) {
  ++results_;
  auto difference = difference_.shape(C.rows(), C.cols());
  difference = C;
  if (results_ > 1) difference.topRows(C_.get().rows()) -= C_.get();
  C_.shape(C.rows(), C.cols()) = C;
  const auto before = difference_before_.get();
  const Index size = f.rows_per_group();
  groups_.resize(std::size_t((f.rows() + size - 1) / size));
  error_ = std::numeric_limits<double>::epsilon();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    double change = 0, projection = 0, result = 0;
    for (Index i = Index(g) * size; i < std::min(f.rows(), Index(g + 1) * size); ++i) {
      const double weight = f.weight(i) * f.weight(i);
      change += weight * difference.col(i).squaredNorm();
      result += weight * C.col(i).squaredNorm();
      if (results_ > 2) projection += weight * before.col(i).dot(difference.col(i).head(before.rows()));
    }
    error_ = std::max(error_, estimate(std::sqrt(change), projection, std::sqrt(result), groups_[g]));
  }
  std::swap(difference_, difference_before_);
}

void Convergence::finish() {
  error_ = std::numeric_limits<double>::epsilon();
}

}  // namespace phiflex
