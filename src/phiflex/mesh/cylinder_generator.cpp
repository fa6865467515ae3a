#include "phiflex/mesh/generators.h"

#include <algorithm>
#include <cmath>

#include "phiflex/mesh/disc.h"
#include "phiflex/mesh/generator_catalogue.h"
#include "phiflex/mesh/lattice_vertices.h"
#include "phiflex/mesh/mesh_check.h"

namespace phiflex {

template <class V>
void fields(V& v, CylinderShape& s) {
  v({.key = "radius",
     .doc = "radius; the axis is the x axis",
     .unit = "m",
     .range = ranges::positive,
     .need = Need::required},
    s.radius);
  v({.key = "length",
     .doc = "length, from x = 0",
     .unit = "m",
     .range = ranges::positive,
     .need = Need::required},
    s.length);
  v({.key = "resolution", .doc = "number of rings across the radius", .range = at_least_one}, s.resolution);
  v({.key = "cells_along",
     .doc = "number of slices along the length; 0: as long as a ring is wide",
     .range = ranges::not_negative},
    s.cells_along);
}

namespace {

// As long as a ring is wide.
double slices_along(const CylinderShape& shape) {
  return std::round(shape.length * shape.resolution / shape.radius);
}

std::optional<ShapeFault> cylinder_fault(const CylinderShape& shape) {
  if (shape.cells_along == 0 && slices_along(shape) >= 1e6)
    return ShapeFault{
        "cells_along",
        "0 makes more than a million slices of a cylinder this thin; expected a number of them"};
  return std::nullopt;
}

}  // namespace

TetMesh generate_cylinder(const CylinderShape& shape) {
  require_in_range(shape);
  require_none(cylinder_fault(shape));
  const int n = shape.resolution;
  const int along =
      shape.cells_along > 0 ? shape.cells_along : std::max(1, static_cast<int>(slices_along(shape)));

  const auto [disc, triangles] = make_disc(shape.radius, n);
  TetMesh mesh;
  const int per_slice = static_cast<int>(disc.size());
  for (int k = 0; k <= along; ++k)
    for (const Point3& p : disc) mesh.vertices.push_back({part(shape.length, k, along), p[1], p[2]});
  add_prisms(triangles, per_slice, along, mesh);
  fix_orientation(mesh);
  return mesh;
}

Generator cylinder_generator() {
  return make_generator<CylinderShape, TetMesh>(
      {.name = "cylinder",
       .summary = "a cylinder along x from x = 0, around y = z = 0, 18 resolution^2 cells_along tetrahedra",
       .count =
           [](const CylinderShape& shape) {
             const double rings = shape.resolution;
             const double along =
                 shape.cells_along > 0 ? shape.cells_along : std::max(1.0, slices_along(shape));
             return 18 * rings * rings * along;
           },
       .generate = generate_cylinder,
       .fault = cylinder_fault});
}

}  // namespace phiflex
