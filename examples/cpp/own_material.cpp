// A material of one's own: the compressible neo-Hookean solid of Bonet and Wood, Nonlinear Continuum Mechanics for
// Finite Element Analysis (1997), with another energy of volume than the law "neo-hookean",
//
//   psi = mu/2 (I - 3) - mu ln J + lambda/2 (J - 1)^2,   I = tr(F'F),   J = det F > 0                     (1)
//
// A law of I and J states psi and its partial derivatives; every integrator, element and energy-momentum step takes it.
#include <phiflex/own_material.h>

#include <cmath>
#include <cstdio>

namespace phiflex {

struct BonetWood : YoungPoissonLaw, InvariantLaw<BonetWood> {
  static constexpr std::string_view name = "bonet-wood";
  static constexpr std::string_view summary = "mu/2 (tr(F'F) - 3) - mu ln J + lambda/2 (J - 1)^2";
  static constexpr std::string_view citation = "";
  static constexpr bool needs_positive_J = true;
  static constexpr FunctionOfC function_of_C = FunctionOfC::where_J_is_positive;
  static constexpr bool invariants_couple = false;  // no term has I and J in it

  static Lame<double> at_rest(Lame<double> p) { return p; }

  template <class Real>
  static Real energy(const Lame<Real>& p, const Real& I, const Real& J) {
    const Real grown = J - Real(1.0);
    const Real psi =
        Real(0.5) * p.mu * (I - Real(3.0)) - p.mu * log(J) + Real(0.5) * p.lambda * grown * grown;
    return select(J > Real(0.0), psi, Real(std::numeric_limits<double>::infinity()));
  }
  // psi_I, psi_J, psi_II, psi_IJ, psi_JJ.
  template <class Real>
  static InvariantDerivatives<Real> derivatives(const Lame<Real>& p, const Real&, const Real& J) {
    const Real inverse_J =
        select(J > Real(0.0), Real(1.0) / J, Real(std::numeric_limits<double>::quiet_NaN()));
    return {.I = Real(0.5) * p.mu,
            .J = p.lambda * (J - Real(1.0)) - p.mu * inverse_J,
            .II = Real(0.0),
            .IJ = Real(0.0),
            .JJ = p.lambda + p.mu * inverse_J * inverse_J};
  }
};

}  // namespace phiflex

int main() {
  using namespace phiflex;
  try {
    register_law<BonetWood>();
    const double young = 1e5, poisson = 0.3, size = 0.2, factor = 0.9;
    ModelBuilder builder;
    builder.add_solid({.name = "cube",
                       .mesh = generate_box({{size, size, size}, {3, 3, 3}}),
                       .material = {"bonet-wood", {{"young", young}, {"poisson", poisson}}, 1000}});
    const Assembly assembly = builder.build();
    const std::unique_ptr<DeformableModel> model = assembly.make_model(0);

    // The cube is pressed to 0.9 of its size in all directions and let go: F = 0.9 everywhere.
    State now = assembly.initial_state(*model), next = now;
    Vector x, v;
    model->expand(now, x, v);
    now.q = (factor - 1) * x;
    const double before = model->energies(now).total();
    const Lame<double> p = lame_from_young(young, poisson);
    const double expected =
        std::pow(size, 3) * BonetWood::energy(p, 3 * factor * factor, std::pow(factor, 3));
    std::printf("elastic energy %.6f J, by (1) %.6f J\n", before, expected);

    const std::unique_ptr<Integrator> integrator = make_integrator("em", *model, {});
    for (int step = 0; step < 100; ++step) {
      if (integrator->step(now, 0.002, next).status != StepStatus::ok) return 1;
      std::swap(now, next);
    }
    const Energies after = model->energies(now);
    std::printf("energy %.6f J after 0.2 s, of which kinetic %.6f J\n", after.total(), after.kinetic);
    return std::abs(before - expected) < 1e-9 * expected && std::abs(after.total() - before) < 1e-3 * before
               ? 0
               : 1;
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}
