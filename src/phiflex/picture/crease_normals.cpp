#include "phiflex/picture/crease_normals.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace phiflex {
namespace {

Point3 face_normal(std::span<const Point3> x, const std::array<int, 3>& t) {
  const auto& a = x[static_cast<std::size_t>(t[0])];
  return unit_vector(cross(x[static_cast<std::size_t>(t[1])] - a, x[static_cast<std::size_t>(t[2])] - a));
}

}  // namespace

Point3 unit_vector(const Point3& a) {
  const double length = norm(a);
  return length > 0 ? (1 / length) * a : Point3{};
}

CreaseNormals::CreaseNormals(std::span<const Point3> rest, std::span<const std::array<int, 3>> triangles,
                             double degrees)
    : triangles_(triangles) {
  std::vector<Point3> normals;
  normals.reserve(triangles.size());
  for (const auto& t : triangles) normals.push_back(face_normal(rest, t));
  std::vector<std::vector<int>> corners_of(rest.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k)
      corners_of[static_cast<std::size_t>(triangles[t][k])].push_back(static_cast<int>(3 * t + k));
  const double least = std::cos(degrees * std::numbers::pi / 180);
  starts_.push_back(0);
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      for (const int corner : corners_of[static_cast<std::size_t>(triangles[t][k])])
        if (static_cast<std::size_t>(corner) / 3 == t ||
            dot(normals[t], normals[static_cast<std::size_t>(corner) / 3]) > least)
          members_.push_back(corner);
      starts_.push_back(static_cast<int>(members_.size()));
    }
}

CornerNormals CreaseNormals::at(std::span<const Point3> positions) const {
  std::vector<Point3> weighted(3 * triangles_.size());
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    const Point3 normal = face_normal(positions, triangles_[t]);
    for (std::size_t k = 0; k < 3; ++k) {
      const auto at = [&](std::size_t i) {
        return positions[static_cast<std::size_t>(triangles_[t][i % 3])];
      };
      const Point3 u = unit_vector(at(k + 1) - at(k)), v = unit_vector(at(k + 2) - at(k));
      weighted[3 * t + k] = std::acos(std::clamp(dot(u, v), -1.0, 1.0)) * normal;
    }
  }
  CornerNormals normals(triangles_.size());
  for (std::size_t t = 0; t < triangles_.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      Point3 sum{};
      for (int i = starts_[3 * t + k]; i < starts_[3 * t + k + 1]; ++i)
        sum = sum + weighted[static_cast<std::size_t>(members_[static_cast<std::size_t>(i)])];
      normals[t][k] = unit_vector(sum);
    }
  return normals;
}

}  // namespace phiflex
