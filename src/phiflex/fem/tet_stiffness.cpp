#include "phiflex/fem/tet_stiffness.h"

namespace phiflex {
namespace {

// The corners of the tangent tetrahedron that a node moves, and by how much: its row of B (tet_element.h, (3)).
struct Support {
  int count;
  int corner[2];
  double factor[2];
};

Support support(int node, int point) {
  if (node < 4) return {1, {node, 0}, {Tet10::at_corner(point, node), 0}};
  const auto [a, b] = kTetEdges[node - 4];
  return {2, {a, b}, {Tet10::at_edge(point, b), Tet10::at_edge(point, a)}};
}

}  // namespace

void spread_stiffness(const TetStiffness& tangent, int point, NodeBlocks<10>& K) {
  Mat3<Lanes> whole[4][4];
  for (int a = 0; a < 4; ++a)
    for (int b = a; b < 4; ++b) {
      whole[a][b] = tangent.at[a][b];
      whole[b][a] = transpose(tangent.at[a][b]);
    }
  for (int n = 0; n < Tet10::kNodes; ++n) {
    const Support left = support(n, point);
    Mat3<Lanes> row[4];  // sum_a B_na K_ab
    for (int b = 0; b < 4; ++b) {
      row[b] = Lanes(left.factor[0]) * whole[left.corner[0]][b];
      if (left.count > 1) row[b] += Lanes(left.factor[1]) * whole[left.corner[1]][b];
    }
    for (int m = n; m < Tet10::kNodes; ++m) {
      const Support right = support(m, point);
      Mat3<Lanes> block = Lanes(right.factor[0]) * row[right.corner[0]];
      if (right.count > 1) block += Lanes(right.factor[1]) * row[right.corner[1]];
      K.at[n][m] = point == 0 ? block : K.at[n][m] + block;
    }
  }
}

}  // namespace phiflex
