// What generators that cut simplices into a lattice share.
#pragma once

#include <map>
#include <vector>

#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

// The orders in which a path can step along three axes. A cube (or a simplex of a lattice) is cut into the
// tetrahedra of these paths from one corner to the opposite one, after Kuhn ("Some combinatorial lemmas in
// topology", 1960); neighbours are cut alike or as mirror images, so faces match.
inline constexpr int kPaths[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

// The i-th of n equal parts of a length; the n-th is the length itself, exactly.
inline double part(double length, int i, int n) {
  return length * (static_cast<double>(i) / n);
}

// Vertices of a lattice on several simplices that meet: a point is a whole-number combination of corners,
// and the same combination is the same vertex wherever it appears.
class LatticeVertices {
 public:
  using Weights = std::map<int, int>;  // weight of each corner that takes part

  template <class MakePoint>
  int find(const Weights& weights, std::vector<Point3>& vertices, MakePoint make_point) {
    const auto [at, is_new] = numbers_.try_emplace(weights, static_cast<int>(vertices.size()));
    if (is_new) vertices.push_back(make_point());
    return at->second;
  }

 private:
  std::map<Weights, int> numbers_;
};

}  // namespace phiflex
