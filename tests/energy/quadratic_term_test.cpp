// What sets quadratic tetrahedra apart; what they share with linear ones is in term_contract_test.cpp and
// two_state_term_test.cpp.
#include <gtest/gtest.h>

#include "phiflex/fem/mass.h"
#include "phiflex/linalg/dense_solvers.h"
#include "tests/energy/term_cases.h"

namespace phiflex {
namespace {

ElasticBox even_box(int cells, const std::string& law) {
  ElasticBox box = quadratic_box(cells, law);
  box.elements.parameters = same_parameters(law, 1000, 0.3, box.elements.tets.size());
  return box;
}

// The patch test, as for linear elements, with the middles of edges among the inner nodes.
TEST(QuadraticTerm, AnAffineMotionLeavesInnerNodesWithoutForce) {
  const Mat3<double> A = {1.1, 0.2, 0, -0.1, 0.9, 0.1, 0, 0.05, 1.2};
  for (const std::string& material : all_laws()) {
    const ElasticBox box = even_box(3, material);
    Vector x(box.rest.size());
    for (Index v = 0; v < x.size() / 3; ++v) {
      const Vec3<double> y = A * Vec3<double>{box.rest[3 * v], box.rest[3 * v + 1], box.rest[3 * v + 2]};
      for (int i = 0; i < 3; ++i) x[3 * v + i] = y[i];
    }
    const Vector f = force(*make_elastic_term(material, box.rest, box.elements), x);
    int inner = 0;
    for (Index v = 0; v < x.size() / 3; ++v) {
      bool inside = true;  // and away from the corner whose tetrahedron is missing
      for (int i = 0; i < 3; ++i) inside &= box.rest[3 * v + i] > 0.01 && box.rest[3 * v + i] < 0.66;
      if (!inside) continue;
      ++inner;
      EXPECT_LE(f.segment<3>(3 * v).norm(), 1e-12 * f.norm()) << material << ", node " << v;
    }
    EXPECT_EQ(inner, 27);
  }
}

// On an affine motion the energy is that of the linear elements.
TEST(QuadraticTerm, AnAffineMotionHasTheEnergyOfLinearElements) {
  for (const std::string& material : all_laws()) {
    const ElasticBox box = even_box(2, material);
    Vector x = box.rest;
    for (Index v = 0; v < x.size() / 3; ++v) {
      x[3 * v] = 1.2 * box.rest[3 * v] + 0.1 * box.rest[3 * v + 1];
      x[3 * v + 2] = 0.8 * box.rest[3 * v + 2];
    }
    ElasticElements linear = box.elements;
    linear.quadratic.clear();
    const double W = make_elastic_term(material, box.rest, linear)->energy(x);
    EXPECT_NEAR(make_elastic_term(material, box.rest, box.elements)->energy(x), W, 1e-13 * W) << material;
  }
}

// u = (x^2, x y, 0) on the unit cube has the strains 2x, x and y/2: linear in x, which four points integrate
// exactly,  W = int mu (4 x^2 + x^2 + y^2/2) + lambda/2 (3 x)^2 = mu (5/3 + 1/6) + 3/2 lambda.
TEST(QuadraticTerm, AQuadraticMotionOfALinearMaterialHasItsExactEnergy) {
  ElasticBox box{generate_box({.size = {1, 1, 1}, .cells = {2, 1, 2}}), {}, {}};
  box.elements.tets = box.mesh.tets;
  box.elements.quadratic = add_mid_edge_nodes(box.mesh);
  box.rest = stacked(box.mesh.vertices);
  box.elements.parameters = same_parameters("linear", 1000, 0.3, box.mesh.tets.size());
  Vector x = box.rest;
  for (Index v = 0; v < x.size() / 3; ++v) {
    x[3 * v] += box.rest[3 * v] * box.rest[3 * v];
    x[3 * v + 1] += box.rest[3 * v] * box.rest[3 * v + 1];
  }
  const auto [mu, lambda] = lame_from_young(1000, 0.3);
  const double exact = mu * (5.0 / 3 + 1.0 / 6) + 1.5 * lambda;
  EXPECT_NEAR(make_elastic_term("linear", box.rest, box.elements)->energy(x), exact, 1e-12 * exact);
}

TEST(QuadraticTerm, AnElementsOnlyMotionsWithoutEnergyAreRigid) {
  TetMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0.1, 0}, {0.2, 0.9, 0}, {0.1, 0.2, 1.1}};
  mesh.tets = {{0, 1, 2, 3}};
  ElasticElements elements{.tets = mesh.tets, .parameters = {1000, 0.3}};
  elements.quadratic = add_mid_edge_nodes(mesh);
  const auto term = make_elastic_term("linear", stacked(mesh.vertices), elements);
  const Matrix K = dense(stiffness(*term, stacked(mesh.vertices), free_except(10, 0), Definiteness::exact));
  const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(K).eigenvalues();
  EXPECT_LE(std::abs(values[5]), 1e-12 * values[29]);
  EXPECT_GE(values[6], 1e-4 * values[29]);
}

TEST(QuadraticTerm, NodesThatDoNotFitTheTetrahedraAreMisuse) {
  ElasticBox box = quadratic_box(1);
  box.elements.quadratic.pop_back();
  EXPECT_THROW(make_elastic_term("arap", box.rest, box.elements), std::invalid_argument);
}

}  // namespace
}  // namespace phiflex
