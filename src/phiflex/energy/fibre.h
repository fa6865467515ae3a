// Fibres of cuboids: hair, bristles, flagella.
//
// A fibre of square cross-section, side w, is cut into segments of length L. Each of its cross-sections has four
// particles, at the corners of a square of side
//
//   b = w/sqrt(3),                                                                                        (1)
//
// the Gauss points of the section: a quarter of the area at each has the section's own second moment, A b^2/4 =
// w^4/12 = I. Between neighbouring sections stand
//
//   four longitudinal springs       k = E A/(4 L)                                                         (2)
//   four scissors, one per face     k = G J d^2/(4 L b^4),    d^2 = L^2 + b^2,   J = 0.140577 w^4         (3)
//
// and each section is held by its four edges and two diagonals, k = E L/2. The reasons:
//   axial      an elongation a stretches the four longitudinal springs by a: force 4 k a = E A a/L.
//   bending    a relative rotation p of the two sections stretches them by p b/2: moment 4 k (b/2)^2 p = E I p/L.
//   torsion    a relative twist p shears each face by p b/2, its diagonals become +-(p b/2) (b/d) longer, their
//              difference e = p b^2/d: moment 4 k (b^2/d)^2 p = G J p/L.
//   shear      sections displaced by a across: e = 2 a b/d on two faces, force 8 k b^2/d^2 a = 2 G J/(L b^2) a =
//              0.843 G A a/L. (The theory of beams asks for 5/6: the same springs serve both.)
// A scissor (spring.h) acts by the difference of its face's diagonals and so takes no part in the first two;
// separate diagonal springs would: in a slender segment they are nearly parallel to the fibre, and what is right for
// its torsion stiffens its axis (L/w)^2 times too much. The difference measures the shear in the middle of the segment:
// in bending there is none, a slender fibre does not lock. The section's springs carry nothing in these motions; they
// are as stiff as a plate of thickness L.
//
// The model is that of cuboids of coupled oscillators (Michels, Mueller and Sobottka: A physically based approach to
// the accurate simulation of stiff fibers and stiff fiber meshes, 2015), the constants are derived here; J is
// Saint-Venant's (Timoshenko and Goodier: Theory of Elasticity, 1970). The thickness goes linearly from root to tip;
// constants are those of a segment's middle.
#pragma once

#include <span>

#include "phiflex/energy/spring_network.h"

namespace phiflex {

struct FibreShape {
  double length = 0;  // [m]
  int segments = 1;
  std::array<double, 2> thickness{};    // w at the root and at the tip [m]
  double young = 0, shear_modulus = 0;  // E, G [Pa]
  double density = 0;                   // [kg/m^3]
};

struct FibreRoot {
  Point3 point{};      // centre of the first section
  Point3 direction{};  // from root to tip, of any length but zero
};

// One fibre after the other, each with the vertices 4 section + corner, sections from the root on. An eighth of each
// segment's mass goes to each of its corners.
SpringNetwork generate_fibres(std::span<const FibreRoot> roots, const FibreShape& shape);

}  // namespace phiflex
