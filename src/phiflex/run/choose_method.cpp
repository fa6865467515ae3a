#include "phiflex/run/choose_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "phiflex/integrate/em_options.h"
#include "phiflex/integrate/stable_step.h"
#include "phiflex/linalg/modes.h"

namespace phiflex {
namespace {

constexpr double kCheapSubsteps = 40;
constexpr std::int64_t kFitted = 10;              // modes of emx
constexpr double kSlowest = 0.1, kFastest = 4.4;  // of x_1
constexpr double kRigidRatio = 1e-6;              // of the largest lambda: nothing holds such a mode
constexpr double kDial = 0.9;
constexpr ModesOptions kRough{.tolerance = 1e-2};

// x_1, or 0 when a mode is not held or the modes are not found.
double lowest_mode(const MechanicalSystem& system, double h) {
  State rest;
  rest.q = rest.v = Vector::Zero(system.dofs());
  const auto tangent = system.assembled_tangent(Definiteness::exact);
  tangent->update(rest);
  Modes modes;
  Work work;
  const AssembledPencil pencil(tangent->K(), system.mass(), tangent->low_rank());
  if (compute_modes(pencil, std::min<Index>(kFitted, system.dofs()), kRough, modes, work) != ModesStatus::ok)
    return 0;
  const double lowest = modes.lambda[0], largest = modes.lambda[modes.count() - 1];
  return lowest > kRigidRatio * largest ? h * std::sqrt(lowest) : 0;
}

}  // namespace

MethodChoice choose_method(const IntegratorSpec& spec, const MechanicalSystem& system, double h) {
  MethodChoice choice{spec, ""};
  if (spec.type != "auto") return choice;
  const auto choose = [&](const char* type, std::string why) {
    choice.spec.type = type;
    choice.note = fmt::format("integrator auto: {}, because {}", type, why);
    return choice;
  };
  if (system.dofs() == 0) return choose("em", "nothing can move");
  State rest;
  rest.q = rest.v = Vector::Zero(system.dofs());
  const double n = explicit_substeps(system, rest, h);
  const bool touches = system.has_contacts();
  if (!touches && n <= kCheapSubsteps)
    return choose("verlet", fmt::format("{:.0f} explicit steps make one of these: cheaper than a solve", n));
  if (const double x = touches ? 0 : lowest_mode(system, h); x >= kSlowest && x < kFastest) {
    choice.spec.options.set("modes", kFitted);
    return choose("emx",
                  fmt::format("every body is held and its lowest mode turns by {:.2g} rad in a step: {} "
                              "modes move exactly, and an explicit method would take {:.0f} steps for one",
                              x, kFitted, n));
  }
  double dial = spec.options.read<EmOptions>().dissipation;
  if (dial == 1 && !touches) choice.spec.options.set("dissipation", dial = kDial);
  return choose(
      "em", fmt::format("an explicit method would take {:.0f} steps for one; its dial is at {:g}", n, dial));
}

}  // namespace phiflex
