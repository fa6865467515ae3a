#include "phiflex/run/choose_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "phiflex/integrate/catalogue.h"
#include "phiflex/integrate/em_options.h"
#include "phiflex/integrate/modes_at_rest.h"
#include "phiflex/integrate/stable_step.h"
#include "phiflex/integrate/tangent_solver.h"
#include "phiflex/run/simulation.h"

namespace phiflex {
namespace {

constexpr double kFewForces = 2;        // cheaper than the iterations of an implicit step
constexpr double kExplicitPart = 1.2;   // of the implicit price: what the accuracy of explicit steps is worth
constexpr double kManySubsteps = 3000;  // dearer than any implicit step
constexpr std::int64_t kFitted = 10;    // modes of emx
constexpr double kSlowest = 0.1, kFastest = 4.4;  // of x_1
constexpr double kRigidRatio = 1e-6;              // of the largest lambda: nothing holds such a mode
constexpr double kDial = 0.9;
constexpr double kRough = 1e-2;  // residual of the modes

// x_1, or 0 when a mode is not held or the modes are not found.
double lowest_mode(const MechanicalSystem& system, LinearSolver solver, double h) {
  Work work;
  const auto [status, modes, norm] = modes_at_rest(system, std::min<Index>(kFitted, system.dofs()),
                                                   {.tolerance = kRough, .solver = solver}, work);
  if (status != ModesStatus::ok) return 0;
  const double lowest = modes.lambda[0], largest = modes.lambda[modes.count() - 1];
  return lowest > kRigidRatio * largest ? h * std::sqrt(lowest) : 0;
}

std::string explicit_steps(double n) {
  return fmt::format("{:.0f} explicit step{}", n, n == 1 ? "" : "s");
}

}  // namespace

std::string method_with(AutoRole role) {
  for (const MethodEntry& entry : integrator_catalogue())
    if (entry.info->auto_role == role) return std::string(entry.info->name);
  throw std::logic_error("no method has this role of `auto`");
}

AutoRole auto_role(const std::string& method) {
  const MethodEntry* entry = find_integrator(method);
  return entry ? entry->info->auto_role : AutoRole::none;
}

IntegratorSpec as_candidate(const IntegratorSpec& spec, const SceneWork& work, const std::string& type) {
  IntegratorSpec made = spec;
  made.type = type;
  const AutoRole role = auto_role(type);
  if (role == AutoRole::implicit_step && spec.options.read<EmOptions>().dissipation == 1 && !work.touches)
    made.options.set("dissipation", kDial);
  if (role == AutoRole::fitted_step) made.options.set("modes", kFitted);
  return made;
}

MethodChoice choose_method(const IntegratorSpec& spec, const MechanicalSystem& system, const SceneWork& work,
                           double h) {
  MethodChoice choice{spec, "", 0, 0};
  if (spec.type != kAutoMethod) return choice;
  const auto choose = [&](AutoRole role, std::string why) {
    const std::string type = method_with(role);
    choice.spec = as_candidate(spec, work, type);
    choice.note = fmt::format("integrator auto: {}, because {}", type, why);
    return choice;
  };
  if (system.dofs() == 0) return choose(AutoRole::implicit_step, "nothing can move");
  State rest;
  rest.q = rest.v = Vector::Zero(system.dofs());
  const LinearSolver solver = solver_for(system, spec.options.read<EmOptions>().newton.tangent);
  const double n = explicit_substeps(system, rest, h);
  choice.explicit_price = work.prices.explicit_step(n);
  if (system.has_contacts())
    return choose(AutoRole::implicit_step,
                  fmt::format("bodies or obstacles meet by barriers; its dial is at {:g}",
                              spec.options.read<EmOptions>().dissipation));
  StepPrices prices = work.prices;
  if (n * prices.forces <= kFewForces)
    return choose(AutoRole::explicit_step, fmt::format("{} make{} one of these: cheaper than a solve",
                                                       explicit_steps(n), n == 1 ? "s" : ""));
  if (n <= kManySubsteps) {  // else the analysis that tells the price is not needed
    prices.know(KeptInverse(system.pattern(), solver));
    choice.implicit_price = prices.energy_momentum_step();
    const double ratio = choice.explicit_price / choice.implicit_price;
    if (ratio * work.price_of_ledger() <= kExplicitPart)
      return choose(AutoRole::explicit_step,
                    fmt::format("its {} for one {} {:.2g} times the counted work of an implicit one",
                                explicit_steps(n), n == 1 ? "is" : "are", ratio));
  }
  const std::string priced =
      choice.implicit_price > 0
          ? fmt::format("{} for one would be {:.2g} times its counted work", explicit_steps(n),
                        choice.explicit_price / choice.implicit_price)
          : fmt::format("an explicit method would take {:.0f} steps for one", n);
  if (const double x = lowest_mode(system, solver, h); x >= kSlowest && x < kFastest)
    return choose(AutoRole::fitted_step, fmt::format("every body is held and its lowest mode turns by {:.2g} "
                                                     "rad in a step: {} modes move exactly, and {}",
                                                     x, kFitted, priced));
  return choose(AutoRole::implicit_step,
                fmt::format("{}; its dial is at {:g}", priced,
                            as_candidate(spec, work, method_with(AutoRole::implicit_step))
                                .options.read<EmOptions>()
                                .dissipation));
}

}  // namespace phiflex
