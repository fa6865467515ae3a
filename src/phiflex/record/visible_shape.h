// What is seen of bodies: boundary triangles of tetrahedra, surfaces of cloths, springs as lines.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "phiflex/mesh/tet_mesh.h"
#include "phiflex/mesh/vtu_writer.h"

namespace phiflex {

// Vertices that are drawn, renumbered from 0 in the order of the frames' own numbers. Corners count these.
struct VisibleShape {
  std::vector<int> vertices;                  // the frames' own number of each
  std::vector<Point3> rest;                   // m
  std::vector<std::array<int, 3>> triangles;  // outward for solids
  std::vector<int> triangle_region, triangle_body;
  std::vector<std::array<int, 2>> lines;  // springs; those under a cloth's surface are not drawn
  std::vector<int> line_body;
};

// The shape, and the cells whose mean a drawn vertex shows.
struct VisibleCells {
  VisibleShape shape;
  std::vector<int> cell_starts, cell_ids;  // of vertex v: cell_ids[cell_starts[v]] .. [cell_starts[v + 1]]
  double mean_of_cells(std::size_t vertex, std::span<const double> of_cells) const;
};

// cells, region and body as frames have them (FrameGeometry); rest: of all vertices.
VisibleCells find_visible(const VtuCells& cells, std::span<const int> region, std::span<const int> body,
                          std::span<const Point3> rest);

}  // namespace phiflex
