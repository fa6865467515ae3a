// Legacy .vtk files: all versions, text and binary, what is refused.
#include <gtest/gtest.h>

#include "phiflex/mesh/mesh_formats.h"
#include "tests/mesh/byte_text.h"
#include "tests/mesh/refusal.h"

namespace phiflex {
namespace {

const std::string kText = "# vtk DataFile Version 3.0\ntitle\nASCII\nDATASET UNSTRUCTURED_GRID\n";
const std::string kBinary = "# vtk DataFile Version 3.0\ntitle\nBINARY\nDATASET UNSTRUCTURED_GRID\n";
const std::string kPoints = "POINTS 4 float\n0 0 0 1 0 0\n0 1 0 0 0 1\n";
const std::string kCell = "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n";

TEST(VtkReader, CellDataBecomeElementFieldsAndARegionBecomesTheTag) {
  const ParsedMesh mesh =
      parse_vtk(kText + kPoints + kCell +
                    "CELL_DATA 1\nSCALARS region int 1\nLOOKUP_TABLE default\n3\n"
                    "SCALARS young double\nLOOKUP_TABLE default\n1e6\nVECTORS w float\n1 2 3\n"
                    "FIELD more 1\ndensity 1 1 float\n900\n"
                    "POINT_DATA 4\nSCALARS s float\nLOOKUP_TABLE default\n1 2 3 4\n",
                "m");
  EXPECT_EQ(mesh.tet.tags, std::vector{3});
  EXPECT_EQ(mesh.tet.element_fields.at("young"), std::vector{1e6});
  EXPECT_EQ(mesh.tet.element_fields.at("density"), std::vector{900.0});
  // A field of vectors is one of each component.
  EXPECT_EQ(mesh.tet.element_fields.at("w.x"), std::vector{1.0});
  EXPECT_EQ(mesh.tet.element_fields.at("w.y"), std::vector{2.0});
  EXPECT_EQ(mesh.tet.element_fields.at("w.z"), std::vector{3.0});
  EXPECT_EQ(mesh.tet.element_fields.size(), 5u);
}

TEST(VtkReader, BinaryIsBigEndianAndMayMixCellTypes) {
  const auto big = std::endian::big;
  const std::string text = kBinary + "POINTS 4 double\n" +
                           bytes_of({0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1.}, big) + "\nCELLS 2 9\n" +
                           bytes_of({3, 0, 1, 2, 4, 0, 1, 2, 3}, big) + "\nCELL_TYPES 2\n" +
                           bytes_of({5, 10}, big) + "\n";
  const ParsedMesh mesh = parse_vtk(text, "m");
  EXPECT_EQ(mesh.tet.vertices[2], (Point3{0, 1, 0}));
  EXPECT_EQ(mesh.tet.tets.size(), 1u);
  EXPECT_EQ(mesh.triangles.size(), 1u);
  EXPECT_REFUSAL(parse_vtk(text.substr(0, 150), "m"), "byte ");
}

TEST(VtkReader, Version5OffsetsAndConnectivityAreRead) {
  const ParsedMesh mesh =
      parse_vtk(kText + kPoints +
                    "CELLS 2 4\nOFFSETS vtktypeint64\n0 4\nCONNECTIVITY vtktypeint64\n0 1 2 3\n"
                    "CELL_TYPES 1\n10\nMETADATA\nINFORMATION 0\n\n",
                "m");
  EXPECT_EQ(mesh.tet.tets[0], (std::array{0, 1, 2, 3}));
}

TEST(VtkReader, PolygonalDataGiveASurface) {
  const ParsedMesh mesh = parse_vtk("# vtk DataFile Version 2.0\nt\nASCII\nDATASET POLYDATA\n" + kPoints +
                                        "POLYGONS 1 5\n4 0 1 2 3\nLINES 1 4\n3 0 1 2\n",
                                    "m");
  EXPECT_EQ(mesh.triangles.size(), 2u);
  EXPECT_EQ(mesh.edges.size(), 2u);
}

TEST(VtkReader, QuadraticTetrahedraAreReadByTheirCornersAndSaySo) {
  std::string points = "POINTS 10 float\n";
  for (int i = 0; i < 10; ++i)
    points += std::to_string(i == 1) + " " + std::to_string(i == 2) + " " + std::to_string(i == 3) + "\n";
  const ParsedMesh mesh =
      parse_vtk(kText + points + "CELLS 1 11\n10 0 1 2 3 4 5 6 7 8 9\nCELL_TYPES 1\n24\n", "m");
  EXPECT_EQ(mesh.tet.tets[0], (std::array{0, 1, 2, 3}));
  ASSERT_EQ(mesh.tet.notes.size(), 1u);
  EXPECT_NE(mesh.tet.notes[0].find("1 quadratic tetrahedra"), std::string::npos);
}

TEST(VtkReader, RefusesWhatItCannotUseWithTheReason) {
  EXPECT_REFUSAL(parse_vtk("", "m"), "the file is empty");
  EXPECT_REFUSAL(parse_vtk("hello\n", "m"), "begins with '# vtk DataFile Version");
  EXPECT_REFUSAL(parse_vtk("# vtk DataFile Version 3.0\nt\nASCII\nDATASET STRUCTURED_POINTS\n", "m"),
                 "allowed: UNSTRUCTURED_GRID, POLYDATA");
  EXPECT_REFUSAL(parse_vtk(kText + kPoints + "CELLS 1 9\n8 0 1 2 3 0 1 2 3\nCELL_TYPES 1\n12\n", "m"),
                 "cell 0: cell type 12 is not supported");
  EXPECT_REFUSAL(parse_vtk(kText + kPoints + "CELLS 1 5\n4 0 1 2 9\nCELL_TYPES 1\n10\n", "m"),
                 "cell 0: a vertex index is 9; allowed: 0 to 3");
  EXPECT_REFUSAL(parse_vtk(kText + kPoints + "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n10\n", "m"), "4 are needed");
  EXPECT_REFUSAL(parse_vtk(kText + kPoints + "CELLS 1 5\n4 0 1 2 3\n", "m"), "1 CELLS but 0 CELL_TYPES");
  EXPECT_REFUSAL(parse_vtk(kText + "POINTS 1000000 float\n0 0 0\n", "m"), "is 1000000, but only");
  EXPECT_REFUSAL(parse_vtk(kText + "POINTS 1 float\n0 inf 0\n", "m"), "a coordinate is inf");
  EXPECT_REFUSAL(parse_vtk(kText + kPoints + "CELLS 1 6\n4 0 1 2 3 0\nCELL_TYPES 1\n10\n", "m"),
                 "use 5 of the 6");
}

}  // namespace
}  // namespace phiflex
