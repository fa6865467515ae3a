#include "phiflex/build/body_curves.h"

#include <fmt/format.h>

#include <cmath>

#include "phiflex/energy/law_kernels.h"

namespace phiflex {

void set_curves(Body& body, const std::vector<int>& elements, SplineCurves curves, const std::string& place,
                ProblemList& problems) {
  if (elements.empty()) return;
  BodyMaterials& materials = *body.materials();
  const std::vector<double>& first = materials.elements[std::size_t(elements[0])].parameters;
  const Lame<double> lame = lame_from_young(first[0], first[1]);
  const auto kept = std::make_shared<const SplineCurves>(std::move(curves));
  const auto [mu, lambda] =
      law_kernels(materials.elements[std::size_t(elements[0])].law).at_rest(first, kept.get());
  const auto young_of = [](double m, double l) { return m * (3 * l + 2 * m) / (l + m); };
  const double young = young_of(lame.mu, lame.lambda), stress = kept->rest_stress();
  if (std::abs(stress) > 1e-6) {
    problems.problem(
        place, fmt::format(
                   "the rest shape is under stress: f'(1) + 2 g'(1) + h'(1) is {:.6g} of `young`; expected 0",
                   stress));
    return;
  }
  if (!(mu > 0 && 3 * lambda + 2 * mu > 0)) {
    problems.problem(place, fmt::format("the rest shape is unstable: the curves give a shear modulus of "
                                        "{:.6g} and a bulk modulus of {:.6g} Pa there; expected both above 0",
                                        mu, lambda + 2 * mu / 3));
    return;
  }
  if (std::abs(young_of(mu, lambda) / young - 1) > 0.05)
    problems.messages().warn(
        fmt::format("{}: near rest the curves make Young's modulus {:.4g} Pa; `young` is {:.4g} Pa", place,
                    young_of(mu, lambda), young));
  materials.curves.push_back(kept);
  for (const int element : elements)
    materials.elements[std::size_t(element)].curves = static_cast<int>(materials.curves.size()) - 1;
}

}  // namespace phiflex
