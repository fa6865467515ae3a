// A contact stencil: two convex pieces of surfaces, four vertices at most, X = (x_0 .. x_3), and the square of their
// distance. The feet, one point on each piece, are given by weights y of the vertices with sum 0; r = X y is the vector
// between them:
//
//   point-triangle (p, t0, t1, t2)   y = (1, -(1-a-b), -a, -b),     a, b >= 0, a + b <= 1
//   edge-edge      (a0, a1, b0, b1)  y = (1-s, s, -(1-t), -t),      0 <= s, t <= 1                          (1)
//   point-edge     (p, a, b)         y = (1, -(1-t), -t)
//   point-point    (p, a)            y = (1, -1)
//
// With the edge vectors E = (e_0, e_1, e_2), X y = E z, z_0 = 1, and C = E'E,
//
//   D = min over feet of |X y|^2 = min over z of z'C z                                                      (2)
//
// is a minimum of linear functions of C over a fixed convex set. Hence, whatever pieces of the boundary are nearest,
//
//   D is concave in C,     dD/dC = z z'  (a supergradient where z is not unique: parallel edges)            (3)
//
// and the second derivative along a motion dX, with N the directions in which y may move on the active feature
// (vertices of one side with weight: differences of two of them),
//
//   dD = 2 r.(dX y),   D'' = 2 |dX y|^2 - 2 q'(N'X'X N)^-1 q,   q = N'(X'dX + dX'X) y                       (4)
//
// Feature regions of a triangle: Ericson, Real-Time Collision Detection, 2005, section 5.1. Here the interior is solved
// by orthogonalization of the edge vectors, which keeps the digits that det C loses for thin triangles and nearly
// parallel edges; where it is no solution, or a doubtful one, all pieces of the boundary are compared. Degenerate
// triangles and edges of length 0 need no special case: the boundary covers them.
#pragma once

#include <Eigen/Core>
#include <array>

namespace phiflex {

enum class StencilKind : unsigned char { point_triangle, edge_edge, point_edge, point_point };

constexpr int vertex_count(StencilKind kind) {
  return kind == StencilKind::point_edge ? 3 : kind == StencilKind::point_point ? 2 : 4;
}
// How many of the vertices, the first ones, are on the first side.
constexpr int first_side(StencilKind kind) {
  return kind == StencilKind::edge_edge ? 2 : 1;
}

// A column per vertex; columns beyond vertex_count() are not read.
using StencilPoints = Eigen::Matrix<double, 3, 4>;
using StencilVector = Eigen::Matrix<double, 12, 1>;   // the columns of StencilPoints, one below the other
using StencilMatrix = Eigen::Matrix<double, 12, 12>;  // over them

// E of (2), linear in X: it serves positions and motions. Unused columns are 0.
Eigen::Matrix3d stencil_edges(StencilKind kind, const StencilPoints& X);

struct Feet {
  Eigen::Vector3d z;  // of (2)
  Eigen::Vector4d y;  // of (1); exactly 0 for the vertices that the feet do not depend on
};

// The nearest feet. Rows: 3, or 6 for two edge matrices on top of each other, whose C is the sum of theirs.
template <int Rows>
Feet nearest_feet(StencilKind kind, const Eigen::Matrix<double, Rows, 3>& E);

// D'' of (4) as a matrix over the 12 coordinates, at the nearest feet.
StencilMatrix distance_second_derivative(StencilKind kind, const Eigen::Matrix3d& E, const Feet& feet);

// r (x) y: half of dD/dX.
inline StencilVector distance_half_gradient(const Eigen::Vector3d& r, const Eigen::Vector4d& y) {
  StencilVector g;
  for (int a = 0; a < 4; ++a) g.segment<3>(3 * a) = y[a] * r;
  return g;
}

}  // namespace phiflex
