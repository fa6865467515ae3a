// How the vertices of a model turned between two states (model/vertex_rotations.cpp).
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "phiflex/base/parallel.h"
#include "tests/model/sample_models.h"

namespace phiflex {
namespace {

using sample::describe;
using sample::lively_state;

// The rotation is pulled towards the identity by 1e-9 of itself, so that it is defined where nothing says how a
// vertex turns.
constexpr double kPull = 1e-8;

Eigen::Matrix3d rotation(double angle, const Eigen::Vector3d& axis) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

State turned(const DeformableModel& model, const State& from, const Eigen::Matrix3d& Q) {
  Vector x, v;
  model.expand(from, x, v);
  for (Index i = 0; i < x.size(); i += 3) x.segment<3>(i) = (Q * x.segment<3>(i)).eval();
  return model.state(from.t, x, v);
}

ModelDescription rope(int segments) {
  RopeShape shape;
  shape.to = {1, 0, 0};
  shape.segments = segments;
  shape.strength = {SpringStrength::Measure::per_strain, 10};
  shape.linear_density = 0.1;
  const SpringNetwork network = generate_rope(shape);
  ModelDescription description;
  const Index vertices = Index(network.vertices.size());
  description.rest.resize(3 * vertices);
  for (Index v = 0; v < vertices; ++v)
    for (int axis = 0; axis < 3; ++axis)
      description.rest[3 * v + axis] = network.vertices[std::size_t(v)][axis];
  description.vertex_mass = Eigen::Map<const Vector>(network.masses.data(), vertices);
  ModelBody body{"rope", 0, int(vertices), {}, {}};
  body.terms.push_back(std::make_shared<SpringTerm>(network.springs));
  description.bodies.push_back(std::move(body));
  return description;
}

TEST(VertexRotations, OfARigidlyTurnedBodyAreThatRotation) {
  // Elements and springs, from the rest shape and from a strained one.
  const DeformableModel model(describe({{.cells = {3, 2, 1}}}, {{.height = 0.5}}));
  BlockRotations R;
  for (const double scale : {0.0, 1.0})
    for (const double angle : {0.0, 0.2, 1.5, 3.1}) {
      const Eigen::Matrix3d Q = rotation(angle, {1, -2, 0.5});
      const State from = lively_state(model, 0, scale);
      model.rotations(from, turned(model, from, Q), R);
      ASSERT_EQ(3 * R.blocks(), model.dofs());
      for (Index v = 0; v < R.blocks(); ++v)
        EXPECT_LT((R[v] - Q).norm(), kPull) << "vertex " << v << ", angle " << angle;
    }
}

TEST(VertexRotations, OfAnyMotionAreRotations) {
  ModelDescription description = describe({{.cells = {3, 2, 1}}}, {{.height = 0.5}});
  sample::hold(description, [](const Eigen::Vector3d& p) { return p[0] < 1e-6; });
  const DeformableModel model(std::move(description));
  BlockRotations R;
  model.rotations(lively_state(model, 0, -1), lively_state(model, 0, 1.5), R);
  ASSERT_EQ(3 * R.blocks(), model.dofs()) << "of the free vertices";
  double largest = 0;
  for (Index v = 0; v < R.blocks(); ++v) {
    EXPECT_LT((R[v].transpose() * R[v] - Eigen::Matrix3d::Identity()).norm(), 1e-14);
    EXPECT_GT(R[v].determinant(), 0);
    largest = std::max(largest, (R[v] - Eigen::Matrix3d::Identity()).norm());
  }
  EXPECT_GT(largest, 0.1);
}

TEST(VertexRotations, DoNotFollowAStretch) {
  const DeformableModel model(describe({{.cells = {3, 2, 1}}}));
  const State from = lively_state(model, 0, 0);
  Vector x, v;
  model.expand(from, x, v);
  for (Index i = 0; i < x.size(); i += 3) {
    x[i] *= 1.7;
    x[i + 1] *= 0.6;
  }
  BlockRotations R;
  model.rotations(from, model.state(0, x, v), R);
  for (Index i = 0; i < R.blocks(); ++i) EXPECT_LT((R[i] - Eigen::Matrix3d::Identity()).norm(), 1e-14);
}

TEST(VertexRotations, OfARopeHaveNoSpinAboutItself) {
  const DeformableModel model(rope(5));
  const State from = lively_state(model, 0, 0);
  BlockRotations R;
  for (const double spin : {0.0, 1.0}) {
    // A spin about the rope first: it moves no vertex.
    const Eigen::Matrix3d Q = rotation(1.2, {0, 1, 2}) * rotation(spin, {1, 0, 0});
    const Eigen::Vector3d along = Eigen::Vector3d::UnitX();
    const Eigen::Matrix3d shortest = Eigen::Quaterniond::FromTwoVectors(along, Q * along).toRotationMatrix();
    model.rotations(from, turned(model, from, Q), R);
    // Rounding, 1e-16, against the pull of 1e-9 that settles the spin.
    for (Index v = 0; v < R.blocks(); ++v) EXPECT_LT((R[v] - shortest).norm(), 1e-6) << "vertex " << v;
  }
}

TEST(VertexRotations, AreTheIdentityWhereElementsWereFlat) {
  const DeformableModel model(describe({{.cells = {2, 1, 1}}}));
  Vector x, v;
  model.expand(lively_state(model, 0, 0), x, v);
  const Vector rest = x;
  for (Index i = 0; i < x.size(); i += 3)
    if (rest[i] > 0.2) x[i] = 0.15;  // the second cell, into its first face
  const State flat = model.state(0, x, v);
  const Eigen::Matrix3d Q = rotation(0.7, {0, 0, 1});
  BlockRotations R;
  model.rotations(flat, turned(model, flat, Q), R);
  for (Index i = 0; i < R.blocks(); ++i) {
    const bool of_flat_elements = rest[3 * i] > 0.1;
    const Eigen::Matrix3d expected = of_flat_elements ? Eigen::Matrix3d(Eigen::Matrix3d::Identity()) : Q;
    EXPECT_LT((R[i] - expected).norm(), kPull) << "vertex " << i;
  }
}

TEST(VertexRotations, HaveTheSameBitsForAnyNumberOfThreads) {
  const DeformableModel model(describe({{.cells = {12, 6, 6}}}, {{.height = 0.5, .cells = 20}}));
  const State from = lively_state(model, 0, -1), to = lively_state(model, 0, 1);
  BlockRotations one, two;
  set_thread_count(1);
  model.rotations(from, to, one);
  set_thread_count(2);
  model.rotations(from, to, two);
  set_thread_count(1);
  ASSERT_EQ(one.blocks(), two.blocks());
  for (Index v = 0; v < one.blocks(); ++v) EXPECT_EQ(one[v], two[v]);
}

}  // namespace
}  // namespace phiflex
