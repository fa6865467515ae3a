#include "phiflex/reproduce/mode_path.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "phiflex/base/files.h"
#include "tests/scratch_folder.h"

namespace phiflex {
namespace {

constexpr const char* clamped_box = R"({ "phiflex": 1, "name": "box", "time": { "step": 0.01, "end": 0.05 },
  "integrator": { "type": "si" }, "gravity": [0, -9.81, 0],
  "bodies": [ { "name": "box", "mesh": { "generate": "box", "size": [0.6, 0.1, 0.1], "cells": [6, 1, 1] },
    "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.3, "density": 1000 } } ],
  "constraints": [ { "type": "fix", "body": "box", "where": { "box": [[0, 0, 0], [0, 1, 1]] } } ] })";

class ClampedBox : public ::testing::Test {
 protected:
  ClampedBox() {
    write_file_atomically(folder_.path() / "box.json", clamped_box);
    RunStore store(folder_.path() / "runs", 1, nullptr);
    RunOrder order;
    order.scene_file = (folder_.path() / "box.json").string();
    run_ = store.run(order);
  }
  testing::ScratchFolder folder_;
  std::shared_ptr<const KeptRun> run_;
};

TEST_F(ClampedBox, ConditionIsThatOfTheDenseMatrix) {
  const World world(ordered_scene(run_->order()), run_->order().scene_file);
  const auto model = world.make_rest_model(0);
  const auto tangent = model->assembled_tangent(Definiteness::exact);
  const Index n = model->dofs();
  tangent->update({0, Vector::Zero(n), Vector::Zero(n)});
  const double c = 1e-4;
  Matrix A = Matrix::Identity(n, n);
  for (Index j = 0; j < n; ++j) {
    Vector y;
    tangent->apply_K(Vector::Unit(n, j), y);
    A.col(j) += c * y.cwiseQuotient(model->mass().diagonal());
  }
  const double exact = A.cwiseAbs().colwise().sum().maxCoeff() * A.inverse().cwiseAbs().colwise().sum().maxCoeff();
  const double estimate = condition_at_rest(*run_, c);
  EXPECT_LE(estimate, exact * (1 + 1e-9));  // Hager's estimate is a bound from below, seldom below a third
  EXPECT_GE(estimate, exact / 3);
}

TEST_F(ClampedBox, OneOfTheFirstModesOfASlenderBoxIsATwist) {
  const World world(ordered_scene(run_->order()), run_->order().scene_file);
  const auto model = world.make_rest_model(0);
  const std::vector<double> twist = twist_cosines(world, *model, rest_modes(*model, 6, 0));
  ASSERT_EQ(twist.size(), 6u);
  EXPECT_LT(twist[0], 0.2);  // bending
  EXPECT_GT(*std::max_element(twist.begin(), twist.end()), 0.9);
}

TEST_F(ClampedBox, ModesAreFollowedThroughARun) {
  const ModePath path = follow_modes(*run_, 3, 1);
  ASSERT_EQ(path.times.size(), 6u);
  ASSERT_EQ(path.lambda.size(), 3u);
  for (const std::vector<double>& lambda : path.lambda)
    // Hardly bent in 0.05 s: the eigenvalues hardly change.
    for (const double one : lambda) EXPECT_NEAR(one, lambda[0], 0.1 * lambda[0]);
  EXPECT_EQ(path.order_changes, 0);
}

TEST_F(ClampedBox, ARunThatIsThereIsNotMadeAgain) {
  const auto before = std::filesystem::last_write_time(run_->folder() / "kept.json");
  RunStore store(folder_.path() / "runs", 1, nullptr);
  EXPECT_EQ(store.run(run_->order())->folder(), run_->folder());
  EXPECT_EQ(std::filesystem::last_write_time(run_->folder() / "kept.json"), before);
  RunOrder other = run_->order();
  other.overrides = {"bodies.0.material.young=2e5"};
  EXPECT_NE(store.run(other)->folder(), run_->folder());
}

}  // namespace
}  // namespace phiflex
