#include "phiflex/mesh/generators.h"

#include <cmath>
#include <map>

#include "phiflex/mesh/disc.h"
#include "phiflex/mesh/generator_catalogue.h"
#include "phiflex/mesh/lattice_vertices.h"
#include "phiflex/mesh/mesh_check.h"
#include "phiflex/mesh/vec3.h"

namespace phiflex {

template <class V>
void fields(V& v, HoneycombShape& s) {
  v({.key = "cells", .doc = "number of cells along x and y, from the origin", .range = at_least_one},
    s.cells);
  v({.key = "side",
     .doc = "side of a cell, between the middles of its walls",
     .unit = "m",
     .range = ranges::positive},
    s.side);
  v({.key = "wall",
     .doc = "thickness of a wall between two holes; half of it at the outline",
     .unit = "m",
     .range = ranges::positive},
    s.wall);
  v({.key = "thickness", .doc = "thickness of the sheet, from z = 0", .unit = "m", .range = ranges::positive},
    s.thickness);
  v({.key = "divisions", .doc = "number of parts along a side", .range = at_least_one}, s.divisions);
  v({.key = "layers",
     .doc = "number of layers across the sheet: 36 divisions layers tetrahedra per cell",
     .range = at_least_one},
    s.layers);
}

namespace {

std::optional<ShapeFault> honeycomb_fault(const HoneycombShape& shape) {
  if (shape.wall >= std::sqrt(3.0) * shape.side)
    return ShapeFault{"wall", "a honeycomb's walls must leave holes; expected less than sqrt(3) side"};
  return std::nullopt;
}

}  // namespace

TetMesh generate_honeycomb(const HoneycombShape& shape) {
  require_in_range(shape);
  require_none(honeycomb_fault(shape));
  const double root3 = std::sqrt(3.0);
  // Between a cell's outline, a hexagon of the given side, and its hole lies one row of quadrilaterals: half a wall.
  // A point of an outline is known by whole numbers: its x in steps of sqrt(3) side / (2 n), its y of side / (2 n).
  const int n = shape.divisions;
  constexpr int kCorners[6][2] = {{1, -1}, {1, 1}, {0, 2}, {-1, 1}, {-1, -1}, {0, -2}};
  const double shrink = 1 - shape.wall / (root3 * shape.side);
  std::vector<Point3> sheet;
  std::vector<std::array<int, 3>> triangles;
  std::map<std::array<int, 2>, int> outline;
  for (int row = 0; row < shape.cells[1]; ++row) {
    for (int column = 0; column < shape.cells[0]; ++column) {
      const std::array<int, 2> centre = {2 * column + 1 + row % 2, 3 * row + 2};
      const auto place = [&](double x, double y) {
        return Point3{root3 / 2 * shape.side / n * x, shape.side / 2 / n * y, 0};
      };
      std::vector<int> outer, inner;
      for (int edge = 0; edge < 6; ++edge) {
        for (int i = 0; i < n; ++i) {
          std::array<int, 2> around{};  // from the centre, in the steps above
          for (int a = 0; a < 2; ++a)
            around[a] = (n - i) * kCorners[edge][a] + i * kCorners[(edge + 1) % 6][a];
          const std::array<int, 2> at = {n * centre[0] + around[0], n * centre[1] + around[1]};
          const auto [found, is_new] = outline.try_emplace(at, static_cast<int>(sheet.size()));
          if (is_new) sheet.push_back(place(at[0], at[1]));
          outer.push_back(found->second);
          inner.push_back(static_cast<int>(sheet.size()));
          sheet.push_back(place(n * centre[0] + shrink * around[0], n * centre[1] + shrink * around[1]));
        }
      }
      for (std::size_t i = 0; i < outer.size(); ++i) {
        const std::size_t next = (i + 1) % outer.size();
        // The diagonal that makes a corner's quadrilateral two good triangles is the shorter one.
        if (norm(sheet[outer[i]] - sheet[inner[next]]) <= norm(sheet[outer[next]] - sheet[inner[i]])) {
          triangles.push_back({outer[i], outer[next], inner[next]});
          triangles.push_back({outer[i], inner[next], inner[i]});
        } else {
          triangles.push_back({outer[i], outer[next], inner[i]});
          triangles.push_back({outer[next], inner[next], inner[i]});
        }
      }
    }
  }
  TetMesh mesh;
  for (int k = 0; k <= shape.layers; ++k)
    for (const Point3& p : sheet)
      mesh.vertices.push_back({p[0], p[1], part(shape.thickness, k, shape.layers)});
  add_prisms(triangles, static_cast<int>(sheet.size()), shape.layers, mesh);
  fix_orientation(mesh);
  return mesh;
}

Generator honeycomb_generator() {
  return make_generator<HoneycombShape, TetMesh>(
      {.name = "honeycomb",
       .summary = "a sheet of hexagonal holes over the x-y plane from z = 0, 36 divisions layers tetrahedra "
                  "per cell",
       .count =
           [](const HoneycombShape& shape) {
             return 36.0 * shape.cells[0] * shape.cells[1] * shape.divisions * shape.layers;
           },
       .generate = generate_honeycomb,
       .fault = honeycomb_fault,
       .handles = true});
}

}  // namespace phiflex
