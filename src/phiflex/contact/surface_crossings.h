// Which edges of a surface pass through which triangles: what bodies that start intersected have, and bodies apart do not.
//
// An edge p q crosses a triangle a b c when p and q lie strictly on two sides of its plane and the line passes through its
// inside. With o(a, b, c, d) six times the signed volume of a tetrahedron,
//
//   o(p, a, b, c) o(q, a, b, c) < 0,     o(p, q, a, b), o(p, q, b, c), o(p, q, c, a) all above 0, or all below 0    (1)
//
// Volumes below 1e-14 of the cube of the largest extent are 0: surfaces that touch do not cross, nor do bodies of one grid
// that overlap with all their edges meeting edges; these have the distance 0.
#pragma once

#include <vector>

#include "phiflex/contact/contact_candidates.h"

namespace phiflex {

struct SurfaceCrossing {
  int edge, triangle;  // of the ContactSurface
};

// Those of parts that may touch, edge after edge; within one part edges and triangles with a common vertex are left out.
// x: positions of all vertices. At most `most` are looked for.
std::vector<SurfaceCrossing> find_crossings(const ContactSurface& surface, const PartPairs& pairs,
                                            const Vector& x, std::size_t most);

}  // namespace phiflex
