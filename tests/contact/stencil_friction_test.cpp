#include "phiflex/contact/stencil_friction.h"

#include <gtest/gtest.h>

#include "tests/contact/random_stencils.h"
#include "tests/effort.h"

namespace phiflex {
namespace {

struct Rub {
  StencilKind kind;
  StencilPoints middle, dX;
  Feet feet;
  Eigen::Vector3d arm;
};

Rub random_rub(StencilKind kind, StencilSource& source) {
  Rub rub{.kind = kind,
          .middle = source.near(kind, source.scale(3)),
          .dX = source.scale(3) * source.points(),
          .feet = {},
          .arm = {}};
  const Eigen::Matrix3d E = stencil_edges(kind, rub.middle);
  rub.feet = nearest_feet<3>(kind, E);
  rub.arm = E * rub.feet.z;
  return rub;
}
StencilFriction friction_of(const Rub& rub, const StencilPoints& dX, const FrictionLaw& law,
                            double h = 0.01) {
  return stencil_friction(law, vertex_count(rub.kind), rub.middle, dX, rub.feet.y, rub.arm, 3.0, h);
}
// The rigid motion of the stencil's middle shape.
StencilPoints rigid_motion(const Rub& rub, const Eigen::Vector3d& shift, const Eigen::Vector3d& spin) {
  StencilPoints dX;
  for (int a = 0; a < 4; ++a) dX.col(a) = shift + spin.cross(Eigen::Vector3d(rub.middle.col(a)));
  return dX;
}

TEST(ContactFriction, HasNeitherResultantNorTorqueAndTakesWhatItBooks) {
  StencilSource source(1);
  const FrictionLaw law{.coefficient = 0.4, .slip_speed = 1e-3};
  for (const StencilKind kind : kStencilKinds)
    for (int k = 0; k < samples(20000); ++k) {
      const Rub rub = random_rub(kind, source);
      const StencilFriction friction = friction_of(rub, rub.dX, law);
      const int count = vertex_count(kind);
      const Eigen::Vector3d centre = rub.middle.leftCols(count).rowwise().mean();
      Eigen::Vector3d resultant = Eigen::Vector3d::Zero(), torque = Eigen::Vector3d::Zero();
      double work = 0, work_size = 0;
      for (int a = 0; a < count; ++a) {
        const Eigen::Vector3d f = friction.force.col(a);
        resultant += f;
        torque += Eigen::Vector3d(rub.middle.col(a) - centre).cross(f);
        work += f.dot(rub.dX.col(a));
        work_size += f.norm() * rub.dX.col(a).norm();
      }
      // Coulomb's cone bounds the force; thin stencils, whose inertia is nearly singular, lose digits of it.
      ASSERT_LE(resultant.norm(), 1e-9 * 3);
      ASSERT_LE(torque.norm(), 1e-9 * 3);
      ASSERT_NEAR(work, -friction.taken, 1e-9 * (work_size + friction.taken) + 1e-15);
      ASSERT_GE(friction.taken, 0);
    }
}

TEST(ContactFriction, RigidMotionIsNoSlip) {
  StencilSource source(2);
  const FrictionLaw law{.coefficient = 0.4, .slip_speed = 1e-3};
  for (const StencilKind kind : kStencilKinds)
    for (int k = 0; k < samples(5000); ++k) {
      const Rub rub = random_rub(kind, source);
      const Eigen::Vector3d shift = source.vector(), spin = source.vector();
      const StencilPoints dX = rigid_motion(rub, shift, spin);
      const Eigen::Map<const StencilVector> motion(dX.data());
      const StencilFriction friction = friction_of(rub, dX, law);
      ASSERT_LE((friction.slip * motion).norm(), 1e-10 * (shift.norm() + spin.norm()));
    }
}

TEST(ContactFriction, PointThatSlidesOnATriangleFeelsCoulombsForce) {
  const double d = 1e-3;
  StencilPoints X, dX = StencilPoints::Zero();
  X << 0.2, 0, 1, 0, 0.3, 0, 0, 1, d, 0, 0, 0;
  dX(0, 0) = 0.01;
  dX(2, 0) = -1e-4;  // approach is no slip
  const Eigen::Matrix3d E = stencil_edges(StencilKind::point_triangle, X);
  const Feet feet = nearest_feet<3>(StencilKind::point_triangle, E);
  const StencilFriction friction =
      stencil_friction({.coefficient = 0.5, .slip_speed = 1e-3}, 4, X, dX, feet.y, E * feet.z, 2.0, 0.01);
  // The slip is a thousand times slip_speed h; the rotations take a share of (d/edge)^2 of it.
  EXPECT_NEAR(friction.force(0, 0), -0.5 * 2, 1e-5);
  EXPECT_NEAR(friction.taken, 0.5 * 2 * 0.01, 1e-7);
  EXPECT_NEAR(friction.force.row(1).norm(), 0, 1e-5);
  // What balances the torque d mu P on the triangle is small with d.
  EXPECT_LE(friction.force.row(2).cwiseAbs().maxCoeff(), 10 * d);
}

TEST(ContactFriction, FallsWithTheSlipBelowTheSlipSpeed) {
  StencilSource source(3);
  const FrictionLaw law{.coefficient = 0.5, .slip_speed = 1e-3};
  const double h = 0.01;
  for (int k = 0; k < samples(2000); ++k) {
    const Rub rub = random_rub(StencilKind::edge_edge, source);
    const StencilPoints slow = 1e-3 * law.slip_speed * h * rub.dX.normalized();
    const double once = friction_of(rub, slow, law, h).force.norm(),
                 twice = friction_of(rub, 2 * slow, law, h).force.norm();
    ASSERT_NEAR(twice, 2 * once, 1e-5 * once);
  }
}

TEST(ContactFriction, TangentIsTheDerivativeOfTheForce) {
  StencilSource source(4);
  const FrictionLaw law{.coefficient = 0.5, .slip_speed = 0.1};
  for (const StencilKind kind : {StencilKind::point_triangle, StencilKind::edge_edge})
    for (int k = 0; k < samples(3000); ++k) {
      Rub rub = random_rub(kind, source);
      rub.dX *= 1e-3 / rub.dX.norm();
      const StencilPoints V = source.points();
      constexpr double eps = 1e-8;
      const StencilFriction at = friction_of(rub, rub.dX, law);
      const StencilPoints change =
          (friction_of(rub, rub.dX + eps * V, law).force - friction_of(rub, rub.dX - eps * V, law).force) /
          (2 * eps);
      const Eigen::Map<const StencilVector> v(V.data()), df(change.data());
      const StencilVector expected = -0.5 * (at.slip.transpose() * (at.block * (at.slip * v)));
      ASSERT_LE((df - expected).norm(), 1e-5 * (1 + expected.norm()));
      ASSERT_GE(v.dot(at.slip.transpose() * (at.block * (at.slip * v))), 0);
    }
}

// A point and an edge rub only in their plane; with the vertices of a triangle of that edge they rub in all directions.
TEST(ContactFriction, CarrierTriangleMakesEdgesRubInAllDirections) {
  const double d = 1e-3;
  StencilPoints X, dX = StencilPoints::Zero();
  X << 0.4, 0, 1, 0.3, 0, 0, 0, -1, d, 0, 0,
      0;            // above the edge between the first two; third corner of a triangle
  dX(1, 0) = 0.01;  // across the edge
  const Eigen::Vector4d feet(1, -0.6, -0.4, 0);
  const Eigen::Vector3d arm(0, 0, d);
  const FrictionLaw law{.coefficient = 0.5, .slip_speed = 1e-3};
  EXPECT_LE(stencil_friction(law, 3, X, dX, feet, arm, 2.0, 0.01).force.norm(), 1e-6);
  EXPECT_NEAR(stencil_friction(law, 4, X, dX, feet, arm, 2.0, 0.01).force(1, 0), -1, 1e-4);
}

}  // namespace
}  // namespace phiflex
