// Chunks of a motion (pages/motion_chunk.h, whose equations are cited) back to numbers, as docs/motion_format.md
// describes them to a reader. The page has its own decoder (web/src); the program only writes chunks.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phiflex/base/errors.h"
#include "phiflex/mesh/bounds.h"
#include "phiflex/mesh/zlib_bytes.h"

namespace phiflex {

struct DecodedChunk {
  Bounds bounds{};
  double speed_max = 0, energy_max = 0;
  std::vector<std::vector<Point3>> positions;            // [frame][vertex], m
  std::vector<std::vector<double>> speeds, energies;     // m/s, J/m^3
  std::vector<std::vector<std::vector<double>>> fields;  // [number][frame][vertex]
};

namespace motion_decoder {

struct Head {
  std::uint32_t magic = 0x314d4650, frames = 0, vertices = 0, fields = 0;
  Point3 low{}, high{};
  double speed_max = 0, energy_max = 0;
};
static_assert(sizeof(Head) == 80);

struct FieldHead {  // of (5)
  double rest = 0, below = 0, above = 0, zero = 0;
};
static_assert(sizeof(FieldHead) == 32);

constexpr double most = 65535;
// Of positions (two bytes each), speed and energy.
constexpr std::size_t bytes_per_vertex = 3 * 2 + 2;

// (4) back
inline std::uint16_t difference_of(std::uint16_t code) {
  return static_cast<std::uint16_t>(code >> 1 ^ (0u - (code & 1u)));
}

// What (1), (2), (3) subtract: of number i of component k, where the numbers stand component after component.
inline std::uint16_t expected(std::size_t frame, std::size_t i, std::size_t vertices,
                              const std::vector<std::uint16_t>& now, const std::vector<std::uint16_t>& before,
                              const std::vector<std::uint16_t>& earlier) {
  if (frame == 0) return i % vertices == 0 ? std::uint16_t{0} : now[i - 1];
  if (frame == 1) return before[i];
  return static_cast<std::uint16_t>(2u * before[i] - earlier[i]);
}

// The differences of bytes back.
template <class Value>
std::vector<std::vector<double>> take_bytes(std::string_view bytes, const Head& head, const Value& value) {
  std::vector<std::vector<double>> frames(head.frames, std::vector<double>(head.vertices));
  std::vector<std::uint8_t> codes(head.vertices);
  for (std::size_t f = 0; f < head.frames; ++f)
    for (std::size_t i = 0; i < head.vertices; ++i) {
      const std::uint8_t from = f > 0 ? codes[i] : i > 0 ? codes[i - 1] : std::uint8_t{0};
      codes[i] = static_cast<std::uint8_t>(from + static_cast<std::uint8_t>(bytes[f * head.vertices + i]));
      frames[f][i] = value(codes[i]);
    }
  return frames;
}

// (5) back
inline double value_of(double code, const FieldHead& head) {
  if (code == head.zero) return head.rest;
  const double part =
      code > head.zero ? (code - head.zero) / (255 - head.zero) : (head.zero - code) / head.zero;
  return code > head.zero ? head.rest + head.above * part * part : head.rest - head.below * part * part;
}

}  // namespace motion_decoder

// InputError when the bytes are no chunk.
inline DecodedChunk decode_motion_chunk(std::string_view packed) {
  using namespace motion_decoder;
  constexpr std::size_t limit = std::size_t{1} << 31, most_frames = 65536;
  const auto refuse = [](const std::string& why) -> void { throw InputError("motion chunk", "", why); };
  const std::optional<std::string> bytes = decompress_zlib(packed, limit);
  if (!bytes) refuse("damaged or not in zlib's format");
  Head head;
  if (bytes->size() < sizeof head) refuse("its head is cut off");
  std::memcpy(&head, bytes->data(), sizeof head);
  if (head.magic != Head().magic) refuse("another format");
  const std::size_t vertices = head.vertices, cells = std::size_t{head.frames} * vertices;
  constexpr std::uint32_t most_fields = 1000;
  if (head.frames > most_frames || cells > limit || head.fields > most_fields ||
      bytes->size() !=
          sizeof head + cells * (bytes_per_vertex + head.fields) + head.fields * sizeof(FieldHead))
    refuse(fmt::format("{} bytes for {} frames of {} vertices with {} fields", bytes->size(), head.frames,
                       vertices, head.fields));

  DecodedChunk chunk{{head.low, head.high}, head.speed_max, head.energy_max, {}, {}, {}, {}};
  std::string_view rest = std::string_view(*bytes).substr(sizeof head);
  const std::size_t numbers = 3 * vertices;
  std::vector<std::uint16_t> now(numbers), before(numbers), earlier(numbers);
  for (std::size_t f = 0; f < head.frames; ++f) {
    std::vector<Point3>& positions = chunk.positions.emplace_back(vertices);
    for (std::size_t i = 0; i < numbers; ++i) {
      const unsigned low = static_cast<std::uint8_t>(rest[i]),
                     high = static_cast<std::uint8_t>(rest[numbers + i]);
      const std::uint16_t difference = difference_of(static_cast<std::uint16_t>(high << 8 | low));
      now[i] = static_cast<std::uint16_t>(difference + expected(f, i, vertices, now, before, earlier));
      const std::size_t k = i / vertices;
      positions[i % vertices][k] = head.low[k] + now[i] * ((head.high[k] - head.low[k]) / most);
    }
    std::swap(before, earlier);
    std::swap(now, before);
    rest.remove_prefix(2 * numbers);
  }
  const auto square = [](double largest) {
    return [largest](double code) { return largest * (code / 255) * (code / 255); };
  };
  chunk.speeds = take_bytes(rest.substr(0, cells), head, square(head.speed_max));
  chunk.energies = take_bytes(rest.substr(cells), head, square(head.energy_max));
  rest.remove_prefix(2 * cells);
  for (std::uint32_t m = 0; m < head.fields; ++m) {
    FieldHead field;
    std::memcpy(&field, rest.data(), sizeof field);
    rest.remove_prefix(sizeof field);
    chunk.fields.push_back(
        take_bytes(rest.substr(0, cells), head, [&](double code) { return value_of(code, field); }));
    rest.remove_prefix(cells);
  }
  return chunk;
}

}  // namespace phiflex
