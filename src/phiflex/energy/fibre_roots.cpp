#include "phiflex/energy/fibre_roots.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace phiflex {
namespace {

// The number i of (2), both parts in [0, 1).
std::array<double, 2> even_point(int i) {
  constexpr double r = 1.3247179572447460260;
  const double u = (i + 0.5) / r, v = (i + 0.5) / (r * r);
  return {u - std::floor(u), v - std::floor(v)};
}

}  // namespace

std::vector<FibreRoot> roots_on_sphere(const Point3& center, double radius, double cap, int count) {
  const double golden_angle = std::numbers::pi * (3 - std::sqrt(5.0));
  std::vector<FibreRoot> roots;
  for (int i = 0; i < count; ++i) {
    const double cosine = 1 - (1 - std::cos(cap)) * (i + 0.5) / count;  // (1)
    const double sine = std::sqrt(std::max(0.0, 1 - cosine * cosine)), azimuth = golden_angle * i;
    const Point3 normal{sine * std::cos(azimuth), cosine, sine * std::sin(azimuth)};
    roots.push_back(
        {{center[0] + radius * normal[0], center[1] + radius * normal[1], center[2] + radius * normal[2]},
         normal});
  }
  return roots;
}

std::vector<FibreRoot> roots_on_plate(const Point3& center, const std::array<double, 2>& size, int count) {
  std::vector<FibreRoot> roots;
  for (int i = 0; i < count; ++i) {
    const auto [u, v] = even_point(i);
    roots.push_back(
        {{center[0] + (u - 0.5) * size[0], center[1], center[2] + (v - 0.5) * size[1]}, {0, 1, 0}});
  }
  return roots;
}

std::vector<FibreRoot> roots_on_surface(const SurfaceMesh& surface, int count) {
  using Place = Vec3<double>;
  const auto corner = [&](int v) -> Place {
    const Point3& p = surface.vertices[v];
    return {p[0], p[1], p[2]};
  };
  std::vector<double> area_up_to;
  std::vector<Place> normals;  // twice the area long
  double area = 0;
  for (const auto& t : surface.triangles) {
    normals.push_back(cross(corner(t[1]) - corner(t[0]), corner(t[2]) - corner(t[0])));
    area += norm(normals.back());
    area_up_to.push_back(area);
  }
  std::vector<FibreRoot> roots;
  if (!(area > 0)) return roots;
  for (int i = 0; i < count; ++i) {
    const auto found = std::upper_bound(area_up_to.begin(), area_up_to.end(), area * (i + 0.5) / count);
    const std::size_t t = std::min<std::size_t>(found - area_up_to.begin(), area_up_to.size() - 1);
    auto [u, v] = even_point(i);
    if (u + v > 1) u = 1 - u, v = 1 - v;  // the other half of the parallelogram
    const Place a = corner(surface.triangles[t][0]), b = corner(surface.triangles[t][1]),
                c = corner(surface.triangles[t][2]);
    const Place p = a + u * (b - a) + v * (c - a);
    roots.push_back({{p[0], p[1], p[2]}, {normals[t][0], normals[t][1], normals[t][2]}});
  }
  return roots;
}

}  // namespace phiflex
