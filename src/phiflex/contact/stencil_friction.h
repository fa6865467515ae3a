// Friction of a contact stencil along a step dX, with the pressure and the feet of its contact force at the same
// iterate (stencil_two_state.h): P the pressure [N], n its direction, y the feet,
//
//   J0 = (y_0 (1 - n n'), .., y_3 (1 - n n')),   J = J0 (1 - Z (Z'Z)^-1 Z')                                 (1)
//   u = J dX,    f = -mu P J'u/sqrt(|u|^2 + (h s0)^2)                                                       (2)
//
// u is the slip along the surface; Z holds the three rotations of the stencil about its middle, in the shape of the
// middle of the step. J Z = 0: a rotation of the stencil is no slip, and f has no torque; sum y = 0: no resultant.
// (Friction without the projection turns a pair of bodies by the distance times f.) It takes
//
//   mu P |u|^2/sqrt(|u|^2 + (h s0)^2) = -dX:f >= 0                                                          (3)
//
// s0 [m/s]: below this speed of slip friction falls to 0 with it. Tangent, of f alone with P, n and y kept:
//
//   -2 df/dX = J'Q J,    Q = 2 mu P/q (1 - u u'/q^2),    q = sqrt(|u|^2 + (h s0)^2)                         (4)
//
// Two points cannot rub without torque, and a point and an edge only in their plane: there J is 0, or of rank one.
// Where such a stencil stands for a part of a triangulated surface, hand over the vertices of a whole triangle, its
// carrier, with y = 0 for those that the feet do not depend on.
//
// (1) and (2) are exact for any y with sum 0, but f depends on the carrier: another one has another Z, and the slip
// differs by d/edge, d the distance, of the motion. Were the carrier the triangle of the foot, f would jump where the
// foot crosses an edge of a flat surface, by as much as mu P; what sticks sits there, and its step has no solution. So
// along a step from x the carrier of a point stays the same, wherever the foot goes:
//
//   T = the nearest one at x of the triangles within reach that share a vertex with the stencil's own        (5)
//   y = (1, -b),  b the barycentric coordinates in T of the foot, in the middle of the step                  (6)
//
// b is not clamped: it goes on linearly across the edges of T. On a flat surface f is then continuous in X + dX, and
// the signed sum over the triangles, edges and vertices there cancels as that of the contact forces does. Where the
// surface bends, (6) takes the foot's projection on the plane of T. T shares a vertex with the triangle of the foot, so
// that b stays small (beside a needle the foot is pulled to the centre of T until b is); the other side of a fold has a
// carrier of its own. T is a function of x and dx alone.
#pragma once

#include "phiflex/contact/stencil.h"

namespace phiflex {

struct FrictionLaw {
  double coefficient = 0;    // mu
  double slip_speed = 1e-3;  // s0, m/s
};

struct StencilFriction {
  StencilPoints force = StencilPoints::Zero();                               // (2), N
  double taken = 0;                                                          // (3), J
  Eigen::Matrix<double, 3, 12> slip = Eigen::Matrix<double, 3, 12>::Zero();  // J
  Eigen::Matrix3d block = Eigen::Matrix3d::Zero();                           // Q, N/m
  Eigen::Vector3d way = Eigen::Vector3d::Zero();                             // u, m; n.u = 0
};

// middle: the vertices' positions at the middle of the step; dX: their motion; count: how many vertices there are.
// arm: along n, need not be of length 1, but not 0. pressure: P, negative for a stencil that is subtracted from the sum
// over a surface, and (3) with it; h [s].
StencilFriction stencil_friction(const FrictionLaw& law, int count, const StencilPoints& middle,
                                 const StencilPoints& dX, const Eigen::Vector4d& feet,
                                 const Eigen::Vector3d& arm, double pressure, double h);

}  // namespace phiflex
