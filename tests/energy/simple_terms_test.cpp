// Gravity, the floor, springs and the networks made of them: what is special to each.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "tests/energy/term_cases.h"

namespace phiflex {
namespace {

TEST(GravityTerm, LiftingAMassCostsItsWeightTimesTheHeight) {
  const GravityTerm gravity({2.0, 3.0}, {0, -10, 0}, Vector::Ones(6));
  Vector x = Vector::Ones(6);
  x[4] += 0.5;
  EXPECT_DOUBLE_EQ(gravity.energy(x), 3 * 10 * 0.5);
  EXPECT_EQ(force(gravity, x), (Vector(6) << 0, -20, 0, 0, -30, 0).finished());
  EXPECT_THROW(GravityTerm({1.0}, {0, 0, 0}, Vector::Zero(6)), std::invalid_argument);
}

TEST(FloorTerm, ItPushesUpWhatIsBelowAndLeavesTheRest) {
  const FloorTerm floor(2, 1.0, 400.0);
  Vector x(6);
  x << 0, 0.9, 0, 0, 1.1, 0;
  EXPECT_NEAR(floor.energy(x), 0.5 * 400 * 0.01, 1e-13);
  const Vector f = force(floor, x);
  EXPECT_NEAR(f[1], 40, 1e-12);
  EXPECT_EQ(f.cwiseAbs().sum(), f[1]);
  const Matrix K = dense(stiffness(floor, x, free_except(2, 0), Definiteness::exact));
  Matrix expected = Matrix::Zero(6, 6);
  expected(1, 1) = 400;
  EXPECT_EQ(K, expected);
}

TEST(SpringTerm, MaterialAndGeometricStiffnessMakeTheWhole) {
  const TermCase c = cloth_case(4);
  const auto& springs = dynamic_cast<const SpringTerm&>(*c.term);
  const FreeVertices free = free_except(c.x.size() / 3, 3);
  const auto pattern = free_pattern(springs, free);
  const Vector d = wiggle(c.x.size(), 1.0);
  Vector parts = Vector::Zero(d.size());
  SparseMatrix K(pattern);
  for (StiffnessPart part : {StiffnessPart::material, StiffnessPart::geometric}) {
    springs.add_stiffness_product(c.x, part, d, parts);
    springs.make_assembler(free, *pattern, part)->add_stiffness(c.x, Definiteness::exact, K);
  }
  const Vector whole = stiffness_product(springs, c.x, d);
  EXPECT_LE((parts - whole).norm(), 100 * kEps * whole.norm());
  const Matrix all = dense(stiffness(springs, c.x, free, Definiteness::exact));
  EXPECT_LE((dense(K) - all).norm(), 100 * kEps * all.norm());
}

TEST(SpringTerm, MaterialStiffnessActsAlongTheSpringAndGeometricAcross) {
  const SpringTerm spring({{0, 1, 100.0, 1.0}});
  Vector x = Vector::Zero(6), along = x, across = x, y = x;
  x[0] = 2;  // twice its rest length: tension by length is k/2
  along[0] = across[1] = 1;
  const auto product = [&](StiffnessPart part, const Vector& d) {
    Vector Kd = Vector::Zero(6);
    spring.add_stiffness_product(x, part, d, Kd);
    return Kd;
  };
  EXPECT_EQ(product(StiffnessPart::material, along), (Vector(6) << 100, 0, 0, -100, 0, 0).finished());
  EXPECT_EQ(product(StiffnessPart::material, across), Vector::Zero(6));
  EXPECT_EQ(product(StiffnessPart::geometric, along), Vector::Zero(6));
  EXPECT_EQ(product(StiffnessPart::geometric, across), (Vector(6) << 0, 50, 0, 0, -50, 0).finished());
}

TEST(SpringTerm, ASpringOfLengthZeroIsSafe) {
  const FreeVertices free = free_except(2, 0);
  const Vector x = Vector::Ones(6);
  const SpringTerm collapsed({{0, 1, 100.0, 0.5}});
  EXPECT_DOUBLE_EQ(collapsed.energy(x), 0.5 * 100 * 0.25);
  EXPECT_EQ(force(collapsed, x), Vector::Zero(6));
  EXPECT_EQ(dense(stiffness(collapsed, x, free, Definiteness::exact)), Matrix::Zero(6, 6));
  // No rest length: W = k/2 |s|^2, stiffness k I everywhere.
  const SpringTerm zero({{0, 1, 100.0, 0.0}});
  Matrix K(6, 6);
  const Matrix I = 100 * Matrix::Identity(3, 3);
  K << I, -I, -I, I;
  EXPECT_EQ(dense(stiffness(zero, x, free, Definiteness::exact)), K);
  EXPECT_LE((dense(stiffness(zero, x + wiggle(6, 0), free, Definiteness::exact)) - K).norm(),
            100 * kEps * 100);
}

TEST(SpringTerm, OnlyCompressedSpringsAreChangedByTheProjection) {
  const SpringTerm springs({{0, 1, 100.0, 1.0}, {1, 2, 100.0, 1.0}});
  Vector x = Vector::Zero(9);
  x[3] = 0.8;
  x[6] = 2.0;
  Index changed = 0;
  stiffness(springs, x, free_except(3, 0), Definiteness::projected, &changed);
  EXPECT_EQ(changed, 1);
}

TEST(SpringNetwork, ARopeHasTheMassOfItsLengthAndTheStiffnessOfAnyRefinement) {
  for (int segments : {1, 2, 7, 100}) {
    const SpringNetwork rope = generate_rope({.from = {0, 1, 0},
                                              .to = {3, 1, 4},
                                              .segments = segments,
                                              .strength = {SpringStrength::Measure::per_strain, 50},
                                              .linear_density = 0.2});
    EXPECT_EQ(int(rope.vertices.size()), segments + 1);
    EXPECT_EQ(rope.vertices.front(), (Point3{0, 1, 0}));
    EXPECT_EQ(rope.vertices.back(), (Point3{3, 1, 4}));
    EXPECT_NEAR(std::accumulate(rope.masses.begin(), rope.masses.end(), 0.0), 5 * 0.2, 1e-13);
    EXPECT_NEAR(rope.masses.front(), 0.5 * 5 * 0.2 / segments, 1e-14);
    double compliance = 0;
    for (const Spring& s : rope.springs) compliance += 1 / s.k;
    EXPECT_NEAR(1 / compliance, 50.0 / 5, 1e-12);
  }
  RopeShape none;
  none.segments = 0;
  EXPECT_THROW(generate_rope(none), std::invalid_argument);
}

TEST(SpringNetwork, ASpringConstantIsTheSameForEverySpring) {
  const SpringNetwork cloth = generate_cloth({.size = {1, 2},
                                              .cells = {3, 2},
                                              .strength = {SpringStrength::Measure::per_length, 7},
                                              .area_density = 1});
  for (const Spring& s : cloth.springs) EXPECT_EQ(s.k, 7);
}

TEST(SpringNetwork, AClothHasTheMassOfItsAreaAndTheSpringsOfItsGrid) {
  constexpr int m = 5, n = 3;
  const ClothShape shape{.size = {1, 0.9},
                         .cells = {m, n},
                         .strength = {SpringStrength::Measure::per_strain, 40},
                         .shear = 0.5,
                         .bending = 0.1,
                         .area_density = 0.3};
  const SpringNetwork cloth = generate_cloth(shape);
  EXPECT_EQ(int(cloth.vertices.size()), (m + 1) * (n + 1));
  EXPECT_EQ(cloth.vertices[m], (Point3{1, 0, 0}));
  EXPECT_EQ(cloth.vertices.back(), (Point3{1, 0, 0.9}));
  EXPECT_NEAR(std::accumulate(cloth.masses.begin(), cloth.masses.end(), 0.0), 0.9 * 0.3, 1e-14);
  const auto count = [&](SpringKind kind) {
    return std::count(cloth.kinds.begin(), cloth.kinds.end(), kind);
  };
  EXPECT_EQ(count(SpringKind::structural), m * (n + 1) + n * (m + 1));
  EXPECT_EQ(count(SpringKind::shear), 2 * m * n);
  EXPECT_EQ(count(SpringKind::bending), (m - 1) * (n + 1) + (n - 1) * (m + 1));
  for (std::size_t s = 0; s < cloth.springs.size(); ++s) {
    const double factor = cloth.kinds[s] == SpringKind::shear     ? 0.5
                          : cloth.kinds[s] == SpringKind::bending ? 0.1
                                                                  : 1;
    EXPECT_NEAR(cloth.springs[s].k * cloth.springs[s].rest_length, factor * 40, 1e-12);
  }
  // The triangles cover the area once and look up.
  double area = 0;
  for (const auto& t : cloth.triangles) {
    const auto &a = cloth.vertices[t[0]], &b = cloth.vertices[t[1]], &c = cloth.vertices[t[2]];
    const double up = 0.5 * ((b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]));
    EXPECT_GT(up, 0);
    area += up;
  }
  EXPECT_NEAR(area, 0.9, 1e-14);

  ClothShape plain = shape;
  plain.shear = plain.bending = 0;
  EXPECT_EQ(int(generate_cloth(plain).springs.size()), m * (n + 1) + n * (m + 1));
  plain.cells = {0, 1};
  EXPECT_THROW(generate_cloth(plain), std::invalid_argument);
}

}  // namespace
}  // namespace phiflex
