// Fills a solid, given as a union of pieces, with tetrahedra of a body-centred cubic lattice.
//
// A piece is a function f: the distance to its surface, positive inside; it has to be right only within two cells of
// the surface. With f of the union at the lattice's points, after the idea of Labelle and Shewchuk, "Isosurface
// stuffing" (2007):
//
//   (1)  a lattice point closer to the surface than a fixed part of an edge moves onto it; it then has f = 0
//   (2)  an edge that still crosses the surface is cut at  t = f(a) / (f(a) - f(b))
//   (3)  what is inside of each lattice tetrahedron is one tetrahedron, a pyramid or a prism, cut into tetrahedra
//
// (1) keeps every cut away from an edge's ends, so that all tetrahedra are good; measured, no dihedral angle is below
// 8 degrees. Where two parts of the surface would touch in a point or an edge only, the lattice point there is taken
// inside. The result depends on nothing but the arguments.
#pragma once

#include <functional>
#include <vector>

#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

struct SolidPiece {
  Point3 low{}, high{};                         // [m] it lies within
  std::function<double(const Point3&)> inside;  // [m] distance to its surface, positive inside
};

// A segment with a ball of radius ra at a and rb at b, linear in between.
SolidPiece rod(const Point3& a, const Point3& b, double ra, double rb);
// A block, edges along the axes.
SolidPiece block(const Point3& low, const Point3& high);
// Half axes along x, y, z.
SolidPiece ellipsoid(const Point3& center, const Point3& radii);

// What lies behind a plane is cut off: kept are points with sign * x[axis] >= sign * at.
struct SolidCut {
  int axis = 2;
  double at = 0;  // [m] best a multiple of the cell: then the lattice has points there
  int sign = 1;
};

// The largest connected part of the union, in cubes of edge `cell` [m]; the lattice has a point at the origin.
TetMesh fill_with_tetrahedra(const std::vector<SolidPiece>& pieces, const std::vector<SolidCut>& cuts,
                             double cell);

// The inside of a closed surface, in cubes of which `cells` fit along its longest side; parts thinner than a cube may
// be lost, which a note tells. name: of the surface, for messages. InputError when it is open, or inside out.
TetMesh fill_with_tetrahedra(const SurfaceMesh& surface, const std::string& name, int cells);

}  // namespace phiflex
