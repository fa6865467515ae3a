#include "phiflex/integrate/substep_control.h"

#include <algorithm>
#include <cmath>

namespace phiflex {
namespace {

constexpr double kTurn = 0.45, kStrain = 0.4;  // of (1)
constexpr int kMostSubsteps = 64, kMostDoublings = 2, kMostRaised = 4;
constexpr double kEnough = 0.7;  // n/2 is taken when (1) asks for less than this part of it
constexpr std::int64_t kDoubledSteps = 20;
constexpr int kHard = 2;  // repeated factorizations

}  // namespace

int SubstepControl::choose(double h, ElementRates rates) const {
  if (!automatic()) return fixed_;
  const double asked = std::max(h * rates.spin / kTurn, h * rates.strain / kStrain);  // (1)
  std::int64_t n = latest_;
  while (n > 1 && asked <= kEnough * double(n) / 2) n /= 2;
  while (n < kMostSubsteps && asked > double(n)) n *= 2;
  return static_cast<int>(std::min<std::int64_t>(n << doubled_, kMostSubsteps));
}

void SubstepControl::accept(int n, int factorizations) {
  latest_ = std::max(1, n >> doubled_);
  if (left_ > 0 && --left_ == 0 && --doubled_ > 0) left_ = kDoubledSteps << raised_;
  if (factorizations < kHard || doubled_ == kMostDoublings) return;
  ++doubled_;
  left_ = kDoubledSteps << raised_;
  raised_ = std::min(raised_ + 1, kMostRaised);
}

void SubstepControl::save(ArchiveWriter& out) const {
  out.put(std::int64_t{doubled_});
  out.put(std::int64_t{raised_});
  out.put(left_);
  out.put(latest_);
}

void SubstepControl::load(ArchiveReader& in) {
  const std::int64_t doubled = in.get_integer(), raised = in.get_integer();
  left_ = in.get_integer();
  latest_ = in.get_integer();
  if (doubled < 0 || doubled > kMostDoublings || raised < 0 || raised > kMostRaised || latest_ < 1 ||
      latest_ > kMostSubsteps)
    throw ArchiveError("numbers of substeps that no run has");
  doubled_ = static_cast<int>(doubled);
  raised_ = static_cast<int>(raised);
}

}  // namespace phiflex
