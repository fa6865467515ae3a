// Parameters of a law that differ from element to element, from fields of the mesh file.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "phiflex/run/run.h"
#include "phiflex/run/scene_model.h"
#include "phiflex/scene/scene.h"
#include "phiflex/scene/scene_io.h"
#include "tests/run/process.h"

namespace phiflex {
namespace {

using testing::ScratchFolder;

// Two tetrahedra with fibres along x and along y.
const char* const kMesh = R"(# vtk DataFile Version 3.0
two
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 5 double
0 0 0  1 0 0  0 1 0  0 0 1  1 1 1
CELLS 2 10
4 0 1 2 3
4 1 2 3 4
CELL_TYPES 2
10
10
CELL_DATA 2
SCALARS stiffness double
LOOKUP_TABLE default
1e4 2e4
VECTORS fibre double
3 0 0
0 2 0
)";

Scene with_fibres(const std::filesystem::path& folder, const std::string& field,
                  const std::string& more = "") {
  std::ofstream(folder / "two.vtk") << kMesh;
  std::vector<Problem> warnings;
  return parse_scene(R"({ "phiflex": 1, "name": "two", "time": { "step": 0.001, "end": 0.01 },
    "bodies": [ { "name": "two", "mesh": { "file": "two.vtk" }, )" +
                         more + R"(
        "material": { "type": "holzapfel", "mu": { "field": "stiffness" }, "bulk": 1e5, "k1": 1e4, "k2": 1,
                      "density": 1000, "field": ")" +
                         field + R"(" } } ] })",
                     folder / "scene.json", read_options(), warnings);
}

TEST(MaterialFields, NumbersAndDirectionsComeFromTheMeshFile) {
  ScratchFolder scratch;
  const SceneModel model = build_scene(with_fibres(scratch.path(), "fibre"), "scene.json");
  const auto& elements = model.bodies()[0].materials()->elements;
  EXPECT_EQ(elements[0].parameters, (std::vector<double>{1e4, 1e5, 1e4, 1, 0, 3, 0, 0}));
  EXPECT_EQ(elements[1].parameters, (std::vector<double>{2e4, 1e5, 1e4, 1, 0, 0, 2, 0}));
}

TEST(MaterialFields, DirectionsTurnWithTheBody) {
  ScratchFolder scratch;
  const SceneModel model = build_scene(
      with_fibres(scratch.path(), "fibre", R"("transform": { "rotate": [[0, 0, 1], 90], "scale": 2 },)"),
      "scene.json");
  const auto& turned = model.bodies()[0].materials()->elements[0].parameters;
  EXPECT_NEAR(turned[5], 0, 1e-15);
  EXPECT_NEAR(turned[6], 3, 1e-15);
}

TEST(MaterialFields, AFieldThatIsNotThereOrHasNoVectorsIsRefusedWithThoseThatAre) {
  ScratchFolder scratch;
  for (const char* field : {"muscle", "stiffness"}) {
    try {
      build_scene(with_fibres(scratch.path(), field), "scene.json");
      FAIL() << field;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what())
                    .find("/bodies/0/material/field: the mesh has no field '" + std::string(field) +
                          "' of vectors; its fields: fibre.x, fibre.y, fibre.z, stiffness"),
                std::string::npos)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace phiflex
