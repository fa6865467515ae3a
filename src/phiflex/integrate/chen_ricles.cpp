// The explicit method of Chen and Ricles: (1) of alpha_method.h with
//
//   alpha = (M + h/2 D0 + h^2/4 K0)^-1 M                                                                  (1)
//
// which places the poles of the discrete transfer function where Newmark's average acceleration has them.
// Chen, Ricles: Development of Direct Integration Algorithms for Structural Dynamics Using Discrete Control
// Theory, 2008.
#include "phiflex/integrate/alpha_method.h"

namespace phiflex {
namespace {

constexpr MethodInfo kChenRiclesInfo{.name = "chen-ricles",
                                     .summary = "explicit in q and v, divided by a matrix of the rest shape",
                                     .order = 1,
                                     .citation = "chen2008ricles",
                                     .contact = ContactStep::explicit_force,
                                     .keeps_overshoot = true};
constexpr double kLambda = 4;

std::unique_ptr<Integrator> make_chen_ricles(const MechanicalSystem& system,
                                             const IntegratorOptions& options) {
  return guard_contacts(
      std::make_unique<AlphaMethod>(system, options.read<RestOptions>(), kChenRiclesInfo, kLambda), system);
}

}  // namespace

MethodEntry chen_ricles_method() {
  return {&kChenRiclesInfo, described_options<RestOptions>(), make_chen_ricles};
}

}  // namespace phiflex
