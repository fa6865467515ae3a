// Small stages whose pictures can be computed by hand.
#pragma once

#include <cmath>
#include <numbers>

#include "phiflex/picture/render.h"
#include "phiflex/picture/stage.h"

namespace phiflex {

inline const Colour kTestColour{0.5, 0.4, 0.3};

inline Surface coloured(std::vector<Point3> vertices, std::vector<std::array<int, 3>> triangles,
                        const Colour& colour = kTestColour) {
  Surface surface{std::move(vertices), std::move(triangles), {}, {}};
  surface.normals = CreaseNormals(surface.vertices, surface.triangles).at(surface.vertices);
  surface.colours.assign(surface.triangles.size(), {colour, colour, colour});
  return surface;
}

// A sphere of radius 1 about the origin, outward.
inline Surface ball(int rings = 120) {
  std::vector<Point3> vertices;
  std::vector<std::array<int, 3>> triangles;
  const int around = 2 * rings;
  for (int i = 0; i <= rings; ++i)
    for (int j = 0; j < around; ++j) {
      const double polar = std::numbers::pi * i / rings, turn = 2 * std::numbers::pi * j / around;
      vertices.push_back(
          {std::sin(polar) * std::cos(turn), std::cos(polar), std::sin(polar) * std::sin(turn)});
    }
  for (int i = 0; i < rings; ++i)
    for (int j = 0; j < around; ++j) {
      const int a = i * around + j, b = i * around + (j + 1) % around, c = a + around, d = b + around;
      triangles.push_back({a, b, c});
      triangles.push_back({b, d, c});
    }
  return coloured(std::move(vertices), std::move(triangles));
}

// A square in the plane y = height, 2 x half wide, facing upwards.
inline Surface square(double half, double height) {
  return coloured(
      {{-half, height, -half}, {-half, height, half}, {half, height, half}, {half, height, -half}},
      {{0, 1, 2}, {0, 2, 3}});
}

// Seen along -z, or from above, so that the points (+-1, +-1) are at the picture's border.
inline Camera flat_camera(double elevation = 0, double half = 1) {
  std::vector<Point3> corners;
  for (const double x : {-half, half})
    for (const double y : {-half, half})
      corners.push_back(elevation == 0 ? Point3{x, y, 0} : Point3{x, 0, y});
  return Camera({.azimuth = 0, .elevation = elevation, .field_of_view = 2}, corners, 1);
}

}  // namespace phiflex
