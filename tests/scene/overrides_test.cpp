// Overrides reach any value, and are validated like the file.
#include <gtest/gtest.h>

#include "tests/scene/scene_texts.h"

namespace phiflex {
namespace {

using test::complaints;
using test::full_scene;
using test::parse;
using test::small_scene;
using Lines = std::vector<std::string>;

TEST(Overrides, ReachAnyValueByDottedPathOrPointer) {
  const Scene scene =
      parse(full_scene, {"bodies.0.material.young=2e6", "/bodies/0/regions/0/material/young=3e8",
                         "integrator.type=be", "gravity.1=-1.62", "gravity.1=-1.5"});
  EXPECT_EQ(std::get<double>(scene.bodies[0].material->law.numbers.at("young")), 2e6);
  EXPECT_EQ(std::get<double>(scene.bodies[0].regions[0].material->law.numbers.at("young")), 3e8);
  EXPECT_EQ(scene.integrator.type, "be");
  EXPECT_EQ(scene.gravity[1], -1.5);  // the last one counts
}

TEST(Overrides, ReachNamedItemsByTheirName) {
  const Scene scene = parse(small_scene, {"bodies.bar.material.young=2e6", "/bodies/bar/damping/mass=0.5"});
  EXPECT_EQ(std::get<double>(scene.bodies[0].material->law.numbers.at("young")), 2e6);
  EXPECT_EQ(scene.bodies[0].damping.mass, 0.5);
  EXPECT_EQ(complaints(small_scene, {"bodies.bar.material.poisson=0.5"}).front().substr(0, 69),
            "--set bodies.bar.material.poisson=0.5: /bodies/0/material/poisson: 0.");
}

TEST(Overrides, AWordForTheIntegratorIsItsType) {
  EXPECT_EQ(parse(small_scene, {"integrator=be"}).integrator.type, "be");
  const Scene scene = parse(small_scene, {"integrator=newmark", "integrator.beta=0.3"});
  EXPECT_EQ(scene.integrator.type, "newmark");
  EXPECT_EQ(scene.integrator.options, (IntegratorOptions{{"beta", 0.3}}));
}

TEST(Overrides, CreateWhatTheFileLeavesOut) {
  const Scene scene = parse(small_scene, {"bodies.0.initial.twist={\"axis\": \"y\", \"angle\": 20}",
                                          "integrator.refactor=always", "bodies.0.damping.mass=0.5"});
  EXPECT_EQ(scene.bodies[0].initial.twist->axis, Axis::y);
  EXPECT_EQ(scene.integrator.options, (IntegratorOptions{{"refactor", "always"}}));
  EXPECT_EQ(scene.bodies[0].damping.mass, 0.5);
}

TEST(Overrides, AreValidatedLikeTheFileAndNamedAsTheSource) {
  EXPECT_EQ(
      complaints(small_scene, {"bodies.0.material.poisson=0.5"}),
      Lines{"--set bodies.0.material.poisson=0.5: /bodies/0/material/poisson: 0.5 is not allowed; expected a "
            "number > -1 and < 0.5"});
  EXPECT_EQ(complaints(small_scene, {"time.stpe=1"}),
            Lines{"--set time.stpe=1: /time/stpe: unknown key; did you mean \"step\"? Known here: \"step\", "
                  "\"end\", \"start\""});
  EXPECT_EQ(complaints(small_scene, {"bodies.0.materiel.young=1"}).front().substr(0, 69),
            "--set bodies.0.materiel.young=1: /bodies/0/materiel: unknown key; did");
  EXPECT_EQ(complaints(small_scene, {"time.step=NaN"}),
            Lines{"--set time.step=NaN: /time/step: \"NaN\" is not allowed; expected a number > 0 in s"});
}

TEST(Overrides, ThatCannotBeAppliedSayWhy) {
  EXPECT_EQ(complaints(small_scene, {"time.step"}), Lines{"--set time.step: expected path=value"});
  EXPECT_EQ(
      complaints(small_scene, {"bodies.1.name=x"}),
      Lines{"--set bodies.1.name=x: /bodies: has 1 item, counted from 0, named \"bar\"; there is no \"1\""});
  EXPECT_EQ(complaints(small_scene, {"bodies.rod.name=x"}),
            Lines{"--set bodies.rod.name=x: /bodies: has 1 item, counted from 0, named \"bar\"; there is no "
                  "\"rod\""});
  EXPECT_EQ(complaints(small_scene, {"time.step.fast=1"}),
            Lines{"--set time.step.fast=1: /time/step: holds 0.01, which has no keys"});
  EXPECT_EQ(complaints(small_scene, {"forces.0.from=1"}),
            Lines{"--set forces.0.from=1: /forces: is not in the scene, so it has no item 0"});
  EXPECT_EQ(complaints(small_scene, {"time..step=1"}),
            Lines{"--set time..step=1: \"time..step\" is not a path such as bodies.0.material.young"});
  EXPECT_EQ(complaints(small_scene, {"name=\xff"}), Lines{"--set name=\\xff: the value is not valid UTF-8"});
}

}  // namespace
}  // namespace phiflex
