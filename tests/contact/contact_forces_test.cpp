#include "phiflex/contact/contact_forces.h"

#include <gtest/gtest.h>

#include "phiflex/base/parallel.h"
#include "phiflex/contact/barrier.h"

#include "tests/contact/pile.h"

namespace phiflex {
namespace {

constexpr double kTestModulus = 1e4;  // Pa

struct Balance {
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), torque = Eigen::Vector3d::Zero();
  double size = 0;
  Balance(const Vector& x, const Vector& f) {
    for (Index v = 0; v < x.size(); v += 3) {
      force += f.segment<3>(v);
      torque += Eigen::Vector3d(x.segment<3>(v)).cross(Eigen::Vector3d(f.segment<3>(v)));
      size += f.segment<3>(v).norm();
    }
  }
};

// A step of the upper cube from one place above the lower one to another: nearer, turned and shifted, or far away.
struct CubeStep {
  CubeOnCube cubes{3};
  Vector x, dx;
  CubeStep(int k, StencilSource& source) {
    const Eigen::Matrix3d turn = source.rotation(k % 2 ? 0.02 : 1);
    const Eigen::Vector2d shift(source.uniform(-0.03, 0.03), source.uniform(-0.03, 0.03));
    cubes.place(turn, shift, source.uniform(0.004, 0.025));
    x = cubes.x;
    const Eigen::Matrix3d more = source.rotation(k % 3 ? 0.02 : 0.2);
    cubes.place(more * turn, shift + 0.02 * Eigen::Vector2d(source.uniform(-1, 1), source.uniform(-1, 1)),
                source.uniform(0.004, 0.025));
    dx = cubes.x - x;
  }
};

TEST(ContactForces, WorkOfAStepIsTheChangeOfThePotential) {
  StencilSource source(1);
  int touching = 0;
  for (int k = 0; k < 60; ++k) {
    const CubeStep s(k, source);
    ContactForces contact(s.cubes.candidates(),
                          {.modulus = kTestModulus, .rest = {.gamma = 0}, .friction = {}});
    contact.look(s.x);
    const double before = contact.energy();
    contact.look(s.x + s.dx);
    const double after = contact.energy();
    contact.begin(s.x, 0.01);
    contact.step(s.dx);
    Vector f = Vector::Zero(s.x.size());
    contact.add_step_force(f);
    const double size = before + after + f.cwiseAbs().dot(s.dx.cwiseAbs());
    touching += before + after > 0;
    EXPECT_NEAR(f.dot(s.dx), before - after, 1e-11 * size);
    EXPECT_NEAR(contact.step_work().energy_change, after - before, 1e-11 * size);
    const Balance balance(s.x + 0.5 * s.dx, f);
    EXPECT_LE(balance.force.norm(), 1e-13 * balance.size);
    EXPECT_LE(balance.torque.norm(), 1e-11 * balance.size);
  }
  EXPECT_GE(touching, 40);
}

TEST(ContactForces, DialAndFrictionTakeWhatTheyBookWithoutTorque) {
  StencilSource source(2);
  for (int k = 0; k < 60; ++k) {
    const CubeStep s(k, source);
    ContactForces contact(s.cubes.candidates(), {.modulus = kTestModulus,
                                                 .rest = {.gamma = 0.5},
                                                 .friction = {.coefficient = 0.4, .slip_speed = 1e-3}});
    contact.begin(s.x, 0.01);
    contact.step(s.dx);
    Vector f = Vector::Zero(s.x.size());
    contact.add_step_force(f);
    const ContactWork work = contact.step_work();
    const double size = std::abs(work.energy_change) + f.cwiseAbs().dot(s.dx.cwiseAbs());
    EXPECT_NEAR(f.dot(s.dx), -work.energy_change - work.dial - work.friction, 1e-10 * size);
    EXPECT_GE(work.dial, -1e-12 * size);
    EXPECT_GE(work.friction, 0);
    const Balance balance(s.x + 0.5 * s.dx, f);
    EXPECT_LE(balance.force.norm(), 1e-12 * balance.size);
    EXPECT_LE(balance.torque.norm(), 1e-9 * balance.size);
  }
}

TEST(ContactForces, ForceAndStiffnessAreDerivativesOfThePotential) {
  StencilSource source(3);
  for (int k = 0; k < 10; ++k) {
    CubeOnCube cubes(2);
    cubes.place_at_random(1, 0.008, source);
    ContactForces contact(cubes.candidates(),
                          {.modulus = kTestModulus, .rest = {.gamma = 0}, .friction = {}});
    Vector way(cubes.x.size());
    for (Index i = 0; i < way.size(); ++i) way[i] = source.uniform(-1, 1);
    constexpr double eps = 1e-7;  // the barrier changes over some 1e-3: differences of 1e-8
    const auto energy = [&](double t) {
      contact.look(cubes.x + t * way);
      return contact.energy();
    };
    const auto force = [&](double t) {
      contact.look(cubes.x + t * way);
      Vector f = Vector::Zero(way.size());
      contact.add_force(f);
      return f;
    };
    const Vector f = force(0), change = (force(eps) - force(-eps)) / (2 * eps);
    EXPECT_NEAR(f.dot(way), -(energy(eps) - energy(-eps)) / (2 * eps), 1e-5 * f.norm());
    contact.look(cubes.x);
    Vector y = Vector::Zero(way.size());
    contact.add_stiffness_product(way, y);
    EXPECT_LE((y + change).norm(), 1e-4 * y.norm());
    StencilBlocks blocks;
    contact.add_blocks(blocks);
    EXPECT_GT(blocks.size(), 0u);
    Vector z = Vector::Zero(way.size());
    blocks.add_product(1, way, z);
    EXPECT_GE(way.dot(z), 0);
  }
}

// A point above a sheet of 6 by 6 cells, the part "probe" after the sheet.
struct PointOnSheet {
  Vector rest, x;
  int probe;
  double area;
  ContactCandidates candidates;
  PointOnSheet() : PointOnSheet(examples()) {}
  void put(double across, double along, double height) { x.tail<3>() << across, along, height; }

 private:
  static std::vector<Example> examples() {
    Example point = empty_example(1);
    point.part.points = {0};
    point.rest << 0, 0, 1;
    return {sheet(6, 6), point};
  }
  explicit PointOnSheet(const std::vector<Example>& two)
      : area(two[1].part.width * two[1].part.width), candidates(make(two, rest)) {
    x = rest;
    probe = int(rest.size() / 3) - 1;
  }
  static ContactCandidates make(const std::vector<Example>& two, Vector& rest) {
    const std::vector<SurfacePart> parts = side_by_side(two, rest);
    std::vector<char> movable(std::size_t(rest.size() / 3), 0);  // the sheet is an obstacle
    movable.back() = 1;
    return {std::make_shared<ContactSurface>(make_contact_surface(parts, rest)), PartPairs(2, true, false),
            rest, movable, 0.01};
  }
};

// The sheet's own vertices meet the probe as two points, with its area; they act only close to them. Here the probe
// keeps away from the vertices by more than the reach.
TEST(ContactForces, FlatSheetFeelsFlatToAPoint) {
  PointOnSheet on;
  ContactForces contact(on.candidates, {.modulus = kTestModulus, .rest = {.gamma = 0}, .friction = {}});
  const double height = 0.01, expected = kTestModulus * 0.02 * 0.5 * on.area * barrier(0.25);
  for (double t = 0; t <= 1; t += 0.01) {
    on.put(0.15 + 0.3 * t, 0.25 - 0.03 * t, height);  // across many edges
    contact.look(on.x);
    EXPECT_NEAR(contact.energy(), expected, 1e-12 * expected) << t;
    EXPECT_EQ(contact.active(), 1u) << t;
    Vector f = Vector::Zero(on.x.size());
    contact.add_force(f);
    EXPECT_LE(f.tail<3>().head<2>().norm(), 1e-12 * f[f.size() - 1]);
  }
}

TEST(ContactForces, PointThatSlidesAcrossEdgesFeelsNoBumpsAndCoulombsFriction) {
  PointOnSheet on;
  ContactForces contact(
      on.candidates,
      {.modulus = kTestModulus, .rest = {.gamma = 0}, .friction = {.coefficient = 0.3, .slip_speed = 1e-5}});
  const double height = 0.01;
  const Eigen::Vector2d ways[] = {{0.03, 0}, {0, 0.02}, {0.02, 0.02}, {0.02, -0.02}};
  for (const Eigen::Vector2d& way : ways)
    for (double t = 0; t <= 1; t += 0.1) {
      on.put(0.22 + 0.1 * t, 0.25, height);
      Vector dx = Vector::Zero(on.x.size());
      dx.tail<3>().head<2>() = way;
      contact.begin(on.x, 0.01);
      contact.step(dx);
      Vector f = Vector::Zero(on.x.size());
      contact.add_step_force(f);
      const Eigen::Vector3d on_point = f.tail<3>();
      const ContactWork work = contact.step_work();
      EXPECT_NEAR(work.energy_change, 0, 1e-15);
      EXPECT_NEAR(on_point.head<2>().dot(way), -work.friction, 1e-12 * work.friction);
      EXPECT_NEAR(work.friction, 0.3 * on_point[2] * way.norm(), 0.35 * work.friction)
          << way.transpose() << " at " << t;
    }
}

// Sticking sits at slips near 0. Where the force jumped there, with the triangle whose vertices bear it, no step could
// be solved that ends above an edge or a vertex of a flat surface.
TEST(ContactForces, FrictionDoesNotJumpWhereAFootCrossesEdges) {
  PointOnSheet on;
  const double mu = 0.5, start_heights[] = {0.021, 0.015};  // out of reach, and within it
  ContactForces contact(
      on.candidates,
      {.modulus = kTestModulus, .rest = {.gamma = 0}, .friction = {.coefficient = mu, .slip_speed = 1e-3}});
  // The middle of a cell, an edge along each axis, and vertices.
  const Eigen::Vector2d places[] = {{0.25, 0.25}, {0.3, 0.25}, {0.25, 0.3}, {0.3, 0.3}, {0.2, 0.4}};
  for (const double height : start_heights)
    for (const Eigen::Vector2d& place : places)
      for (int turn = 0; turn < 8; ++turn) {
        const double angle = 0.1 + turn * std::acos(-1) / 8;
        const Eigen::Vector2d aside = 1e-10 * Eigen::Vector2d(std::cos(angle), std::sin(angle));
        on.put(place[0], place[1], height);
        contact.begin(on.x, 0.01);
        const auto force = [&](double side) {
          Vector dx = Vector::Zero(on.x.size()), f = dx;
          dx.tail<3>() << side * aside, 0.012 - height;
          contact.step(dx);
          contact.add_step_force(f);
          return f;
        };
        const Vector one = force(1), other = force(-1);
        const double pressure = std::abs(one[one.size() - 1]);
        EXPECT_GT(pressure, 0);
        EXPECT_LE((one - other).norm(), 1e-4 * mu * pressure)
            << "at " << place.transpose() << ", from " << height << ", aside at " << angle;
      }
}

TEST(ContactForces, WayIsFreeUpToTheFirstTouch) {
  StencilSource source(4);
  for (int k = 0; k < 10; ++k) {
    CubeOnCube cubes(2);
    cubes.place_at_random(1, 0.3, source);
    ContactForces contact(cubes.candidates(),
                          {.modulus = kTestModulus, .rest = {.gamma = 0}, .friction = {}});
    Vector down = Vector::Zero(cubes.x.size());
    for (Index v = cubes.x.size() / 2; v < cubes.x.size(); v += 3) down[v + 2] = -3;  // beyond the lower cube
    const double t = contact.free_way(cubes.x, down);
    // The lowest point has 0.3 to go.
    EXPECT_LT(t, 0.3 / 3);
    EXPECT_GE(t, (0.3 - 0.02) / 3);
    contact.look(cubes.x + t * down);
    EXPECT_GE(contact.nearest(), 0.099);
    EXPECT_LE(contact.nearest(), 0.13);
    EXPECT_EQ(contact.free_way(cubes.x, -down), 1);
  }
}

// Known distances leave out stencils that cannot come within reach; a fresh object knows none of earlier shapes.
TEST(ContactForces, FreeWaysDoNotDependOnWhatWasLookedAtBefore) {
  StencilSource source(21);
  CubeOnCube cubes(2);
  cubes.place_at_random(1, 0.3, source);
  const ContactLaw law{.modulus = kTestModulus, .rest = {.gamma = 0}, .friction = {}};
  ContactForces contact(cubes.candidates(), law);
  int stopped = 0;
  for (int k = 0; k < 40; ++k) {
    const double size = std::pow(10., source.uniform(-4, 0));
    Vector x = cubes.x, dx = Vector::Zero(x.size());
    for (Index v = x.size() / 2; v < x.size(); v += 3) {
      x[v + 2] -= 0.27;  // nearer than twice the reach
      for (Index i = 0; i < 3; ++i) dx[v + i] = size * source.uniform(-1, 0.3);
    }
    x.array() += 1e-3 * source.uniform(-1, 1);
    const double part = contact.free_way(x, dx);
    EXPECT_EQ(part, ContactForces(cubes.candidates(), law).free_way(x, dx)) << k;
    stopped += part < 1;
  }
  EXPECT_GT(stopped, 5);
}

TEST(ContactForces, LimitedWaysStopTheVerticesThatComeNearAndNoOthers) {
  StencilSource source(22);
  for (int k = 0; k < 10; ++k) {
    CubeOnCube cubes(3);
    cubes.place_at_random(1, 0.3, source);
    ContactForces contact(cubes.candidates(),
                          {.modulus = kTestModulus, .rest = {.gamma = 0}, .friction = {}});
    Vector down = Vector::Zero(cubes.x.size());
    for (Index v = cubes.x.size() / 2; v < cubes.x.size(); v += 3) down[v + 2] = -0.35;
    std::vector<double> part(std::size_t(cubes.x.size() / 3), 1);
    contact.limit_ways(cubes.x, down, part);
    Vector way = down;
    // The lower cube ends at 1. The longest edges of the upper one are diagonals of squares of 1/6: what ends higher
    // than one of them and the reach has no edge or triangle that comes near.
    const double high = 1 + 0.02 + std::sqrt(2.0) / 6;
    int stopped = 0, far = 0;
    for (std::size_t v = 0; v < part.size(); ++v) {
      ASSERT_GE(part[v], 0);
      ASSERT_LE(part[v], 1);
      const bool upper = v >= part.size() / 2;
      stopped += part[v] < 1 && upper;
      if (upper && cubes.x[3 * Index(v) + 2] - 0.35 > high) {
        ++far;
        EXPECT_EQ(part[v], 1) << "the upper side of the cube goes on";
      }
      way.segment<3>(3 * Index(v)) *= part[v];
    }
    EXPECT_GT(stopped, 0);
    EXPECT_GT(far, 0);
    // Parts differ from vertex to vertex, but the way ends apart.
    contact.look(cubes.x + way);
    EXPECT_GE(contact.nearest(), 0.39);
    std::vector<double> again(part.size(), 1);
    contact.limit_ways(cubes.x, -down, again);
    EXPECT_EQ(again, std::vector<double>(part.size(), 1)) << "what leaves is not stopped";
  }
}

// From within reach to half a metre away; dx leads to corners of the room.
TEST(ContactForces, WithinTheRoomOfAStepNothingIsMetAndAllWaysAreFree) {
  StencilSource source(11);
  for (int k = 0; k < 60; ++k) {
    CubeOnCube cubes{3};
    const double gap = k < 3 ? 0.01 : source.uniform(0.021, 0.5);
    cubes.place(source.rotation(1), {0.01, -0.02}, gap);
    const ContactLaw law{.modulus = kTestModulus, .rest = {}, .friction = {}};
    ContactForces contact(cubes.candidates(), law), fresh(cubes.candidates(), law);
    contact.begin(cubes.x, 0.01);
    const double room = contact.room();
    if (k < 3) {
      EXPECT_EQ(room, 0) << "within reach";
    }
    if (gap > 0.3) {
      EXPECT_GT(room, 0.1 * gap);
    }
    Vector to[2];
    for (Vector& dx : to) {
      dx.resize(cubes.x.size());
      for (Index i = 0; i < dx.size(); ++i) dx[i] = source.uniform(-1, 1) < 0 ? -room : room;
      EXPECT_EQ(contact.step_within_room(dx), k >= 3) << "0 is no room, even for a step of 0";
    }
    if (k < 3) continue;
    EXPECT_EQ(contact.active(), 0u);
    EXPECT_EQ(contact.room(), room);
    for (const Vector& dx : to) {
      fresh.look(cubes.x + dx);
      EXPECT_EQ(fresh.active(), 0u) << "gap " << gap;
      EXPECT_EQ(fresh.free_way(cubes.x, dx), 1);
    }
    EXPECT_EQ(fresh.free_way(cubes.x + to[0], to[1] - to[0]), 1);
    to[0][0] *= 1.01;
    EXPECT_FALSE(contact.step_within_room(to[0]));
    to[0][0] = std::nan("");
    EXPECT_FALSE(contact.step_within_room(to[0]));
  }
}

// f = -D v with D of the blocks, which are positive: at any x, with the velocities of the vertices as they are.
TEST(ContactForces, FrictionOfVelocitiesTakesEnergyAndIsMinusItsDragTimesTheVelocity) {
  StencilSource source(12);
  int touching = 0;
  for (int k = 0; k < 40; ++k) {
    const CubeStep s(k, source);
    ContactForces contact(
        s.cubes.candidates(),
        {.modulus = kTestModulus, .rest = {}, .friction = {.coefficient = 0.4, .slip_speed = 1e-3}});
    const Vector v = 10 * s.dx;
    contact.look(s.x);
    Vector f = Vector::Zero(v.size()), push = f, product = f;
    contact.add_friction(s.x, v, f);
    contact.add_force(push);
    if (f.isZero(0)) continue;
    ++touching;
    StencilBlocks D;
    contact.add_friction_blocks(s.x, v, D);
    for (const StencilBlocks::Term& term : D.terms()) EXPECT_GE(term.k, 0);
    D.add_product(1, v, product);
    const double size = f.cwiseAbs().dot(v.cwiseAbs());
    EXPECT_LT(f.dot(v), 0);
    double fastest = 0;
    for (Index i = 0; i < v.size(); i += 3) fastest = std::max(fastest, v.segment<3>(i).norm());
    EXPECT_LE(-f.dot(v), 0.4 * Balance(s.x, push).size * 2 * fastest) << "no more than mu times the pressure";
    // Stencils that are subtracted have no part in D.
    EXPECT_LT(product.dot(v) + f.dot(v), 1e-9 * size + 0.5 * product.dot(v));
    EXPECT_GE(product.dot(v) + f.dot(v), -1e-9 * size);
    const Balance balance(s.x, f);
    EXPECT_LE(balance.force.norm(), 1e-12 * balance.size);
    EXPECT_LE(balance.torque.norm(), 1e-9 * balance.size);
  }
  EXPECT_GE(touching, 15);
}

TEST(ContactForces, AreTheSameBitsForAnyThreadsAndHistory) {
  StencilSource source(5);
  CubeOnCube cubes(6);
  cubes.place_at_random(0.02, 0.006, source);
  const Vector x = cubes.x;
  cubes.place_at_random(0.02, 0.008, source);
  const Vector dx = 0.1 * (cubes.x - x);
  const auto force = [&](int threads, bool earlier) {
    set_thread_count(threads);
    ContactForces contact(cubes.candidates(earlier ? 0.05 : 0.01),
                          {.modulus = kTestModulus,
                           .rest = {.gamma = 0.1},
                           .friction = {.coefficient = 0.4, .slip_speed = 1e-3}});
    if (earlier) contact.look(x - 0.3 * dx);
    contact.begin(x, 0.01);
    contact.step(dx);
    Vector f = Vector::Zero(x.size());
    contact.add_step_force(f);
    set_thread_count(1);
    return f;
  };
  const Vector f = force(1, false);
  EXPECT_GT(f.norm(), 0);
  EXPECT_EQ(f, force(3, false));
  EXPECT_EQ(f, force(2, true));
}

}  // namespace
}  // namespace phiflex
