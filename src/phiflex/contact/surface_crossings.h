// Which edges of a surface pass through which triangles: what bodies that start intersected have, and bodies apart do
// not.
//
// An edge p q crosses a triangle a b c when p and q lie strictly on two sides of its plane and the line passes through
// its inside. With o(a, b, c, d) six times the signed volume of a tetrahedron,
//
//   o(p, a, b, c) o(q, a, b, c) < 0,     o(p, q, a, b), o(p, q, b, c), o(p, q, c, a) all above 0, or all below 0    (1)
//
// Volumes below 1e-14 of the cube of the largest extent are 0: surfaces that touch do not cross, nor do bodies of one
// grid that overlap with all their edges meeting edges; these have the distance 0.
//
// A body may also lie inside another one, with no edge through any triangle. A piece is enclosed when it lies in a
// tetrahedron of another part, deeper below its surface than a millionth of the reach: nearer pieces touch. Vertices
// and middles of triangles are looked at.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "phiflex/contact/contact_candidates.h"

namespace phiflex {

struct SurfaceCrossing {
  int edge, triangle;  // of the ContactSurface
};

// Those of parts that may touch, edge after edge; within one part edges and triangles with a common vertex are left
// out. x: positions of all vertices. At most `most` are looked for.
std::vector<SurfaceCrossing> find_crossings(const ContactSurface& surface, const PartPairs& pairs,
                                            const Vector& x, std::size_t most);

struct EnclosedPiece {
  int part, inside;           // of the surface: the piece's own, and the one that it lies in
  std::vector<int> vertices;  // of the model: one, or three of a triangle
};

// The first piece of each two parts that may touch, if there is one. tets: of each part, by the model's vertices; none
// where it bounds no solid. x: positions of all vertices.
std::vector<EnclosedPiece> find_enclosed(const ContactSurface& surface, const PartPairs& pairs,
                                         std::span<const std::vector<std::array<int, 4>>> tets,
                                         const Vector& x);

}  // namespace phiflex
