#include "phiflex/pages/motion_data.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

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

}  // namespace

MotionExtent::MotionExtent(const VisibleShape& shape) : rest_(shape.rest) {
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
          {"chunks", Json::array()},
          {"left_out", ""}};
}

}  // namespace phiflex
