#include "phiflex/model/deformable_model.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <limits>
#include <stdexcept>
#include <thread>

#include "phiflex/base/errors.h"
#include "phiflex/model/deformable_tangent.h"
#include "tests/model/sample_models.h"

namespace phiflex {
namespace {

using sample::Box;
using sample::describe;
using sample::hold;
using sample::lively_state;

const sample::Choice kRight = [](const Eigen::Vector3d& p) { return p[0] > 0.3 - 1e-6; };

TEST(DeformableModel, MassIsDensityTimesVolumeForBothKindsOfMass) {
  for (sample::Mass mass : {sample::Mass::lumped, sample::Mass::consistent}) {
    const DeformableModel model(describe({{.mass = mass}}));
    const double expected = 1000 * 0.3 * 0.1 * 0.1;
    EXPECT_NEAR(model.total_mass(), expected, 1e-13 * expected);
    // A rigid velocity v has the kinetic energy m v^2/2.
    State at = model.state(0, model.description().rest, Vector::Zero(3 * model.vertices()));
    for (Index i = 0; i < at.v.size(); i += 3) at.v[i] = 2;
    EXPECT_NEAR(model.kinetic_energy(at), 2 * expected, 1e-13 * expected);
  }
}

TEST(DeformableModel, FreeVerticesAscendAndHeldOnesFollowTheirPath) {
  ModelDescription description = describe({Box{}});
  hold(description, sample::left_end, Path({{0, {0, 0, 0}}, {1, {0, 2, 0}}}));
  hold(description, kRight);
  const DeformableModel model(description);
  const auto& free = model.constraints().free();
  EXPECT_TRUE(std::is_sorted(free.vertex_of_row.begin(), free.vertex_of_row.end()));
  EXPECT_EQ(model.dofs(), 3 * (model.vertices() - 8));

  const State at = lively_state(model, 0.25);
  Vector x, v;
  model.expand(at, x, v);
  for (int vertex = 0; vertex < model.vertices(); ++vertex) {
    const Eigen::Vector3d rest = description.rest.segment<3>(3 * vertex);
    const Eigen::Vector3d u = x.segment<3>(3 * vertex) - rest;
    if (sample::left_end(rest)) {
      EXPECT_LT((u - Eigen::Vector3d(0, 0.5, 0)).norm(), 1e-15);
      EXPECT_EQ(Eigen::Vector3d(v.segment<3>(3 * vertex)), Eigen::Vector3d(0, 2, 0));
    } else if (kRight(rest)) {
      EXPECT_EQ(u.norm(), 0);
      EXPECT_EQ(v.segment<3>(3 * vertex).norm(), 0);
    } else {
      const int row = free.row_of_vertex[vertex];
      EXPECT_LT((u - at.q.segment<3>(3 * row)).norm(), 1e-16);
      EXPECT_EQ(Eigen::Vector3d(v.segment<3>(3 * vertex)), Eigen::Vector3d(at.v.segment<3>(3 * row)));
    }
  }
  // Back again. Adding and subtracting a rest coordinate below 1 m rounds by at most 1.1e-16.
  const State back = model.state(at.t, x, v);
  EXPECT_LT((back.q - at.q).lpNorm<Eigen::Infinity>(), 1.2e-16);
  EXPECT_EQ(back.v, at.v);
}

TEST(DeformableModel, HoldsVerticesWhereTheyStartNotWhereTheyRest) {
  ModelDescription description = describe({Box{}});
  description.start = description.rest;
  for (Index i = 0; i < description.start.size(); i += 3) description.start[i] += 0.5;
  hold(description, sample::left_end);
  const DeformableModel model(description);
  Vector x, v;
  model.expand(lively_state(model, 3), x, v);
  for (int vertex : sample::vertices_where(description, sample::left_end)) EXPECT_EQ(x[3 * vertex], 0.5);
}

TEST(DeformableModel, TheLastOfSeveralHoldsCounts) {
  ModelDescription description = describe({Box{}});
  hold(description, sample::left_end, Path({{0, {0, 0, 0}}, {1, {0, 2, 0}}}));
  hold(description, sample::left_end);
  const DeformableModel model(description);
  EXPECT_FALSE(model.constraints().moves());
}

TEST(DeformableModel, VerticesWithoutMassNeverMoveAndAreCounted) {
  ModelDescription description = describe({Box{}});
  const Index vertices = description.vertex_mass.size();
  description.rest.conservativeResize(3 * (vertices + 1));
  description.rest.tail<3>() << 7, 8, 9;
  description.vertex_mass.conservativeResize(vertices + 1);
  description.vertex_mass[vertices] = 0;
  description.bodies[0].vertex_count += 1;
  const DeformableModel model(description);
  EXPECT_EQ(model.constraints().unused_vertices(), 1);
  EXPECT_EQ(model.dofs(), 3 * vertices);
  Vector x, v;
  model.expand(lively_state(model, 0), x, v);
  EXPECT_EQ(Eigen::Vector3d(x.tail<3>()), Eigen::Vector3d(7, 8, 9));
}

TEST(DeformableModel, RefusesWhatDoesNotFit) {
  const ModelDescription good = describe({Box{}});
  ModelDescription bad = good;
  bad.rest.conservativeResize(bad.rest.size() - 3);
  EXPECT_THROW(DeformableModel{bad}, std::invalid_argument);
  bad = good;
  bad.vertex_mass[0] = -1;
  EXPECT_THROW(DeformableModel{bad}, std::invalid_argument);
  bad = good;
  bad.vertex_mass[0] = 0;  // a tetrahedron needs it
  EXPECT_THROW(DeformableModel{bad}, std::invalid_argument);
  bad = good;
  bad.bodies[0].vertex_count -= 1;
  EXPECT_THROW(DeformableModel{bad}, std::invalid_argument);
  bad = good;
  bad.constraints.push_back({{-1}, {}});
  EXPECT_THROW(DeformableModel{bad}, std::invalid_argument);
}

TEST(DeformableModel, MayBeHeldAtEveryVertex) {
  ModelDescription description = describe({Box{}});
  hold(description, [](const Eigen::Vector3d&) { return true; });
  const DeformableModel model(description);
  EXPECT_EQ(model.dofs(), 0);
  const State at = model.state(0, description.rest, Vector::Zero(description.rest.size()));
  EXPECT_EQ(model.energies(at).kinetic, 0);
  Vector x, v;
  model.expand(at, x, v);
  EXPECT_EQ(x, description.rest);
}

TEST(DeformableModel, HasNoDampingMatrixWithoutDamping) {
  const DeformableModel model(describe({Box{}}));
  EXPECT_EQ(model.assembled_tangent(Definiteness::exact)->D(), nullptr);
}

TEST(DeformableModel, RayleighDampingAtRestIsAlphaMPlusBetaK) {
  for (DampedStiffness stiffness : {DampedStiffness::rest, DampedStiffness::current}) {
    for (sample::Mass mass : {sample::Mass::lumped, sample::Mass::consistent}) {
      ModelDescription description = describe({{.mass = mass, .damping = {0.7, 0.02, stiffness}}});
      hold(description, sample::left_end);
      const DeformableModel model(description);
      const auto tangent = model.assembled_tangent(Definiteness::exact);
      tangent->update(model.state(0, description.rest, Vector::Zero(description.rest.size())));
      SparseMatrix D(model.pattern());
      model.mass().add_to(0.7, D);
      D.add(0.02, tangent->K());
      const auto expected = D.to_eigen();
      EXPECT_LE((tangent->D()->to_eigen() - expected).norm(), 1e-14 * expected.norm());
    }
  }
}

TEST(DeformableModel, InternalForcesChangeNeitherMomentum) {
  const DeformableModel model(describe({Box{}}, {{.height = 0.4}}));
  const State at = lively_state(model, 0);
  Vector f, x, v;
  model.force(at, f);
  model.expand(at, x, v);
  Eigen::Vector3d sum = Eigen::Vector3d::Zero(), torque = sum;
  for (Index i = 0; i < f.size(); i += 3) {
    sum += f.segment<3>(i);
    torque += Eigen::Vector3d(x.segment<3>(i)).cross(Eigen::Vector3d(f.segment<3>(i)));
  }
  // Sums of a few hundred element forces of this size.
  EXPECT_LT(sum.norm(), 1e-12 * f.norm());
  EXPECT_LT(torque.norm(), 1e-12 * f.norm());
}

TEST(DeformableModel, MomentaOfARigidMotionAreThoseOfARigidBody) {
  for (sample::Mass mass : {sample::Mass::lumped, sample::Mass::consistent}) {
    const DeformableModel model(describe({{.mass = mass}}));
    const Vector& X = model.description().rest;
    Vector v(X.size());
    const Eigen::Vector3d velocity(1, 2, 3), center(0.15, 0.05, 0.05);
    for (Index i = 0; i < X.size(); i += 3) v.segment<3>(i) = velocity;
    const Momenta momenta = model.momenta(model.state(0, X, v));
    const double m = model.total_mass();
    EXPECT_LT((momenta.linear - m * velocity).norm(), 1e-13 * m);
    EXPECT_LT((momenta.angular - center.cross(m * velocity)).norm(), 1e-13 * m);
  }
}

TEST(DeformableModel, AFreeFlightKeepsBothMomenta) {
  const DeformableModel model(describe({Box{}}));
  State now = lively_state(model, 0), next;
  const Momenta first = model.momenta(now);
  sample::Verlet verlet(model);
  for (int step = 0; step < 200; ++step) {
    verlet.step(now, 1e-3, next);
    std::swap(now, next);
  }
  const Momenta last = model.momenta(now);
  // Verlet keeps both exactly; 200 steps of rounding remain.
  EXPECT_LT((last.linear - first.linear).norm(), 1e-12);
  EXPECT_LT((last.angular - first.angular).norm(), 1e-12);
}

TEST(DeformableModel, AReleasedVertexStartsWithTheVelocityItsPathHadUntilThen) {
  ModelDescription description = describe({Box{}});
  hold(description, kRight);
  hold(description, sample::left_end, Path({{0, {0, 0, 0}}, {1, {0, 2, 0}}}));
  const DeformableModel held(description);
  description.constraints.pop_back();
  const DeformableModel released(description);

  // At t = 1 the path ends: after it, a held vertex would stand still, but it is released while it moves.
  const State before = lively_state(held, 1);
  const State after = hand_over(held, before, released);
  EXPECT_EQ(after.t, 1);
  Vector x_before, x_after, v_before, v_after;
  held.expand(before, x_before, v_before);
  released.expand(after, x_after, v_after);
  EXPECT_LT((x_after - x_before).lpNorm<Eigen::Infinity>(), 3e-16);
  for (int vertex = 0; vertex < released.vertices(); ++vertex) {
    const Eigen::Vector3d rest = description.rest.segment<3>(3 * vertex);
    const Eigen::Vector3d expected =
        sample::left_end(rest) ? Eigen::Vector3d(0, 2, 0) : Eigen::Vector3d(v_before.segment<3>(3 * vertex));
    EXPECT_EQ(Eigen::Vector3d(v_after.segment<3>(3 * vertex)), expected);
  }
}

TEST(DeformableModel, SaysWhyAStateIsNotFinite) {
  ModelDescription description =
      describe({{.name = "left"}, {.name = "right", .origin = {1, 0, 0}, .law = "neo-hookean"}});
  const DeformableModel model(description);
  const State good = lively_state(model, 0);
  EXPECT_EQ(model.diagnose(good), "");

  const int first = description.bodies[1].first_vertex;
  State bad = good;
  bad.q[3 * (first + 2)] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(model.diagnose(bad), "body \"right\": the position of vertex 2 is not finite");
  bad = good;
  bad.v[3 * (first + 3)] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(model.diagnose(bad), "body \"right\": the velocity of vertex 3 is not finite");

  Vector x, v;
  model.expand(good, x, v);
  for (Index i = 3 * Index(first); i < x.size(); i += 3) x[i] = 2 - x[i];  // turned inside out
  const State inverted = model.state(0, x, v);
  EXPECT_FALSE(std::isfinite(model.potential_energy(inverted)));
  const std::string words = model.diagnose(inverted);
  EXPECT_EQ(words.substr(0, 14), "body \"right\": ");
  EXPECT_NE(words.find("tetrahedron"), std::string::npos) << words;
}

TEST(DeformableModel, MayBeUsedByManyThreadsAtOnce) {
  ModelDescription description =
      describe({{.mass = sample::Mass::lumped, .damping = {0.1, 0.01, DampedStiffness::current}}});
  hold(description, sample::left_end, sample::winding_path());
  const DeformableModel model(description);
  const State at = lively_state(model, 0.3);
  Vector expected;
  model.force(at, expected);
  const double energy = model.energies(at).total();
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (int& count : wrong)
    threads.emplace_back([&] {
      Vector f;
      for (int repeat = 0; repeat < 50; ++repeat) {
        model.force(at, f);
        if (f != expected || model.energies(at).total() != energy) ++count;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

TEST(NearestVertex, IsTheLowestOfThoseAtTheSameDistance) {
  const Vector rest = (Vector(12) << 5, 0, 0, 1, 0, 0, -1, 0, 0, 1, 0, 0).finished();
  EXPECT_EQ(nearest_vertex(rest, 0, 4, {0, 0, 0}), 1);
  EXPECT_EQ(nearest_vertex(rest, 0, 4, {1.1, 0, 0}), 1);
  EXPECT_EQ(nearest_vertex(rest, 2, 2, {1.1, 0, 0}), 3);
  EXPECT_EQ(nearest_vertex(rest, 0, 4, {-9, 0, 0}), 2);
}

}  // namespace
}  // namespace phiflex
