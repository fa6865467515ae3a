#include "phiflex/model/free_bodies.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

namespace phiflex {
namespace {

// A tetrahedron of four masses that nothing holds.
struct FreeTetrahedron {
  ModelDescription description;
  FreeTetrahedron() {
    description.rest.resize(12);
    description.rest << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
    description.vertex_mass = Vector::LinSpaced(4, 1, 2);
    description.bodies.push_back({"body", 0, 4, {}, {}});
  }
};

// Removals from w where the residual is M (w - v) + stiffness M w: a contact with h^2 k/(4 m) = stiffness.
Vector corrected(double stiffness, const Vector& v, const Vector& w) {
  const FreeTetrahedron body;
  const ConstraintMap map(body.description);
  Vector masses(12);
  for (Index i = 0; i < 12; ++i) masses[i] = body.description.vertex_mass[i / 3];
  const MassMatrix mass(masses);
  FreeBodies free_bodies(map, {{0, 1}, {1, 2}, {2, 3}}, mass);
  Vector after = w;
  free_bodies.begin_removal(after, nullptr);
  for (int repeat = 0; repeat < 3; ++repeat) {
    const Vector residual = masses.cwiseProduct(after - v + stiffness * after);
    free_bodies.remove_rigid_part(body.description.rest, residual, mass, after);
  }
  return after;
}

Vector rigid_velocity(const Eigen::Vector3d& shift, const Eigen::Vector3d& spin) {
  const Vector x = FreeTetrahedron().description.rest;
  Vector v(12);
  for (Index i = 0; i < 12; i += 3) v.segment<3>(i) = shift + spin.cross(Eigen::Vector3d(x.segment<3>(i)));
  return v;
}

TEST(FreeBodies, RigidPartOfTheResidualIsRemoved) {
  const Vector v = rigid_velocity({1, 2, 3}, {0.3, -0.2, 0.1});
  const Vector w = v + 1e-3 * rigid_velocity({1, -1, 0.5}, {2, 1, -1});
  EXPECT_LE((corrected(0, v, w) - v).norm(), 1e-14 * v.norm());
}

// Each removal leaves `stiffness` of what was there: 1e-3 after three.
TEST(FreeBodies, RepeatedRemovalsFollowAForceThatIsNotStiff) {
  const Vector v = rigid_velocity({1, 2, 3}, {0.3, -0.2, 0.1}), solution = v / 1.1;
  const Vector w = solution + 1e-3 * rigid_velocity({1, -1, 0.5}, {2, 1, -1});
  EXPECT_NEAR((corrected(0.1, v, w) - solution).norm() / (w - solution).norm(), 1e-3, 1e-6);
}

TEST(FreeBodies, BodyThatAStiffForcePushesIsLeftAsItWas) {
  const Vector v = rigid_velocity({1, 2, 3}, {0.3, -0.2, 0.1});
  for (const double stiffness : {0.9, 10.0, 1e6}) {
    const Vector w = v / (1 + stiffness) + 1e-3 * rigid_velocity({1, -1, 0.5}, {2, 1, -1});
    EXPECT_EQ(corrected(stiffness, v, w), w) << stiffness;
  }
}

}  // namespace
}  // namespace phiflex
