#include "phiflex/record/motion_reader.h"

#include <gtest/gtest.h>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/mesh/generators.h"
#include "tests/record/fake_run.h"

namespace phiflex {
namespace {

// Two bodies: a box of 2 x 1 x 1 cells whose right half is region 2, and a square cloth of four springs round
// its border with two triangles.
struct BoxAndCloth {
  TetMesh box = generate_box({.size = {2, 1, 1}, .cells = {2, 1, 1}});
  FrameGeometry geometry;
  std::size_t elements = 0;

  BoxAndCloth() {
    for (const std::array<int, 4>& tet : box.tets) {
      double x = 0;
      for (const int corner : tet) x += box.vertices[static_cast<std::size_t>(corner)][0] / 4;
      box.tags.push_back(x < 1 ? 1 : 2);
    }
    geometry.add_tets(box.vertices, box.tets, box.tags);
    geometry.add_springs(std::vector<Point3>{{0, 3, 0}, {1, 3, 0}, {1, 3, 1}, {0, 3, 1}},
                         std::vector<std::array<int, 2>>{{0, 1}, {1, 2}, {2, 3}, {3, 0}},
                         std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 2, 3}});
    elements = geometry.cells.size();
  }

  // Everything moves upwards by `height`; element e has the density e.
  void write(FrameWriter& writer, double time, double height) const {
    std::vector<double> displacement(3 * geometry.rest.size(), 0.0), density;
    for (std::size_t v = 0; v < geometry.rest.size(); ++v) displacement[3 * v + 1] = height;
    for (std::size_t e = 0; e < elements; ++e) density.push_back(static_cast<double>(e));
    writer.write(time, displacement, std::vector<double>(displacement.size(), 2.0), density);
  }
};

TEST(Record, TheVisibleShapeIsTheSurfaceOfSolidsAndClothsWithRegionAndBody) {
  const ScratchFolder scratch;
  const BoxAndCloth bodies;
  FrameWriter writer(RunFolder{scratch.path()}, bodies.geometry);
  bodies.write(writer, 0, 0.5);
  const MotionReader motion(RunFolder{scratch.path()});
  const VisibleShape& shape = motion.shape();
  // The box has 10 sides of cells, two triangles each; all of its 12 vertices are on the surface.
  EXPECT_EQ(shape.triangles.size(), 20u + 2u);
  EXPECT_EQ(shape.vertices.size(), 12u + 4u);
  EXPECT_TRUE(shape.lines.empty()) << "springs under a cloth's surface are not drawn";
  for (std::size_t t = 0; t < shape.triangles.size(); ++t) {
    double x = 0, y = 0;
    for (const int corner : shape.triangles[t]) {
      x += shape.rest[static_cast<std::size_t>(corner)][0] / 3;
      y += shape.rest[static_cast<std::size_t>(corner)][1] / 3;
    }
    EXPECT_EQ(shape.triangle_body[t], y > 2 ? 1 : 0);
    EXPECT_EQ(shape.triangle_region[t], y > 2 ? 0 : x < 1 ? 1 : 2);
  }
}

TEST(Record, AVisibleFrameHoldsPositionsVelocitiesAndMeanDensities) {
  const ScratchFolder scratch;
  const BoxAndCloth bodies;
  FrameWriter writer(RunFolder{scratch.path()}, bodies.geometry);
  bodies.write(writer, 0, 0);
  bodies.write(writer, 0.25, 0.5);
  const MotionReader motion(RunFolder{scratch.path()});
  VisibleFrame frame;
  motion.read(1, frame);
  EXPECT_EQ(frame.time, 0.25);
  for (std::size_t v = 0; v < motion.shape().vertices.size(); ++v) {
    const Point3& rest = motion.shape().rest[v];
    EXPECT_EQ(frame.positions[v], (Point3{rest[0], rest[1] + 0.5, rest[2]}));
    EXPECT_EQ(frame.velocities[v], (Point3{2, 2, 2}));
    // Each corner of the cloth has two of the springs, which are the last four elements; triangles do not count.
    if (rest[1] < 2) continue;
    const double first = static_cast<double>(bodies.elements) - 4;
    const double corner = rest[0] == 0 ? (rest[2] == 0 ? 1.5 : 2.5) : (rest[2] == 0 ? 0.5 : 1.5);
    EXPECT_DOUBLE_EQ(frame.strain_energy[v], first + corner);
  }
}

TEST(Record, AMotionReaderFollowsARunThatIsStillBeingWritten) {
  const ScratchFolder scratch;
  MotionReader motion(RunFolder{scratch.path()});
  EXPECT_EQ(motion.frames(), 0u);
  EXPECT_FALSE(motion.refresh());
  const BoxAndCloth bodies;
  FrameWriter writer(RunFolder{scratch.path()}, bodies.geometry);
  bodies.write(writer, 0, 0);
  EXPECT_TRUE(motion.refresh());
  EXPECT_EQ(motion.frames(), 1u);
  EXPECT_FALSE(motion.shape().vertices.empty());
  EXPECT_FALSE(motion.refresh());
  bodies.write(writer, 1, 1);
  EXPECT_TRUE(motion.refresh());
  EXPECT_EQ(motion.time(1), 1.0);
}

TEST(Record, DamagedFramesAreRefusedInWords) {
  const ScratchFolder scratch;
  const RunFolder folder{scratch.path()};
  const BoxAndCloth bodies;
  FrameWriter writer(folder, bodies.geometry);
  for (int i = 0; i < 3; ++i) bodies.write(writer, i, i);
  const std::string good = read_file(folder.frame(1));
  const MotionReader motion(folder);
  VisibleFrame frame;
  // Cut anywhere, or with a letter changed, a frame is refused or read; it never takes the program down.
  for (std::size_t cut = 0; cut + 12 < good.size(); cut += 97) {
    write_file_atomically(folder.frame(1), std::string_view(good).substr(0, cut));
    EXPECT_THROW(motion.read(1, frame), InputError) << cut;
  }
  for (std::size_t at = 0; at < good.size(); at += 31) {
    std::string bad = good;
    bad[at] = bad[at] == 'A' ? '<' : 'A';
    write_file_atomically(folder.frame(0), bad);
    try {
      const MotionReader other(folder);
      other.read(2, frame);
    } catch (const InputError&) {
    } catch (const FileError&) {
    }
  }
}

TEST(Record, FieldsOfTheFramesAreNumbersWithNamesUnitsAndValuesAtRest) {
  const ScratchFolder scratch;
  const MotionReader reader(make_fake_run(scratch.path() / "run", {.steps = 2, .fields = true}));
  std::vector<std::string> names;
  for (const FieldNumber& number : reader.numbers()) names.push_back(number.name);
  EXPECT_EQ(names, (std::vector<std::string>{"contact_force_x", "contact_force_y", "contact_force_z",
                                             "von_mises", "J", "stress_xx", "stress_yy", "stress_zz",
                                             "stress_xy", "stress_yz", "stress_xz"}));
  EXPECT_EQ(reader.numbers()[0].unit, "N");
  EXPECT_EQ(reader.numbers()[3].unit, "Pa");
  EXPECT_EQ(reader.numbers()[4].unit, "");
  EXPECT_EQ(reader.numbers()[4].at_rest, 1);

  VisibleFrame frame;
  reader.read(2, frame, FrameParts::motion_and_fields);
  const std::size_t vertices = reader.shape().rest.size();
  const std::vector<double> stress = numbers_of(reader.numbers()[3], frame.fields, vertices),
                            yz = numbers_of(reader.numbers()[9], frame.fields, vertices);
  for (std::size_t v = 0; v < vertices; ++v) {
    // Positions and displacements are 64 bits wide: the rest shape comes back to rounding.
    EXPECT_NEAR(stress[v], fake_von_mises(reader.shape().rest[v], frame.time), 1e-9);
    EXPECT_EQ(yz[v], 5 * stress[v]);
  }
  // A frame that was read without its fields is at rest, as far as one can tell.
  reader.read(2, frame);
  EXPECT_EQ(numbers_of(reader.numbers()[4], frame.fields, vertices), std::vector<double>(vertices, 1.0));
}

TEST(Record, AnArrayThatIsNotDescribedIsShownWithoutUnit) {
  const std::vector<FieldNumber> numbers =
      field_numbers({{"heat", 1, {1}}, {"flow", 2, {1, 2}}, {"vertex_J", 2, {1, 2}}});
  ASSERT_EQ(numbers.size(), 5u);
  EXPECT_EQ(numbers[0].name, "heat");
  EXPECT_EQ(numbers[2].name, "flow_2");
  EXPECT_EQ(numbers[2].component, 1);
  EXPECT_EQ(numbers[3].name, "J_1");  // other components than J has: another thing of that name
  EXPECT_EQ(numbers[3].at_rest, 0);
}

}  // namespace
}  // namespace phiflex
