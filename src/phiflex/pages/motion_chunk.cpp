#include "phiflex/pages/motion_chunk.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>

namespace phiflex {
namespace {

static_assert(std::endian::native == std::endian::little);

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

// (4)
std::uint16_t code_of(std::uint16_t difference) {
  const auto r = static_cast<std::int16_t>(difference);
  return static_cast<std::uint16_t>(static_cast<unsigned>(r) << 1 ^ static_cast<unsigned>(r >> 15));
}
// What (1), (2), (3) subtract: of number i of component k, where the numbers stand component after component.
std::uint16_t expected(std::size_t frame, std::size_t i, std::size_t vertices,
                       const std::vector<std::uint16_t>& now, const std::vector<std::uint16_t>& before,
                       const std::vector<std::uint16_t>& earlier) {
  if (frame == 0) return i % vertices == 0 ? std::uint16_t{0} : now[i - 1];
  if (frame == 1) return before[i];
  return static_cast<std::uint16_t>(2u * before[i] - earlier[i]);
}

// The root of the part that v is of the largest, in [0, 1].
double root_of_part(double v, double largest) {
  return largest > 0 ? std::sqrt(std::clamp(v / largest, 0.0, 1.0)) : 0;
}

// The bytes that `code` makes of the numbers, as differences.
template <class Code>
void append_bytes(const std::vector<std::vector<float>>& frames, const Code& code, std::string& out) {
  std::vector<std::uint8_t> now, before;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    now.resize(frames[f].size());
    for (std::size_t i = 0; i < now.size(); ++i) {
      now[i] = static_cast<std::uint8_t>(std::lround(code(frames[f][i])));
      const std::uint8_t from = f > 0 ? before[i] : i > 0 ? now[i - 1] : std::uint8_t{0};
      out.push_back(static_cast<char>(now[i] - from));
    }
    std::swap(now, before);
  }
}

// Finite and not negative: what is not becomes the largest of its kind, or none.
float bounded(double value) {
  if (std::isnan(value)) return 0;
  return static_cast<float>(std::clamp(value, 0.0, static_cast<double>(std::numeric_limits<float>::max())));
}

FieldHead field_head(const std::vector<std::vector<float>>& frames, double rest) {
  FieldHead head{rest, 0, 0, 0};
  for (const std::vector<float>& frame : frames)
    for (const float value : frame) {
      head.above = std::max(head.above, value - rest);
      head.below = std::max(head.below, rest - value);
    }
  if (head.below > 0) {
    const double root = std::sqrt(head.below);
    head.zero = std::clamp(std::round(255 * root / (root + std::sqrt(head.above))), 1.0,
                           head.above > 0 ? 254.0 : 255.0);
  }
  return head;
}
// (5)
double code_of(double value, const FieldHead& head) {
  return value >= head.rest ? head.zero + (255 - head.zero) * root_of_part(value - head.rest, head.above)
                            : head.zero - head.zero * root_of_part(head.rest - value, head.below);
}

double largest_of(const std::vector<std::vector<float>>& frames) {
  float largest = 0;
  for (const std::vector<float>& frame : frames)
    for (const float value : frame) largest = std::max(largest, value);
  return largest;
}

}  // namespace

void MotionChunk::add(const VisibleFrame& frame) {
  if (frame.positions.size() != vertices_ || frame.velocities.size() != vertices_ ||
      frame.strain_energy.size() != vertices_)
    throw std::invalid_argument("MotionChunk::add: one position, velocity and energy per vertex");
  std::vector<Point3>& positions = positions_.emplace_back(frame.positions);
  for (Point3& x : positions)
    for (std::size_t k = 0; k < 3; ++k)
      x[k] = std::isnan(x[k]) ? clip_.low[k] : std::clamp(x[k], clip_.low[k], clip_.high[k]);
  std::vector<float>&speeds = speeds_.emplace_back(), &energies = energies_.emplace_back();
  for (const Point3& v : frame.velocities) speeds.push_back(bounded(std::hypot(v[0], v[1], v[2])));
  for (const double energy : frame.strain_energy) energies.push_back(bounded(energy));
  for (std::size_t m = 0; m < numbers_.size(); ++m) {
    std::vector<float>& values = fields_[m].emplace_back();
    constexpr double most_float = std::numeric_limits<float>::max();
    for (const double value : numbers_of(numbers_[m], frame.fields, vertices_))
      values.push_back(static_cast<float>(std::clamp(value, -most_float, most_float)));
  }
}

void MotionChunk::clear() {
  positions_.clear();
  speeds_.clear();
  energies_.clear();
  for (auto& field : fields_) field.clear();
}

std::string MotionChunk::encode(double finest, ZlibEffort effort) const {
  const std::size_t frames = positions_.size(), numbers = 3 * vertices_;
  Head head;
  head.frames = static_cast<std::uint32_t>(frames);
  head.vertices = static_cast<std::uint32_t>(vertices_);
  head.fields = static_cast<std::uint32_t>(numbers_.size());
  Point3 quantum{};
  if (frames > 0 && vertices_ > 0) {
    Bounds bounds = bounds_of(positions_[0]);
    for (const std::vector<Point3>& positions : positions_) bounds = united(bounds, bounds_of(positions));
    for (std::size_t k = 0; k < 3; ++k) {
      quantum[k] = std::max(finest, (bounds.high[k] - bounds.low[k]) / most);
      head.low[k] = bounds.low[k];
      head.high[k] = bounds.low[k] + quantum[k] * most;
    }
  }
  head.speed_max = largest_of(speeds_);
  head.energy_max = largest_of(energies_);

  std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
  bytes.reserve(sizeof head + frames * vertices_ * (bytes_per_vertex + numbers_.size()) +
                numbers_.size() * sizeof(FieldHead));
  std::vector<std::uint16_t> now(numbers), before(numbers), earlier(numbers);
  for (std::size_t f = 0; f < frames; ++f) {
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t v = 0; v < vertices_; ++v) {
        const double p = quantum[k] > 0 ? (positions_[f][v][k] - head.low[k]) / quantum[k] : 0;
        now[k * vertices_ + v] = static_cast<std::uint16_t>(std::lround(std::clamp(p, 0.0, most)));
      }
    const std::size_t begin = bytes.size();
    bytes.resize(begin + 2 * numbers);
    for (std::size_t i = 0; i < numbers; ++i) {
      const std::uint16_t code =
          code_of(static_cast<std::uint16_t>(now[i] - expected(f, i, vertices_, now, before, earlier)));
      bytes[begin + i] = static_cast<char>(code & 0xff);
      bytes[begin + numbers + i] = static_cast<char>(code >> 8);
    }
    std::swap(before, earlier);
    std::swap(now, before);
  }
  const auto root_code = [](double largest) {
    return [largest](double value) { return 255 * root_of_part(value, largest); };
  };
  append_bytes(speeds_, root_code(head.speed_max), bytes);
  append_bytes(energies_, root_code(head.energy_max), bytes);
  for (std::size_t m = 0; m < numbers_.size(); ++m) {
    const FieldHead field = field_head(fields_[m], numbers_[m].at_rest);
    bytes.append(reinterpret_cast<const char*>(&field), sizeof field);
    append_bytes(
        fields_[m], [&](double value) { return code_of(value, field); }, bytes);
  }
  return compress_zlib(bytes, effort);
}

}  // namespace phiflex
