// Gmsh files as others write them; round trips with our writer are in mesh_io_test.cpp.
#include <gtest/gtest.h>

#include "phiflex/mesh/mesh_formats.h"
#include "tests/mesh/byte_text.h"
#include "tests/mesh/refusal.h"

namespace phiflex {
namespace {

const std::string kHead2 = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
const std::string kNodes2 = "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n";
const std::string kHead4 = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";

TEST(MshReader, PointsLinesAndTrianglesBesideTetrahedraAreNoErrorAndNameVertexSets) {
  const ParsedMesh mesh = parse_msh(
      kHead2 + "$PhysicalNames\n2\n2 9 \"clamped side\"\n3 5 \"body\"\n$EndPhysicalNames\n" + kNodes2 +
          "$Elements\n4\n1 15 2 3 1 1\n2 1 2 0 1 1 2\n3 2 2 9 1 1 2 3\n4 4 2 5 1 1 2 3 4\n$EndElements\n",
      "m");
  EXPECT_EQ(mesh.tet.tets.size(), 1u);
  EXPECT_EQ(mesh.tet.tags, std::vector{5});
  EXPECT_EQ(mesh.tet.tag_names.at(5), "body");
  EXPECT_EQ(vertices_with_tag(mesh.tet, "clamped side"), (std::vector{0, 1, 2}));
  EXPECT_EQ(vertices_with_tag(mesh.tet, "3"), std::vector{0});
  EXPECT_EQ(tets_with_tag(mesh.tet, "body"), std::vector{0});
}

TEST(MshReader, NodesAreOrderedByTagEvenWithGaps) {
  const ParsedMesh mesh =
      parse_msh(kHead2 + "$Nodes\n4\n40 0 0 1\n10 0 0 0\n30 0 1 0\n20 1 0 0\n$EndNodes\n" +
                    "$Elements\n1\n1 4 0 10 20 30 40\n$EndElements\n",
                "m");
  EXPECT_EQ(mesh.tet.vertices[1], (Point3{1, 0, 0}));
  EXPECT_EQ(mesh.tet.tets[0], (std::array{0, 1, 2, 3}));
}

TEST(MshReader, SectionsItDoesNotKnowArePassedOver) {
  const ParsedMesh mesh =
      parse_msh(kHead2 + "$Comments\nanything $Nodes\n$EndComments\n" + kNodes2 +
                    "$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n$NodeData\n1\n$EndNodeData\n",
                "m");
  EXPECT_EQ(mesh.tet.tets.size(), 1u);
}

TEST(MshReader, Version41TakesRegionsFromThePhysicalGroupsOfEntities) {
  const ParsedMesh mesh =
      parse_msh(kHead4 +
                    "$Entities\n1 0 0 1\n4 0 0 0 1 8\n7 0 0 0 1 1 1 1 3 0\n$EndEntities\n"
                    "$Nodes\n2 4 1 4\n0 4 0 1\n1\n0 0 0\n3 7 1 3\n2\n3\n4\n1 0 0 9 9 9\n0 1 0 9 9 9\n0 0 1 9 "
                    "9 9\n$EndNodes\n"
                    "$Elements\n2 2 1 2\n0 4 15 1\n1 1\n3 7 4 1\n2 1 2 3 4\n$EndElements\n",
                "m");
  EXPECT_EQ(mesh.tet.tags, std::vector{3});
  EXPECT_EQ(mesh.tet.vertex_sets.at("8"), std::vector{0});
  EXPECT_EQ(mesh.tet.vertices[3], (Point3{0, 0, 1}));  // parametric coordinates are passed over
}

TEST(MshReader, ABinaryFileOfTheOtherByteOrderIsRead) {
  const auto big = std::endian::big;
  std::string nodes, elements;
  for (int i = 0; i < 4; ++i)
    nodes += bytes_of(i + 1, big) + bytes_of({double(i == 1), double(i == 2), double(i == 3)}, big);
  elements = bytes_of({4, 1, 2, 1, 6, 1, 1, 2, 3, 4}, big);
  const ParsedMesh mesh =
      parse_msh("$MeshFormat\n2.2 1 8\n" + bytes_of(1, big) + "\n$EndMeshFormat\n$Nodes\n4\n" + nodes +
                    "\n$EndNodes\n$Elements\n1\n" + elements + "\n$EndElements\n",
                "m");
  EXPECT_EQ(mesh.tet.vertices[3], (Point3{0, 0, 1}));
  EXPECT_EQ(mesh.tet.tags, std::vector{6});
}

TEST(MshReader, ATruncatedBinaryFileNamesTheByte) {
  std::string nodes;
  for (int i = 0; i < 4; ++i) nodes += bytes_of(i + 1) + bytes_of({0.0, 0.0, 0.0});
  const std::string whole = "$MeshFormat\n2.2 1 8\n" + bytes_of(1) + "\n$EndMeshFormat\n$Nodes\n4\n" + nodes;
  EXPECT_REFUSAL(parse_msh(whole.substr(0, whole.size() - 3), "m"), "byte ");
  EXPECT_REFUSAL(parse_msh(whole.substr(0, whole.size() - 3), "m"),
                 "number of nodes is 4, but only 110 bytes");
}

TEST(MshReader, RefusesWhatItCannotUseWithTheReason) {
  const auto with_elements = [](const std::string& elements) {
    return kHead2 + kNodes2 + "$Elements\n" + elements;
  };
  EXPECT_REFUSAL(parse_msh("", "m"), "the file is empty");
  EXPECT_REFUSAL(parse_msh("$MeshFormat\n4.0 0 8\n$EndMeshFormat\n", "m"),
                 "format version 4; allowed: 2.2 and 4.1");
  EXPECT_REFUSAL(parse_msh("$NOD\n", "m"), "begins with $MeshFormat");
  EXPECT_REFUSAL(parse_msh(kHead2, "m"), "there is no $Nodes section");
  EXPECT_REFUSAL(parse_msh(with_elements("1\n1 4 2 0 1 1 2 3 9\n$EndElements\n"), "m"), "uses node 9");
  EXPECT_REFUSAL(parse_msh(with_elements("1\n1 5 2 0 1 1 2 3 4 1 2 3 4\n$EndElements\n"), "m"),
                 "a hexahedron found");
  EXPECT_REFUSAL(parse_msh(with_elements("1\n1 999 2 0 1 1 2 3 4\n$EndElements\n"), "m"),
                 "type 999 is not known");
  EXPECT_REFUSAL(parse_msh(with_elements("1\n1 4 99 0 1 1 2 3 4\n$EndElements\n"), "m"),
                 "number of tags is 99");
  EXPECT_REFUSAL(parse_msh(kHead2 + "$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n", "m"),
                 "node 1 is given twice");
  EXPECT_REFUSAL(parse_msh(kHead2 + "$Nodes\n1\n1 0 nan 0\n$EndNodes\n", "m"), "line 6: a coordinate is nan");
  EXPECT_REFUSAL(parse_msh(kHead2 + "$Nodes\n900000000\n1 0 0 0\n$EndNodes\n", "m"),
                 "is 900000000, but only");
}

}  // namespace
}  // namespace phiflex
