// Contacts at the ends of steps: projection with friction, impulses between particles, and their account.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "phiflex/model/energy_ledger.h"
#include "phiflex/model/particle_filter.h"
#include "phiflex/model/projection_filter.h"

namespace phiflex {
namespace {

using Eigen::Vector3d;

// Particles that nothing connects.
ModelDescription particles(const std::vector<Vector3d>& places, const std::vector<double>& masses) {
  ModelDescription description;
  const Index count = static_cast<Index>(places.size());
  description.rest.resize(3 * count);
  description.vertex_mass.resize(count);
  for (Index i = 0; i < count; ++i) {
    description.rest.segment<3>(3 * i) = places[std::size_t(i)];
    description.vertex_mass[i] = masses[std::size_t(i)];
  }
  description.bodies = {{"dust", 0, static_cast<int>(count), {}, {}}};
  return description;
}

State at_rest_shape(const DeformableModel& model, const std::vector<Vector3d>& velocities) {
  State at{0, Vector::Zero(model.dofs()), Vector(model.dofs())};
  for (std::size_t i = 0; i < velocities.size(); ++i) at.v.segment<3>(3 * Index(i)) = velocities[i];
  return at;
}

std::shared_ptr<const SolidShape> ground() {
  return std::make_shared<PlaneSolid>(Vector3d::Zero(), Vector3d::UnitY());
}

TEST(Projection, PutsAVertexToTheSurfaceAndStopsIt) {
  const DeformableModel model(particles({{0.3, -0.1, 0}}, {2}));
  const std::vector<Obstacle> obstacles = {{ground(), {}, {0}, 0.01, 0}};
  State at = at_rest_shape(model, {{1, -3, 0.5}});
  const FilterReport report = ProjectionFilter(model, obstacles).apply({0.1}, at);
  EXPECT_EQ(report.projected, 1);
  EXPECT_NEAR(at.q[1], 0.11, 1e-15);
  EXPECT_EQ(Vector3d(at.v.segment<3>(0)), Vector3d(1, 0, 0.5)) << "without friction it slides on";
}

TEST(Projection, TheImpulseStaysInTheFrictionCone) {
  const DeformableModel model(particles({{0, -0.1, 0}}, {2}));
  constexpr double mu = 0.4;
  const std::vector<Obstacle> obstacles = {{ground(), {}, {0}, 0, mu}};
  for (const double slip : {0.0, 0.3, 1.1999, 1.2001, 5.0}) {
    State at = at_rest_shape(model, {{slip, -3, 0}});
    ProjectionFilter(model, obstacles).apply({0.1}, at);
    const double tangential = slip - at.v[0], normal = 3;
    EXPECT_LE(tangential, mu * normal * (1 + 1e-15));
    EXPECT_NEAR(at.v[0], std::max(0.0, slip - mu * normal), 1e-15) << "sticks inside the cone, slides on it";
    EXPECT_EQ(at.v[2], 0);
  }
}

TEST(Projection, LeavesAloneWhatIsOutsideOrLeaves) {
  const DeformableModel model(particles({{0, 0.2, 0}, {0, -0.1, 0}}, {1, 1}));
  const std::vector<Obstacle> obstacles = {{ground(), {}, {0, 1}, 0, 0.5}};
  State at = at_rest_shape(model, {{1, -3, 0}, {1, 2, 0}});
  const FilterReport report = ProjectionFilter(model, obstacles).apply({0.1}, at);
  EXPECT_EQ(report.projected, 1);
  EXPECT_EQ(Vector3d(at.v.segment<3>(0)), Vector3d(1, -3, 0));
  EXPECT_EQ(Vector3d(at.v.segment<3>(3)), Vector3d(1, 2, 0)) << "leaving: only the place is changed";
}

TEST(Projection, AMovingObstacleTakesWhatSticksToItAlong) {
  const DeformableModel model(particles({{0, -0.1, 0}}, {2}));
  const Path path({{0, {0, 0, 0}}, {1, {1, 0.5, 0}}});
  const std::vector<Obstacle> obstacles = {{ground(), path, {0}, 0, 10}};
  State at = at_rest_shape(model, {{0, 0, 0}});
  at.t = 0.1;
  const FilterReport report = ProjectionFilter(model, obstacles).apply({0.1}, at);
  EXPECT_LT((Vector3d(at.v.segment<3>(0)) - Vector3d(1, 0.5, 0)).norm(), 1e-14);
  EXPECT_NEAR(at.q[1], 0.15, 1e-15);
  EXPECT_NEAR(report.external, 2 * (1 + 0.25), 1e-13) << "impulse times the obstacle's velocity";
}

TEST(Projection, ATurningObstacleIsWhereItsPoseSays) {
  const DeformableModel model(particles({{0.45, 0.45, 0}}, {1}));
  // A bar along x, turned about the origin by 45 degrees at t = 1.
  const auto bar =
      std::make_shared<CuboidShape>(Vector3d::Zero(), Vector3d(2, 0.2, 2), Eigen::Matrix3d::Identity());
  const Path path({{0, {0, 0, 0}}, {1, {0, 0, 0}, {0, 0, 1}, std::numbers::pi / 4}});
  const std::vector<Obstacle> obstacles = {{bar, path, {0}, 0, 0}};
  State at = at_rest_shape(model, {{0, 0, 0}});
  ProjectionFilter filter(model, obstacles);
  EXPECT_EQ(filter.apply({0.1}, at).projected, 0);
  at.t = 1;
  EXPECT_EQ(filter.apply({0.1}, at).projected, 1);
  const Vector3d x = model.description().rest.segment<3>(0) + at.q.segment<3>(0);
  EXPECT_NEAR(std::abs(x[1] - x[0]) / std::sqrt(2.), 0.1, 1e-14) << "on a face of the turned bar";
}

TEST(Projection, OutOfTwoObstaclesAVertexEndsOutsideBoth) {
  const DeformableModel model(particles({{-0.1, -0.2, 0}}, {1}));
  const auto wall = std::make_shared<PlaneSolid>(Vector3d::Zero(), Vector3d(1, 1, 0));
  const std::vector<Obstacle> obstacles = {{ground(), {}, {0}, 0, 0}, {wall, {}, {0}, 0, 0}};
  State at = at_rest_shape(model, {{0, -1, 0}});
  ProjectionFilter(model, obstacles).apply({0.1}, at);
  const Vector3d x = model.description().rest.segment<3>(0) + at.q.segment<3>(0);
  EXPECT_GE(ground()->at(x).distance, -1e-15);
  EXPECT_GE(wall->at(x).distance, -1e-15);
}

TEST(Ledger, BooksWhatProjectionsTakeAsTheirWorkAndNotAsLoss) {
  const DeformableModel model(particles({{0, -0.1, 0}}, {2}));
  const std::vector<Obstacle> obstacles = {{ground(), {}, {0}, 0, 0}};
  State at = at_rest_shape(model, {{1, -3, 0}});
  EnergyLedger ledger(model, at);
  const FilterReport report = ProjectionFilter(model, obstacles).apply({0.1}, at);
  ledger.filter(model, at, report);
  EXPECT_NEAR(ledger.row().contact_work, -0.5 * 2 * 9, 1e-14);
  EXPECT_EQ(ledger.row().dissipated, 0);
  EXPECT_NEAR(ledger.row().numerical_loss, 0, 1e-14);
  EXPECT_NEAR(ledger.row().energies.kinetic, 1, 1e-15);
}

TEST(Ledger, BooksFrictionOfProjectionsApartFromTheirWork) {
  const DeformableModel model(particles({{0, -0.1, 0}}, {2}));
  const std::vector<Obstacle> obstacles = {{ground(), {}, {0}, 0, 0.5}};
  State at = at_rest_shape(model, {{4, -3, 0}});
  EnergyLedger ledger(model, at);
  ledger.filter(model, at, ProjectionFilter(model, obstacles).apply({0.1}, at));
  // The normal speed 3 is stopped, and half as much of the slip.
  EXPECT_NEAR(ledger.row().contact_work, -0.5 * 2 * 9, 1e-14);
  EXPECT_NEAR(ledger.row().friction, 0.5 * 2 * (16 - 2.5 * 2.5), 1e-14);
  EXPECT_NEAR(ledger.row().numerical_loss, 0, 1e-14);
}

TEST(Ledger, BooksFrictionOfImpulsesBetweenParticles) {
  const DeformableModel model(particles({{0, 0, 0}, {1, 0, 0}}, {1, 3}));
  const ParticleContact contact{{0, 1}, 1, 0.25};
  State at = at_rest_shape(model, {{4, 1, 0}, {0, 0, 0}});
  EnergyLedger ledger(model, at);
  ledger.filter(model, at, ParticleFilter(model, contact).apply({0.1}, at));
  // m = 3/4: p_n = 3 and p_t = 0.75, which stops the slip of 1 just so.
  EXPECT_NEAR(ledger.row().contact_work, -0.5 * 0.75 * 16, 1e-13);
  EXPECT_NEAR(ledger.row().friction, 0.5 * 0.75, 1e-13);
  EXPECT_NEAR(ledger.row().numerical_loss, 0, 1e-13);
}

Vector3d momentum(const DeformableModel& model, const State& at) {
  return model.momenta(at).linear;
}

TEST(Particles, ThatWouldMeetKeepTheirDistanceAndTheirMomentum) {
  const DeformableModel model(particles({{0, 0, 0}, {1, 0, 0}}, {1, 3}));
  const ParticleContact contact{{0, 1}, 0.5, 0};
  State at = at_rest_shape(model, {{4, 1, 0}, {-4, 0, 0}});
  const Vector3d before = momentum(model, at);
  const FilterReport report = ParticleFilter(model, contact).apply({0.1}, at);
  EXPECT_EQ(report.impulses, 1);
  EXPECT_LT((momentum(model, at) - before).norm(), 1e-14);
  // 0.5 m may still be gone within 0.1 s.
  EXPECT_NEAR(at.v[0] - at.v[3], 5, 1e-14);
  EXPECT_EQ(at.v[1], 1) << "no friction";
}

TEST(Particles, AtTheirDistanceStopInelasticallyWithFriction) {
  const DeformableModel model(particles({{0, 0, 0}, {0.5, 0, 0}}, {1, 1}));
  const ParticleContact contact{{0, 1}, 0.5, 0.25};
  State at = at_rest_shape(model, {{2, 3, 0}, {0, 0, 0}});
  const double energy = model.kinetic_energy(at);
  ParticleFilter(model, contact).apply({0.1}, at);
  EXPECT_NEAR(at.v[0], 1, 1e-15);
  EXPECT_NEAR(at.v[3], 1, 1e-15);
  EXPECT_NEAR(at.v[1], 3 - 0.25, 1e-15) << "normal impulse 1, tangential 0.25";
  EXPECT_NEAR(at.v[4], 0.25, 1e-15);
  EXPECT_LT(model.kinetic_energy(at), energy);
}

TEST(Particles, NeverGainEnergyAndKeepMomentumInACrowd) {
  std::vector<Vector3d> places, velocities;
  std::vector<double> masses;
  for (int i = 0; i < 200; ++i) {
    places.push_back(0.5 * Vector3d(std::sin(1.3 * i), std::sin(2.1 * i + 1), std::sin(3.7 * i + 2)));
    velocities.push_back(3 * Vector3d(std::cos(5.1 * i), std::cos(1.7 * i), std::cos(2.9 * i)));
    masses.push_back(1 + i % 3);
  }
  const DeformableModel model(particles(places, masses));
  std::vector<int> all(places.size());
  std::iota(all.begin(), all.end(), 0);
  const ParticleContact contact{all, 0.03, 0.3};
  ParticleFilter filter(model, contact);
  State at = at_rest_shape(model, velocities), again = at;
  const double energy = model.kinetic_energy(at);
  const Vector3d before = momentum(model, at);
  const FilterReport report = filter.apply({0.05}, at);
  EXPECT_GT(report.impulses, 20);
  EXPECT_LT(model.kinetic_energy(at), energy);
  EXPECT_LT((momentum(model, at) - before).norm(), 1e-15 * 3 * 400 * 20);
  ParticleFilter(model, contact).apply({0.05}, again);
  EXPECT_EQ(at.v, again.v) << "the same bits from a fresh filter";
}

TEST(Particles, HeldOnesAreNotMovedAndConnectedOnesDoNotMeet) {
  ModelDescription description = particles({{0, 0, 0}, {0.5, 0, 0}, {0.1, 0, 0}}, {1, 1, 1});
  description.constraints.push_back({{1}, {}});
  const DeformableModel model(std::move(description));
  const ParticleContact contact{{0, 1, 2}, 0.45, 0};
  State at{0, Vector::Zero(6), Vector::Zero(6)};
  at.v[0] = 2;  // of vertex 0 toward vertex 1; vertex 2 is nearer than 0.45 m in the rest shape
  const FilterReport report = ParticleFilter(model, contact).apply({0.1}, at);
  EXPECT_EQ(report.impulses, 1);
  EXPECT_NEAR(at.v[0], 0.5, 1e-14) << "the 0.05 m that are left, in 0.1 s";
  EXPECT_EQ(at.v[3], 0);
}

}  // namespace
}  // namespace phiflex
