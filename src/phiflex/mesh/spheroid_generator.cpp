#include "phiflex/mesh/generators.h"

#include <algorithm>
#include <cmath>

#include "phiflex/mesh/generator_catalogue.h"
#include "phiflex/mesh/lattice_fill.h"

namespace phiflex {

template <class V>
void fields(V& v, SpheroidShape& s) {
  v({.key = "radii",
     .doc = "half axes along x, y and z; the centre lies at the origin",
     .unit = "m",
     .range = ranges::positive},
    s.radii);
  v({.key = "cells",
     .doc =
         "number n of cubes of the lattice along the greatest diameter; a ball has about 6.5 n^3 tetrahedra",
     .range = {.low = 2, .high = 1000}},
    s.cells);
}

TetMesh generate_spheroid(const SpheroidShape& shape) {
  require_in_range(shape);
  const double greatest = *std::max_element(shape.radii.begin(), shape.radii.end());
  return fill_with_tetrahedra({ellipsoid({0, 0, 0}, shape.radii)}, {}, 2 * greatest / shape.cells);
}

Generator spheroid_generator() {
  return make_generator<SpheroidShape, TetMesh>(
      {.name = "spheroid",
       .summary = "an ellipsoid around the origin, filled by a lattice",
       .count =
           [](const SpheroidShape& shape) {
             const auto& [a, b, c] = shape.radii;
             return 6.3 * a * b * c * std::pow(shape.cells / std::max({a, b, c}), 3);
           },
       .generate = generate_spheroid});
}

}  // namespace phiflex
