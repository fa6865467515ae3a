#include "phiflex/energy/elastic_term.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "phiflex/energy/law_kernels.h"
#include "phiflex/fem/mass.h"
#include "tests/energy/term_cases.h"

namespace phiflex {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool needs_positive_J(const std::string& material) {
  return material_info(material).needs_positive_J;
}

// The patch test: under an affine motion of equal elements the stress is constant, so that the forces on
// inner vertices cancel.
TEST(ElasticTerm, AnAffineMotionLeavesInnerVerticesWithoutForce) {
  constexpr int cells = 4;
  for (const std::string& material : all_laws()) {
    ElasticBox box = elastic_box(cells, material);
    box.elements.parameters = same_parameters(material, 1000, 0.3, box.elements.tets.size());
    const auto term = make_elastic_term(material, box.rest, box.elements);
    const Mat3<double> A = {1.1, 0.2, 0, -0.1, 0.9, 0.1, 0, 0.05, 1.2};
    Vector x(box.rest.size());
    for (Index v = 0; v < x.size() / 3; ++v) {
      const Vec3<double> y = A * Vec3<double>{box.rest[3 * v], box.rest[3 * v + 1], box.rest[3 * v + 2]};
      for (int i = 0; i < 3; ++i) x[3 * v + i] = y[i];
    }
    const Vector f = force(*term, x);
    int inner = 0;
    for (Index v = 0; v < x.size() / 3; ++v) {
      bool inside = true;
      for (int i = 0; i < 3; ++i) inside &= box.rest[3 * v + i] > 0.01 && box.rest[3 * v + i] < 0.7;
      if (!inside) continue;  // the last tetrahedron is missing: its corner is not inside either
      ++inner;
      EXPECT_LE(f.segment<3>(3 * v).norm(), 1e-12 * f.norm()) << material << ", vertex " << v;
    }
    EXPECT_EQ(inner, 8);
  }
}

TEST(ElasticTerm, DensitiesComeInTheOrderOfTheElementsAndSumToTheEnergy) {
  for (const std::string& material : all_laws()) {
    const ElasticBox box = elastic_box(2, material);
    const auto term = make_elastic_term(material, box.rest, box.elements);
    const std::size_t count = box.elements.tets.size();
    std::vector<double> densities(count, -1.0);
    const Vector x = deformed(box.rest, 2);
    term->element_densities(x, densities);
    const std::vector<double> volumes = tet_volumes(box.rest, box.elements.tets);
    double W = 0;
    for (std::size_t e = 0; e < count; ++e) {
      W += volumes[e] * densities[e];
      const auto numbers = std::ptrdiff_t(box.elements.parameters.size() / count);
      const auto first = box.elements.parameters.begin() + numbers * std::ptrdiff_t(e);
      const auto alone = make_elastic_term(
          material, box.rest, {.tets = {box.elements.tets[e]}, .parameters = {first, first + numbers}});
      EXPECT_NEAR(alone->energy(x), volumes[e] * densities[e], 1e-12 * (1 + W)) << material << ", " << e;
    }
    EXPECT_NEAR(term->energy(x), W, 1e-12 * W) << material;
  }
}

TEST(ElasticTerm, TurnedTetrahedraHaveInfiniteEnergyWhereTheMaterialForbidsThem) {
  ElasticBox box = elastic_box(2);
  const std::size_t count = box.elements.tets.size();
  std::vector<int> number;
  for (std::size_t e = 0; e < count; ++e) number.push_back(1000 + int(e));
  Vector x = box.rest;
  x.head<3>() << 0.8, 0.75, 0.7;  // a corner pushed beyond the middle of the box
  const std::vector<double> volumes = tet_volumes(x, box.elements.tets);
  const auto first = std::find_if(volumes.begin(), volumes.end(), [](double volume) { return volume < 0; });
  ASSERT_NE(first, volumes.end());

  for (const std::string& material : all_laws()) {
    box = elastic_box(2, material);
    box.elements.number = number;
    const auto term = make_elastic_term(material, box.rest, box.elements);
    std::vector<double> densities(count);
    term->element_densities(x, densities);
    const bool forbidden = needs_positive_J(material);
    for (std::size_t e = 0; e < count; ++e)
      EXPECT_EQ(std::isfinite(densities[e]), volumes[e] > 0 || !forbidden) << material << ", " << e;
    EXPECT_EQ(term->energy(x) == kInfinity, forbidden) << material;
    EXPECT_EQ(force(*term, x).allFinite(), !forbidden) << material;
    const std::string why = term->diagnose(x);
    if (forbidden) {
      const std::string name = "tetrahedron " + std::to_string(1000 + (first - volumes.begin())) + " (";
      EXPECT_EQ(why.find(name), 0u) << why;
      EXPECT_NE(why.find("is inverted: J = -"), std::string::npos) << why;
    } else {
      EXPECT_EQ(why, "") << material;
    }
  }
}

TEST(ElasticTerm, TheVerticesOfAMessageAreThoseOfTheUsersMesh) {
  Vector rest(30);
  rest.setZero();
  rest.tail(12) << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
  const auto term = make_elastic_term("neo-hookean", rest, {{{6, 7, 8, 9}}, {1e5, 0.3}, {4}, 5});
  Vector x = rest;
  x[27 + 2] = -0.5;
  EXPECT_EQ(term->diagnose(x), "tetrahedron 4 (vertices 1, 2, 3, 4) is inverted: J = -0.5");
}

TEST(ElasticTerm, PositionsThatAreNotFiniteGiveInfiniteEnergyInEveryMaterial) {
  for (const std::string& material : all_laws()) {
    const ElasticBox box = elastic_box(2, material);
    const auto term = make_elastic_term(material, box.rest, box.elements);
    Vector x = box.rest;
    x[5] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(term->energy(x), kInfinity) << material;
    EXPECT_NE(term->diagnose(x).find("not finite"), std::string::npos)
        << material << ": " << term->diagnose(x);
  }
}

TEST(ElasticTerm, UnknownNamesAndSizesThatDoNotFitAreMisuse) {
  ElasticBox box = elastic_box(1);
  EXPECT_THROW(make_elastic_term("jelly", box.rest, box.elements), std::invalid_argument);
  box.elements.parameters.pop_back();
  EXPECT_THROW(make_elastic_term("arap", box.rest, box.elements), std::invalid_argument);
}

// Stretched by e along x and held across, a unit cube pulls with (lambda + 2 mu) e
// of its small-strain moduli.
TEST(ElasticTerm, SmallStrainsMeetLinearElasticity) {
  constexpr double e = 1e-6, young = 5e4, poisson = 0.3;
  for (const std::string& material : all_laws()) {
    const TetMesh mesh = generate_box({.size = {1, 1, 1}, .cells = {1, 1, 1}});
    const Vector rest = stacked(mesh.vertices);
    ElasticElements elements;
    elements.tets = mesh.tets;
    elements.parameters = same_parameters(material, young, poisson, mesh.tets.size());
    const auto term = make_elastic_term(material, rest, elements);
    Vector x = rest;
    // Shortened, where laws with fibres are linear: those do nothing.
    const double strain = material_info(material).properties.smooth ? e : -e;
    for (Index v = 0; v < x.size() / 3; ++v) x[3 * v] *= 1 + strain;
    const Vector f = force(*term, x);
    double pull = 0;
    for (Index v = 0; v < x.size() / 3; ++v)
      if (rest[3 * v] > 0.5) pull -= f[3 * v];
    const Lame<double> at_rest =
        law_kernels(material).at_rest(test::example_parameters(material, young, poisson), nullptr);
    const double expected = (at_rest.lambda + 2 * at_rest.mu) * strain;
    // The next order is e, rounding is eps/e = 2e-10.
    EXPECT_NEAR(pull, expected, 10 * e * std::abs(expected)) << material;
  }
}

}  // namespace
}  // namespace phiflex
