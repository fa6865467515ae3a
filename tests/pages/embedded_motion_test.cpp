#include "phiflex/pages/embedded_motion.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "phiflex/mesh/generators.h"
#include "phiflex/mesh/tet_faces.h"
#include "phiflex/pages/viewer_page.h"
#include "tests/effort.h"
#include "tests/pages/motion_decoder.h"

namespace phiflex {
namespace {

using std::numbers::pi;

// The surface of a box of cells, drawn vertices numbered as a MotionReader does.
VisibleShape box_surface(const Point3& size, const std::array<int, 3>& cells, std::size_t& tets) {
  const TetMesh mesh = generate_box({.size = size, .cells = cells});
  tets = mesh.tets.size();
  VisibleShape shape;
  shape.triangles = find_tet_faces(mesh).boundary;
  std::vector<int> number(mesh.vertices.size(), -1);
  for (std::array<int, 3>& triangle : shape.triangles)
    for (int& corner : triangle) {
      int& mine = number[static_cast<std::size_t>(corner)];
      if (mine < 0) {
        mine = static_cast<int>(shape.vertices.size());
        shape.vertices.push_back(corner);
        shape.rest.push_back(mesh.vertices[static_cast<std::size_t>(corner)]);
      }
      corner = mine;
    }
  shape.triangle_region.assign(shape.triangles.size(), 0);
  shape.triangle_body.assign(shape.triangles.size(), 0);
  return shape;
}

// A body that bends, twists and trembles in thirty waves of all lengths down to a twelfth of its side, each with
// its own period from a second down to five frames: rougher than most simulations are after their first moments.
class Trembling {
 public:
  explicit Trembling(const VisibleShape& shape) : shape_(shape) {
    unsigned state = 7;
    const auto random = [&] {
      state = state * 1664525u + 1013904223u;
      return (state >> 8) / 16777216.0;
    };
    for (int w = 1; w <= 30; ++w) {
      const Point3 k{random() * pi * w / 2.5, random() * pi * w / 2.5, random() * 3};
      const double start = 2 * pi * random();
      Wave& wave = waves_.emplace_back(
          Wave{2 * pi * (1 + 11.0 * (w - 1) / 29), 0.15 / (w * w), static_cast<std::size_t>(w % 3), {}, {}});
      for (const Point3& x : shape.rest) {
        const double phase = k[0] * x[0] + k[1] * x[1] + k[2] * x[2] + start;
        wave.sine.push_back(std::sin(phase));
        wave.cosine.push_back(std::cos(phase));
      }
    }
  }

  bool operator()(std::size_t frame, VisibleFrame& out) const {
    const std::size_t n = shape_.rest.size();
    out.time = static_cast<double>(frame) / 60;
    out.positions = shape_.rest;
    out.velocities.assign(n, {});
    out.strain_energy.assign(n, 0);
    for (const Wave& wave : waves_) {
      const double c = std::cos(wave.omega * out.time), s = std::sin(wave.omega * out.time);
      for (std::size_t v = 0; v < n; ++v) {
        const double sine = wave.sine[v] * c + wave.cosine[v] * s,
                     cosine = wave.cosine[v] * c - wave.sine[v] * s;
        out.positions[v][wave.axis] += wave.size * sine;
        out.velocities[v][wave.axis] += wave.omega * wave.size * cosine;
        out.strain_energy[v] += 1e3 * wave.size * wave.size * (1 + cosine) * std::abs(wave.sine[v]);
      }
    }
    return true;
  }

 private:
  struct Wave {
    double omega, size;
    std::size_t axis;
    std::vector<double> sine, cosine;  // of the phase at time 0, per vertex
  };
  const VisibleShape& shape_;
  std::vector<Wave> waves_;
};

std::size_t html_bytes(const EmbeddedMotion& motion) {
  std::size_t bytes = viewer_js.size() + viewer_css.size() + motion.header.dump().size();
  for (const std::string& chunk : motion.chunks) bytes += (chunk.size() + 2) / 3 * 4;
  return bytes;
}

MotionSource source_of(const VisibleShape& shape, std::size_t frames) {
  MotionSource source{&shape, {"body"}, {}, Trembling(shape), "see all elsewhere"};
  for (std::size_t f = 0; f < frames; ++f) source.times.push_back(static_cast<double>(f) / 60);
  return source;
}

// The promise of docs/run_folder.md, for a compact body and for the worst shape there is, a plate of which every
// vertex is drawn.
// Under a sanitizer 6 frames of it, which fit easily.
void expect_300_frames_fit(const Point3& size, const std::array<int, 3>& cells) {
  constexpr int frames = samples(300);
  std::size_t tets = 0;
  const VisibleShape shape = box_surface(size, cells, tets);
  ASSERT_GE(tets, 98'000u);
  const MotionSource source = source_of(shape, frames);
  const EmbeddedMotion motion = embed_motions({&source, 1}, 24'000'000 / 4 * 3)[0];
  const double megabytes = 1e-6 * static_cast<double>(html_bytes(motion));
  fmt::print("{} tetrahedra, {} vertices drawn: {} of {} frames in {:.1f} MB\n", tets, shape.vertices.size(),
             motion.header["times"].size(), frames, megabytes);
  EXPECT_LT(megabytes, 30);
  EXPECT_EQ(motion.header["times"].size(), std::size_t(frames)) << motion.header["left_out"];
}

TEST(EmbeddedMotion, ThreeHundredFramesOfABarOf100000TetrahedraStayUnder30Megabytes) {
  expect_300_frames_fit({4, 1, 1}, {64, 16, 16});
}

TEST(EmbeddedMotion, ThreeHundredFramesOfAPlateOf100000TetrahedraStayUnder30Megabytes) {
  expect_300_frames_fit({1, 1, 0.01}, {128, 128, 1});
}

TEST(EmbeddedMotion, AVeryLongMotionIsThinnedHoweverSmallItIs) {
  std::size_t tets = 0;
  const VisibleShape shape = box_surface({1, 1, 1}, {1, 1, 1}, tets);
  const MotionSource source = source_of(shape, 7001);
  const EmbeddedMotion motion = embed_motions({&source, 1}, 100'000'000)[0];
  EXPECT_EQ(motion.header["times"].size(), 2335u);  // every third, and the last
  EXPECT_EQ(motion.header["times"].back(), 7000.0 / 60);
  EXPECT_TRUE(
      motion.header["left_out"].get<std::string>().starts_with("Every third frame is shown (2335 of 7001)"));
}

TEST(EmbeddedMotion, MotionsOfOnePageKeepTheSameFrames) {
  std::size_t tets = 0;
  const VisibleShape shape = box_surface({1, 1, 1}, {4, 4, 4}, tets);
  // The second one ended early, the third has no frames.
  const std::vector<MotionSource> sources{source_of(shape, 200), source_of(shape, 61), source_of(shape, 0)};
  const std::vector<EmbeddedMotion> all = embed_motions(sources, 100'000'000);
  std::size_t bytes = 0;
  for (const EmbeddedMotion& motion : all)
    for (const std::string& chunk : motion.chunks) bytes += chunk.size();
  const std::vector<EmbeddedMotion> few = embed_motions(sources, bytes / 3);
  const std::vector<double> first = few[0].header["times"], second = few[1].header["times"];
  EXPECT_LT(first.size(), 80u);
  EXPECT_GT(second.size(), 5u);
  for (std::size_t i = 0; i + 1 < second.size(); ++i) EXPECT_EQ(first[i], second[i]);
  EXPECT_EQ(second.back(), 1);
  EXPECT_TRUE(few[2].header.is_null());
  EXPECT_EQ(few[2].remark, "");
  std::size_t fewer_bytes = 0, counted = 0;
  for (const EmbeddedMotion& motion : few)
    for (const std::string& chunk : motion.chunks) fewer_bytes += chunk.size();
  EXPECT_LE(fewer_bytes, bytes / 3);
  for (const auto& chunk : few[0].header["chunks"]) {
    EXPECT_EQ(chunk["first"], counted);
    counted += chunk["count"].get<std::size_t>();
  }
  EXPECT_EQ(counted, first.size());
}

// All of a scene's fields, as waves.
MotionSource source_with_fields(const VisibleShape& shape, std::size_t frames) {
  MotionSource source = source_of(shape, frames);
  std::vector<FrameField> described;
  for (const FieldDescription& field : field_descriptions())
    described.push_back({"vertex_" + field.name, static_cast<int>(field.components.size()), {}});
  source.numbers = field_numbers(described);
  source.read = [described, motion = Trembling(shape)](std::size_t frame, VisibleFrame& out) {
    motion(frame, out);
    out.fields = described;
    for (FrameField& field : out.fields)
      for (std::size_t v = 0; v < out.positions.size(); ++v)
        for (int c = 0; c < field.components; ++c)
          field.values.push_back(1 + (1 + c) * (out.positions[v][1] - 0.3) * (out.velocities[v][0] + c));
    return true;
  };
  return source;
}

TEST(EmbeddedMotion, CarriesEveryFieldWithItsRange) {
  std::size_t tets = 0;
  const VisibleShape shape = box_surface({1, 1, 1}, {4, 4, 4}, tets);
  const MotionSource source = source_with_fields(shape, 20);
  const EmbeddedMotion motion = embed_motions({&source, 1}, 100'000'000)[0];
  ASSERT_EQ(motion.header["fields"].size(), 24u);  // 6 + 1 + 3 + 6 + 3 + 1, contact force 3, contact work 1
  const nlohmann::ordered_json& first = motion.header["fields"][0];
  EXPECT_EQ(first["name"], "stress_xx");
  EXPECT_EQ(first["unit"], "Pa");
  EXPECT_LE(first["low"], first["at_rest"]);
  EXPECT_GT(first["high"], first["at_rest"]);
  // 99 % of the vertices do not go farther than this, and some do.
  EXPECT_GT(first["typical"], 0.0);
  EXPECT_LE(first["typical"].get<double>(),
            std::max(first["high"].get<double>(), -first["low"].get<double>()));
  EXPECT_EQ(motion.header["left_out"], "");
  EXPECT_EQ(decode_motion_chunk(motion.chunks[0]).fields.size(), 24u);
}

TEST(EmbeddedMotion, LeavesOutComponentsOfTensorsBeforeFrames) {
  std::size_t tets = 0;
  const VisibleShape shape = box_surface({1, 1, 1}, {6, 6, 6}, tets);
  const MotionSource source = source_with_fields(shape, 60);
  const auto bytes_of = [](const EmbeddedMotion& motion) {
    std::size_t bytes = 0;
    for (const std::string& chunk : motion.chunks) bytes += chunk.size();
    return bytes;
  };
  const std::size_t all = bytes_of(embed_motions({&source, 1}, 100'000'000)[0]);
  const EmbeddedMotion less = embed_motions({&source, 1}, all - 1)[0];
  EXPECT_EQ(less.header["times"].size(), 60u);
  EXPECT_EQ(less.header["fields"].size(), 12u);
  EXPECT_EQ(less.header["fields"][0]["name"], "von_mises");
  EXPECT_EQ(less.header["left_out"], "The components of stress and strain are left out; see all elsewhere");
  EXPECT_LT(bytes_of(less), 0.75 * static_cast<double>(all));
}

}  // namespace
}  // namespace phiflex
