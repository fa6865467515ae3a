// How a hand takes hold of a body: which vertices, and how strongly.
//
//   w_i = c (1 - (r_i/R)^2)^2,   r_i: distance from the point in the rest shape,
//                                R = max(0.08 L, 1.5 r_min, min(R_Y, L/4)),   R_Y = sqrt(4 k L/(pi Y))            (1)
//   k = s m (w_0^2 + w_1^2),     w_0 = 2 pi 2 Hz,   w_1 = sqrt(Y/rho) d/L^2                                       (2)
//
// L and d: the longest and the shortest side of the body's box at rest, m its mass, Y the smallest of its Young's
// moduli, rho the density, s a factor of the user. w_1 estimates the body's lowest bending frequency (of a clamped beam
// of the thickness d it is about this), so that a pull deforms soft and stiff bodies alike; springs and bodies without
// a thickness count with w_0 alone. c makes the sum of the weights 1.
//
// R_Y (with s = 1) makes the mean stress of the patch, k e/(pi R^2), a tenth of Y when the spring is drawn by e = 0.4
// L. On a smaller patch a soft body is crushed at the point that is held: its stiffness is indefinite there, and
// implicit steps do not converge (bench/results/2026-11-19-live.txt). Bodies without a Young's modulus have no R_Y.
//
// The hand is not the pointer: it follows it as a critically damped mass does, in the time of the scene,
//
//   tau^2 p'' + 2 tau p' + p = pointer,     tau = 1/(2 pi 4 Hz) = 0.04 s                                          (3)
//
// Voluntary motion of a hand has little above 4 Hz. A pointer comes in jumps: of events that are late, of a scene that
// runs slower than real time, where it is faster than any hand by the same factor, and of views in which the point that
// is held is elsewhere. A jump of the spring's end is a blow at a few vertices, whose waves an undamped body keeps; to
// follow them costs several times as many steps within a step.
#pragma once

#include <array>
#include <vector>

#include "phiflex/build/assembly.h"

namespace phiflex {

// A point of a body: in a triangle of its surface, or a vertex (three times the same).
struct SurfacePick {
  std::array<int, 3> vertices{};    // of the model, all of one body
  std::array<double, 3> weights{};  // sum 1
  // Of positions of all vertices.
  Eigen::Vector3d at(const Vector& x) const {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (std::size_t i = 0; i < 3; ++i) sum += weights[i] * x.segment<3>(3 * Index(vertices[i]));
    return sum;
  }
};

struct HandPatch {
  std::vector<int> vertices;    // of the model
  std::vector<double> weights;  // (1)
  double strength = 0;          // k for s = 1, N/m
  double reach = 0;             // L, m: the hand pulls no farther than this from where the body is
};

// (3) over the time h, exact for a pointer that rests at `to`: the hand's place p and its velocity. Within 1e-4 of the
//     reach
// it has arrived, and rests there.
void follow(const Eigen::Vector3d& to, double h, double reach, Eigen::Vector3d& p, Eigen::Vector3d& velocity);

// The number of the body to which a vertex of the model belongs.
int body_of(const Assembly& world, int vertex);
HandPatch patch_around(const Assembly& world, const SurfacePick& pick);

}  // namespace phiflex
