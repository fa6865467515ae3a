// Networks of springs from generators and meshes, and the laws of their springs.
#include "phiflex/energy/spring_network.h"
#include "phiflex/linalg/dense_solvers.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <numeric>

#include "tests/energy/term_cases.h"

namespace phiflex {
namespace {

double total(const std::vector<double>& masses) {
  return std::accumulate(masses.begin(), masses.end(), 0.0);
}

TEST(SpringLaw, CubicSpringsStiffenWithTheSquareOfTheStrain) {
  const double k = 100, l0 = 0.5;
  for (double e : {-0.3, -0.1, 0.0, 0.2, 1.0}) {
    EXPECT_DOUBLE_EQ(CubicSpringLaw::tension(k, l0, e), k * (e + e * e * e / (l0 * l0)));
    EXPECT_DOUBLE_EQ(CubicSpringLaw::stiffness(k, l0, e), k * (1 + 3 * e * e / (l0 * l0)));
  }
  EXPECT_THROW((SpringTermOf<Spring, CubicSpringLaw>({{0, 1, k, 0}})), std::invalid_argument);
  EXPECT_THROW(find_spring_law("quadratic"), std::invalid_argument);
}

TEST(SpringLaw, TheCorotatedForceOfTwoNodesIsThatOfALinearSpring) {
  const double k = 40;
  const Eigen::Vector3d a0(0, 0, 0), b0(0.3, 0.4, 0), a(1, 2, 3), b(1.2, 1.5, 3.9);
  const Eigen::Vector3d s0 = a0 - b0, s = a - b;
  // R turns the rest direction into the present one.
  const Eigen::Matrix3d R = Eigen::Quaterniond::FromTwoVectors(s0, s).toRotationMatrix();
  const Eigen::Vector3d expected = -k * (R * (R.transpose() * s - s0));
  const auto term = find_spring_law("corotated").make_springs({{0, 1, k, s0.norm()}});
  Vector x(6);
  x << a, b;
  const Vector f = force(*term, x);
  EXPECT_LE((f.head<3>() - expected).norm(), 1e-13 * expected.norm());
  EXPECT_LE((f.tail<3>() + expected).norm(), 1e-13 * expected.norm());
}

TEST(SpringNetwork, AFlagIsAClothUprightAtAPole) {
  ClothShape shape{.size = {1.4, 1},
                   .cells = {7, 5},
                   .strength = {.value = 40},
                   .shear = 0.5,
                   .bending = 0.1,
                   .area_density = 0.2};
  const SpringNetwork cloth = generate_cloth(shape);
  shape.plane = ClothShape::Plane::upright;
  const SpringNetwork flag = generate_cloth(shape);
  EXPECT_EQ(flag.vertices.back(), (Point3{1.4, 1, 0}));
  EXPECT_EQ(flag.vertices[8], (Point3{0, 0.2, 0})) << "up the pole";
  EXPECT_EQ(flag.masses, cloth.masses);
  ASSERT_EQ(flag.springs.size(), cloth.springs.size());
  double area = 0;
  for (const auto& t : flag.triangles) {
    const auto &a = flag.vertices[t[0]], &b = flag.vertices[t[1]], &c = flag.vertices[t[2]];
    const double toward_z = 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
    EXPECT_GT(toward_z, 0);
    area += toward_z;
  }
  EXPECT_NEAR(area, 1.4, 1e-14);
}

TEST(SpringNetwork, AGirderIsStiffAndHasTheMassOfItsBars) {
  const GirderShape shape{
      .size = {4, 0.5, 0.4}, .bays = 8, .strength = {.value = 1000}, .shear = 0.5, .linear_density = 2};
  const SpringNetwork girder = generate_girder(shape);
  EXPECT_EQ(girder.vertices.size(), 4u * 9);
  double length = 0;
  for (const Spring& s : girder.springs) length += s.rest_length;
  EXPECT_NEAR(total(girder.masses), 2 * length, 1e-12 * length);
  EXPECT_EQ(girder.springs.size(), 9u * 6 + 8 * 12);
  const Matrix K = dense(stiffness(SpringTerm(girder.springs), stacked(girder.vertices),
                                   free_except(Index(girder.vertices.size()), 0), Definiteness::exact));
  const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(K).eigenvalues();
  EXPECT_LT(std::abs(values[5]), 1e-12 * values[values.size() - 1]) << "six rigid motions";
  EXPECT_GT(values[6], 1e-6 * values[values.size() - 1]) << "and no mechanism";
}

TEST(SpringNetwork, TetrahedraGiveASpringPerEdgeAndFourToTheirFaces) {
  const TetMesh mesh = generate_box({.size = {1, 1, 1}, .cells = {2, 2, 2}});
  const SpringNetwork network = tet_springs(
      mesh, {.strength = {SpringStrength::Measure::per_length, 100}, .diagonal = 1e6, .density = 500});
  EXPECT_NEAR(total(network.masses), 500, 1e-10);
  EXPECT_EQ(network.centre_springs.size(), 4 * mesh.tets.size());
  // Euler: vertices - edges + faces - tetrahedra = 1; faces = (4 tets + boundary)/2.
  const auto faces = (4 * mesh.tets.size() + network.triangles.size()) / 2;
  EXPECT_EQ(network.springs.size(), mesh.vertices.size() + faces - mesh.tets.size() - 1);
  for (const CentreSpring& s : network.centre_springs) EXPECT_EQ(s.k, 1e8);
  const CentreSpringTerm term(network.centre_springs);
  const Vector rest = stacked(network.vertices);
  EXPECT_LE(force(term, rest).norm(), 1e8 * 1e-14);
  EXPECT_TRUE(tet_springs(mesh, {.strength = {.value = 1}, .density = 1}).centre_springs.empty());
}

TEST(SpringNetwork, ASurfaceGivesSpringsOnItsEdgesAndAcrossThem) {
  // Two triangles of a square: five edges and one spring across the diagonal.
  SurfaceMesh square;
  square.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}};
  square.triangles = {{0, 2, 1}, {0, 3, 2}};
  const SpringNetwork cloth =
      mesh_springs(square, {.strength = {.value = 10}, .bending = 0.2, .area_density = 3});
  ASSERT_EQ(cloth.springs.size(), 6u);
  EXPECT_EQ(cloth.triangles.size(), 2u);
  const Spring& across = cloth.springs.back();
  EXPECT_EQ(cloth.kinds.back(), SpringKind::bending);
  EXPECT_EQ(std::pair(across.a, across.b), std::pair(1, 3));
  EXPECT_NEAR(across.k, 0.2 * 10 / std::sqrt(2.0), 1e-14);
  EXPECT_NEAR(total(cloth.masses), 3, 1e-14);
  EXPECT_NEAR(cloth.masses[0], 1, 1e-14) << "a third of each triangle";
}

TEST(SpringNetwork, LinesGiveRopesThatMayResistBending) {
  SurfaceMesh strands;
  strands.vertices = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {0, 1, 0}, {0, 2, 0}};
  strands.edges = {{0, 1}, {1, 2}, {2, 3}, {4, 5}};
  const SpringNetwork rope =
      mesh_springs(strands, {.strength = {.value = 10}, .bending = 0.5, .linear_density = 2});
  EXPECT_EQ(rope.springs.size(), 4u + 2);
  EXPECT_NEAR(total(rope.masses), 8, 1e-14);
  EXPECT_EQ(rope.masses[0], 1);
  EXPECT_EQ(std::count(rope.kinds.begin(), rope.kinds.end(), SpringKind::bending), 2);
}

// The area and the lengths say what strands and shirts should weigh, whatever the file's numbering.
TEST(SpringNetwork, AnAreaWithADegenerateTriangleKeepsItsSpringOfNoLength) {
  SurfaceMesh bad;
  bad.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}};
  bad.triangles = {{0, 1, 2}};
  const SpringNetwork network = mesh_springs(bad, {.strength = {.value = 10}, .area_density = 1});
  EXPECT_TRUE(std::any_of(network.springs.begin(), network.springs.end(),
                          [](const Spring& s) { return s.rest_length == 0; }));
}

}  // namespace
}  // namespace phiflex
