// Where fibres grow on a surface: evenly spread, the same places in every run. Directions are the outward normals, or
// one given direction for all.
#pragma once

#include <optional>
#include <vector>

#include "phiflex/energy/fibre.h"

namespace phiflex {

// The part of a sphere within the angle `cap` [radians] of the pole +y: the sunflower spiral,
//   cos(angle_i) = 1 - (1 - cos cap) (i + 1/2)/n,   azimuth i times the golden angle.                     (1)
std::vector<FibreRoot> roots_on_sphere(const Point3& center, double radius, double cap, int count);

// A rectangle a x b in the x-z plane around its centre, fibres along +y: the points of the plane's most even sequence,
//   (i + 1/2) (1/r, 1/r^2) mod 1,   r^3 = r + 1      (Roberts' additive recurrence).                       (2)
std::vector<FibreRoot> roots_on_plate(const Point3& center, const std::array<double, 2>& size, int count);

// A surface of triangles: the i-th of n equal shares of its area, the place inside the triangle by (2).
// Empty when the surface has no area.
std::vector<FibreRoot> roots_on_surface(const SurfaceMesh& surface, int count);

}  // namespace phiflex
