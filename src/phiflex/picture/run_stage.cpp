#include "phiflex/picture/run_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "phiflex/base/errors.h"
#include "phiflex/picture/palette.h"
#include "phiflex/record/json_file.h"
#include "phiflex/record/run_json.h"

namespace phiflex {
namespace {

MotionReader open_motion(RunFolder folder) {
  MotionReader motion(std::move(folder));
  const std::string root = motion.folder().root.string();
  if (motion.frames() == 0)
    throw InputError(
        root, "",
        "there are no frames to show; run the scene without --no-frames:  phiflex run SCENE -o " + root +
            " --force");
  if (motion.shape().vertices.empty())
    throw InputError(motion.folder().frames_pvd().string(), "",
                     "the first frame that it lists cannot be read");
  return motion;
}

nlohmann::ordered_json scene_of_run(const nlohmann::ordered_json& run) {
  return run.is_object() && run.contains("scene") ? run["scene"] : nlohmann::ordered_json();
}

std::vector<Point3> turned_points(const Eigen::Matrix3d& turn, std::vector<Point3> points) {
  for (Point3& x : points) {
    const Eigen::Vector3d y = turn * Eigen::Vector3d(x[0], x[1], x[2]);
    x = {y[0], y[1], y[2]};
  }
  return points;
}

}  // namespace

bool is_drawable(const Point3& x) {
  constexpr double farthest = 1e15;  // m
  return std::abs(x[0]) < farthest && std::abs(x[1]) < farthest && std::abs(x[2]) < farthest;
}

RunStage::RunStage(RunFolder folder)
    : motion_(open_motion(std::move(folder))),
      turn_(upright_turn(scene_of_run(read_run_json(motion_.folder().run_json())))),
      rest_(turned_points(turn_, motion_.shape().rest)),
      normals_(rest_, motion_.shape().triangles) {
  const nlohmann::ordered_json run = read_run_json(motion_.folder().run_json()), scene = scene_of_run(run);
  const nlohmann::ordered_json::json_pointer elements("/sizes/elements");
  solid_ = !(run.contains(elements) && run[elements] == 0);
  obstacles_ = read_obstacles(scene, turn_);
  if (scene.is_object() && scene.contains("bodies") && scene["bodies"].is_array())
    for (const auto& body : scene["bodies"]) bodies_.push_back(text_at(body, "/name", ""));
}

void RunStage::read(std::size_t number, VisibleFrame& frame, FrameParts parts) const {
  motion_.read(number, frame, parts);
  frame.positions = turned_points(turn_, std::move(frame.positions));
}

std::vector<int> RunStage::regions() const {
  std::vector<int> regions = motion_.shape().triangle_region;
  std::sort(regions.begin(), regions.end());
  regions.erase(std::unique(regions.begin(), regions.end()), regions.end());
  return regions;
}

double RunStage::typical_spring() const {
  const VisibleShape& shape = motion_.shape();
  std::vector<double> lengths;
  for (const auto& [a, b] : shape.lines)
    lengths.push_back(
        norm(shape.rest[static_cast<std::size_t>(a)] - shape.rest[static_cast<std::size_t>(b)]));
  if (lengths.empty()) return 0;
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return *middle;
}

std::string RunStage::unit_of(const Quantity& quantity) const {
  return quantity.colour_by == ColourBy::strain_energy && !solid_ ? "J/m" : quantity.unit;
}

std::vector<double> RunStage::numbers(const VisibleFrame& frame, const Quantity& quantity) const {
  std::vector<double> values;
  const std::size_t count = frame.positions.size();
  switch (quantity.colour_by) {
    case ColourBy::body:
    case ColourBy::region:
      break;
    case ColourBy::speed:
      for (std::size_t v = 0; v < count; ++v) values.push_back(norm(frame.velocities[v]));
      break;
    case ColourBy::displacement:
      for (std::size_t v = 0; v < count; ++v) values.push_back(norm(frame.positions[v] - rest_[v]));
      break;
    case ColourBy::strain_energy:
      values = frame.strain_energy;
      break;
    case ColourBy::field:
      values = field_values(quantity, frame.fields, count);
      if (values.empty() && count > 0)
        throw InputError(
            motion_.folder().frames().string(), "",
            fmt::format("the frames have no {}; run the scene with  \"output\": {{ \"fields\": [\"{}\"] }}",
                        quantity.field, quantity.field));
      break;
  }
  return values;
}

namespace {

// The longest edge of a triangle that is narrower than `width` and much longer: a face of a hair, which would fade
// away between the pixels.
std::optional<std::array<int, 2>> needle_edge(const std::vector<Point3>& x, const std::array<int, 3>& corners,
                                              double width) {
  std::array<int, 2> longest{};
  double length = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::array<int, 2> edge{corners[k], corners[(k + 1) % 3]};
    const double l = norm(x[static_cast<std::size_t>(edge[1])] - x[static_cast<std::size_t>(edge[0])]);
    if (l <= length) continue;
    length = l;
    longest = edge;
  }
  const Point3& a = x[static_cast<std::size_t>(corners[0])];
  const double twice_area =
      norm(cross(x[static_cast<std::size_t>(corners[1])] - a, x[static_cast<std::size_t>(corners[2])] - a));
  if (length <= 3 * width || twice_area >= width * length) return std::nullopt;
  return longest;
}

}  // namespace

Stage RunStage::at(const VisibleFrame& frame, const Look& look) const {
  const VisibleShape& shape = motion_.shape();
  const std::vector<double> values = numbers(frame, look.quantity);
  const double range = std::max(look.scale.high - look.scale.low, 1e-300);
  const auto colour_at = [&](int vertex, std::size_t kind) {
    if (values.empty()) return colour_of_kind(kind);
    return colour_of_number((values[static_cast<std::size_t>(vertex)] - look.scale.low) / range,
                            look.scale.two_sided ? Sides::two : Sides::one);
  };
  const auto drawable = [&](const auto& corners) {
    return std::all_of(corners.begin(), corners.end(),
                       [&](int v) { return is_drawable(frame.positions[static_cast<std::size_t>(v)]); });
  };
  const std::vector<int> known_regions = regions();

  Stage stage;
  stage.middle = look.middle;
  stage.radius = look.radius;
  stage.ground = look.ground;
  Surface& body = stage.surfaces.emplace_back();
  const CornerNormals normals = normals_.at(frame.positions);
  body.vertices = frame.positions;
  for (std::size_t t = 0; t < shape.triangles.size(); ++t) {
    const auto& corners = shape.triangles[t];
    if (!drawable(corners)) continue;
    const auto region =
        std::lower_bound(known_regions.begin(), known_regions.end(), shape.triangle_region[t]);
    const std::size_t kind = look.quantity.colour_by == ColourBy::region
                                 ? static_cast<std::size_t>(region - known_regions.begin())
                                 : static_cast<std::size_t>(std::max(0, shape.triangle_body[t]));
    body.triangles.push_back(corners);
    body.normals.push_back(normals[t]);
    body.colours.push_back(
        {colour_at(corners[0], kind), colour_at(corners[1], kind), colour_at(corners[2], kind)});
    if (const auto edge = needle_edge(frame.positions, corners, look.least_width))
      stage.tubes.push_back({{frame.positions[static_cast<std::size_t>((*edge)[0])],
                              frame.positions[static_cast<std::size_t>((*edge)[1])]},
                             0.5 * look.least_width,
                             {colour_at((*edge)[0], kind), colour_at((*edge)[1], kind)}});
  }
  for (Point3& x : body.vertices)
    if (!is_drawable(x)) x = look.middle;
  for (std::size_t i = 0; i < shape.lines.size(); ++i) {
    const auto& [a, b] = shape.lines[i];
    if (!drawable(shape.lines[i])) continue;
    const std::size_t kind = look.quantity.colour_by == ColourBy::region
                                 ? 0
                                 : static_cast<std::size_t>(std::max(0, shape.line_body[i]));
    stage.tubes.push_back(
        {{frame.positions[static_cast<std::size_t>(a)], frame.positions[static_cast<std::size_t>(b)]},
         look.tube_radius,
         {colour_at(a, kind), colour_at(b, kind)}});
  }
  for (const DrawnObstacle& obstacle : obstacles_.solids) stage.surfaces.push_back(obstacle.at(frame.time));
  for (Surface& border : obstacles_.borders_at(frame.time, look.middle, look.radius, look.eye))
    stage.surfaces.push_back(std::move(border));
  return stage;
}

}  // namespace phiflex
