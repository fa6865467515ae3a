#include "phiflex/record/visible_shape.h"

#include <algorithm>
#include <set>

#include "phiflex/mesh/mid_edges.h"
#include "phiflex/mesh/tet_faces.h"

namespace phiflex {
namespace {

std::span<const int> corners_of(const VtuCells& cells, std::size_t cell) {
  const auto begin = static_cast<std::size_t>(cell == 0 ? 0 : cells.offsets[cell - 1]);
  return {cells.connectivity.data() + begin, static_cast<std::size_t>(cells.offsets[cell]) - begin};
}

// Numbers the drawn vertices in ascending order.
class Renumbering {
 public:
  Renumbering(std::size_t points, std::vector<std::array<int, 3>>& triangles,
              std::vector<std::array<int, 2>>& lines, std::vector<int>& vertices)
      : number_(points, -1) {
    constexpr int drawn = 0;
    each(triangles, [&](int& corner) { number_[static_cast<std::size_t>(corner)] = drawn; });
    each(lines, [&](int& corner) { number_[static_cast<std::size_t>(corner)] = drawn; });
    for (std::size_t v = 0; v < points; ++v)
      if (number_[v] == drawn) {
        number_[v] = static_cast<int>(vertices.size());
        vertices.push_back(static_cast<int>(v));
      }
    each(triangles, [&](int& corner) { corner = find(corner); });
    each(lines, [&](int& corner) { corner = find(corner); });
  }
  int find(int vertex) const { return number_[static_cast<std::size_t>(vertex)]; }

 private:
  template <std::size_t N, class Visit>
  static void each(std::vector<std::array<int, N>>& elements, const Visit& visit) {
    for (auto& corners : elements)
      for (int& corner : corners) visit(corner);
  }
  std::vector<int> number_;
};

}  // namespace

double VisibleCells::mean_of_cells(std::size_t vertex, std::span<const double> of_cells) const {
  const int first = cell_starts[vertex], last = cell_starts[vertex + 1];
  double sum = 0;
  for (int i = first; i < last; ++i)
    sum += of_cells[static_cast<std::size_t>(cell_ids[static_cast<std::size_t>(i)])];
  return sum / std::max(1, last - first);
}

VisibleCells find_visible(const VtuCells& cells, std::span<const int> region, std::span<const int> body,
                          std::span<const Point3> rest) {
  VisibleCells visible;
  VisibleShape& shape = visible.shape;
  const std::size_t count = cells.size();
  TetMesh solids;
  std::vector<QuadraticTet> quadratic;
  std::vector<std::size_t> tet_cells, quadratic_cells;
  std::set<int> bodies_with_surface, bodies_with_more;
  const auto is_triangle = [&](std::size_t c) {
    return cells.types[c] == static_cast<std::uint8_t>(VtkCell::triangle);
  };
  for (std::size_t c = 0; c < count; ++c) {
    if (!is_triangle(c)) bodies_with_more.insert(body[c]);
    const std::span<const int> corners = corners_of(cells, c);
    if (cells.types[c] == static_cast<std::uint8_t>(VtkCell::tetrahedron) && corners.size() == 4) {
      solids.tets.push_back({corners[0], corners[1], corners[2], corners[3]});
      tet_cells.push_back(c);
    } else if (cells.types[c] == static_cast<std::uint8_t>(VtkCell::quadratic_tetrahedron) &&
               corners.size() == 10) {
      std::copy(corners.begin(), corners.end(), quadratic.emplace_back().begin());
      quadratic_cells.push_back(c);
    } else if (cells.types[c] == static_cast<std::uint8_t>(VtkCell::triangle) && corners.size() == 3) {
      shape.triangles.push_back({corners[0], corners[1], corners[2]});
      shape.triangle_region.push_back(region[c]);
      shape.triangle_body.push_back(body[c]);
      bodies_with_surface.insert(body[c]);
    }
  }
  const auto add_boundary = [&](const std::vector<std::array<int, 3>>& triangles,
                                const std::vector<int>& owners, const std::vector<std::size_t>& of) {
    for (std::size_t f = 0; f < triangles.size(); ++f) {
      const std::size_t cell = of[static_cast<std::size_t>(owners[f])];
      shape.triangles.push_back(triangles[f]);
      shape.triangle_region.push_back(region[cell]);
      shape.triangle_body.push_back(body[cell]);
    }
  };
  const TetFaces faces = find_tet_faces(solids);
  add_boundary(faces.boundary, faces.owners, tet_cells);
  const QuadraticBoundary boundary = quadratic_boundary(quadratic);
  add_boundary(boundary.triangles, boundary.owners, quadratic_cells);
  for (std::size_t c = 0; c < count; ++c) {
    const std::span<const int> corners = corners_of(cells, c);
    if (cells.types[c] != static_cast<std::uint8_t>(VtkCell::line) || corners.size() != 2) continue;
    if (bodies_with_surface.count(body[c]) > 0) continue;
    shape.lines.push_back({corners[0], corners[1]});
    shape.line_body.push_back(body[c]);
  }
  const Renumbering renumber(rest.size(), shape.triangles, shape.lines, shape.vertices);
  for (const int v : shape.vertices) shape.rest.push_back(rest[static_cast<std::size_t>(v)]);

  // A cloth's triangles show its springs and have no energy; those of a plane body are what it is made of.
  const auto carries_energy = [&](std::size_t c) {
    return !is_triangle(c) || bodies_with_more.count(body[c]) == 0;
  };
  // Counting sort of (vertex, cell) pairs.
  visible.cell_starts.assign(shape.vertices.size() + 1, 0);
  const auto for_each_pair = [&](const auto& visit) {
    for (std::size_t c = 0; c < count; ++c) {
      if (!carries_energy(c)) continue;
      for (const int corner : corners_of(cells, c))
        if (const int v = renumber.find(corner); v >= 0)
          visit(static_cast<std::size_t>(v), static_cast<int>(c));
    }
  };
  for_each_pair([&](std::size_t v, int) { ++visible.cell_starts[v + 1]; });
  for (std::size_t v = 0; v < shape.vertices.size(); ++v)
    visible.cell_starts[v + 1] += visible.cell_starts[v];
  visible.cell_ids.resize(static_cast<std::size_t>(visible.cell_starts.back()));
  std::vector<int> next(visible.cell_starts.begin(), visible.cell_starts.end() - 1);
  for_each_pair([&](std::size_t v, int c) { visible.cell_ids[static_cast<std::size_t>(next[v]++)] = c; });
  return visible;
}

}  // namespace phiflex
