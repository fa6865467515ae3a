#include "phiflex/integrate/em_ladder.h"

#include <algorithm>
#include <cmath>

#include "phiflex/integrate/method_entry.h"
#include "phiflex/integrate/stable_step.h"

namespace phiflex {

MethodEntry verlet_method();  // verlet.cpp

namespace {

constexpr double kForce = 40, kTwoState = 2, kAssembly = 6;  // (4)
constexpr double kProduct = 1 / 1.44;   // what a block costs where a product is the unit (work_rates.h)
constexpr double kLongestFailed = 0.3;  // of (2)
constexpr std::int64_t kMostHalvingsFirst = 5, kSteps = 4;  // of the rung that worked last

}  // namespace

EmLadder::EmLadder(const MechanicalSystem& system, bool halving)
    : system_(system),
      allowed_(halving && !system.has_contacts() && system.untouched_stiffness() == 0),
      force_(system.pattern()->halo() ? kForce * kProduct : kForce * double(system.pattern()->blocks())) {}

void EmLadder::begin(const State& now, double h, double longest) {
  start_ = &now;
  h_ = h;
  longest_ = shortest_ = longest;
  price_ = 0;
  explicit_ = explicit_left_ > 0;
  used_ = refused_ = false;
}

int EmLadder::first_parts() const {
  return explicit_ ? 1 : 1 << halvings_;
}

bool EmLadder::over_budget(double length, const Work& work, const KeptInverse& kept) {
  if (!allowed_ || refused_) return false;
  if (explicit_) return true;
  if (length > kLongestFailed * longest_) return false;  // half of it may still keep the energy
  if (price_ == 0)
    price_ =
        force_ *
        (explicit_substeps(system_, *start_, h_) * (system_.force_depends_on_velocity() ? 2 : 1) + kAssembly);
  const double spent = work_of_iterations(work, kept) + force_ * kAssembly * double(work.assemblies) +
                       double(work.factorizations) * kept.build_work();
  explicit_ = spent > price_;  // (2)
  return explicit_;
}

double EmLadder::work_of_iterations(const Work& work, const KeptInverse& kept) const {
  return force_ * kTwoState * double(work.force_evaluations) + double(work.solves) * kept.application_work();
}

double EmLadder::work_of_factorization(const KeptInverse& kept) const {
  return force_ * kAssembly + kept.build_work();
}

StepStatus EmLadder::advance_explicitly(const State& now, double h, State& next, Work& work) {
  if (!verlet_) verlet_ = verlet_method().make(system_, {});
  const StepReport report = verlet_->step(now, h, next);
  work += report.work;
  if (report.status == StepStatus::ok) {
    if (!used_) ++work.rejected_steps;
    used_ = true;
  } else {
    explicit_ = false;
    refused_ = true;
  }
  return report.status;
}

void EmLadder::accept() {
  if (!allowed_) return;
  if (used_) {
    if (explicit_left_ > 0) {
      --explicit_left_;
    } else {
      explicit_left_ = explicit_next_;
      explicit_next_ = std::min(2 * explicit_next_, kMostExplicit);
    }
    halvings_ = rests_ = 0;
    return;
  }
  explicit_left_ = 0;
  const auto level = std::int64_t(std::lround(std::log2(longest_ / shortest_)));
  if (level > halvings_) {
    halvings_ = std::min(level, kMostHalvingsFirst);
    rests_ = 0;
  } else if (halvings_ > 0 && ++rests_ == kSteps) {
    --halvings_;
    rests_ = 0;
  }
}

void EmLadder::save(ArchiveWriter& out) const {
  for (const std::int64_t number : {halvings_, rests_, explicit_left_, explicit_next_}) out.put(number);
  out.put(std::int64_t{verlet_ != nullptr});
  if (verlet_) verlet_->save(out);
}

void EmLadder::load(ArchiveReader& in) {
  halvings_ = in.get_integer(0, kMostHalvingsFirst);
  rests_ = in.get_integer(0, kSteps);
  explicit_left_ = in.get_integer(0, kMostExplicit);
  explicit_next_ = in.get_integer(kFewestExplicit, kMostExplicit);
  verlet_.reset();
  if (in.get_integer(0, 1) == 0) return;
  verlet_ = verlet_method().make(system_, {});
  verlet_->load(in);
}

}  // namespace phiflex
