// OBJ, OFF, PLY, STL and TFX.
#include <gtest/gtest.h>

#include "phiflex/mesh/mesh_formats.h"
#include "phiflex/mesh/vec3.h"
#include "tests/mesh/byte_text.h"
#include "tests/mesh/refusal.h"

namespace phiflex {
namespace {

using Triangles = std::vector<std::array<int, 3>>;

TEST(ObjReader, ANonConvexPolygonIsCutInsideItsOutline) {
  // An arrow head: the fan from corner 1 would cover the notch at (0, 0.2).
  const ParsedMesh mesh = parse_obj("v 1 0 0\nv 0 1 0\nv -1 0 0\nv 0 0.2 0\nf 1 2 3 4\n", "m");
  ASSERT_EQ(mesh.triangles.size(), 2u);
  for (const auto& [a, b, c] : mesh.triangles) {
    const auto& v = mesh.tet.vertices;
    EXPECT_GT(cross(v[b] - v[a], v[c] - v[a])[2], 0);
  }
}

TEST(ObjReader, RelativeIndicesSlashesContinuedLinesAndForwardReferencesAreRead) {
  const ParsedMesh mesh =
      parse_obj("f 1/5 2//7 3/1/2\nv 0 0 0\nv 1 0 0\nv 0 1 0 # right\nf -3 \\\n -2 -1\n", "m");
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {0, 1, 2}}));
}

TEST(ObjReader, PolylinesBecomeSegments) {
  const ParsedMesh mesh = parse_obj("v 0 0 0\nv 0 1 0\nv 0 2 0\nl 1 2 3\n", "m");
  EXPECT_EQ(mesh.edges, (std::vector<std::array<int, 2>>{{0, 1}, {1, 2}}));
}

TEST(ObjReader, RefusesWhatItCannotUseWithTheLine) {
  EXPECT_REFUSAL(parse_obj("", "m"), "the file is empty");
  EXPECT_REFUSAL(parse_obj("v 0 0\nv 1 1 1\n", "m"), "'v' is not a number");
  EXPECT_REFUSAL(parse_obj("v 0 0 0\nf 1 1\n", "m"), "line 2: a face has 2 corners");
  EXPECT_REFUSAL(parse_obj("v 0 0 0\nf 1 x 1\n", "m"), "'x' is not a vertex index");
  EXPECT_REFUSAL(parse_obj("v 0 0 0\nf -2 1 1\n", "m"), "a relative vertex index is -2");
  EXPECT_REFUSAL(parse_obj("hello\n", "m"), "there are no vertices");
}

TEST(OffReader, CountsMayStandBesideTheKeywordAndColoursArePassedOver) {
  const ParsedMesh mesh = parse_off(
      "COFF 3 1 0 # counts\n0 0 0 255 0 0 1\n1 0 0 0 255 0 1\n0 1 0 0 0 1 1\n3 0 1 2 255 0 0\n", "m");
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}}));
  EXPECT_EQ(mesh.tet.vertices[1], (Point3{1, 0, 0}));
}

TEST(OffReader, RefusesWhatItCannotUseWithTheLine) {
  EXPECT_REFUSAL(parse_off("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "m"),
                 "line 6: a vertex index is 3; allowed: 0 to 2");
  EXPECT_REFUSAL(parse_off("OFF BINARY\n", "m"), "binary OFF is not supported");
  EXPECT_REFUSAL(parse_off("OFF\n3000000 1 0\n0 0 0\n", "m"), "is 3000000, but only");
  EXPECT_REFUSAL(parse_off("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n", "m"), "a face has 2 corners");
  EXPECT_REFUSAL(parse_off("PLY\n", "m"), "begins with OFF");
}

const std::string kPlyHeader =
    "comment made for a test\nelement vertex 3\nproperty float x\nproperty double y\nproperty float z\n"
    "property uchar red\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";

TEST(PlyReader, TextAndBinaryOfEitherByteOrderGiveTheSameMesh) {
  const ParsedMesh text =
      parse_ply("ply\nformat ascii 1.0\n" + kPlyHeader + "0 0 0 9\n1 0 0 9\n0 1.5 0 9\n3 0 1 2\n", "m");
  EXPECT_EQ(text.triangles, (Triangles{{0, 1, 2}}));
  for (const auto order : {std::endian::little, std::endian::big}) {
    std::string rows;
    for (const auto& [x, y, z] : text.tet.vertices)
      rows += bytes_of(float(x), order) + bytes_of(y, order) + bytes_of(float(z), order) + "\x09";
    const std::string format = order == std::endian::big ? "binary_big_endian" : "binary_little_endian";
    const ParsedMesh binary = parse_ply(
        "ply\nformat " + format + " 1.0\n" + kPlyHeader + rows + "\x03" + bytes_of({0, 1, 2}, order), "m");
    EXPECT_EQ(binary.tet.vertices, text.tet.vertices);
    EXPECT_EQ(binary.triangles, text.triangles);
  }
}

TEST(PlyReader, RefusesWhatItCannotUseWithTheReason) {
  const std::string head = "ply\nformat ascii 1.0\n" + kPlyHeader;
  EXPECT_REFUSAL(parse_ply(head + "0 0 0 9\n1 0 0 9\n0 1 0 9\n3 0 1 3\n", "m"),
                 "of face 0 is 3; allowed: 0 to 2");
  EXPECT_REFUSAL(parse_ply(head + "0 0 0 9\n1 0 0 9\n", "m"),
                 "vertex elements is 3, but only 16 bytes follow");
  EXPECT_REFUSAL(parse_ply(head + "0 0 nan 9\n1 0 0 9\n0 1 0 9\n3 0 1 2\n", "m"),
                 "line 12: a coordinate is nan");
  EXPECT_REFUSAL(
      parse_ply("ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty float x\nend_header\n", "m"),
      "is 4000000000");
  EXPECT_REFUSAL(parse_ply("ply\nformat utf8 1.0\n", "m"), "allowed: ascii");
  EXPECT_REFUSAL(parse_ply("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n0\n", "m"),
                 "needs the properties x, y and z");
  EXPECT_REFUSAL(parse_ply("ply\nformat ascii 1.0\nelement vertex 1\n", "m"), "has no end_header");
}

TEST(StlReader, TextAndBinaryWeldEqualCorners) {
  const std::string facet =
      "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
      "facet normal 0 0 1\nouter loop\nvertex 1 0 0\nvertex 1 1 0\nvertex -0 1 0\nendloop\nendfacet\n";
  const ParsedMesh text = parse_stl("solid two\n" + facet + "endsolid two\n", "m");
  EXPECT_EQ(text.tet.vertices.size(), 4u);
  EXPECT_EQ(text.triangles, (Triangles{{0, 1, 2}, {1, 3, 2}}));
  std::string binary = "solid in the header of a binary file";
  binary.resize(80, ' ');
  binary += bytes_of(2u);
  for (const auto& triangle : text.triangles) {
    binary += bytes_of({0.f, 0.f, 1.f});
    for (const int v : triangle)
      for (const double x : text.tet.vertices[v]) binary += bytes_of(float(x));
    binary += std::string(2, '\0');
  }
  const ParsedMesh back = parse_stl(binary, "m");
  EXPECT_EQ(back.tet.vertices, text.tet.vertices);
  EXPECT_EQ(back.triangles, text.triangles);
  EXPECT_REFUSAL(parse_stl("x" + binary.substr(1, 150), "m"),
                 "2 triangles are promised, which need 184 bytes");
  EXPECT_REFUSAL(parse_stl("solid a\n" + facet, "m"), "without endsolid");
  EXPECT_REFUSAL(parse_stl("solid a\nfacet normal 0 0 1\nouter circle\n", "m"), "'circle' found where loop");
  EXPECT_REFUSAL(parse_stl("hello", "m"), "neither a text STL");
}

TEST(TfxReader, AStrandIsAChainOfSegmentsAndHeldPointsASet) {
  std::string bytes = bytes_of(4.0f) + bytes_of({2u, 3u, 160u, 0u, 0u, 0u, 0u});
  bytes.resize(160, '\0');
  for (int i = 0; i < 6; ++i) bytes += bytes_of({float(i), 0.f, 0.f, i % 3 == 0 ? 0.f : 1.f});
  const ParsedMesh mesh = parse_tfx(bytes, "m");
  EXPECT_EQ(mesh.edges, (std::vector<std::array<int, 2>>{{0, 1}, {1, 2}, {3, 4}, {4, 5}}));
  EXPECT_EQ(mesh.tet.vertex_sets.at("fixed"), (std::vector{0, 3}));
  EXPECT_REFUSAL(parse_tfx(bytes.substr(0, 200), "m"), "do not fit the file's 200 bytes");
  EXPECT_REFUSAL(parse_tfx("solid", "m"), "this is not a TFX file");
}

}  // namespace
}  // namespace phiflex
