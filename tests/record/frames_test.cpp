#include "phiflex/record/frames.h"

#include <gtest/gtest.h>

#include <cmath>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/mesh/generators.h"
#include "phiflex/mesh/mesh_formats.h"
#include "phiflex/mesh/mesh_io.h"
#include "phiflex/record/frame_file.h"
#include "tests/record/fake_run.h"

namespace phiflex {
namespace {

namespace fs = std::filesystem;

FrameGeometry one_tet_and_a_spring() {
  FrameGeometry geometry;
  geometry.add_tets(std::vector<Point3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                    std::vector<std::array<int, 4>>{{0, 1, 2, 3}}, std::vector<int>{7});
  geometry.add_springs(std::vector<Point3>{{2, 0, 0}, {3, 0, 0}}, std::vector<std::array<int, 2>>{{0, 1}});
  return geometry;
}

// Writes frames [first, last) of a motion along x that moves by the frame's number.
void write_frames(FrameWriter& writer, int first, int last) {
  for (int i = first; i < last; ++i) {
    std::vector<double> displacement(18, 0.0);
    for (std::size_t v = 0; v < 6; ++v) displacement[3 * v] = i;
    writer.write(0.1 * i, displacement, std::vector<double>(18, 2.0), std::vector<double>{3.5, 4.5});
  }
}

TEST(Record, BodiesAreMergedInOrderAndKeepTheirNumbering) {
  const FrameGeometry geometry = one_tet_and_a_spring();
  EXPECT_EQ(geometry.rest.size(), 6u);
  EXPECT_EQ(geometry.cells.connectivity, (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(geometry.cells.types, (std::vector<std::uint8_t>{10, 3}));
  EXPECT_EQ(geometry.region, (std::vector<int>{7, 0}));
  EXPECT_EQ(geometry.body, (std::vector<int>{0, 1}));
}

TEST(Record, AFrameHoldsTheDeformedPointsAndIsReadBackExactly) {
  const ScratchFolder scratch;
  FrameWriter writer(RunFolder{scratch.path()}, one_tet_and_a_spring());
  write_frames(writer, 0, 4);
  const fs::path file = RunFolder{scratch.path()}.frame(3);
  const ParsedMesh frame = parse_vtu(read_file(file), file.string());
  ASSERT_EQ(frame.tet.vertices.size(), 6u);
  EXPECT_EQ(frame.tet.vertices[1], (Point3{4, 0, 0}));
  EXPECT_EQ(frame.tet.vertices[5], (Point3{6, 0, 0}));
  EXPECT_EQ(frame.tet.tets, (std::vector<std::array<int, 4>>{{0, 1, 2, 3}}));
  EXPECT_EQ(frame.edges, (std::vector<std::array<int, 2>>{{4, 5}}));
  const std::string text = read_file(file);
  for (const char* name : {"displacement", "velocity", "strain_energy_density", "region", "body"})
    EXPECT_NE(text.find(std::string("Name=\"") + name + "\""), std::string::npos) << name;
}

// A state may start from a frame: positions and velocities are read back to the bit. What is drawn has seven digits.
TEST(Record, AFrameKeepsPositionsAndVelocitiesToTheBitAndTheRestInSinglePrecision) {
  const ScratchFolder scratch;
  FrameWriter writer(RunFolder{scratch.path()}, one_tet_and_a_spring());
  std::vector<double> displacement(18, 0.0), velocity(18, 0.0);
  for (std::size_t i = 0; i < 18; ++i) {
    displacement[i] = 1. / 3 + double(i) / 7;
    velocity[i] = 2. / 3 - double(i) / 11;
  }
  writer.write(0, displacement, velocity, std::vector<double>{1. / 3, 1e-20});
  const FrameFile frame = read_frame_file(RunFolder{scratch.path()}.frame(0));
  for (std::size_t v = 0; v < 6; ++v)
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(frame.points[v][i], one_tet_and_a_spring().rest[v][i] + displacement[3 * v + i]);
      EXPECT_EQ(frame.velocity[v][i], velocity[3 * v + i]);
      EXPECT_EQ(frame.displacement[v][i], double(float(displacement[3 * v + i])));
    }
  EXPECT_EQ(frame.strain_energy_density, (std::vector<double>{double(1.f / 3), double(float(1e-20))}));
  const std::string text = read_file(RunFolder{scratch.path()}.frame(0));
  EXPECT_NE(text.find("compressor=\"vtkZLibDataCompressor\""), std::string::npos);
}

// 56 bytes a vertex and 4 a tetrahedron do not shrink much; of the cells' 29 bytes most do.
TEST(Record, AFrameOfManyTetrahedraTakesLessThanHalfOfItsNumbersInBase64) {
  const ScratchFolder scratch;
  const TetMesh mesh = generate_box({.size = {1, 1, 1}, .cells = {16, 16, 16}});
  FrameGeometry geometry;
  geometry.add_tets(mesh.vertices, mesh.tets, std::vector<int>(mesh.tets.size(), 0));
  FrameWriter writer(RunFolder{scratch.path()}, geometry);
  std::vector<double> u(3 * mesh.vertices.size()), v(u.size()), psi(mesh.tets.size());
  for (std::size_t i = 0; i < u.size(); ++i) {
    u[i] = std::sin(double(i));
    v[i] = std::cos(double(i));
  }
  for (std::size_t i = 0; i < psi.size(); ++i) psi[i] = 1 + std::sin(double(i));
  writer.write(0, u, v, psi);
  const double plain = 4. / 3 * (72. * double(mesh.vertices.size()) + 37. * double(mesh.tets.size()));
  EXPECT_LT(double(fs::file_size(RunFolder{scratch.path()}.frame(0))), 0.5 * plain);
}

// Earlier versions wrote the arrays inline; a file of write_state_file() has them so.
TEST(Record, AStateFileWithInlineArraysIsReadAsAFrame) {
  const ScratchFolder scratch;
  const FrameGeometry geometry = one_tet_and_a_spring();
  const std::vector<double> velocity(18, 0.25);
  write_state_file(scratch.path() / "state.vtu", geometry, flat(geometry.rest), velocity);
  EXPECT_NE(read_file(scratch.path() / "state.vtu").find("format=\"binary\""), std::string::npos);
  const FrameFile frame = read_frame_file(scratch.path() / "state.vtu");
  EXPECT_EQ(frame.points, geometry.rest);
  EXPECT_EQ(frame.velocity[5][2], 0.25);
}

TEST(Record, AFrameThatIsCutOffAnywhereIsRefused) {
  const ScratchFolder scratch;
  FrameWriter writer(RunFolder{scratch.path()}, one_tet_and_a_spring());
  const std::vector<double> still(18, 0.5);
  writer.write(0, still, still, std::vector<double>{3.5, 4.5});
  const std::string whole = read_file(RunFolder{scratch.path()}.frame(0));
  ASSERT_NE(whole.find("format=\"appended\""), std::string::npos);
  for (std::size_t length = 0; length < whole.size(); length += 5) {
    write_file_atomically(scratch.path() / "cut.vtu", whole.substr(0, length));
    EXPECT_THROW(read_frame_file(scratch.path() / "cut.vtu"), InputError) << length;
  }
}

TEST(Record, FurtherArraysAreReadBackAsFields) {
  const ScratchFolder scratch;
  FrameWriter writer(RunFolder{scratch.path()}, one_tet_and_a_spring());
  const std::vector<double> still(18, 0.0), stress{1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0},
      of_vertices{1, 2, 3, 4, 5, 6};
  const std::vector<VtuArray> cells{{"stress", 6, stress, {}}},
      points{{"vertex_von_mises", 1, of_vertices, {}}};
  writer.write(0, still, still, std::vector<double>{3.5, 4.5}, cells, points);
  const FrameFile frame = read_frame_file(RunFolder{scratch.path()}.frame(0));
  ASSERT_EQ(frame.cell_fields.size(), 1u);
  EXPECT_EQ(frame.cell_fields[0].name, "stress");
  EXPECT_EQ(frame.cell_fields[0].components, 6);
  EXPECT_EQ(frame.cell_fields[0].values, stress);
  ASSERT_EQ(frame.point_fields.size(), 1u);
  EXPECT_EQ(frame.point_fields[0].values, of_vertices);
  EXPECT_TRUE(
      read_frame_file(RunFolder{scratch.path()}.frame(0), FrameParts::motion_only).point_fields.empty());
}

TEST(Record, TheListOfFramesIsWholeAfterEveryFrame) {
  const ScratchFolder scratch;
  const RunFolder folder{scratch.path()};
  FrameWriter writer(folder, one_tet_and_a_spring());
  for (int i = 0; i < 12; ++i) {
    const std::string text = read_file(folder.frames_pvd());
    EXPECT_TRUE(text.starts_with("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\""));
    EXPECT_TRUE(text.ends_with("  </Collection>\n</VTKFile>\n"));
    EXPECT_EQ(text.find("</VTKFile>"), text.rfind("</VTKFile>"));
    const std::vector<FrameEntry> frames = read_frame_list(folder);
    ASSERT_EQ(frames.size(), static_cast<std::size_t>(i));
    if (i > 0) {
      EXPECT_EQ(frames.back().time, 0.1 * (i - 1));
      EXPECT_TRUE(fs::exists(frames.back().file));
    }
    write_frames(writer, i, i + 1);
  }
}

TEST(Record, AResumedSeriesOfFramesHasTheBytesOfAnUninterruptedOne) {
  const ScratchFolder scratch;
  const RunFolder whole = prepare_run_folder(scratch.path() / "whole", ExistingFolder::refuse);
  const RunFolder resumed = prepare_run_folder(scratch.path() / "resumed", ExistingFolder::refuse);
  {
    FrameWriter writer(whole, one_tet_and_a_spring());
    write_frames(writer, 0, 9);
    FrameWriter first(resumed, one_tet_and_a_spring());
    write_frames(first, 0, 7);
  }
  write_file_atomically(resumed.frames() / "frame_000007.vtu.part12", "draft of a killed run");
  {
    FrameWriter second(resumed, one_tet_and_a_spring(), 4);
    EXPECT_FALSE(fs::exists(resumed.frame(4)));
    EXPECT_TRUE(fs::exists(resumed.frame(3)));
    EXPECT_EQ(read_frame_list(resumed).size(), 4u);
    EXPECT_FALSE(fs::exists(resumed.frames() / "frame_000007.vtu.part12"));
    write_frames(second, 4, 9);
  }
  EXPECT_EQ(read_file(whole.frames_pvd()), read_file(resumed.frames_pvd()));
  for (long i = 0; i < 9; ++i) EXPECT_EQ(read_file(whole.frame(i)), read_file(resumed.frame(i)));
}

TEST(Record, ResumingWithMoreFramesThanAreListedIsAnError) {
  const ScratchFolder scratch;
  const RunFolder folder{scratch.path()};
  {
    FrameWriter writer(folder, one_tet_and_a_spring());
    write_frames(writer, 0, 2);
  }
  EXPECT_THROW(FrameWriter(folder, one_tet_and_a_spring(), 3), InputError);
  EXPECT_EQ(read_frame_list(folder).size(), 2u);
}

}  // namespace
}  // namespace phiflex
