#include "phiflex/mesh/tet_locator.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "phiflex/mesh/vec3.h"

namespace phiflex {
namespace {

constexpr double kInside = -1e-9;  // of a weight: rounding of points on a face

}  // namespace

TetLocator::TetLocator(const std::vector<Point3>& vertices, const std::vector<std::array<int, 4>>& tets)
    : vertices_(vertices), tets_(tets) {
  const auto box_of = [&](const std::array<int, 4>& tet) {
    return bounds_of({vertices[tet[0]], vertices[tet[1]], vertices[tet[2]], vertices[tet[3]]});
  };
  bounds_ = box_of(tets.front());
  for (const auto& tet : tets) bounds_ = united(bounds_, box_of(tet));

  // Cells as near to cubes as they go.
  double volume = 1;
  for (int axis = 0; axis < 3; ++axis) volume *= std::max(bounds_.length(axis), 1e-300);
  const double edge = std::cbrt(volume / double(tets.size()));
  for (int axis = 0; axis < 3; ++axis)
    counts_[axis] = std::clamp(int(std::ceil(bounds_.length(axis) / edge)), 1, 256);

  const auto each_cell = [&](const std::array<int, 4>& tet, auto&& function) {
    const Bounds box = box_of(tet);
    const auto low = cell_of(box.low), high = cell_of(box.high);
    for (int k = low[2]; k <= high[2]; ++k)
      for (int j = low[1]; j <= high[1]; ++j)
        for (int i = low[0]; i <= high[0]; ++i) function(number(i, j, k));
  };
  cell_start_.assign(number(0, 0, counts_[2]) + 1, 0);
  for (const auto& tet : tets) each_cell(tet, [&](std::size_t cell) { ++cell_start_[cell + 1]; });
  for (std::size_t cell = 1; cell < cell_start_.size(); ++cell) cell_start_[cell] += cell_start_[cell - 1];
  in_cell_.resize(std::size_t(cell_start_.back()));
  std::vector<int> next(cell_start_.begin(), cell_start_.end() - 1);
  for (std::size_t t = 0; t < tets.size(); ++t)
    each_cell(tets[t], [&](std::size_t cell) { in_cell_[std::size_t(next[cell]++)] = int(t); });
}

std::array<int, 3> TetLocator::cell_of(const Point3& x) const {
  std::array<int, 3> cell;
  for (int axis = 0; axis < 3; ++axis) {
    const double length = std::max(bounds_.length(axis), 1e-300);
    const double at = (x[axis] - bounds_.low[axis]) / length * counts_[axis];
    cell[axis] = int(std::clamp(at, 0., double(counts_[axis] - 1)));
  }
  return cell;
}

TetLocator::Place TetLocator::place_in(int tet, const Point3& x) const {
  std::array<Point3, 4> corner;
  for (int a = 0; a < 4; ++a) corner[a] = vertices_[tets_[tet][a]];
  const double volume = tet_volume(corner[0], corner[1], corner[2], corner[3]);
  Place place{tet, {}, 0};
  double sum = 0, smallest = 1;
  for (int a = 0; a < 4; ++a) {
    auto replaced = corner;
    replaced[a] = x;
    const double w = tet_volume(replaced[0], replaced[1], replaced[2], replaced[3]) / volume;  // (1)
    smallest = std::min(smallest, w);
    place.weights[a] = std::max(w, 0.);
    sum += place.weights[a];
  }
  Point3 at{};
  for (int a = 0; a < 4; ++a) {
    place.weights[a] /= sum;
    at = at + place.weights[a] * corner[a];
  }
  place.distance = smallest >= kInside ? 0 : norm(at - x);
  return place;
}

TetLocator::Place TetLocator::locate(const Point3& x) const {
  const auto centre = cell_of(x);
  Place best;
  best.distance = std::numeric_limits<double>::infinity();
  const int rings = std::max({counts_[0], counts_[1], counts_[2]});
  int last = rings;
  for (int ring = 0; ring <= last; ++ring) {
    for (int k = centre[2] - ring; k <= centre[2] + ring; ++k)
      for (int j = centre[1] - ring; j <= centre[1] + ring; ++j)
        for (int i = centre[0] - ring; i <= centre[0] + ring; ++i) {
          const bool shell =
              std::max({std::abs(i - centre[0]), std::abs(j - centre[1]), std::abs(k - centre[2])}) == ring;
          if (!shell || i < 0 || j < 0 || k < 0 || i >= counts_[0] || j >= counts_[1] || k >= counts_[2])
            continue;
          const std::size_t cell = number(i, j, k);
          for (int n = cell_start_[cell]; n < cell_start_[cell + 1]; ++n) {
            const Place place = place_in(in_cell_[std::size_t(n)], x);
            if (place.distance < best.distance) best = place;
            if (best.distance == 0) return best;
          }
        }
    if (best.tet >= 0)
      last = std::min(rings, std::min(last, ring + 1));  // a nearer one may lie beyond a cell's wall
  }
  return best;
}

}  // namespace phiflex
