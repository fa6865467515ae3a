#include "phiflex/mesh/generators.h"

#include <cmath>

#include "phiflex/mesh/disc.h"
#include "phiflex/mesh/generator_catalogue.h"
#include "phiflex/mesh/lattice_vertices.h"
#include "phiflex/mesh/mesh_check.h"
#include "phiflex/mesh/vec3.h"

namespace phiflex {

template <class V>
void fields(V& v, HelixShape& s) {
  v({.key = "coil_radius",
     .doc = "distance of the rope's axis from the coil's, the y axis; the rope starts at x = coil_radius",
     .unit = "m",
     .range = ranges::positive},
    s.coil_radius);
  v({.key = "height",
     .doc = "rise of the rope's axis, from y = 0",
     .unit = "m",
     .range = ranges::not_negative},
    s.height);
  v({.key = "turns", .doc = "how often the rope goes round", .range = ranges::positive}, s.turns);
  v({.key = "rope_radius", .doc = "radius of the rope", .unit = "m", .range = ranges::positive},
    s.rope_radius);
  v({.key = "resolution", .doc = "number of rings across the rope's radius", .range = at_least_one},
    s.resolution);
  v({.key = "cells_along",
     .doc = "number of slices along the rope: 18 resolution^2 cells_along tetrahedra",
     .range = at_least_one},
    s.cells_along);
}

namespace {

std::optional<ShapeFault> helix_fault(const HelixShape& shape) {
  if (shape.coil_radius <= shape.rope_radius)
    return ShapeFault{"coil_radius", "a coil must be wider than its rope"};
  // A loop of the rope stands on the one below: they must not touch.
  if (shape.turns > 1 && shape.height / shape.turns <= 2 * shape.rope_radius)
    return ShapeFault{"height", "a coil's turns must be further apart than its rope is thick"};
  return std::nullopt;
}

}  // namespace

TetMesh generate_helix(const HelixShape& shape) {
  require_in_range(shape);
  require_none(helix_fault(shape));
  const double angle = 2 * std::acos(-1.0) * shape.turns, rise = shape.height / angle;
  const auto [disc, triangles] = make_disc(shape.rope_radius, shape.resolution);
  TetMesh mesh;
  const double slope = std::hypot(shape.coil_radius, rise);
  for (int k = 0; k <= shape.cells_along; ++k) {
    const double a = part(angle, k, shape.cells_along);
    const Point3 out = {std::cos(a), 0, std::sin(a)};
    const Point3 tangent = {-shape.coil_radius / slope * std::sin(a), rise / slope,
                            shape.coil_radius / slope * std::cos(a)};
    const Point3 up = cross(tangent, out);  // the section's other direction
    const Point3 centre = shape.coil_radius * out + Point3{0, rise * a, 0};
    for (const Point3& p : disc) mesh.vertices.push_back(centre + p[1] * out + p[2] * up);
  }
  add_prisms(triangles, static_cast<int>(disc.size()), shape.cells_along, mesh);
  fix_orientation(mesh);
  return mesh;
}

Generator helix_generator() {
  return make_generator<HelixShape, TetMesh>(
      {.name = "helix",
       .summary = "a rope coiled around the y axis from y = 0, 18 resolution^2 cells_along tetrahedra",
       .count =
           [](const HelixShape& shape) {
             const double rings = shape.resolution;
             return 18 * rings * rings * shape.cells_along;
           },
       .generate = generate_helix,
       .fault = helix_fault});
}

}  // namespace phiflex
