// Which tetrahedron holds a point, and where in it:
//
//   x = sum_a w_a x_a,   sum_a w_a = 1,   all w_a >= 0 inside.                                            (1)
//
// A uniform grid of about as many cells as tetrahedra lists, in each cell, the tetrahedra whose boxes meet it. A
// point outside of all belongs to the nearest place on one nearby: its weights are clamped to w_a >= 0.
#pragma once

#include <array>
#include <vector>

#include "phiflex/mesh/bounds.h"
#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

class TetLocator {
 public:
  // Both are kept by reference; at least one tetrahedron.
  TetLocator(const std::vector<Point3>& vertices, const std::vector<std::array<int, 4>>& tets);

  struct Place {
    int tet = -1;
    std::array<double, 4> weights{};  // (1)
    double distance = 0;              // m, from the point to the place; 0: inside
  };
  Place locate(const Point3& x) const;

 private:
  std::array<int, 3> cell_of(const Point3& x) const;
  std::size_t number(int i, int j, int k) const { return (std::size_t(k) * counts_[1] + j) * counts_[0] + i; }
  Place place_in(int tet, const Point3& x) const;

  const std::vector<Point3>& vertices_;
  const std::vector<std::array<int, 4>>& tets_;
  Bounds bounds_;
  std::array<int, 3> counts_{1, 1, 1};
  std::vector<int> cell_start_, in_cell_;
};

}  // namespace phiflex
