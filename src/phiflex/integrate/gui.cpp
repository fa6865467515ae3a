// The family of explicit methods of Gui and others, with one number lambda: (1) of alpha_method.h with
//
//   alpha = (M + h/2 D0 + h^2/lambda K0)^-1 M                                                             (1)
//
// Derivation. The family asks for (1) of alpha_method.h with one alpha and with all poles inside the unit
// circle. An oscillator's poles solve z^2 - (2 - A) z + 1 - B = 0, A = (x^2 + d) /s, B = d/s, where x = h w,
// d = h D/M and s = 1/alpha: with s = 1 + d/2 + x^2/lambda they are complex of modulus sqrt(1 - B) <= 1, and
// never leave through -1, as that asks for 4 s < x^2 + 2 d, that is x^2 (1 - 4/lambda) > 4. So lambda <= 4
// is stable at any step, lambda = 4 has the poles of Newmark's average acceleration (and is `chen-ricles`),
// and lambda = 12 has no period error of second order, at a step bounded by h w < 2.45.
// Gui, Wang, Jin, Chen, Zhou: Development of a Family of Explicit Algorithms for Structural Dynamics with
// Unconditional Stability, 2014.
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "phiflex/integrate/alpha_method.h"

namespace phiflex {
namespace {

constexpr MethodInfo kGuiInfo{
    .name = "gui",
    .summary = "family of explicit methods like chen-ricles; lambda sets the period error",
    .order = 1,
    .citation = "gui2014lambda",
    .contact = ContactStep::explicit_force,
    .keeps_overshoot = true};

struct GuiOptions {
  double lambda = 4;  // its matrix is M + h/2 D0 + h^2/lambda K0
  RestOptions rest;
};
template <class V>
void fields(V& v, GuiOptions& o) {
  v({.key = "lambda",
     .doc = "`gui`: 4 is `chen-ricles`; stable at any step up to 4, least period error near 12",
     .range = {.low = 0, .at_low = Bound::exclusive, .high = 1000}},
    o.lambda);
  fields(v, o.rest);
}

double stability_limit(double lambda) {  // of h w, for lambda > 4
  return 2 / std::sqrt(1 - 4 / lambda);
}

std::unique_ptr<Integrator> make_gui(const MechanicalSystem& system, const IntegratorOptions& given) {
  const auto options = given.read<GuiOptions>();
  const double lambda = options.lambda;
  MethodInfo info = kGuiInfo;
  info.conditionally_stable = lambda > 4;
  if (info.conditionally_stable) info.stability_limit = stability_limit(lambda);
  return guard_contacts(std::make_unique<AlphaMethod>(system, options.rest, info, lambda), system);
}

std::vector<std::string> gui_warnings(const MechanicalSystem&, const IntegratorOptions& options) {
  const double lambda = options.read<GuiOptions>().lambda;
  if (!(lambda > 4)) return {};
  return {fmt::format(
      "gui with lambda = {:.6g} is stable only for h w_max < {:.4g}; with lambda <= 4 at any step", lambda,
      stability_limit(lambda))};
}

}  // namespace

MethodEntry gui_method() {
  return {&kGuiInfo, described_options<GuiOptions>(), make_gui, gui_warnings};
}

}  // namespace phiflex
