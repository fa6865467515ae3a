#include "phiflex/energy/elastic_term.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "phiflex/fem/mass.h"
#include "tests/energy/term_cases.h"

namespace phiflex {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool needs_positive_J(const std::string& material) {
  return with_material(material, []<class Law>(LawTag<Law>) { return Law::needs_positive_J; });
}

// The patch test: under an affine motion of equal elements the stress is constant, so that the forces on
// inner vertices cancel.
TEST(ElasticTerm, AnAffineMotionLeavesInnerVerticesWithoutForce) {
  constexpr int cells = 4;
  for (const std::string& material : materials()) {
    ElasticBox box = elastic_box(cells);
    box.elements.young.assign(box.elements.tets.size(), 1000);
    box.elements.poisson.assign(box.elements.tets.size(), 0.3);
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
  for (const std::string& material : materials()) {
    const ElasticBox box = elastic_box(2);
    const auto term = make_elastic_term(material, box.rest, box.elements);
    const std::size_t count = box.elements.tets.size();
    std::vector<double> densities(count, -1.0);
    const Vector x = deformed(box.rest, 2);
    term->element_densities(x, densities);
    const std::vector<double> volumes = tet_volumes(box.rest, box.elements.tets);
    double W = 0;
    for (std::size_t e = 0; e < count; ++e) {
      W += volumes[e] * densities[e];
      const auto alone = make_elastic_term(
          material, box.rest,
          {{box.elements.tets[e]}, {box.elements.young[e]}, {box.elements.poisson[e]}, {}, 0});
      EXPECT_NEAR(alone->energy(x), volumes[e] * densities[e], 1e-12 * (1 + W)) << material << ", " << e;
    }
    EXPECT_NEAR(term->energy(x), W, 1e-12 * W) << material;
  }
}

TEST(ElasticTerm, TurnedTetrahedraHaveInfiniteEnergyWhereTheMaterialForbidsThem) {
  ElasticBox box = elastic_box(2);
  const std::size_t count = box.elements.tets.size();
  for (std::size_t e = 0; e < count; ++e) box.elements.number.push_back(1000 + int(e));
  Vector x = box.rest;
  x.head<3>() << 0.8, 0.75, 0.7;  // a corner pushed beyond the middle of the box
  const std::vector<double> volumes = tet_volumes(x, box.elements.tets);
  const auto first = std::find_if(volumes.begin(), volumes.end(), [](double volume) { return volume < 0; });
  ASSERT_NE(first, volumes.end());

  for (const std::string& material : materials()) {
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
  const auto term = make_elastic_term("neo-hookean", rest, {{{6, 7, 8, 9}}, {1e5}, {0.3}, {4}, 5});
  Vector x = rest;
  x[27 + 2] = -0.5;
  EXPECT_EQ(term->diagnose(x), "tetrahedron 4 (vertices 1, 2, 3, 4) is inverted: J = -0.5");
}

TEST(ElasticTerm, PositionsThatAreNotFiniteGiveInfiniteEnergyInEveryMaterial) {
  for (const std::string& material : materials()) {
    const ElasticBox box = elastic_box(2);
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
  box.elements.young.pop_back();
  EXPECT_THROW(make_elastic_term("arap", box.rest, box.elements), std::invalid_argument);
}

// Stretched by e along x and held across, a unit cube pulls with (lambda + 2 mu) e
// of its small-strain moduli.
TEST(ElasticTerm, SmallStrainsMeetLinearElasticity) {
  constexpr double e = 1e-6, young = 5e4, poisson = 0.3;
  for (const std::string& material : materials()) {
    const TetMesh mesh = generate_box({.size = {1, 1, 1}, .cells = {1, 1, 1}});
    const Vector rest = stacked(mesh.vertices);
    ElasticElements elements;
    elements.tets = mesh.tets;
    elements.young.assign(mesh.tets.size(), young);
    elements.poisson.assign(mesh.tets.size(), poisson);
    const auto term = make_elastic_term(material, rest, elements);
    Vector x = rest;
    for (Index v = 0; v < x.size() / 3; ++v) x[3 * v] *= 1 + e;
    const Vector f = force(*term, x);
    double pull = 0;
    for (Index v = 0; v < x.size() / 3; ++v)
      if (rest[3 * v] > 0.5) pull -= f[3 * v];
    const Lame<double> at_rest = with_material(
        material, []<class Law>(LawTag<Law>) { return Law::at_rest(Law::parameters(young, poisson)); });
    const double expected = (at_rest.lambda + 2 * at_rest.mu) * e;
    // The next order is e, rounding is eps/e = 2e-10.
    EXPECT_NEAR(pull, expected, 10 * e * expected) << material;
  }
}

}  // namespace
}  // namespace phiflex
