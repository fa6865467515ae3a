// Whatever is wrong with a scene, the message says in which file and where.
#include <gtest/gtest.h>

#include "phiflex/base/errors.h"
#include "phiflex/run/run.h"
#include "phiflex/scene/scene_io.h"

namespace phiflex::testing {
namespace {

const std::string kRefusedMaterial = R"("material": { "type": "stvk", "young": 1e5, "density": 1000 })";
const std::string kRefusedBar =
    R"({ "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [3, 1, 1] }, )" +
    kRefusedMaterial + " }";
const std::string kRefusedHold =
    R"("constraints": [ { "type": "fix", "body": "bar", "where": { "box": [[0, 0, 0], [0, 1, 1]] } } ])";

// What check_scene() says of a scene that can be read: a line for each problem.
std::string refusal_of(const std::string& integrator, const std::string& bodies,
                       const std::string& more = "") {
  std::vector<Problem> unused;
  const Scene scene =
      parse_scene(R"({ "time": { "step": 0.01, "end": 0.02 }, "integrator": )" + integrator +
                      R"(, "bodies": [ )" + bodies + " ]" + (more.empty() ? "" : ", ") + more + " }",
                  "test.json", read_options(), unused);
  std::vector<std::string> warnings;
  try {
    check_scene(scene, "test.json", warnings);
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

TEST(Refusal, AProblemWithAFileOfItsOwnKeepsIt) {
  const InputError error(
      {{"mesh.obj", "line 3", "a"}, {"", "", "b"}, {"", "cells", "c"}, {"", "/time", "d"}});
  EXPECT_STREQ(error.in_file("scene.json", "/bodies/0/mesh").what(),
               "mesh.obj: line 3: a\nscene.json: /bodies/0/mesh: b\nscene.json: /bodies/0/mesh/cells: c\n"
               "scene.json: /time: d");
}

}  // namespace
}  // namespace phiflex::testing
