#include "phiflex/pages/motion_chunk.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "phiflex/base/errors.h"
#include "tests/pages/motion_decoder.h"

namespace phiflex {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const Bounds everything{{-1e6, -1e6, -1e6}, {1e6, 1e6, 1e6}};

// A cloud of points that swings, with a random part that no expectation foresees.
VisibleFrame swinging(std::size_t vertices, int frame, double roughness) {
  std::mt19937 random(static_cast<unsigned>(frame) + 1);
  std::uniform_real_distribution<double> noise(-roughness, roughness);
  VisibleFrame made;
  made.time = 0.01 * frame;
  for (std::size_t v = 0; v < vertices; ++v) {
    const double s = static_cast<double>(v);
    made.positions.push_back({std::cos(s) + 0.3 * std::sin(0.1 * frame + s) + noise(random),
                              10 * std::sin(s) + noise(random), 5 - 0.01 * frame * frame + noise(random)});
    made.velocities.push_back({std::cos(0.1 * frame + s), 0, -0.02 * frame});
    made.strain_energy.push_back(1000 * std::abs(noise(random)) + s);
  }
  return made;
}

std::vector<VisibleFrame> swing(std::size_t vertices, int frames, double roughness = 0) {
  std::vector<VisibleFrame> all;
  for (int f = 0; f < frames; ++f) all.push_back(swinging(vertices, f, roughness));
  return all;
}

std::string encoded(const std::vector<VisibleFrame>& frames, double finest = 0,
                    const Bounds& clip = everything) {
  MotionChunk chunk(frames.empty() ? 0 : frames[0].positions.size(), clip);
  for (const VisibleFrame& frame : frames) chunk.add(frame);
  return chunk.encode(finest, ZlibEffort::usual);
}

// Positions come back within half a step of p, with a millionth of it for the arithmetic; speeds and energies
// within half a step of their square roots: |v - s^2| <= v_max (2 sqrt(v/v_max) + d) d with d = 0.5/255.
void expect_round_trip(const std::vector<VisibleFrame>& frames, double finest) {
  const DecodedChunk decoded = decode_motion_chunk(encoded(frames, finest));
  ASSERT_EQ(decoded.positions.size(), frames.size());
  const auto near_root = [](double value, double decoded_value, double largest) {
    const double d = 0.5001 / 255;
    const double bound = largest * (2 * std::sqrt(value / std::max(largest, 1e-300)) + d) * d;
    EXPECT_NEAR(decoded_value, value, bound + 1e-6 * largest);
  };
  Point3 quantum{};
  for (std::size_t k = 0; k < 3; ++k) quantum[k] = decoded.bounds.length(static_cast<int>(k)) / 65535;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    ASSERT_EQ(decoded.positions[f].size(), frames[f].positions.size());
    for (std::size_t v = 0; v < frames[f].positions.size(); ++v) {
      for (std::size_t k = 0; k < 3; ++k)
        ASSERT_NEAR(decoded.positions[f][v][k], frames[f].positions[v][k], 0.500001 * quantum[k] + 1e-15)
            << "frame " << f << ", vertex " << v;
      const Point3& velocity = frames[f].velocities[v];
      near_root(std::hypot(velocity[0], velocity[1], velocity[2]), decoded.speeds[f][v], decoded.speed_max);
      near_root(frames[f].strain_energy[v], decoded.energies[f][v], decoded.energy_max);
    }
  }
}

TEST(MotionChunk, ComesBackWithinHalfAQuantum) {
  expect_round_trip(swing(50, 16), 0);
  expect_round_trip(swing(50, 16, 0.01), 0);
}

TEST(MotionChunk, ComesBackWhenEveryExpectationIsWrong) {
  expect_round_trip(swing(40, 12, 1e4), 0);  // differences go once around 65536
}

TEST(MotionChunk, OneFrameOrOneVertexIsEnough) {
  expect_round_trip(swing(7, 1), 0);
  expect_round_trip(swing(1, 9), 0);
  expect_round_trip(swing(1, 1), 0);
}

TEST(MotionChunk, NothingIsAChunkToo) {
  EXPECT_TRUE(decode_motion_chunk(encoded({})).positions.empty());
  EXPECT_EQ(decode_motion_chunk(encoded(swing(0, 3))).positions.size(), 3u);
}

TEST(MotionChunk, KeepsCoordinatesNoFinerThanAsked) {
  const std::vector<VisibleFrame> frames = swing(200, 16, 1e-4);
  expect_round_trip(frames, 0.01);
  const DecodedChunk coarse = decode_motion_chunk(encoded(frames, 0.01));
  EXPECT_NEAR(coarse.bounds.length(0), 65535 * 0.01, 1e-9);
  EXPECT_LT(encoded(frames, 0.01).size(), 0.6 * static_cast<double>(encoded(frames).size()));
  // Asked for more than 16 bits hold, it gives 16 bits.
  EXPECT_EQ(encoded(frames, 1e-12), encoded(frames));
}

TEST(MotionChunk, AMotionThatDivergesIsDrawnAtTheBorderOfItsClip) {
  std::vector<VisibleFrame> frames = swing(4, 3);
  frames[2].positions[0] = {1e300, -infinity, std::nan("")};
  frames[2].velocities[0] = {infinity, 0, 0};
  frames[2].velocities[1] = {std::nan(""), 0, 0};
  frames[2].strain_energy[1] = -1e300;
  const Bounds clip{{-100, -100, -100}, {100, 100, 100}};
  const DecodedChunk decoded = decode_motion_chunk(encoded(frames, 0, clip));
  const double quantum = 200.0 / 65535;
  EXPECT_NEAR(decoded.positions[2][0][0], 100, quantum);
  EXPECT_NEAR(decoded.positions[2][0][1], -100, quantum);
  EXPECT_NEAR(decoded.positions[2][0][2], -100, quantum);
  EXPECT_NEAR(decoded.positions[1][0][0], frames[1].positions[0][0], quantum);
  EXPECT_TRUE(std::isfinite(decoded.speed_max));
  EXPECT_EQ(decoded.speeds[2][1], 0);
  EXPECT_EQ(decoded.energies[2][1], 0);
}

TEST(MotionChunk, HasTheBytesOfItsDocument) {
  // Two frames of two vertices that rest but for the second vertex's z, worked out by hand.
  VisibleFrame first{0, {{0, 0, 0}, {65535, 0, 2}}, {{0, 0, 0}, {0, 4, 0}}, {1, 0}, {}};
  VisibleFrame second = first;
  second.positions[1][2] = 1;
  const std::string bytes = *decompress_zlib(encoded({first, second}, 1), 1000);
  ASSERT_EQ(bytes.size(), 80u + 2 * 2 * 8);
  EXPECT_EQ(bytes.substr(0, 4), "PFM1");
  const auto hex = [&](std::size_t from, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i)
      text += "0123456789abcdef"[bytes[from + i] >> 4 & 15], text += "0123456789abcdef"[bytes[from + i] & 15];
    return text;
  };
  // x: 0, 65535 = -1 -> code 1; y: 0, 0; z: 0, 2 -> code 4. Low bytes, then high bytes.
  EXPECT_EQ(hex(80, 12), "000100000004000000000000");
  EXPECT_EQ(hex(92, 12), "000000000001000000000000");  // z of vertex 1: -1 -> code 1
  EXPECT_EQ(hex(104, 4), "00ff0000");                  // speeds 0, 255; no change
  EXPECT_EQ(hex(108, 4), "ff010000");                  // energies 255, 0: 0 - 255 = 1 modulo 256
}

// With d = 0.5/(codes of the side), roots of the parts differ by at most d.
TEST(MotionChunk, NumbersOfFieldsComeBackAndValuesAtRestDoSoExactly) {
  const std::vector<FieldNumber> numbers = {{"a", "both", 0, "Pa", 0},
                                            {"b", "both", 1, "Pa", 0},
                                            {"c", "one", 0, "", 1},
                                            {"d", "missing", 0, "", 1}};
  std::vector<VisibleFrame> frames = swing(30, 5);
  MotionChunk chunk(30, everything, numbers);
  for (std::size_t f = 0; f < frames.size(); ++f) {
    FrameField both{"both", 2, {}}, one{"one", 1, {}};
    for (int v = 0; v < 30; ++v) {
      const double wave = std::sin(v + 0.3 * static_cast<double>(f));
      both.values.push_back(v % 5 == 0 ? 0 : 1e6 * wave);
      both.values.push_back(-1e3 * wave * wave);
      one.values.push_back(v % 5 == 0 ? 1 : 1 + 0.5 * wave * wave);
    }
    frames[f].fields = {both, one};
    chunk.add(frames[f]);
  }
  const DecodedChunk decoded = decode_motion_chunk(chunk.encode(0, ZlibEffort::usual));
  ASSERT_EQ(decoded.fields.size(), 4u);
  for (std::size_t m = 0; m < 4; ++m) {
    double above = 0, below = 0;
    for (const VisibleFrame& frame : frames)
      for (const double value : numbers_of(numbers[m], frame.fields, 30)) {
        above = std::max(above, value - numbers[m].at_rest);
        below = std::max(below, numbers[m].at_rest - value);
      }
    const double share = below > 0 ? std::sqrt(below) / (std::sqrt(below) + std::sqrt(above)) : 0;
    for (std::size_t f = 0; f < frames.size(); ++f) {
      const std::vector<double> truth = numbers_of(numbers[m], frames[f].fields, 30);
      for (std::size_t v = 0; v < 30; ++v) {
        const double apart = truth[v] - numbers[m].at_rest, most = apart > 0 ? above : below;
        const double d = 0.5001 / (255 * (apart > 0 ? 1 - share : share) - 1);
        if (std::abs(apart) < 1e-12) {
          EXPECT_EQ(decoded.fields[m][f][v], numbers[m].at_rest);
        } else {
          EXPECT_NEAR(decoded.fields[m][f][v], truth[v],
                      most * (2 * std::sqrt(std::abs(apart) / most) + d) * d + 1e-6 * most);
        }
      }
    }
  }
}

TEST(MotionChunk, FieldsThatAreNoNumbersAreAtRestAndInfiniteOnesAreFinite) {
  std::vector<VisibleFrame> frames = swing(3, 1);
  frames[0].fields = {{"J", 1, {std::nan(""), -infinity, 2}}};
  MotionChunk chunk(3, everything, {{"J", "J", 0, "", 1}});
  chunk.add(frames[0]);
  const DecodedChunk decoded = decode_motion_chunk(chunk.encode(0, ZlibEffort::usual));
  EXPECT_EQ(decoded.fields[0][0][0], 1);
  EXPECT_LT(decoded.fields[0][0][1], -1e30);
  EXPECT_TRUE(std::isfinite(decoded.fields[0][0][1]));
}

TEST(MotionChunk, DamagedBytesAreRefused) {
  const std::string good = *decompress_zlib(encoded(swing(5, 4)), 100'000);
  const auto expect_refused = [](const std::string& bytes) {
    EXPECT_THROW(decode_motion_chunk(compress_zlib(bytes)), InputError);
  };
  EXPECT_THROW(decode_motion_chunk("nonsense"), InputError);
  expect_refused("");
  expect_refused(good.substr(0, 79));
  expect_refused(good.substr(0, good.size() - 1));
  expect_refused(good + "x");
  for (std::size_t at : {0u, 4u, 7u, 8u, 11u, 12u}) {
    std::string bytes = good;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x41);
    expect_refused(bytes);
  }
  MotionChunk chunk(3, everything);
  EXPECT_THROW(chunk.add(swinging(4, 0, 0)), std::invalid_argument);
}

}  // namespace
}  // namespace phiflex
