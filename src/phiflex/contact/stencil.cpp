#include "phiflex/contact/stencil.h"

#include <algorithm>

namespace phiflex {
namespace {

// sin^2 of the angle between two edges: below the first they count as parallel; below the second the interior solution
// has lost half of its digits, and the boundary may be nearer.
constexpr double kParallel = 1e-26, kDoubtful = 1e-8;

// The part of the way along an edge where a point is nearest: r the vector from the edge's start to the point.
double along(double r_dot_edge, double edge_square) {
  return edge_square > 0 ? std::clamp(r_dot_edge / edge_square, 0.0, 1.0) : 0.0;
}

// Feet on a triangle, z = (1, -a, -b). third: the weight of t0, exactly 0 on the edge opposite.
Feet triangle_feet(double a, double b, double third) {
  return {{1, -a, -b}, {1, -third, -a, -b}};
}

Feet edge_feet(double s, double t) {
  return {{1, s, -t}, {1 - s, s, t - 1, -t}};
}

// Keeps what is nearest of the feet it is shown; the first of equals.
template <int Rows>
struct Nearest {
  const Eigen::Matrix<double, Rows, 3>& E;
  Feet feet{Eigen::Vector3d::Zero(), Eigen::Vector4d::Zero()};
  double square = -1;  // none yet
  void show(const Feet& other) {
    const double found = (E.col(0) + other.z[1] * E.col(1) + other.z[2] * E.col(2)).squaredNorm();
    if (square >= 0 && !(found < square)) return;
    feet = other;
    square = found;
  }
};

// The minimum of |r + s u - t v|^2 over all s and t, by orthogonalization; sine: sin^2 of the angle of u and v.
struct Crossing {
  double s = -1, t = -1, sine = 0;
};
template <class Column>
Crossing crossing(const Column& r, const Column& u, const Column& v) {
  Crossing found;
  const double uu = u.squaredNorm(), vv = v.squaredNorm();
  if (!(uu > 0 && vv > 0)) return found;
  const double shear = u.dot(v) / uu, part = r.dot(u) / uu;
  const Column across = v - shear * u, rest = r - part * u;
  const double square = across.squaredNorm();
  if (!(square > kParallel * vv)) return found;
  found.sine = square / vv;
  found.t = rest.dot(across) / square;
  found.s = found.t * shear - part;
  return found;
}

template <int Rows>
Feet nearest_on_triangle(const Eigen::Matrix<double, Rows, 3>& E) {
  using Column = Eigen::Matrix<double, Rows, 1>;
  const Column e0 = E.col(0), e1 = E.col(1), e2 = E.col(2);
  Nearest<Rows> nearest{E};
  const Crossing inner = crossing<Column>(e0, -e1, e2);  // e0 - a e1 - b e2
  const double a = inner.s, b = inner.t, third = 1 - a - b;
  if (a > 0 && b > 0 && third > 0) {
    const Feet feet = triangle_feet(a, b, third);
    if (inner.sine > kDoubtful) return feet;
    nearest.show(feet);
  }
  const double on_1 = along(e0.dot(e1), e1.squaredNorm()), on_2 = along(e0.dot(e2), e2.squaredNorm());
  const Column opposite = e2 - e1;
  const double on_3 = along((e0 - e1).dot(opposite), opposite.squaredNorm());
  nearest.show(triangle_feet(on_1, 0, 1 - on_1));
  nearest.show(triangle_feet(0, on_2, 1 - on_2));
  nearest.show(triangle_feet(1 - on_3, on_3, 0));
  return nearest.feet;
}

template <int Rows>
Feet nearest_on_edges(const Eigen::Matrix<double, Rows, 3>& E) {
  using Column = Eigen::Matrix<double, Rows, 1>;
  const Column r = E.col(0), u = E.col(1), v = E.col(2);
  Nearest<Rows> nearest{E};
  const Crossing inner = crossing<Column>(r, u, v);
  if (inner.s > 0 && inner.s < 1 && inner.t > 0 && inner.t < 1) {
    const Feet feet = edge_feet(inner.s, inner.t);
    if (inner.sine > kDoubtful) return feet;
    nearest.show(feet);
  }
  const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v), ru = r.dot(u), rv = r.dot(v);
  nearest.show(edge_feet(0, along(rv, vv)));
  nearest.show(edge_feet(1, along(rv + uv, vv)));
  nearest.show(edge_feet(along(-ru, uu), 0));
  nearest.show(edge_feet(along(uv - ru, uu), 1));
  return nearest.feet;
}

}  // namespace

Eigen::Matrix3d stencil_edges(StencilKind kind, const StencilPoints& X) {
  Eigen::Matrix3d E = Eigen::Matrix3d::Zero();
  if (kind == StencilKind::edge_edge) {
    E.col(0) = X.col(0) - X.col(2);
    E.col(1) = X.col(1) - X.col(0);
    E.col(2) = X.col(3) - X.col(2);
    return E;
  }
  E.col(0) = X.col(0) - X.col(1);
  if (kind != StencilKind::point_point) E.col(1) = X.col(2) - X.col(1);
  if (kind == StencilKind::point_triangle) E.col(2) = X.col(3) - X.col(1);
  return E;
}

template <int Rows>
Feet nearest_feet(StencilKind kind, const Eigen::Matrix<double, Rows, 3>& E) {
  switch (kind) {
    case StencilKind::point_triangle:
      return nearest_on_triangle<Rows>(E);
    case StencilKind::edge_edge:
      return nearest_on_edges<Rows>(E);
    case StencilKind::point_edge: {
      const double t = along(E.col(0).dot(E.col(1)), E.col(1).squaredNorm());
      return triangle_feet(t, 0, 1 - t);
    }
    case StencilKind::point_point:
      break;
  }
  return triangle_feet(0, 0, 1);
}
template Feet nearest_feet<3>(StencilKind, const Eigen::Matrix<double, 3, 3>&);
template Feet nearest_feet<6>(StencilKind, const Eigen::Matrix<double, 6, 3>&);

StencilMatrix distance_second_derivative(StencilKind kind, const Eigen::Matrix3d& E, const Feet& feet) {
  const Eigen::Vector3d r = E * feet.z;
  StencilMatrix H = StencilMatrix::Zero();
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b) H.block<3, 3>(3 * a, 3 * b).diagonal().setConstant(2 * feet.y[a] * feet.y[b]);

  // The directions N of (4) and X N, relative to the first vertex of the second side (the first of the first side: r).
  const bool edges = kind == StencilKind::edge_edge;
  Eigen::Matrix<double, 3, 4> at =
      Eigen::Matrix<double, 3, 4>::Zero();  // positions that differ by edges, per side
  if (edges) {
    at.col(1) = E.col(1);
    at.col(3) = E.col(2);
  } else {
    at.col(2) = E.col(1);
    at.col(3) = E.col(2);
  }
  Eigen::Vector4d N[2];
  Eigen::Vector3d XN[2];
  int count = 0;
  const int second = first_side(kind);
  for (const auto& [begin, end] : {std::array{0, second}, std::array{second, 4}}) {
    int base = -1;
    for (int a = begin; a < end; ++a) {
      if (feet.y[a] == 0) continue;
      if (base < 0) {
        base = a;
        continue;
      }
      N[count].setZero();
      N[count][a] = 1;
      N[count][base] = -1;
      XN[count] = at.col(a) - at.col(base);
      ++count;
    }
  }
  if (count == 2) {  // orthogonal directions, so that the small matrix of (4) is diagonal
    const double square = XN[0].squaredNorm(), shear = square > 0 ? XN[0].dot(XN[1]) / square : 0;
    const double whole = XN[1].squaredNorm();
    XN[1] -= shear * XN[0];
    N[1] -= shear * N[0];
    if (!(XN[1].squaredNorm() > kParallel * whole)) count = 1;
  }
  for (int k = 0; k < count; ++k) {
    const double square = XN[k].squaredNorm();
    if (!(square > 0)) continue;
    StencilVector q;
    for (int a = 0; a < 4; ++a) q.segment<3>(3 * a) = feet.y[a] * XN[k] + N[k][a] * r;
    H.noalias() -= (2 / square * q) * q.transpose();
  }
  return H;
}

}  // namespace phiflex
