#include "phiflex/integrate/substep_control.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace phiflex {
namespace {

constexpr double kTurn = 0.45, kStrain = 0.4, kReaches = 4;  // of (1)
constexpr std::int64_t kMostSubsteps = 64, kMostTimes = 4;
constexpr int kMostRaised = 4;
constexpr double kEnough = 0.7;  // n/2 is taken when (1) asks for less than this part of it
constexpr std::int64_t kRaisedSteps = 20;
constexpr int kHard = 2;                             // repeated factorizations
constexpr double kMoreIterations = 0.625;            // 2^0.7 - 1, of (2)
constexpr std::int64_t kMeanOf = 16, kJudgedIn = 8;  // steps, of (3)
constexpr double kAllowed = 1.5;                     // of (3)
constexpr std::int64_t kFewestKnown = 3;             // steps whose mean tells something
constexpr std::int64_t kStays = 4;                   // times as long, of what helps

}  // namespace

int SubstepControl::choose(double h, ElementRates rates) {
  if (!automatic()) return fixed_;
  const double asked =
      std::max({h * rates.spin / kTurn, h * rates.strain / kStrain, h * rates.approach / kReaches});  // (1)
  std::int64_t fewer = latest_;
  while (fewer > 1 && asked <= kEnough * double(fewer) / 2) fewer /= 2;
  asks_for_fewer_ = fewer < latest_;
  chosen_ = asks_for_fewer_ && fewer_for_ + 1 >= patience_ ? fewer : latest_;
  while (chosen_ < kMostSubsteps && asked > double(chosen_)) chosen_ *= 2;
  return static_cast<int>(std::max(chosen_, floor_));
}

void SubstepControl::accept(int n, const SubstepEffort& effort) {
  fewer_for_ = asks_for_fewer_ && chosen_ == latest_ ? fewer_for_ + 1 : 0;
  latest_ = chosen_;
  if (left_ > 0 && --left_ == 0) floor_ = 1;
  if (rest_ > 0) --rest_;
  if (std::exchange(last_count_, n) != n) {
    counted_ = 0;
    saved_ = mean_ = 0;
    return;
  }
  count(effort);
  if (counted_ == kJudgedIn && floor_ > chosen_ && mean_before_ > 0) judge();
  const std::int64_t raised = std::min({std::int64_t{2} * n, kMostTimes * chosen_, kMostSubsteps});
  if (!is_hard(effort) || raised <= floor_ || rest_ > 0) return;
  mean_before_ = counted_ >= kFewestKnown ? mean_ : 0;
  floor_ = raised;
  left_ = kRaisedSteps << raised_;
  raised_ = std::min(raised_ + 1, kMostRaised);
}

void SubstepControl::count(const SubstepEffort& effort) {
  if (effort.factorization == 0) return;
  ++counted_;
  const double work = effort.iterations + effort.repeated;
  mean_ += (work - mean_) / double(std::min(counted_, kMeanOf));
  saved_ = std::max(0., saved_ + effort.repeated - kMoreIterations * effort.iterations);  // (2)
}

bool SubstepControl::is_hard(const SubstepEffort& effort) const {
  return effort.repeated_at_most >= kHard || (effort.factorization > 0 && saved_ >= effort.factorization);
}

void SubstepControl::judge() {
  if (mean_ <= kAllowed * mean_before_) {
    left_ *= kStays;
  } else {
    floor_ = 1;
    left_ = 0;
    rest_ = kRaisedSteps << raised_;
  }
  mean_before_ = 0;
}

void SubstepControl::save(ArchiveWriter& out) const {
  out.put(latest_);
  out.put(fewer_for_);
  out.put(last_count_);
  out.put(floor_);
  out.put(left_);
  out.put(std::int64_t{raised_});
  for (const std::int64_t number : {rest_, counted_}) out.put(number);
  for (const double number : {saved_, mean_, mean_before_}) out.put(number);
}

void SubstepControl::load(ArchiveReader& in) {
  latest_ = in.get_integer();
  fewer_for_ = in.get_integer();
  last_count_ = in.get_integer();
  floor_ = in.get_integer();
  left_ = in.get_integer();
  const std::int64_t raised = in.get_integer();
  if (std::min(latest_, floor_) < 1 || std::max(latest_, floor_) > kMostSubsteps || raised < 0 ||
      raised > kMostRaised || fewer_for_ < 0 || fewer_for_ >= patience_)
    throw ArchiveError("numbers of substeps that no run has");
  raised_ = static_cast<int>(raised);
  rest_ = in.get_integer(0, kRaisedSteps << kMostRaised);
  counted_ = in.get_integer(0, std::numeric_limits<std::int64_t>::max());
  for (double* number : {&saved_, &mean_, &mean_before_}) {
    *number = in.get_double();
    if (!(*number >= 0)) throw ArchiveError("counted work that no run has");
  }
}

}  // namespace phiflex
