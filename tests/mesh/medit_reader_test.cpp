// MEDIT .mesh files: what is read, what is passed over, what is refused.
#include <gtest/gtest.h>

#include "phiflex/mesh/mesh_formats.h"
#include "tests/mesh/refusal.h"

namespace phiflex {
namespace {

const std::string kTwoTets =
    "MeshVersionFormatted 1\nDimension 3\nVertices 5\n0 0 0 0\n1 0 0 0\n0 1 0 7\n0 0 1 7\n0 0 -1 0\n";

TEST(MeditReader, KeepsOrderAndReadsReferencesAsTags) {
  const ParsedMesh mesh = parse_medit(kTwoTets + "Tetrahedra 2\n1 2 3 4 5\n1 3 2 5 9\nEnd\n", "m");
  EXPECT_EQ(mesh.tet.vertices[1], (Point3{1, 0, 0}));
  EXPECT_EQ(mesh.tet.tets[1], (std::array{0, 2, 1, 4}));
  EXPECT_EQ(mesh.tet.tags, (std::vector{5, 9}));
  EXPECT_EQ(mesh.tet.vertex_sets.at("7"), (std::vector{2, 3}));
}

TEST(MeditReader, ReferencesThatAreAllZeroAreNoRegions) {
  EXPECT_TRUE(parse_medit(kTwoTets + "Tetrahedra\n1\n1 2 3 4 0\nEnd", "m").tet.tags.empty());
}

TEST(MeditReader, SectionsItHasNoUseForArePassedOverWhateverTheirLength) {
  const ParsedMesh mesh = parse_medit(kTwoTets +
                                          "Corners\n2\n1 2\nNormals 2\n0 0 1\nnan 0 1\nTriangles 1\n1 2 3 4\n"
                                          "Edges 1\n1 2 0\nTetrahedra\n1\n1 2 3 4 0\n",
                                      "m");
  EXPECT_EQ(mesh.tet.tets.size(), 1u);
  EXPECT_EQ(mesh.triangles.size(), 1u);
  EXPECT_EQ(mesh.edges.size(), 1u);
  EXPECT_EQ(mesh.tet.vertex_sets.at("4"), (std::vector{0, 1, 2}));
}

TEST(MeditReader, NumbersAreReadTheSameInEveryLocaleAndWithAPlusSign) {
  const ParsedMesh mesh =
      parse_medit("MeshVersionFormatted 2 Dimension 3 Vertices 1 +1.5e0 -2.25E-1 3 0", "m");
  EXPECT_EQ(mesh.tet.vertices[0], (Point3{1.5, -0.225, 3}));
}

TEST(MeditReader, SeveralBadIndicesAreReportedAtOnceButNotMoreThanTen) {
  const std::string text =
      refusal([] { parse_medit(kTwoTets + "Tetrahedra 2\n1 2 3 77\n0\n1 88 2 5 0\nEnd", "m"); });
  EXPECT_NE(text.find("is 77; allowed: 1 to 5"), std::string::npos) << text;
  EXPECT_NE(text.find("is 88; allowed: 1 to 5"), std::string::npos) << text;
  std::string many = kTwoTets + "Tetrahedra 20\n";
  for (int i = 0; i < 20; ++i) many += "1 2 3 99 0\n";
  const std::string all = refusal([&] { parse_medit(many, "m"); });
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 9) << all;
}

TEST(MeditReader, OtherElementsAndDimensionsAreRefused) {
  EXPECT_REFUSAL(parse_medit(kTwoTets + "Hexahedra 1\n1 2 3 4 5 1 2 3 0\n", "m"), "reads tetrahedra only");
  EXPECT_REFUSAL(parse_medit("MeshVersionFormatted 1 Dimension 2", "m"), "the dimension must be 3");
  EXPECT_REFUSAL(parse_medit("solid thing", "m"), "begins with MeshVersionFormatted");
  EXPECT_REFUSAL(parse_medit("MeshVersionFormatted 1 Dimension 3 Tetrahedra 1 1 2 3 4 0", "m"),
                 "there are no vertices");
}

}  // namespace
}  // namespace phiflex
