// Tetrahedra as the kernels see them: nodes, and points at which strain and stress are evaluated.
//
// With barycentric coordinates L_a, their gradients g_a (constant, as edges are straight at rest) and shape
// functions N_n, the deformation gradient at a point is
//
//   F = sum_n x_n (dN_n/dX)' = sum_a c_a g_a',   c_a = sum_n B_na x_n,   B_na = dN_n/dL_a                 (1)
//
// that of a linear tetrahedron with the corners c_a. So an element is, at each of its points, its tangent
// linear tetrahedron: forces f_a and stiffness K_ab of that give
//
//   f_n = sum_a B_na f_a,   K_nm = sum_ab B_na K_ab B_mb                                                  (2)
//
//   Tet4    N_a = L_a;  one point, B = 1
//   Tet10   N_a = L_a (2 L_a - 1) at corners, N_ab = 4 L_a L_b in the middle of edges (Hughes 1987);
//           B of corner a: 4 L_a - 1 at a;  of edge ab: 4 L_b at a and 4 L_a at b                         (3)
//           four points of weight 1/4, L = (5 + 3 sqrt 5)/20 at one corner and (5 - sqrt 5)/20 at the others:
//           exact for polynomials of degree 2, so for the stiffness of a linear material
//
// Masses as shares of the element's mass m:
//
//   Tet4    consistent (1 + delta_ab)/20, lumped 1/4                                                      (4)
//   Tet10   consistent 1/420 times 6 and 1 for a corner with itself and another, -4 and -6 for one with an
//           edge at it and one away from it, 32, 16 and 8 for an edge with itself, a neighbour, the opposite
//           one; lumped as its diagonal, 1/36 and 4/27 (Hinton, Rock, Zienkiewicz 1976), because
//           the sums of its rows, -1/20 and 1/5, would give corners a negative mass                       (5)
#pragma once

#include "phiflex/base/mat3.h"
#include "phiflex/mesh/mid_edges.h"

namespace phiflex {

using Lanes = Pack<kLanes>;

// A vector at each of N nodes of kLanes elements.
template <int N>
struct NodeVectors {
  Vec3<Lanes> at[N];
};
using TetCorners = NodeVectors<4>;

// A share of an element's mass.
struct MassShare {
  int numerator, denominator;
};

struct Tet4 {
  static constexpr int kNodes = 4, kPoints = 1;
  static constexpr double kWeight = 1;  // of each point
  using Nodes = std::array<int, kNodes>;

  static const TetCorners& tangent_corners(const NodeVectors<kNodes>& x, int /*point*/) { return x; }
  // f = (2) for the first point, f += (2) for those that follow.
  static void spread(const TetCorners& c, int /*point*/, NodeVectors<kNodes>& f) { f = c; }

  static constexpr MassShare lumped(int) { return {1, 4}; }
  static constexpr MassShare consistent(int a, int b) { return {a == b ? 2 : 1, 20}; }
};

struct Tet10 {
  static constexpr int kNodes = 10, kPoints = 4;
  static constexpr double kWeight = 0.25;
  using Nodes = QuadraticTet;

  static constexpr double coordinate(int point, int corner) {
    constexpr double root = 2.23606797749978969641;  // sqrt 5
    return point == corner ? (5 + 3 * root) / 20 : (5 - root) / 20;
  }
  static constexpr double at_corner(int point, int a) { return 4 * coordinate(point, a) - 1; }  // B of (3)
  static constexpr double at_edge(int point, int other) { return 4 * coordinate(point, other); }

  static TetCorners tangent_corners(const NodeVectors<kNodes>& x, int point) {
    TetCorners c;
    for (int a = 0; a < 4; ++a) c.at[a] = Lanes(at_corner(point, a)) * x.at[a];
    for (int e = 0; e < 6; ++e) {
      const int a = kTetEdges[e][0], b = kTetEdges[e][1];
      c.at[a] += Lanes(at_edge(point, b)) * x.at[4 + e];
      c.at[b] += Lanes(at_edge(point, a)) * x.at[4 + e];
    }
    return c;
  }
  static void spread(const TetCorners& c, int point, NodeVectors<kNodes>& f) {
    const auto add = [&](int node, const Vec3<Lanes>& value) {
      f.at[node] = point == 0 ? value : f.at[node] + value;
    };
    for (int a = 0; a < 4; ++a) add(a, Lanes(at_corner(point, a)) * c.at[a]);
    for (int e = 0; e < 6; ++e) {
      const int a = kTetEdges[e][0], b = kTetEdges[e][1];
      add(4 + e, Lanes(at_edge(point, b)) * c.at[a] + Lanes(at_edge(point, a)) * c.at[b]);
    }
  }

  static constexpr MassShare lumped(int node) { return node < 4 ? MassShare{1, 36} : MassShare{4, 27}; }
  static constexpr MassShare consistent(int n, int m) {  // (5)
    if (n < 4 && m < 4) return {n == m ? 6 : 1, 420};
    if (n < 4 || m < 4) {
      const auto& edge = kTetEdges[(n < 4 ? m : n) - 4];
      const int corner = n < 4 ? n : m;
      return {edge[0] == corner || edge[1] == corner ? -4 : -6, 420};
    }
    const auto &e = kTetEdges[n - 4], &f = kTetEdges[m - 4];
    const bool meet = e[0] == f[0] || e[0] == f[1] || e[1] == f[0] || e[1] == f[1];
    return {n == m ? 32 : meet ? 16 : 8, 420};
  }
};

}  // namespace phiflex
