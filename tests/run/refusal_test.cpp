// Whatever is wrong with a scene, the message says in which file and where.
#include <gtest/gtest.h>

#include "phiflex/base/errors.h"
#include "phiflex/matfun/catalogue.h"
#include "phiflex/run/run.h"
#include "phiflex/scene/scene.h"
#include "phiflex/scene/scene_io.h"

namespace phiflex::testing {
namespace {

const std::string kRefusedMaterial = R"("material": { "type": "stvk", "young": 1e5, "density": 1000 })";
const std::string kRefusedBar =
    R"({ "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [3, 1, 1] }, )" +
    kRefusedMaterial + " }";
const std::string kRefusedHold =
    R"("constraints": [ { "type": "fix", "body": "bar", "where": { "box": [[0, 0, 0], [0, 1, 1]] } } ])";

// What is said of a scene when it is read, or else by check_scene(): a line for each problem.
std::string refusal_of(const std::string& integrator, const std::string& bodies,
                       const std::string& more = "") {
  std::vector<Problem> unused;
  Messages messages;
  try {
    const Scene scene =
        parse_scene(R"({ "time": { "step": 0.01, "end": 0.02 }, "integrator": )" + integrator +
                        R"(, "bodies": [ )" + bodies + " ]" + (more.empty() ? "" : ", ") + more + " }",
                    "test.json", read_options(), unused);
    check_scene(scene, "test.json", messages);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string generated(const std::string& mesh) {
  return R"({ "name": "bar", "mesh": { "generate": )" + mesh + " }, " + kRefusedMaterial + " }";
}

TEST(Refusal, AMethodThatRefusesASystemNamesTheSceneAndTheKey) {
  const std::string said = refusal_of(R"({ "type": "emx" })", kRefusedBar);
  EXPECT_EQ(said.find("test.json: /integrator/type: \"emx\""), 0u) << said;
}

TEST(Refusal, AGeneratorThatRefusesItsNumbersNamesTheSceneAndTheMesh) {
  // Walls that leave no holes.
  const std::string full = R"("honeycomb", "cells": [2, 2], "side": 10, "wall": 200, "thickness": 3)";
  const std::string said = refusal_of(R"({ "type": "si" })", generated(full));
  EXPECT_EQ(said.find("test.json: /bodies/0/mesh/"), 0u) << said;

  const std::string of_springs =
      refusal_of(R"({ "type": "si" })",
                 R"({ "name": "net", "springs": { "generate": "tetrahedra", "stiffness": 10, "density": 10,
        "mesh": { "generate": )" +
                     full + " } } }");
  EXPECT_EQ(of_springs.find("test.json: /bodies/0/springs/mesh/"), 0u) << of_springs;

  const std::string of_contact =
      refusal_of(R"({ "type": "si" })", kRefusedBar,
                 R"("contacts": [ { "type": "surface", "mesh": { "generate": )" + full + " } } ]");
  EXPECT_EQ(of_contact.find("test.json: /contacts/0/mesh/"), 0u) << of_contact;
}

TEST(Refusal, ACoarseningThatCannotBeMadeNamesTheSceneAndTheCoarsening) {
  const std::string eigenfit = R"("coarsening": { "type": "eigenfit", "fine": { "refine": 1 })";
  for (const std::string& said :
       {refusal_of(R"({ "type": "gautschi" })", kRefusedBar, kRefusedHold + ", " + eigenfit + " }"),
        refusal_of(R"({ "type": "be" })", kRefusedBar,
                   kRefusedHold + ", " + eigenfit + R"(, "modes": 200 })")})
    EXPECT_EQ(said.find("test.json: /coarsening"), 0u) << said;
}

// Which of the catalogue's evaluators `ere` is refused with.
std::vector<std::string> refused_evaluators(const std::string& bodies, const std::string& more) {
  std::vector<std::string> refused;
  for (const EvaluatorEntry& entry : evaluator_catalogue()) {
    const std::string name(entry.info->name);
    const std::string said = refusal_of(R"({ "type": "ere", "evaluator": ")" + name + R"(" })", bodies, more);
    if (said.empty()) continue;
    EXPECT_EQ(said.find("test.json: /integrator/evaluator: \"" + name + "\""), 0u) << said;
    EXPECT_NE(said.find("\"kiops\""), std::string::npos) << said;
    refused.push_back(name);
  }
  return refused;
}

TEST(Refusal, EvaluatorsThatNeedRayleighDampingAreRefusedWhereTheDampingIsAnother) {
  std::vector<std::string> of_the_pencil;
  for (const EvaluatorEntry& entry : evaluator_catalogue())
    if (entry.info->needs_rayleigh_damping()) of_the_pencil.emplace_back(entry.info->name);
  ASSERT_FALSE(of_the_pencil.empty());
  const auto with_damping = [](const std::string& name, const std::string& damping) {
    return R"({ "name": ")" + name +
           R"(", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [1, 1, 1] }, )" +
           kRefusedMaterial + R"(, "damping": )" + damping + " }";
  };
  const std::string current = R"({ "mass": 0.1, "stiffness": 0.01, "stiffness_of": "current" })";
  const std::string wind = R"("forces": [ { "type": "wind", "velocity": [1, 0, 0] } ])";
  const std::string fluid =
      R"("forces": [ { "type": "stokes", "body": "bar", "where": { "all": true }, "viscosity": 1, "radius": 0.01 } ])";
  const std::string friction =
      R"("contacts": [ { "type": "floor", "height": -0.001, "stiffness": 1e4, "mode": "penalty", "friction": 0.3 } ])";
  EXPECT_EQ(refused_evaluators(kRefusedBar, wind), of_the_pencil);
  EXPECT_EQ(refused_evaluators(kRefusedBar, fluid), of_the_pencil);
  EXPECT_EQ(refused_evaluators(kRefusedBar, friction), of_the_pencil);
  EXPECT_EQ(refused_evaluators(with_damping("bar", R"({ "stiffness": 0.01 })"), kRefusedHold), of_the_pencil);
  EXPECT_EQ(
      refused_evaluators(
          with_damping("a", current) + ", " + with_damping("b", R"({ "mass": 0.2 })"),
          R"("gravity": [0, -1, 0], "contacts": [ { "type": "bodies", "between": "none", "self": false } ])"),
      of_the_pencil);

  EXPECT_TRUE(refused_evaluators(kRefusedBar, kRefusedHold).empty());
  EXPECT_TRUE(refused_evaluators(with_damping("bar", current), kRefusedHold).empty());
  EXPECT_EQ(refusal_of(R"({ "type": "ere" })", kRefusedBar, wind), "");
  EXPECT_EQ(refusal_of(R"({ "type": "gautschi", "evaluator": "lanczos" })", kRefusedBar, wind), "");
}

TEST(Refusal, ABodyWhoseMassIsNotANumberAboveZeroIsBadInput) {
  const auto body = [](const std::string& mesh, const std::string& density) {
    return R"({ "name": "bar", "mesh": { "generate": )" + mesh +
           R"( }, "material": { "type": "neo-hookean", "young": 1e5, "density": )" + density + " } }";
  };
  const std::string box_of = R"("box", "cells": [1, 1, 1], "size": )";
  for (const std::string& said :
       {refusal_of(R"({ "type": "si" })", body(R"("tree", "size": 1e101)", "1e103")),
        refusal_of(R"({ "type": "si" })", body(box_of + "[1e60, 1e60, 1e60]", "1e150")),
        refusal_of(R"({ "type": "si" })", body(box_of + "[1.2, 1.2, 1.2]", "1.7e308")),
        refusal_of(R"({ "type": "si" })", body(box_of + "[1e-70, 1e-70, 1e-70]", "1e-150"))})
    EXPECT_EQ(said.find("test.json: /bodies/0: "), 0u) << said;
  EXPECT_EQ(refusal_of(R"({ "type": "si" })", body(box_of + "[1, 1, 1]", "1e12")), "");
}

TEST(Refusal, AProblemWithAFileOfItsOwnKeepsIt) {
  const InputError error(
      {{"mesh.obj", "line 3", "a"}, {"", "", "b"}, {"", "cells", "c"}, {"", "/time", "d"}});
  EXPECT_STREQ(error.in_file("scene.json", "/bodies/0/mesh").what(),
               "mesh.obj: line 3: a\nscene.json: /bodies/0/mesh: b\nscene.json: /bodies/0/mesh/cells: c\n"
               "scene.json: /time: d");
}

}  // namespace
}  // namespace phiflex::testing
