#include "phiflex/reproduce/mode_twist.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "phiflex/base/files.h"
#include "phiflex/reproduce/run_store.h"
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

TEST_F(ClampedBox, OneOfTheFirstModesOfASlenderBoxIsATwist) {
  const SceneModel world = build_scene(ordered_scene(run_->order()), run_->order().scene_file);
  const auto model = world.make_rest_model(0);
  const std::vector<double> twist = twist_cosines(world, *model, rest_modes(*model, 6, 0));
  ASSERT_EQ(twist.size(), 6u);
  EXPECT_LT(twist[0], 0.2);  // bending
  EXPECT_GT(*std::max_element(twist.begin(), twist.end()), 0.9);
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
