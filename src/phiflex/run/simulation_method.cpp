// The part of a simulation that changes the method where the scene says "auto".
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "phiflex/base/interruption.h"
#include "phiflex/integrate/em_options.h"
#include "phiflex/integrate/stable_step.h"
#include "phiflex/integrate/tangent_solver.h"
#include "phiflex/run/device_method.h"
#include "phiflex/run/simulation.h"

namespace phiflex {
namespace {

// How much dearer a method may be that takes the place of one that gains energy.
constexpr double kMostForEnergy = 20;
// Times the mean of the method at work: a price that need not be known any better.
constexpr double kFarAbove = 5;
// Of (2) in contact_guard.h, for explicit methods.
constexpr double kTouchedPart = 0.2;

// Beyond the method's own work nothing may be left half done.
StepReport interruptible_step(Integrator& integrator, const State& now, double h, State& next) {
  const Interruptible scope;
  return integrator.step(now, h, next);
}

}  // namespace

// EigenFit's correction does work that the ledger does not know.
bool Simulation::may_change_method() const {
  return asked_integrator().type == kAutoMethod && !eigenfit_ && model_->dofs() > 0;
}

// Where every vertex is held there is nothing to solve; time goes on until one is released.
StepReport Simulation::try_step() {
  StepReport report =
      model_->has_free_vertices() ? interruptible_step(*integrator_, now_, h(), next_) : StepReport{};
  work_ += report.work;
  next_.t = time_of(step_ + 1);  // not a sum of roundings
  if (report.status != StepStatus::ok) return report;
  known_energies_ = model_->has_free_vertices() ? energies_on_device(*integrator_) : std::nullopt;
  const double potential =
      known_energies_ ? known_energies_->elastic + known_energies_->gravity : model_->potential_energy(next_);
  if (!std::isfinite(potential)) report.status = StepStatus::not_finite;
  return report;
}

StepReport Simulation::try_other_methods(StepReport failed) {
  const MethodChoice first = choice_;
  const State reached = next_;
  const AutoRole failed_role = auto_role(first.spec.type);
  for (const AutoRole role : {AutoRole::explicit_step, AutoRole::implicit_step, AutoRole::last_resort}) {
    // Where the fitted method fails, its plain form does.
    if (role == failed_role || (failed_role == AutoRole::fitted_step && role == AutoRole::implicit_step))
      continue;
    const std::string type = method_with(role);
    take_method({as_candidate(asked_integrator(), scene_work_, type), first.note, first.explicit_price,
                 first.implicit_price},
                system());
    if (system().has_contacts()) integrator_->expect_impacts();
    const StepReport report = try_step();
    if (report.status != StepStatus::ok) continue;
    const std::string why = fmt::format("a step of {} failed: {}", first.spec.type, describe(failed.status));
    method_watch_.change_after_failure(failed_role, energy_watch_.gain());
    method_changes_.push_back({step_, type, why});
    messages_.warn(fmt::format("step {} (t = {:.6g} s): {} goes on: {}", step_ + 1, next_.t, type, why));
    return report;
  }
  take_method(first, system());
  next_ = reached;
  return failed;
}

// Where barriers may be touched, explicit steps are as many as those at rest, divided as after a first touch
// (integrate/stable_step.h, (3)), or as the stiffness of the contacts asks for, if these are more.
double Simulation::price_of_other() {
  const bool barriers = system().has_contacts();
  const double touched = barriers ? system().contact_stiffness(now_) : 0;
  if (auto_role(choice_.spec.type) == AutoRole::explicit_step) {
    const double worth = scene_work_.price_of_ledger();
    const bool is_known =
        !barriers || touched > 0;  // the mean is that of steps in contact, where there are barriers
    if (is_known && method_watch_.implicit_mean() > 0) return method_watch_.implicit_mean() / worth;
    if (choice_.implicit_price > 0) return choice_.implicit_price / worth;
    StepPrices prices = scene_work_.prices;
    prices.know(
        KeptInverse(system().pattern(),
                    solver_for(system(), asked_integrator().options.read<EmOptions>().newton.tangent)));
    choice_.implicit_price = prices.energy_momentum_step();
    return choice_.implicit_price / worth;
  }
  // The stable step grows little from what it was at rest.
  if (choice_.explicit_price > kFarAbove * method_watch_.mean()) return choice_.explicit_price;
  if (!stable_step_) stable_step_ = std::make_unique<StableStep>(system());
  Work work;
  const double stable = stable_step_->at(now_, work);
  work_ += work;
  const double substeps = barriers ? std::max(explicit_substeps(h(), kResolvedPart * stable),
                                              h() * std::sqrt(touched) / kTouchedPart)
                                   : explicit_substeps(h(), stable);
  return scene_work_.price_of_ledger() * scene_work_.prices.explicit_step(substeps);
}

void Simulation::watch_method(const Work& step) {
  using Due = MethodWatch::Due;
  const std::string type = choice_.spec.type;
  const AutoRole role = auto_role(type);
  const bool is_explicit = role == AutoRole::explicit_step;
  StepPrices prices = scene_work_.prices;
  if (const KeptInverse* kept = integrator_->kept_inverse()) prices.know(*kept);
  const double counted = prices.counted(step, is_explicit), gain = energy_watch_.gain();
  const bool barriers = system().has_contacts();
  double other_price = 0;  // 0: not asked for
  const auto price = [&] {
    if (other_price == 0) other_price = price_of_other();
    return other_price;
  };
  // Touched barriers ask for no fewer explicit steps than rest does.
  const auto price_if_dear = [&] {
    const bool dear = std::max(counted, method_watch_.mean()) > choice_.explicit_price;
    return barriers && !is_explicit && !dear ? std::numeric_limits<double>::infinity() : price();
  };
  const Due due = method_watch_.add(role, counted, gain, barriers, price_if_dear);
  if (due == Due::nothing) return;
  const std::string other =
      method_with(due == Due::recovery || is_explicit ? AutoRole::implicit_step : AutoRole::explicit_step);
  std::string why;
  if (due == Due::dear_step)
    why = fmt::format("a step of {} took more than {:.0f} times the counted work of those before", type,
                      MethodWatch::kDearStep);
  if (due == Due::dear_run)
    why = fmt::format("steps of {} take {:.2g} times the counted work of {}", type,
                      method_watch_.mean() / price(), other);
  if (due == Due::dear_touch)
    why = fmt::format("steps of {} in contact take more than {:.0f} times the counted work of {}", type,
                      MethodWatch::kDearTouch, other);
  if (due == Due::recovery) why = fmt::format("after steps of {}, which take energy", type);
  if (due == Due::energy) {
    if (!(price() <= kMostForEnergy * method_watch_.mean())) {
      method_watch_.keep_in_spite_of(gain);
      return;
    }
    why = fmt::format("{} gained {:.2g} % of the available energy", type, 100 * gain);
  }
  method_watch_.change(due, gain, barriers);
  change_method(other, why);
}

void Simulation::change_method(const std::string& type, const std::string& why) {
  take_method({as_candidate(asked_integrator(), scene_work_, type), choice_.note, choice_.explicit_price,
               choice_.implicit_price},
              system());
  if (system().has_contacts()) integrator_->expect_impacts();
  method_changes_.push_back({step_, type, why});
  messages_.warn(fmt::format("step {} (t = {:.6g} s): {} goes on: {}", step_, now_.t, type, why));
}

void Simulation::save_method(ArchiveWriter& out) const {
  out.put(std::string_view(choice_.spec.type));
  method_watch_.save(out);
  out.put(std::int64_t(method_changes_.size()));
  for (const MethodChange& change : method_changes_) {
    out.put(change.step);
    out.put(std::string_view(change.method));
    out.put(std::string_view(change.why));
  }
}

std::string Simulation::load_method(ArchiveReader& in) {
  const std::string type = in.get_text();
  if (auto_role(type) == AutoRole::none) throw ArchiveError("a method that `auto` never takes");
  method_watch_.load(in);
  method_changes_.clear();
  for (std::int64_t left = in.get_integer(0, 2 * steps_); left > 0; --left) {
    MethodChange change{in.get_integer(0, steps_), "", ""};
    change.method = in.get_text();
    change.why = in.get_text();
    method_changes_.push_back(std::move(change));
  }
  return type;
}

}  // namespace phiflex
