// Strain and stress of elements, for every law of the catalogue.
#include "phiflex/energy/element_state.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/energy/term_cases.h"

namespace phiflex {
namespace {

Vector moved(const Vector& rest, const Mat3<double>& F) {
  Vector x(rest.size());
  for (Index v = 0; v < rest.size() / 3; ++v) {
    const Vec3<double> y = F * Vec3<double>{rest[3 * v], rest[3 * v + 1], rest[3 * v + 2]};
    for (int i = 0; i < 3; ++i) x[3 * v + i] = y[i];
  }
  return x;
}

// Stretched, squeezed and sheared, and turned about an axis.
std::vector<Mat3<double>> strains() {
  const double c = std::cos(0.4), s = std::sin(0.4);
  return {{1.3, 0, 0, 0, 0.9, 0, 0, 0, 0.9},    // tension
          {0.8, 0, 0, 0, 1.05, 0, 0, 0, 1.05},  // pressure
          {1, 0.3, 0, 0, 1, 0, 0, 0, 1},        // shear
          Mat3<double>{c, -s, 0, s, c, 0, 0, 0, 1} * Mat3<double>{1.2, 0.1, 0, 0, 0.9, 0.2, 0, 0, 1.1}};
}

// The power of the stress: a change of shape by (1 + e E) F, E symmetric, changes psi by e J sigma:E.
TEST(ElementState, StressIsTheDerivativeOfTheEnergyInTensionPressureAndShearForEveryLaw) {
  for (const MaterialInfo& law : material_catalogue()) {
    const std::string material(law.name);
    for (const ElasticBox& box : {elastic_box(2, material), quadratic_box(1, material)}) {
      const auto term = make_elastic_term(material, box.rest, box.elements);
      const std::size_t count = box.elements.tets.size();
      for (const Mat3<double>& F : strains()) {
        std::vector<ElementState> states(count);
        term->element_states(moved(box.rest, F), states);
        for (int i = 0; i < 3; ++i)
          for (int j = i; j < 3; ++j) {
            const auto densities = [&](double e) -> Vector {
              Mat3<double> change = Mat3<double>::identity();
              change(i, j) += 0.5 * e;
              change(j, i) += 0.5 * e;
              Vector psi(static_cast<Index>(count));
              term->element_densities(moved(box.rest, change * F), as_span(psi));
              return psi;
            };
            const Vector expected = derivative(densities) / determinant(F);
            for (std::size_t e = 0; e < count; ++e)
              // 1000 Pa is the scale of the moduli, 1e-7 the error of the differences (term_cases.h).
              EXPECT_NEAR(states[e].stress(i, j), expected[Index(e)], 1e-7 * 1000) << material << i << j;
          }
        for (const ElementState& state : states) {
          EXPECT_NEAR(state.J, determinant(F), 1e-13) << material;
          for (int k = 0; k < 6; ++k) EXPECT_NEAR(state.C.e[k], gram(F).e[k], 1e-13) << material;
        }
      }
    }
  }
}

// The virial theorem: sum of V J sigma over the elements is -sum of f x' over the vertices, whatever the motion.
TEST(ElementState, StressesOfAnyMotionBalanceTheForcesOfTheVertices) {
  for (const MaterialInfo& law : material_catalogue()) {
    const std::string material(law.name);
    for (const ElasticBox& box : {elastic_box(2, material), quadratic_box(2, material)}) {
      const auto term = make_elastic_term(material, box.rest, box.elements);
      const Vector x = deformed(box.rest, 2), f = force(*term, x);
      std::vector<ElementState> states(box.elements.tets.size());
      term->element_states(x, states);
      Sym3<double> stress = Sym3<double>::zero();
      for (const ElementState& state : states) stress += (state.volume * state.J) * state.stress;
      Mat3<double> virial = Mat3<double>::zero();
      for (Index v = 0; v < x.size() / 3; ++v)
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) virial(i, j) -= f[3 * v + i] * x[3 * v + j];
      const Sym3<double> expected = symmetric_part(virial);
      for (int k = 0; k < 6; ++k) EXPECT_NEAR(stress.e[k], expected.e[k], 1e-10) << material;
    }
  }
}

// sigma = mu/J (b - 1) + lambda ln J / J (Bonet and Wood: Nonlinear continuum mechanics, 2008, section 6.4.3).
TEST(ElementState, NeoHookeanStressIsTheOneOfTextbooks) {
  const ElasticBox box = elastic_box(1, "neo-hookean");
  const auto term = make_elastic_term("neo-hookean", box.rest, box.elements);
  std::vector<ElementState> states(box.elements.tets.size());
  for (const Mat3<double>& F : strains()) {
    term->element_states(moved(box.rest, F), states);
    const double J = determinant(F);
    const Mat3<double> b = F * transpose(F);
    for (std::size_t e = 0; e < states.size(); ++e) {
      const double E = box.elements.parameters[2 * e], nu = box.elements.parameters[2 * e + 1];
      const double mu = E / (2 * (1 + nu)), lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          const double unit = i == j ? 1 : 0;
          const double expected = mu / J * (b(i, j) - unit) + lambda * std::log(J) / J * unit;
          EXPECT_NEAR(states[e].stress(i, j), expected, 1e-12 * E);
        }
    }
  }
}

TEST(ElementState, VonMisesIsTheTensionOfABarAndRootThreeTimesAShear) {
  EXPECT_DOUBLE_EQ(von_mises({5, 0, 0, 0, 0, 0}), 5);
  EXPECT_DOUBLE_EQ(von_mises({7, 7, 7, 0, 0, 0}), 0);
  EXPECT_DOUBLE_EQ(von_mises({0, 0, 0, 0, 0, 2}), 2 * std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(von_mises({1e9, 1e9 + 3, 1e9, 0, 0, 0}), 3);
}

TEST(ElementState, PrincipalStretchesDoNotDependOnTheBodysRotation) {
  const double c = std::cos(1.1), s = std::sin(1.1);
  const Mat3<double> turn =
      Mat3<double>{c, -s, 0, s, c, 0, 0, 0, 1} * Mat3<double>{1, 0, 0, 0, c, -s, 0, s, c};
  const Mat3<double> F = turn * Mat3<double>{0.5, 0, 0, 0, 2, 0, 0, 0, 1.25} * transpose(turn);
  const auto stretches = principal_stretches({1, determinant(F), gram(F), {}});
  EXPECT_NEAR(stretches[0], 2, 1e-14);
  EXPECT_NEAR(stretches[1], 1.25, 1e-14);
  EXPECT_NEAR(stretches[2], 0.5, 1e-14);
  EXPECT_NEAR(principal_stretches({1, -1, gram(F), {}})[2], -0.5, 1e-14);
}

}  // namespace
}  // namespace phiflex
