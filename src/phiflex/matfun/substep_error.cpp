#include "phiflex/matfun/substep_error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace phiflex {

void SubstepError::start(double tolerance, double end, double norm) {
  tolerance_ = tolerance;
  end_ = end;
  level_ = norm;
  error_ = round_off_ = 0;
}

double SubstepError::level_after(double norm, double flow) const {
  return std::max(norm, std::min(1.0, flow) * level_);
}

double SubstepError::growth(double flow) {
  return std::sqrt(std::clamp(flow, 1.0, 900.0));
}

void SubstepError::accept(double truncation, double round_off, double level) {
  if (level > 0) {
    error_ += (truncation + round_off) / level;
    round_off_ += round_off / level;
  }
  level_ = level;
}

double SubstepError::relative_to(double norm) const {
  if (error_ == 0 || level_ == 0) return 0;
  return error_ * (level_ / norm);
}

double SubstepError::tightened(double asked, double norm) const {
  constexpr double kSlack = 1.5;  // of the estimate, before the work is done again
  const double error = relative_to(norm);
  if (error <= kSlack * asked || round_off_ > 0.5 * error_) return 0;
  return std::max(0.5 * tolerance_ * asked / error, std::numeric_limits<double>::min());
}

}  // namespace phiflex
