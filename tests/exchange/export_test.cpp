// Each format is opened by a reader that is not its writer.
#include "phiflex/exchange/export_formats.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/mesh/mesh_io.h"
#include "phiflex/record/frame_file.h"
#include "tests/record/fake_run.h"

namespace phiflex {
namespace {

using Json = nlohmann::json;

// The bar of fake_run.h with its rope: 3 exported frames of a run of 11.
struct Exported {
  ScratchFolder scratch;
  MotionReader motion{make_fake_run(scratch.path() / "run", {.steps = 10})};
  std::vector<std::size_t> frames{0, 4, 10};
  std::vector<std::filesystem::path> files;

  explicit Exported(const char* format, ExportCells cells = ExportCells::visible) {
    files = export_format(format).write(
        {motion, frames, scratch.path() / (std::string("motion.") + format), cells});
  }
  VisibleFrame frame(std::size_t k) const {
    VisibleFrame out;
    motion.read(frames[k], out);
    return out;
  }
};

// Reads 32-bit words in one byte order.
class Words32 {
 public:
  Words32(std::string bytes, std::endian order) : bytes_(std::move(bytes)), order_(order) {}
  std::uint32_t count() {
    std::uint32_t word = 0;
    for (int i = 0; i < 4; ++i) {
      const auto byte = static_cast<unsigned char>(bytes_.at(at_++));
      word |= static_cast<std::uint32_t>(byte) << (order_ == std::endian::little ? 8 * i : 24 - 8 * i);
    }
    return word;
  }
  float real() { return std::bit_cast<float>(count()); }
  std::string text(std::size_t length) {
    at_ += length;
    return bytes_.substr(at_ - length, length);
  }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  std::string bytes_;
  std::endian order_;
  std::size_t at_ = 0;
};

void expect_positions(Words32& words, const Exported& run) {
  for (std::size_t k = 0; k < run.frames.size(); ++k)
    for (const Point3& x : run.frame(k).positions)
      for (const double coordinate : x) ASSERT_EQ(words.real(), static_cast<float>(coordinate));
  EXPECT_TRUE(words.at_end());
}

void expect_rest_shape(const std::filesystem::path& obj, const VisibleShape& shape) {
  const SurfaceMesh mesh = read_surface_mesh(obj);
  EXPECT_EQ(mesh.vertices, shape.rest);
  EXPECT_EQ(mesh.triangles, shape.triangles);
  EXPECT_EQ(mesh.edges, shape.lines);
}

TEST(Exchange, Pc2HoldsEveryPositionInTheOrderOfItsObj) {
  const Exported run("pc2");
  Words32 words(read_file(run.files.at(0)), std::endian::little);
  EXPECT_EQ(words.text(12), std::string("POINTCACHE2\0", 12));
  EXPECT_EQ(words.count(), 1u);
  EXPECT_EQ(words.count(), run.motion.shape().vertices.size());
  EXPECT_EQ(words.real(), 0);
  EXPECT_EQ(words.real(), 1);
  EXPECT_EQ(words.count(), 3u);
  expect_positions(words, run);
  expect_rest_shape(run.files.at(1), run.motion.shape());
}

TEST(Exchange, MddHoldsTimesAndEveryPositionInTheOrderOfItsObj) {
  const Exported run("mdd");
  Words32 words(read_file(run.files.at(0)), std::endian::big);
  EXPECT_EQ(words.count(), 3u);
  EXPECT_EQ(words.count(), run.motion.shape().vertices.size());
  for (const std::size_t frame : run.frames)
    EXPECT_EQ(words.real(), static_cast<float>(run.motion.time(frame)));
  expect_positions(words, run);
  expect_rest_shape(run.files.at(1), run.motion.shape());
}

TEST(Exchange, ObjFilesAreNumberedAsTheFramesAndReadBackExactly) {
  const Exported run("obj");
  ASSERT_EQ(run.files.size(), 3u);
  EXPECT_EQ(run.files[1].filename(), "motion_000004.obj");
  for (std::size_t k = 0; k < 3; ++k) {
    const SurfaceMesh mesh = read_surface_mesh(run.files[k]);
    EXPECT_EQ(mesh.vertices, run.frame(k).positions);
    EXPECT_EQ(mesh.triangles, run.motion.shape().triangles);
    EXPECT_EQ(mesh.edges, run.motion.shape().lines);
  }
}

// The fake run with names for its bodies, a sphere that swings along x and a floor.
MotionReader run_with_obstacle(const std::filesystem::path& root) {
  const RunFolder folder = make_fake_run(root, {.steps = 10});
  auto json = read_run_json(folder.run_json());
  json["scene"]["bodies"] = {{{"name", "bar"}}, {{"name", "rope"}}};
  json["scene"]["contacts"] = Json::parse(R"([ { "type": "floor", "height": -2 },
    { "type": "sphere", "center": [0, -1, 0], "radius": 0.1,
      "motion": { "keys": [], "sine": [ { "translate": [2, 0, 0], "frequency": 0.5 } ] } } ])");
  write_file_atomically(folder.run_json(), json.dump(1));
  return MotionReader(folder);
}

TEST(Exchange, EachBodyHasAPointCacheOfItsOwnAndObstaclesHaveOne) {
  const ScratchFolder scratch;
  const MotionReader motion = run_with_obstacle(scratch.path() / "run");
  const auto files = export_pc2({motion, {0, 10}, scratch.path() / "motion.pc2"});
  std::vector<std::string> names;
  for (const auto& file : files) names.push_back(file.filename().string());
  EXPECT_EQ(names, (std::vector<std::string>{"motion.pc2", "motion.obj", "motion_bar.pc2", "motion_bar.obj",
                                             "motion_rope.pc2", "motion_rope.obj", "motion_obstacles.pc2",
                                             "motion_obstacles.obj"}));
  const SurfaceMesh bar = read_surface_mesh(files[3]), rope = read_surface_mesh(files[5]),
                    sphere = read_surface_mesh(files[7]);
  EXPECT_EQ(bar.triangles, motion.shape().triangles);  // the first body keeps its numbers
  EXPECT_EQ(rope.vertices, (std::vector<Point3>{{0.4, 0.02, 0.02}, {0.44, 0.02, 0.02}, {0.48, 0.02, 0.02}}));
  EXPECT_EQ(rope.edges, (std::vector<std::array<int, 2>>{{0, 1}, {1, 2}}));

  constexpr std::size_t kHead = 32;  // bytes
  Words32 of_rope(read_file(files[4]).substr(kHead), std::endian::little);
  VisibleFrame frame;
  for (const std::size_t number : {0, 10}) {
    motion.read(number, frame);
    for (std::size_t v = frame.positions.size() - 3; v < frame.positions.size(); ++v)
      for (const double coordinate : frame.positions[v])
        EXPECT_EQ(of_rope.real(), static_cast<float>(coordinate));
  }
  EXPECT_TRUE(of_rope.at_end());
  Words32 of_sphere(read_file(files[6]).substr(kHead), std::endian::little);
  for (const std::size_t number : {0, 10})
    for (const Point3& x : sphere.vertices) {
      EXPECT_NEAR(of_sphere.real(), x[0] + 2 * std::sin(std::numbers::pi * motion.time(number)), 1e-6);
      EXPECT_NEAR(of_sphere.real(), x[1], 1e-6);
      EXPECT_NEAR(of_sphere.real(), x[2], 1e-6);
    }
  EXPECT_TRUE(of_sphere.at_end());
}

TEST(Exchange, ObjFilesHaveAnObjectForEachBodyAndObstaclesOfTheirOwn) {
  const ScratchFolder scratch;
  const MotionReader motion = run_with_obstacle(scratch.path() / "run");
  const auto files = export_obj({motion, {0, 10}, scratch.path() / "motion.obj"});
  ASSERT_EQ(files.size(), 4u);
  EXPECT_EQ(files[1].filename(), "motion_obstacles_000000.obj");
  EXPECT_EQ(files[3].filename(), "motion_obstacles_000010.obj");
  const std::string text = read_file(files[0]), obstacles = read_file(files[1]);
  EXPECT_LT(text.find("\no bar\nf "), text.find("\no rope\nl "));
  EXPECT_NE(text.find("\no rope\nl "), std::string::npos);
  EXPECT_EQ(obstacles.find("o obstacle0\nv "), 0u);
  EXPECT_EQ(read_surface_mesh(files[0]).triangles, motion.shape().triangles);
}

TEST(Exchange, PvdOfAllCellsIsTheRunItself) {
  const Exported run("pvd", ExportCells::all);
  const FrameFile copy = read_frame_file(run.files.at(2));
  const FrameFile original = read_frame_file(run.motion.folder().frame(4));
  EXPECT_EQ(copy.points, original.points);
  EXPECT_EQ(copy.velocity, original.velocity);
  EXPECT_EQ(copy.cells.connectivity, original.cells.connectivity);
  EXPECT_EQ(copy.region, original.region);
}

TEST(Exchange, MeshioReadsTheFilesOfAPvd) {
  if (std::system("/usr/bin/python3 -c 'import meshio' 2> /dev/null") != 0)
    GTEST_SKIP() << "no python3-meshio here";
  const Exported run("pvd");
  const std::string list = read_file(run.files.at(0));
  EXPECT_NE(list.find("timestep=\"0.08\" part=\"0\" file=\"motion/frame_000004.vtu\""), std::string::npos)
      << list;
  const auto script = run.scratch.write("read.py", R"py(
import sys, meshio
mesh = meshio.read(sys.argv[1])
cells = {block.type: len(block.data) for block in mesh.cells}
out = [len(mesh.points), cells['triangle'], cells['line'], *mesh.points[7], int(mesh.point_data['point'][7])]
assert set(mesh.point_data) == {'displacement', 'velocity', 'strain_energy_density', 'point'}
assert set(mesh.cell_data) == {'region', 'body'}
open(sys.argv[2], 'w').write(' '.join(repr(float(v)) for v in out))
)py");
  const auto out = run.scratch.path() / "read.txt";
  ASSERT_EQ(std::system(("/usr/bin/python3 " + script.string() + " " + run.files.at(2).string() + " " +
                         out.string() + " > /dev/null")
                            .c_str()),
            0);
  const VisibleShape& shape = run.motion.shape();
  std::istringstream in(read_file(out));
  std::vector<double> expected{static_cast<double>(shape.vertices.size()),
                               static_cast<double>(shape.triangles.size()),
                               static_cast<double>(shape.lines.size())};
  const Point3 x = run.frame(1).positions[7];
  expected.insert(expected.end(), x.begin(), x.end());
  expected.push_back(shape.vertices[7]);
  for (const double value : expected) {
    double found = 0;
    in >> found;
    EXPECT_EQ(found, value);
  }
}

// ---- glTF -------------------------------------------------------------------------------------------------

// The numbers of an accessor, after every bound that the specification sets has been checked.
std::vector<double> numbers(const Json& gltf, const std::string& buffer, std::size_t index) {
  const Json& accessor = gltf.at("accessors").at(index);
  const Json& view = gltf.at("bufferViews").at(accessor.at("bufferView").get<std::size_t>());
  const std::size_t offset = view.at("byteOffset"), length = view.at("byteLength"),
                    count = accessor.at("count");
  const std::size_t components = accessor.at("type") == "VEC3" ? 3 : 1;
  EXPECT_EQ(gltf.at("buffers").at(0).at("byteLength"), buffer.size());
  EXPECT_LE(offset + length, buffer.size());
  EXPECT_EQ(offset % 4, 0u);
  EXPECT_EQ(length, 4 * count * components);
  std::vector<double> values;
  for (std::size_t i = 0; i < count * components; ++i) {
    std::uint32_t word;
    std::memcpy(&word, buffer.data() + offset + 4 * i, 4);
    values.push_back(accessor.at("componentType") == 5126 ? std::bit_cast<float>(word)
                                                          : static_cast<double>(word));
  }
  if (accessor.contains("min"))
    for (std::size_t c = 0; c < components; ++c) {
      double low = values[c], high = values[c];
      for (std::size_t i = c; i < values.size(); i += components) {
        low = std::min(low, values[i]);
        high = std::max(high, values[i]);
      }
      EXPECT_EQ(accessor.at("min").at(c).get<float>(), static_cast<float>(low));
      EXPECT_EQ(accessor.at("max").at(c).get<float>(), static_cast<float>(high));
    }
  return values;
}

void expect_the_motion(const Json& gltf, const std::string& buffer, const Exported& run) {
  EXPECT_EQ(gltf.at("asset").at("version"), "2.0");
  ASSERT_TRUE(gltf.at("scenes").is_array());
  EXPECT_EQ(gltf.at("scenes").at(0).at("nodes").at(0), 0);
  EXPECT_EQ(gltf.at("nodes").at(0).at("mesh"), 0);
  const Json& primitives = gltf.at("meshes").at(0).at("primitives");
  ASSERT_EQ(primitives.size(), 2u) << "the bar's triangles and the rope's lines";
  EXPECT_EQ(primitives[0].at("mode"), 4);
  EXPECT_EQ(primitives[1].at("mode"), 1);
  const std::size_t vertices = run.motion.shape().vertices.size();
  for (const Json& primitive : primitives) {
    for (const double corner : numbers(gltf, buffer, primitive.at("indices"))) EXPECT_LT(corner, vertices);
    ASSERT_EQ(primitive.at("targets").size(), 2u);
    EXPECT_LT(primitive.at("material").get<std::size_t>(), gltf.at("materials").size());
  }
  EXPECT_EQ(numbers(gltf, buffer, primitives[0].at("indices")).size(),
            3 * run.motion.shape().triangles.size());

  const Json& sampler = gltf.at("animations").at(0).at("samplers").at(0);
  const std::vector<double> times = numbers(gltf, buffer, sampler.at("input")),
                            weights = numbers(gltf, buffer, sampler.at("output"));
  ASSERT_EQ(times.size(), 3u);
  ASSERT_EQ(weights.size(), 6u);
  EXPECT_EQ(gltf.at("animations").at(0).at("channels").at(0).at("target").at("path"), "weights");
  // Played as the specification says, the positions of every frame come out: base + sum of weighted targets.
  const std::vector<double> base = numbers(gltf, buffer, primitives[0].at("attributes").at("POSITION"));
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(times[k], static_cast<float>(run.motion.time(run.frames[k])));
    std::vector<double> shown = base;
    for (std::size_t j = 0; j < 2; ++j) {
      const std::vector<double> target =
          numbers(gltf, buffer, primitives[0].at("targets").at(j).at("POSITION"));
      for (std::size_t i = 0; i < shown.size(); ++i) shown[i] += weights[2 * k + j] * target[i];
    }
    const std::vector<Point3> expected = run.frame(k).positions;
    ASSERT_EQ(shown.size(), 3 * expected.size());
    // Two roundings to 24 bits of numbers below 1.
    for (std::size_t i = 0; i < shown.size(); ++i) EXPECT_NEAR(shown[i], expected[i / 3][i % 3], 0x1p-22);
  }
}

TEST(Exchange, GltfPlaysTheMotion) {
  const Exported run("gltf");
  const Json gltf = Json::parse(read_file(run.files.at(0)));
  EXPECT_EQ(gltf.at("buffers").at(0).at("uri"), "motion.bin");
  expect_the_motion(gltf, read_file(run.files.at(1)), run);
}

TEST(Exchange, GlbIsTheSameInOneFile) {
  const Exported run("glb");
  const std::string file = read_file(run.files.at(0));
  Words32 words(file, std::endian::little);
  EXPECT_EQ(words.text(4), "glTF");
  EXPECT_EQ(words.count(), 2u);
  EXPECT_EQ(words.count(), file.size());
  const std::uint32_t json_size = words.count();
  EXPECT_EQ(json_size % 4, 0u);
  EXPECT_EQ(words.text(4), "JSON");
  const Json gltf = Json::parse(words.text(json_size));
  const std::uint32_t buffer_size = words.count();
  EXPECT_EQ(words.text(4), std::string("BIN\0", 4));
  const std::string buffer = words.text(buffer_size);
  EXPECT_TRUE(words.at_end());
  expect_the_motion(gltf, buffer, run);
}

TEST(Exchange, AssimpReadsGlb) {
  if (std::system("assimp version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "no assimp here (Debian's assimp-utils)";
  const Exported run("glb");
  const auto out = run.scratch.path() / "info.txt";
  ASSERT_EQ(std::system(("assimp info " + run.files.at(0).string() + " > " + out.string() + " 2>&1").c_str()),
            0)
      << read_file(out);
  const std::string info = read_file(out);
  const auto number_after = [&](const std::string& words) {
    const std::size_t at = info.find(words);
    return at == std::string::npos ? -1 : std::atoi(info.c_str() + at + words.size());
  };
  EXPECT_EQ(number_after("Meshes:"), 2) << info;
  EXPECT_EQ(number_after("Animations:"), 1) << info;
  EXPECT_EQ(number_after("Faces:"),
            static_cast<int>(run.motion.shape().triangles.size() + run.motion.shape().lines.size()))
      << info;
}

TEST(Exchange, ThreeJsPlaysGlb) {
  const std::filesystem::path source(PHIFLEX_SOURCE_DIR), modules = source / "web" / "node_modules";
  if (!std::filesystem::exists(modules / "three") || std::system("node --version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "no node with three.js here (make build brings both)";
  const Exported run("glb");
  const auto out = run.scratch.path() / "shown.txt";
  for (std::size_t k = 0; k < 3; ++k) {
    const std::string command = fmt::format(
        "node {} {} {} {} {} > {} 2>&1", (source / "tests/exchange/play_gltf.mjs").string(), modules.string(),
        run.files.at(0).string(), run.motion.time(run.frames[k]), 7, out.string());
    ASSERT_EQ(std::system(command.c_str()), 0) << read_file(out);
    std::istringstream in(read_file(out));
    std::size_t count = 0;
    Point3 x{};
    in >> count >> x[0] >> x[1] >> x[2];
    EXPECT_EQ(count, run.motion.shape().vertices.size());
    // The time of a frame is rounded to 24 bits, between two frames 0.08 s apart that differ by less than 1 m: the
    // weights are off by 1e-7 or so.
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(x[i], run.frame(k).positions[7][i], 1e-5) << read_file(out);
  }
}

TEST(Exchange, OneFrameMakesAGltfWithoutAnimation) {
  const ScratchFolder scratch;
  const MotionReader motion(make_fake_run(scratch.path() / "run", {.steps = 2}));
  const auto files = export_gltf({motion, {1}, scratch.path() / "one.gltf"});
  const Json gltf = Json::parse(read_file(files.at(0)));
  EXPECT_FALSE(gltf.contains("animations"));
  EXPECT_FALSE(gltf.at("meshes").at(0).at("primitives").at(0).contains("targets"));
}

TEST(Exchange, UnknownFormatsAndPlacesAreRefused) {
  try {
    export_format("gtlf");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean \"gltf\"?"), std::string::npos) << error.what();
  }
  const ScratchFolder scratch;
  const MotionReader motion(make_fake_run(scratch.path() / "run", {.steps = 2}));
  for (const ExportFormat& format : export_formats())
    EXPECT_THROW(format.write({motion, {0}, scratch.write("a file", "") / (std::string("x.") + format.name)}),
                 FileError)
        << format.name;
}

}  // namespace
}  // namespace phiflex
