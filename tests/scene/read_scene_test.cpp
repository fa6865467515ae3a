// A scene file becomes the structs, and the structs become the same file.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/scene/scene_texts.h"

namespace phiflex {
namespace {

using test::parse;

TEST(ReadScene, EveryKeyReachesItsMember) {
  const Scene scene = parse(test::full_scene);
  EXPECT_EQ(scene.name, "bar-drop");
  EXPECT_EQ(scene.time.step, 0.01);
  EXPECT_EQ(step_count(scene.time), 200);
  EXPECT_EQ(scene.integrator.type, "newmark");
  EXPECT_EQ(*scene.integrator.options.find("beta"), OptionValue(0.3025));
  EXPECT_EQ(scene.gravity, (Triple{0, -9.81, 0}));
  ASSERT_EQ(scene.bodies.size(), 6u);

  const BodySpec& bar = scene.bodies[0];
  EXPECT_EQ(std::get<GeneratedMesh>(*bar.mesh).kind, "box");
  EXPECT_EQ(std::get<GeneratedMesh>(*bar.mesh).arguments.at("cells"), (std::vector<double>{20, 5, 5}));
  EXPECT_EQ(bar.material->type, "neo-hookean");
  EXPECT_EQ(std::get<double>(bar.material->law.numbers.at("poisson")), 0.45);
  EXPECT_EQ(std::get<SphereWhere>(bar.regions[0].where).sphere.radius, 0.08);
  const MaterialSpec stiffened = changed(*bar.material, *bar.regions[0].material);
  EXPECT_EQ(std::get<double>(stiffened.law.numbers.at("young")), 1e8);
  EXPECT_EQ(std::get<double>(stiffened.density), 1000);
  // A region of another law takes what that law has of its body.
  MaterialChange rubber;
  rubber.type = "mooney-rivlin";
  rubber.law.numbers = {{"c1", 1e5}, {"c2", 0.0}, {"bulk", 1e6}};
  EXPECT_EQ(changed(*bar.material, rubber).law.numbers, rubber.law.numbers);
  EXPECT_EQ(bar.transform.rotate.axis, (Triple{0, 0, 1}));
  EXPECT_EQ(bar.transform.rotate.angle, 30);
  EXPECT_EQ(bar.initial.twist->angle, 90);
  EXPECT_FALSE(bar.initial.bend);

  const BodySpec& tower = scene.bodies[1];
  EXPECT_EQ(std::get<MeshField>(tower.material->law.numbers.at("young")).field, "E");
  EXPECT_EQ(std::get<std::string>(std::get<TagWhere>(tower.regions[0].where).tag), "top");
  EXPECT_EQ(std::get<std::int64_t>(std::get<TagWhere>(tower.regions[1].where).tag), 3);
  EXPECT_EQ(tower.regions[0].material->volumetric, Volumetric::isochoric);
  EXPECT_EQ(tower.mass, MassKind::consistent);
  EXPECT_EQ(tower.initial.bend->toward, Axis::z);
  EXPECT_EQ(std::get<GeneratedMesh>(*scene.bodies[2].mesh).arguments.at("shell"), std::vector<double>{0.02});
  EXPECT_EQ(std::get<GeneratedMesh>(*scene.bodies[3].mesh).arguments.at("cells_along"),
            std::vector<double>{20});

  const RopeSprings& rope = std::get<RopeSprings>(*scene.bodies[4].springs);
  EXPECT_EQ(rope.spring.stiffness, 100);
  EXPECT_FALSE(rope.spring.spring_constant);
  const ClothSprings& cloth = std::get<ClothSprings>(*scene.bodies[5].springs);
  EXPECT_EQ(cloth.spring.spring_constant, 100);
  EXPECT_EQ(cloth.bending, 0.1);

  EXPECT_EQ(std::get<BoxWhere>(std::get<FixConstraint>(scene.constraints[0]).where).box.low[0], -1e-6);
  const MoveConstraint& move = std::get<MoveConstraint>(scene.constraints[1]);
  EXPECT_EQ(std::get<VerticesWhere>(move.where).vertices, (std::vector<std::int64_t>{3, 4}));
  EXPECT_EQ(move.path[1].offset, (Triple{0, 0.1, 0}));
  EXPECT_EQ(move.until, 2.0);
  EXPECT_EQ(std::get<UniformForce>(scene.forces[0]).in_time.window.until, 1);
  EXPECT_EQ(std::get<PointForce>(scene.forces[1]).in_time.window.from, 0.5);
  EXPECT_TRUE(std::get<RegionForce>(scene.forces[4]).force_density);
  EXPECT_EQ(std::get<WindForce>(scene.forces[5]).gust.frequency, 0.7);
  EXPECT_EQ(std::get<FloorContact>(scene.contacts[0]).how.stiffness, 1e5);
  EXPECT_EQ(scene.probes[0].name, "tip");
  EXPECT_EQ(scene.output.formats, std::vector{FrameFormat::vtu});
}

TEST(ReadScene, WhatIsLeftOutTakesTheStructsDefault) {
  const Scene scene = parse(test::small_scene);
  EXPECT_EQ(scene.integrator, IntegratorSpec());
  EXPECT_EQ(scene.output, OutputSpec());
  EXPECT_EQ(scene.bodies[0].damping, DampingSpec());
  EXPECT_EQ(scene.bodies[0].transform, TransformSpec());
  EXPECT_EQ(scene.gravity, Triple{});
  EXPECT_EQ(scene.name, "test");
}

TEST(ReadScene, AWrittenSceneReadsBackAsTheSameScene) {
  for (const std::string& text : {test::full_scene, test::small_scene}) {
    const Scene scene = parse(text);
    const std::string written = to_json(scene).dump(2);
    EXPECT_EQ(parse(written), scene);
    EXPECT_EQ(to_json(parse(written)).dump(2), written);
  }
}

TEST(ReadScene, AWrittenSceneShowsEveryDefault) {
  const nlohmann::ordered_json written = to_json(parse(test::small_scene));
  EXPECT_EQ(written["integrator"]["type"], "auto");
  EXPECT_EQ(written["integrator"]["newton_tolerance"], 1e-8);
  EXPECT_EQ(written["bodies"][0]["mass"], "lumped");
  EXPECT_EQ(written["bodies"][0]["damping"]["stiffness_of"], "rest");
  EXPECT_EQ(written["bodies"][0]["transform"]["rotate"][1], 0.0);
  EXPECT_EQ(written["output"]["every"], 1);
  EXPECT_TRUE(written["forces"].empty());
}

TEST(ReadScene, MeshPathsAreRelativeToTheSceneFile) {
  const Scene scene = parse(test::full_scene);
  const std::filesystem::path expected = std::filesystem::absolute("folder/meshes/tower.msh");
  EXPECT_EQ(std::get<FileMesh>(*scene.bodies[1].mesh).file, expected);
}

TEST(ReadScene, TheNameOfTheFileNamesTheScene) {
  std::vector<Problem> warnings;
  EXPECT_EQ(parse_scene(test::small_scene, "a/bar drop.scene.json", {}, warnings).name, "bar drop");
  EXPECT_EQ(parse_scene(test::small_scene, "a/b,c.json", {}, warnings).name, "b_c");
}

TEST(ReadScene, WholeNumbersMayBeWrittenAsDecimals) {
  EXPECT_EQ(parse(test::small_scene, {"output.every=1e1"}).output.every, 10);
}

TEST(ReadScene, AStepThatDividesTheEndUpToRoundingIsAccepted) {
  EXPECT_EQ(step_count(parse(test::small_scene, {"time.step=0.1", "time.end=0.3"}).time), 3);
  EXPECT_EQ(step_count(parse(test::small_scene, {"time.step=0.03333333333", "time.end=1"}).time), 30);
}

TEST(ReadScene, KeysOfOtherMethodsAreAcceptedAndReportedAsUnused) {
  std::vector<Problem> warnings;
  const std::vector<std::string> overrides = {"integrator.beta=0.3", "integrator.refactor=always",
                                              "integrator.modes=5"};
  const Scene scene = parse_scene(test::small_scene, "s.json", {overrides, test::some_methods}, warnings);
  EXPECT_EQ(scene.integrator.options, (IntegratorOptions{{"beta", 0.3}, {"refactor", "always"}}));
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0].text(),
            "--set integrator.beta=0.3: /integrator/beta: not used by \"auto\" (but by \"newmark\")");
  EXPECT_EQ(warnings[1].text(),
            "--set integrator.modes=5: /integrator/modes: not used by \"auto\" (nor by any other method of "
            "this version)");
}

TEST(ReadScene, AnEvaluatorIsANameOrAnObject) {
  const Scene named = parse(test::small_scene, {"integrator.evaluator=lanczos"});
  EXPECT_EQ(named.integrator.options, (IntegratorOptions{{"evaluator", "lanczos"}}));
  const Scene with_settings =
      parse(test::small_scene, {R"(integrator.evaluator={ "type": "expv", "m": 30, "tolerance": 1e-7 })"});
  EXPECT_EQ(
      with_settings.integrator.options,
      (IntegratorOptions{{"evaluator", EvaluatorSettings{.type = "expv", .m = 30, .tolerance = 1e-7}}}));
  for (const Scene& scene : {named, with_settings}) EXPECT_EQ(parse(to_json(scene).dump()), scene);
}

TEST(ReadScene, AnEvaluatorThatTheCatalogueDoesNotHaveIsRefused) {
  std::vector<Problem> warnings;
  const ReadOptions options{{"integrator.evaluator=lanzcos"}, {}, {"auto", "lanczos"}};
  try {
    parse_scene(test::small_scene, "s.json", options, warnings);
    FAIL() << "it was accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean \"lanczos\"?"), std::string::npos) << error.what();
  }
}

TEST(ReadScene, AFileThatCannotBeOpenedIsAFileError) {
  std::vector<Problem> warnings;
  EXPECT_THROW(read_scene("no/such/scene.json", {}, warnings), FileError);
  EXPECT_THROW(read_scene(std::filesystem::temp_directory_path(), {}, warnings), FileError);
}

TEST(ReadScene, AFileIsReadLikeItsText) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "phiflex_read_scene_test.json";
  std::ofstream(file) << test::full_scene;
  std::vector<Problem> warnings;
  const Scene scene = read_scene(file, {}, warnings);
  std::filesystem::remove(file);
  EXPECT_EQ(scene, parse_scene(test::full_scene, file, {}, warnings));
}

}  // namespace
}  // namespace phiflex
