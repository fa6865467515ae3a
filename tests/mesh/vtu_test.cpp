// Reading and writing VTU, and the encodings in between.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "phiflex/base/files.h"
#include "phiflex/mesh/mesh_formats.h"
#include "phiflex/mesh/vtu_data.h"
#include "phiflex/mesh/vtu_writer.h"
#include "tests/mesh/byte_text.h"
#include "tests/mesh/refusal.h"

namespace phiflex {
namespace {

const std::vector<Point3> kCorners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1.0 / 3}};

std::string grid(const std::string& root, const std::string& points, const std::string& cells,
                 const std::string& after = "") {
  return "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" " + root +
         ">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"4\" NumberOfCells=\"1\">\n<Points>" + points +
         "</Points>\n<Cells>" + cells + "</Cells></Piece></UnstructuredGrid>" + after + "</VTKFile>\n";
}

const std::string kTextPoints =
    "<DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 0 1 0 0 0 "
    "1</DataArray>";
const std::string kTextCells =
    "<DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 2 3</DataArray>"
    "<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4</DataArray>"
    "<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10</DataArray>";

TEST(Vtu, Base64RoundTripsEveryLengthAndIgnoresPaddingInTheMiddle) {
  std::string bytes;
  for (int n = 0; n < 20; ++n) {
    EXPECT_EQ(decode_base64(encode_base64(bytes), 1000), bytes);
    bytes += static_cast<char>(37 * n + 200);
  }
  EXPECT_EQ(decode_base64(encode_base64("a") + encode_base64("bcd"), 1000), "abcd");
  EXPECT_EQ(decode_base64(encode_base64("abcdef"), 4), "abcd");
}

TEST(Vtu, TextArraysAreRead) {
  const ParsedMesh mesh = parse_vtu(grid("", kTextPoints, kTextCells), "m");
  EXPECT_EQ(mesh.tet.vertices[3], (Point3{0, 0, 1}));
  EXPECT_EQ(mesh.tet.tets[0], (std::array{0, 1, 2, 3}));
}

TEST(Vtu, AppendedRawAndBase64ArraysAreReadInEitherByteOrder) {
  for (const auto order : {std::endian::little, std::endian::big}) {
    const std::string points =
        bytes_of(48u, order) + bytes_of({0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f}, order);
    const std::string connectivity = bytes_of(16u, order) + bytes_of({0, 1, 2, 3}, order);
    const std::string offsets = bytes_of(4u, order) + bytes_of(4, order);
    const std::string types = bytes_of(1u, order) + "\x0a";
    for (const bool raw : {true, false}) {
      std::string data;
      std::vector<std::string> at;
      for (const std::string& array : {points, connectivity, offsets, types}) {
        at.push_back(std::to_string(data.size()));
        data += raw ? array : encode_base64(array);
      }
      const std::string text = grid(
          order == std::endian::big ? "byte_order=\"BigEndian\"" : "byte_order=\"LittleEndian\"",
          "<DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"appended\" offset=\"" + at[0] +
              "\"/>",
          "<DataArray type=\"Int32\" Name=\"connectivity\" format=\"appended\" offset=\"" + at[1] + "\"/>" +
              "<DataArray type=\"Int32\" Name=\"offsets\" format=\"appended\" offset=\"" + at[2] + "\"/>" +
              "<DataArray type=\"UInt8\" Name=\"types\" format=\"appended\" offset=\"" + at[3] + "\"/>",
          std::string("<AppendedData encoding=\"") + (raw ? "raw" : "base64") + "\">\n_" + data +
              "</AppendedData>");
      const ParsedMesh mesh = parse_vtu(text, "m");
      EXPECT_EQ(mesh.tet.vertices[2], (Point3{0, 1, 0}));
      EXPECT_EQ(mesh.tet.tets[0], (std::array{0, 1, 2, 3}));
    }
  }
}

// Everything a frame has, in all encodings of the writer.
TEST(Vtu, WhatIsWrittenIsReadBackBitForBitPlainAndCompressedInlineAndAppended) {
  TetMesh mesh;
  mesh.vertices = kCorners;
  mesh.tets = {{0, 1, 2, 3}, {0, 2, 1, 3}};
  const VtuCells cells = make_vtu_cells(mesh);
  const std::vector<double> energy = {1.0 / 3, -0.0};
  const std::vector<int> region = {4, -7};
  const VtuGrid frame{flat(mesh.vertices),
                      &cells,
                      {{"velocity", 3, flat(mesh.vertices), {}}},
                      {{"energy <J/m^3>", 1, energy, {}}, {"region", 1, {}, region}}};
  for (const auto compression : {VtuCompression::none, VtuCompression::zlib})
    for (const auto place : {VtuPlace::inline_base64, VtuPlace::appended_raw}) {
      std::ostringstream out;
      write_vtu(out, frame, compression, place);
      const ParsedMesh back = parse_vtu(out.str(), "m");
      EXPECT_EQ(back.tet.vertices, mesh.vertices);
      EXPECT_EQ(back.tet.tets, mesh.tets);
      EXPECT_EQ(back.tet.tags, region);
      EXPECT_EQ(back.tet.element_fields.at("energy <J/m^3>"), energy);
    }
}

TEST(Vtu, CompressionWorksOverSeveralBlocks) {
  std::string data(100000, 'x');
  for (std::size_t i = 0; i < data.size(); i += 7) data[i] = static_cast<char>(i);
  std::string reason;
  const VtuEncoding encoding{std::endian::little, 8, VtuCompression::zlib};
  const std::string packed = encode_vtu_base64(data, VtuCompression::zlib);
  EXPECT_EQ(decode_vtu_base64(packed, encoding, data.size(), reason), data) << reason;
  EXPECT_EQ(decode_vtu_base64(encode_vtu_base64("", VtuCompression::zlib), encoding, 0, reason), "")
      << reason;
  EXPECT_FALSE(decode_vtu_base64(packed, encoding, data.size() - 1, reason));
  EXPECT_NE(reason.find("memory"), std::string::npos) << reason;
}

TEST(Vtu, ABlockThatPromisesMoreThanZlibCanHoldIsRefused) {
  std::string reason;
  const std::string bomb = bytes_of<std::uint64_t>({1, 1ull << 40, 0, 10}) + "0123456789";
  EXPECT_FALSE(decode_vtu_raw(bomb, {std::endian::little, 8, VtuCompression::zlib}, 1ull << 50, reason));
  EXPECT_NE(reason.find("promises 1099511627776 bytes from 10"), std::string::npos) << reason;
}

// A block that zlib could hold, of more bytes than a file may take: nothing is unpacked, the bytes are not even zlib's.
TEST(Vtu, AFileThatUnpacksToMoreThanItMayTakeIsRefusedBeforeItIsUnpacked) {
  const std::uint64_t packed = largest_content() / 1000, unpacked = largest_content() / 8 * 8 + 8;
  const std::string array =
      encode_base64(bytes_of<std::uint64_t>({1, unpacked, 0, packed}) + std::string(packed, 'x'));
  const std::string text =
      R"(<VTKFile type="UnstructuredGrid" header_type="UInt64" compressor="vtkZLibDataCompressor"><UnstructuredGrid>)"
      R"(<Piece NumberOfPoints="4" NumberOfCells="1"><Points>)"
      R"(<DataArray type="Float64" NumberOfComponents="3" format="binary">)" +
      array + "</DataArray></Points></Piece></UnstructuredGrid></VTKFile>";
  EXPECT_REFUSAL(parse_vtu(text, "m"), "MB of memory");
}

TEST(Vtu, AnArrayThatDoesNotFitTheGridIsMisuse) {
  TetMesh mesh;
  mesh.vertices = kCorners;
  mesh.tets = {{0, 1, 2, 3}};
  const VtuCells cells = make_vtu_cells(mesh);
  const std::vector<double> short_array = {1, 2};
  std::ostringstream out;
  EXPECT_THROW(write_vtu(out, VtuGrid{flat(mesh.vertices), &cells, {{"v", 3, short_array, {}}}, {}}),
               std::invalid_argument);
}

TEST(Vtu, RefusesWhatItCannotUseWithTheReason) {
  const auto replaced = [](std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  };
  const std::string good = grid("", kTextPoints, kTextCells);
  EXPECT_REFUSAL(parse_vtu("", "m"), "the file is empty");
  EXPECT_REFUSAL(parse_vtu("<html>", "m"), "begins with <VTKFile>");
  EXPECT_REFUSAL(parse_vtu(replaced(good, "UnstructuredGrid\"", "ImageData\""), "m"),
                 "allowed: UnstructuredGrid");
  EXPECT_REFUSAL(parse_vtu(replaced(good, "NumberOfPoints=\"4\"", "NumberOfPoints=\"5\""), "m"),
                 "15 are needed");
  EXPECT_REFUSAL(parse_vtu(replaced(good, "NumberOfCells=\"1\"", "NumberOfCells=\"2000000000\""), "m"),
                 "NumberOfCells is 2000000000");
  EXPECT_REFUSAL(parse_vtu(replaced(good, "0 1 2 3<", "0 1 2 7<"), "m"),
                 "a vertex index is 7; allowed: 0 to 3");
  EXPECT_REFUSAL(parse_vtu(replaced(good, "1 0 0 0 1", "1 0 nan 0 1"), "m"), "point 1: a coordinate is nan");
  EXPECT_REFUSAL(parse_vtu(replaced(good, "1 0 0 0 1", "1 0 x 0 1"), "m"), "line 5: 'x' is not a number");
  EXPECT_REFUSAL(parse_vtu(good.substr(0, good.size() - 40), "m"), "cut off");
  EXPECT_REFUSAL(parse_vtu(grid("compressor=\"vtkLZ4DataCompressor\"", kTextPoints, kTextCells), "m"),
                 "allowed: vtkZLibDataCompressor");
}

TEST(Vtu, AFileAppearsWholeAndLeavesNoDraftBehind) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "vtu_draft";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  TetMesh mesh;
  mesh.vertices = kCorners;
  mesh.tets = {{0, 1, 2, 3}};
  const VtuCells cells = make_vtu_cells(mesh);
  write_vtu_file(folder / "a.vtu", VtuGrid{flat(mesh.vertices), &cells, {}, {}});
  int files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++files;
  EXPECT_EQ(files, 1);
  EXPECT_THROW(write_vtu_file(folder / "none" / "a.vtu", VtuGrid{flat(mesh.vertices), &cells, {}, {}}),
               FileError);
}

}  // namespace
}  // namespace phiflex
