// How a hand takes hold of a body: which vertices, and how strongly.
//
//   w_i = c (1 - (r_i/R)^2)^2,   r_i: distance from the point in the rest shape,   R = max(0.08 L, 1.5 r_min)    (1)
//   k = s m (w_0^2 + w_1^2),     w_0 = 2 pi 2 Hz,   w_1 = sqrt(Y/rho) d/L^2                                       (2)
//
// L and d: the longest and the shortest side of the body's box at rest, m its mass, Y the smallest of its Young's moduli, rho
// the density, s a factor of the user. w_1 estimates the body's lowest bending frequency (of a clamped beam of the
// thickness d it is about this), so that a pull deforms soft and stiff bodies alike; springs and bodies without a
// thickness count with w_0 alone. c makes the sum of the weights 1.
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

// The number of the body to which a vertex of the model belongs.
int body_of(const Assembly& world, int vertex);
HandPatch patch_around(const Assembly& world, const SurfacePick& pick);

}  // namespace phiflex
