// TetGen .node and .ele files: bases, attributes, what is refused.
#include <gtest/gtest.h>

#include "phiflex/mesh/mesh_formats.h"
#include "tests/mesh/refusal.h"

namespace phiflex {
namespace {

const std::string kFromZero = "# nodes\n4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n";
const std::string kFromOne = "4 3 1 1\n1 0 0 0 0.5 0\n2 1 0 0 0.5 3\n3 0 1 0 0.5 3\n4 0 0 1 0.5 0\n# end\n";

TEST(TetgenReader, CountsFromZeroOrOneAsTheNodesDo) {
  const ParsedMesh zero = parse_tetgen(kFromZero, "n", "1 4 0\n0 0 1 2 3\n", "e");
  const ParsedMesh one = parse_tetgen(kFromOne, "n", "1 4 0\n1 1 2 3 4\n", "e");
  EXPECT_EQ(zero.tet.tets, one.tet.tets);
  EXPECT_EQ(zero.tet.vertices, one.tet.vertices);
  EXPECT_TRUE(zero.tet.notes.empty());
  EXPECT_EQ(one.tet.vertex_sets.at("3"), (std::vector{1, 2}));
}

TEST(TetgenReader, AMixedIndexBaseIsMendedWithANote) {
  for (const auto& [nodes, ele] :
       {std::pair(kFromOne, "1 4 0\n1 0 1 2 3\n"), {kFromZero, "1 4 0\n0 1 2 3 4\n"}}) {
    const ParsedMesh mesh = parse_tetgen(nodes, "n", ele, "e");
    EXPECT_EQ(mesh.tet.tets[0], (std::array{0, 1, 2, 3}));
    EXPECT_EQ(mesh.tet.notes.size(), 1u);
  }
}

TEST(TetgenReader, AttributesBecomeRegionsAndFields) {
  const ParsedMesh mesh = parse_tetgen(kFromZero, "n", "2 4 2\n0 0 1 2 3 5 0.25\n1 0 1 2 3 6 0.75\n", "e");
  EXPECT_EQ(mesh.tet.tags, (std::vector{5, 6}));
  EXPECT_EQ(mesh.tet.element_fields.at("attribute_2"), (std::vector{0.25, 0.75}));
}

TEST(TetgenReader, RefusesWhatItCannotUseWithFileAndLine) {
  EXPECT_REFUSAL(parse_tetgen(kFromZero, "n", "1 4 0\n0 0 1 2 9\n", "e"),
                 "e: line 2: a node of a tetrahedron is 9");
  EXPECT_REFUSAL(parse_tetgen("2 3 0 0\n0 0 0 0\n5 0 0 0\n", "n", "0 4 0", "e"),
                 "n: line 3: node number 5 found");
  EXPECT_REFUSAL(parse_tetgen(kFromZero, "n", "2 4 0\n0 0 1 2 3\n", "e"), "but only");
  EXPECT_REFUSAL(parse_tetgen(kFromZero, "n", "1 4 0\n0 0 1 2 3\n1 0 1 2 3\n", "e"),
                 "after the 1 tetrahedra promised");
  EXPECT_REFUSAL(parse_tetgen("4 2 0 0\n", "n", "", "e"), "but only");
  EXPECT_REFUSAL(parse_tetgen("0 2 0 0\n", "n", "", "e"), "the dimension must be 3");
  EXPECT_REFUSAL(parse_tetgen(kFromZero, "n", "", "e"), "e: line 1: the file is empty");
}

}  // namespace
}  // namespace phiflex
