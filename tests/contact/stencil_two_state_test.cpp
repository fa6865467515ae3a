#include "phiflex/contact/stencil_two_state.h"

#include <gtest/gtest.h>

#include "phiflex/contact/barrier.h"
#include "tests/contact/random_stencils.h"
#include "tests/effort.h"

namespace phiflex {
namespace {

struct ContactStep {
  StencilKind kind;
  StencilLaw law;
  StencilPoints X, dX;
  StencilShape start, end;
  Eigen::Matrix3d E, dE;

  StencilStep step(double gamma = 0) const {
    return stencil_step(kind, law, E, dE, start, end, {.gamma = gamma}, 0.01);
  }
  bool inside() const { return start.x < 1 || end.x < 1; }
};

ContactStep make_step(StencilKind kind, const StencilLaw& law, const StencilPoints& X,
                      const StencilPoints& dX) {
  ContactStep s{.kind = kind, .law = law, .X = X, .dX = dX, .start = {}, .end = {}, .E = {}, .dE = {}};
  s.E = stencil_edges(kind, X);
  s.dE = stencil_edges(kind, dX);
  s.start = stencil_shape(kind, law, s.E);
  s.end = stencil_shape(kind, law, s.E + s.dE);
  return s;
}

// Steps of all sizes, from other places, with large turns, between parallel edges; distances d and motions of size 1 to
// 1e-4. The reach is beyond both ends, or between them.
ContactStep random_step(StencilKind kind, int k, double smallest_power, StencilSource& source) {
  const bool mollified = kind == StencilKind::edge_edge && k % 2 == 0;
  const auto place = [&] {
    return mollified && k % 4 == 0 ? source.parallel_edges(source.scale(smallest_power), source.scale(3))
                                   : source.near(kind, source.scale(smallest_power));
  };
  const StencilPoints X = place();
  StencilPoints Y;
  switch (k % 5) {
    case 0:
      Y = place();
      break;
    case 1:
      Y = source.rotation(3) * X + 1e-3 * source.points();
      break;
    default:
      Y = X + source.scale(4) * source.points();
  }
  StencilLaw law{.weight = 1, .reach = 1, .parallel = 0};
  if (mollified)
    law.parallel = 1e-2 * (X.col(1) - X.col(0)).squaredNorm() * (X.col(3) - X.col(2)).squaredNorm();
  ContactStep step = make_step(kind, law, X, Y - X);
  law.reach = std::sqrt(std::max(step.start.square, step.end.square) * (k % 3 ? 2 : 0.7));
  return make_step(kind, law, X, Y - X);
}

// Sizes with which sums of forces, torques and work are compared.
struct Sums {
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), torque = Eigen::Vector3d::Zero();
  double work = 0, force_size = 0, torque_size = 0, work_size = 0;
  Sums(const ContactStep& s, const StencilPoints& f) {
    const StencilPoints middle = s.X + 0.5 * s.dX;
    const int count = vertex_count(s.kind);
    const Eigen::Vector3d centre = middle.leftCols(count).rowwise().mean();
    for (int a = 0; a < count; ++a) {
      const Eigen::Vector3d at = f.col(a), arm = middle.col(a) - centre;
      force += at;
      torque += arm.cross(at);
      work += at.dot(s.dX.col(a));
      force_size += at.norm();
      torque_size += arm.norm() * at.norm();
      work_size += at.norm() * s.dX.col(a).norm();
    }
  }
};

// Distances down to 1e-2: coordinates of size 1 leave 14 digits of them, and the barrier loses two or three more.
TEST(ContactTwoState, WorkIsTheChangeOfEnergyForRandomPairsOfStates) {
  StencilSource source(1);
  for (const StencilKind kind : kStencilKinds) {
    int active = 0;
    for (int k = 0; k < samples(250000); ++k) {
      const ContactStep s = random_step(kind, k, 2, source);
      if (!s.inside()) continue;
      ++active;
      const StencilStep step = s.step();
      const Sums sums(s, step.force);
      const double size = stencil_energy(s.law, s.start) + stencil_energy(s.law, s.end) + sums.work_size;
      // At the edge of the reach the energy is the cube of 1 - x: the last digit of x, a few of them, counts by the
      // slope.
      const double digit = 1e-15 * s.law.weight * std::abs(barrier_slope(s.start.x) + barrier_slope(s.end.x));
      ASSERT_NEAR(sums.work, -step.energy_change, 1e-11 * size + digit) << int(kind) << " " << k;
      ASSERT_LE(sums.force.norm(), 1e-14 * sums.force_size);
      ASSERT_LE(sums.torque.norm(), 1e-11 * sums.torque_size);
    }
    EXPECT_GE(active, samples(80000));
  }
}

// The same down to 1e-6 with motions up to a million times the distance: 10 digits of the distance are left.
TEST(ContactTwoState, WorkIsExactUpToRoundingOfTheDistance) {
  StencilSource source(2);
  for (const StencilKind kind : kStencilKinds)
    for (int k = 0; k < samples(60000); ++k) {
      const ContactStep s = random_step(kind, k, 6, source);
      if (!s.inside() || s.start.square < 1e-14 || s.end.square < 1e-14) continue;
      const StencilStep step = s.step();
      const Sums sums(s, step.force);
      const double size = stencil_energy(s.law, s.start) + stencil_energy(s.law, s.end) + sums.work_size;
      ASSERT_NEAR(sums.work, -step.energy_change, 1e-7 * size) << int(kind) << " " << k;
      ASSERT_LE(sums.force.norm(), 1e-14 * sums.force_size);
      ASSERT_LE(sums.torque.norm(), 1e-8 * sums.torque_size);
    }
}

TEST(ContactTwoState, IsNeverTensileAndItsFeetStayOnTheirPieces) {
  StencilSource source(3);
  for (const StencilKind kind : kStencilKinds)
    for (int k = 0; k < samples(60000); ++k) {
      const ContactStep s = random_step(kind, k, 6, source);
      if (!s.inside()) continue;
      const StencilStep step = s.step(source.uniform(0, 1));
      ASSERT_LE(step.stress, 0);
      ASSERT_GE(step.stiffness, 0);
      ASSERT_GE(step.taken, 0);
      const int side = first_side(kind);
      ASSERT_GE(step.feet.head(side).minCoeff(), -1e-16);
      ASSERT_LE(step.feet.tail(4 - side).maxCoeff(), 1e-16);
    }
}

TEST(ContactTwoState, DialTakesWhatItBooks) {
  StencilSource source(4);
  for (const StencilKind kind : kStencilKinds)
    for (int k = 0; k < samples(30000); ++k) {
      const ContactStep s = random_step(kind, k, 2, source);
      if (!s.inside()) continue;
      const StencilStep step = s.step(source.uniform(0, 1));
      const Sums sums(s, step.force);
      const double size = stencil_energy(s.law, s.start) + stencil_energy(s.law, s.end) + sums.work_size;
      ASSERT_NEAR(sums.work, -step.energy_change - step.taken, 1e-11 * size);
      ASSERT_LE(sums.force.norm(), 1e-14 * sums.force_size);
      ASSERT_LE(sums.torque.norm(), 1e-11 * sums.torque_size);
    }
}

TEST(ContactTwoState, IsSymmetricInTime) {
  StencilSource source(5);
  for (const StencilKind kind : kStencilKinds)
    for (int k = 0; k < samples(20000); ++k) {
      const ContactStep s = random_step(kind, k, 2, source);
      if (!s.inside()) continue;
      const StencilStep there = s.step(), back = make_step(kind, s.law, s.X + s.dX, -s.dX).step();
      ASSERT_LE((there.force - back.force).norm(), 1e-8 * there.force.norm()) << int(kind) << " " << k;
    }
}

TEST(ContactTwoState, SmallStepsGiveMinusTheGradientInTheMiddleToSecondOrder) {
  StencilSource source(6);
  double errors[3] = {};
  for (const StencilKind kind : {StencilKind::point_triangle, StencilKind::edge_edge})
    for (int k = 0; k < samples(3000); ++k) {
      const StencilPoints X = source.near(kind, source.uniform(0.1, 1)), V = source.points();
      StencilLaw law{.weight = 1, .reach = 1, .parallel = 0};
      const Eigen::Matrix3d E = stencil_edges(kind, X);
      const StencilShape middle = stencil_shape(kind, law, E);
      law.reach = 1.7 * std::sqrt(middle.square);
      // Well inside both pieces, which are neither thin nor parallel.
      if (middle.feet.y.cwiseAbs().minCoeff() < 0.1 || E.col(1).cross(E.col(2)).norm() < 0.5) continue;
      const StencilPoints g = stencil_gradient(kind, law, E, stencil_shape(kind, law, E));
      double h = 0.02 * std::sqrt(middle.square);
      for (double& error : errors) {
        const StencilStep step = make_step(kind, law, X - 0.5 * h * V, h * V).step();
        error += (step.force + g).norm() / g.norm();
        h /= 2;
      }
    }
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.2);
  EXPECT_NEAR(errors[1] / errors[2], 4, 0.1);
}

TEST(ContactTwoState, RigidTurnOfAContactTurnsItsForce) {
  StencilSource source(7);
  for (const StencilKind kind : kStencilKinds)
    for (int k = 0; k < samples(10000); ++k) {
      const StencilPoints X = source.near(kind, source.uniform(0.1, 1));
      StencilLaw law{.weight = 1, .reach = 1, .parallel = 0};
      const Eigen::Matrix3d E = stencil_edges(kind, X), R = source.rotation(2);
      law.reach = 1.5 * std::sqrt(stencil_shape(kind, law, E).square);
      const StencilPoints g = stencil_gradient(kind, law, E, stencil_shape(kind, law, E));
      const StencilStep step = make_step(kind, law, X, R * X - X).step();
      const StencilPoints expected =
          -0.5 * (Eigen::Matrix3d::Identity() + R) * g;  // |rbar| falls with the angle
      ASSERT_LE((step.force - expected).norm(), 1e-9 * g.norm());
      ASSERT_NEAR(step.energy_change, 0, 1e-10 * barrier(1 / 2.25));
    }
}

TEST(ContactTwoState, PointThatSlidesAlongATrianglePushesItAlongTheNormalOnly) {
  for (const double slip : {0.1, 1.0, 10.0, 30.0}) {
    const double d = 0.02;
    StencilPoints X, dX = StencilPoints::Zero();
    X << 0.3 - 0.5 * slip * d, 0, 1, 0, 0.3, 0, 0, 1, d, 0, 0, 0;
    dX(0, 0) = slip * d;
    dX(2, 0) = -0.1 * d;
    const StencilLaw law{.weight = 1, .reach = 1.2 * d, .parallel = 0};
    const StencilStep step = make_step(StencilKind::point_triangle, law, X, dX).step();
    ASSERT_GT(step.pressure, 0);
    EXPECT_LE(step.force.topRows<2>().norm(), 1e-12 * step.pressure) << slip;
    EXPECT_NEAR(step.force(2, 0), step.pressure, 1e-12 * step.pressure);
  }
}

TEST(ContactTwoState, TangentOfTwoPointsAlongTheirLineIsTheDerivativeOfTheirForce) {
  const StencilLaw law{.weight = 2, .reach = 0.1, .parallel = 0};
  StencilPoints X = StencilPoints::Zero(), dX = StencilPoints::Zero();
  X(0, 0) = 0.09;
  dX(0, 0) = -0.03;
  const auto force = [&](double more) {
    StencilPoints way = dX;
    way(0, 0) += more;
    return make_step(StencilKind::point_point, law, X, way).step().force(0, 0);
  };
  const StencilStep step = make_step(StencilKind::point_point, law, X, dX).step();
  const StencilVector G = step.gradient();
  constexpr double eps = 1e-7;
  const double numeric = -2 * (force(eps) - force(-eps)) / (2 * eps);
  EXPECT_NEAR(step.stiffness * G[0] * G[0], numeric, 1e-6 * numeric);
}

}  // namespace
}  // namespace phiflex
