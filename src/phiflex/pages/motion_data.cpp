#include "phiflex/pages/motion_data.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "phiflex/base/errors.h"
#include "phiflex/mesh/vtu_data.h"
#include "phiflex/mesh/zlib_bytes.h"

namespace phiflex {
namespace {

using Json = nlohmann::ordered_json;

// Sides of the rest shape: what goes farther than the first has flown away, what grows beyond the second has
// blown up and does not decide how the rest is seen.
constexpr double farthest = 1000, largest_growth = 10;

template <class T>
std::string packed(const std::vector<T>& values) {
  return encode_base64(compress_zlib(
      {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)}, ZlibEffort::usual));
}

std::vector<std::uint16_t> labels(const std::vector<int>& numbers) {
  return {numbers.begin(), numbers.end()};
}

double longest_side(const Bounds& bounds) {
  return std::max({bounds.length(0), bounds.length(1), bounds.length(2)});
}

bool finite(const Point3& x) {
  return std::isfinite(x[0]) && std::isfinite(x[1]) && std::isfinite(x[2]);
}

// Bigger values only, as long as they are numbers.
void raise(double value, double& largest) {
  if (std::isfinite(value)) largest = std::max(largest, value);
}

void widen(const std::vector<double>& values, double at_rest, FieldRange& range) {
  constexpr double part = 0.99;
  std::vector<double> apart;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
    apart.push_back(std::abs(value - at_rest));
  }
  if (apart.empty()) return;
  const auto at = static_cast<std::ptrdiff_t>(part * static_cast<double>(apart.size() - 1));
  std::nth_element(apart.begin(), apart.begin() + at, apart.end());
  range.typical = std::max(range.typical, apart[static_cast<std::size_t>(at)]);
}

// FIELD of docs/motion_format.md.
Json fields_data(const MotionExtent& extent) {
  Json fields = Json::array();
  for (std::size_t m = 0; m < extent.numbers().size(); ++m) {
    const FieldNumber& number = extent.numbers()[m];
    const FieldRange& range = extent.ranges()[m];
    fields.push_back({{"name", number.name},
                      {"unit", number.unit},
                      {"at_rest", number.at_rest},
                      {"low", range.low},
                      {"high", range.high},
                      {"typical", range.typical}});
  }
  return fields;
}

}  // namespace

bool read_shown_frame(const MotionReader& reader, std::size_t frame, VisibleFrame& out) {
  try {
    reader.read(frame, out,
                reader.numbers().empty() ? FrameParts::motion_only : FrameParts::motion_and_fields);
    return true;
  } catch (const InputError&) {
  } catch (const FileError&) {
  }
  return false;
}

MotionExtent::MotionExtent(const VisibleShape& shape, std::vector<FieldNumber> numbers)
    : rest_(shape.rest), numbers_(std::move(numbers)) {
  for (const FieldNumber& number : numbers_) ranges_.push_back({number.at_rest, number.at_rest, 0});
  if (rest_.empty()) return;
  seen_ = bounds_of(rest_);
  if (const double side = longest_side(seen_); side > 0) size_ = side;
  clip_ = seen_;
  for (std::size_t k = 0; k < 3; ++k) {
    clip_.low[k] -= farthest * size_;
    clip_.high[k] += farthest * size_;
  }
}

void MotionExtent::add(const VisibleFrame& frame) {
  if (frame.positions.empty()) return;
  Bounds box = bounds_of(frame.positions);
  const bool sound = std::all_of(frame.positions.begin(), frame.positions.end(), finite) &&
                     longest_side(box) <= largest_growth * size_;
  if (!sound) return;
  for (std::size_t k = 0; k < 3; ++k) {
    box.low[k] = std::clamp(box.low[k], clip_.low[k], clip_.high[k]);
    box.high[k] = std::clamp(box.high[k], clip_.low[k], clip_.high[k]);
  }
  seen_ = united(seen_, box);
  for (std::size_t v = 0; v < frame.positions.size(); ++v) {
    const Point3 &x = frame.positions[v], &rest = rest_.at(v), &u = frame.velocities[v];
    raise(std::hypot(x[0] - rest[0], x[1] - rest[1], x[2] - rest[2]), displacement_);
    raise(std::hypot(u[0], u[1], u[2]), speed_);
    raise(frame.strain_energy[v], strain_energy_);
  }
  for (std::size_t m = 0; m < numbers_.size(); ++m)
    widen(numbers_of(numbers_[m], frame.fields, frame.positions.size()), numbers_[m].at_rest, ranges_[m]);
}

Json motion_data(const VisibleShape& shape, const std::vector<std::string>& bodies,
                 const MotionExtent& extent, const std::vector<double>& times, std::size_t frames_in_run) {
  std::vector<float> rest;
  rest.reserve(3 * shape.rest.size());
  for (const Point3& x : shape.rest)
    for (const double coordinate : x) rest.push_back(static_cast<float>(coordinate));
  return {{"frames_in_run", frames_in_run},
          {"times", times},
          {"low", extent.bounds().low},
          {"high", extent.bounds().high},
          {"vertices", shape.vertices.size()},
          {"triangles", packed(shape.triangles)},
          {"triangle_region", packed(labels(shape.triangle_region))},
          {"triangle_body", packed(labels(shape.triangle_body))},
          {"lines", packed(shape.lines)},
          {"line_body", packed(labels(shape.line_body))},
          {"rest", packed(rest)},
          {"bodies", bodies},
          {"largest",
           {{"speed", extent.speed()},
            {"displacement", extent.displacement()},
            {"strain_energy", extent.strain_energy()}}},
          {"fields", fields_data(extent)},
          {"chunks", Json::array()},
          {"left_out", ""}};
}

}  // namespace phiflex
