#include "phiflex/reproduce/mesh_functions.h"

#include <gtest/gtest.h>

#include "tests/scratch_folder.h"

namespace phiflex {
namespace {

const char* const kTwoTets = R"(MeshVersionFormatted 2
Dimension 3
Vertices
5
0 0 0 0
1 0 0 0
0 1 0 0
0 0 1 0
1 1 1 0
Tetrahedra
2
1 2 3 4 0
2 3 4 5 0
End
)";

double size(const Functions& table, const char* function, const char* file) {
  const ValueList arguments{Value(file)};
  return table.at(function)(arguments).number();
}

TEST(MeshFunctions, TheyCountVerticesAndTetrahedra) {
  const testing::ScratchFolder folder;
  folder.write("two.mesh", kTwoTets);
  const Functions table = mesh_functions(folder.path());
  EXPECT_EQ(size(table, "mesh_vertices", "two.mesh"), 5);
  EXPECT_EQ(size(table, "mesh_elements", "two.mesh"), 2);
}

TEST(MeshFunctions, AMissingMeshOrFolderIsUndecided) {
  const testing::ScratchFolder folder;
  EXPECT_THROW(size(mesh_functions(folder.path()), "mesh_vertices", "two.mesh"), Undecided);
  EXPECT_THROW(size(mesh_functions({}), "mesh_elements", "two.mesh"), Undecided);
}

TEST(MeshFunctions, ANumberIsNoFileName) {
  const ValueList arguments{Value(3.0)};
  EXPECT_THROW(mesh_functions({}).at("mesh_vertices")(arguments), ExpressionError);
}

}  // namespace
}  // namespace phiflex
