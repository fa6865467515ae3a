#include "phiflex/mesh/generators.h"

#include <stdexcept>

#include "phiflex/mesh/generator_catalogue.h"
#include "phiflex/mesh/lattice_vertices.h"
#include "phiflex/mesh/mesh_check.h"

namespace phiflex {

template <class V>
void fields(V& v, BoxShape& s) {
  v({.key = "size",
     .doc = "edge lengths; a corner lies at the origin",
     .unit = "m",
     .range = ranges::positive,
     .need = Need::required},
    s.size);
  v({.key = "cells",
     .doc = "number of cells along x, y and z, each cut into six tetrahedra",
     .range = at_least_one,
     .need = Need::required},
    s.cells);
}

namespace {

double box_cells(const BoxShape& shape) {
  return double(shape.cells[0]) * shape.cells[1] * shape.cells[2];
}

}  // namespace

TetMesh generate_box(const BoxShape& shape) {
  require_in_range(shape);
  // Vertex numbers are ints: even a row of single cells has four vertices for each.
  if (box_cells(shape) >= 3e8) throw std::invalid_argument("a box has too many cells");
  const auto& [nx, ny, nz] = shape.cells;
  const auto vertex = [&, rows = ny + 1, columns = nx + 1](int i, int j, int k) {
    return (k * rows + j) * columns + i;
  };
  TetMesh mesh;
  mesh.vertices.reserve(static_cast<std::size_t>(nx + 1) * (ny + 1) * (nz + 1));
  for (int k = 0; k <= nz; ++k)
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i)
        mesh.vertices.push_back(
            {part(shape.size[0], i, nx), part(shape.size[1], j, ny), part(shape.size[2], k, nz)});
  mesh.tets.reserve(static_cast<std::size_t>(6) * nx * ny * nz);
  for (int k = 0; k < nz; ++k) {
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) {
        // Neighbours are mirror images: the paths start at the cell's corner of even numbers. Were all
        // diagonals parallel, a bar pushed down would swing sideways too, and bend less.
        const std::array<int, 3> start = {i + i % 2, j + j % 2, k + k % 2};
        const std::array<int, 3> stride = {1 - 2 * (i % 2), 1 - 2 * (j % 2), 1 - 2 * (k % 2)};
        for (const auto& path : kPaths) {
          std::array<int, 3> at = start;
          std::array<int, 4> tet = {vertex(at[0], at[1], at[2]), 0, 0, 0};
          for (int step = 0; step < 3; ++step) {
            at[path[step]] += stride[path[step]];
            tet[step + 1] = vertex(at[0], at[1], at[2]);
          }
          mesh.tets.push_back(tet);
        }
      }
    }
  }
  fix_orientation(mesh);  // every other path runs the other way round
  return mesh;
}

Generator box_generator() {
  return make_generator<BoxShape, TetMesh>(
      {.name = "box",
       .summary = "a block from the origin to `size`, six tetrahedra per cell",
       .count = [](const BoxShape& shape) { return 6 * box_cells(shape); },
       .generate = generate_box});
}

}  // namespace phiflex
