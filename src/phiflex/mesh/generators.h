// Parametric tetrahedral meshes. The same parameters give the same mesh, bit for bit, with every tetrahedron
// good. std::invalid_argument when a parameter is out of its range. generator_catalogue.h has more of them, by name.
#pragma once

#include <array>

#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

// [0, size] in every direction; each cell is cut into six tetrahedra around its diagonal,
// neighbours as mirror images.
struct BoxShape {
  std::array<double, 3> size = {1, 1, 1};  // [m]
  std::array<int, 3> cells = {4, 4, 4};
};
TetMesh generate_box(const BoxShape& shape);

// Centred at the origin: an icosahedron's twenty cones cut into `resolution` layers, 20 resolution^3
// tetrahedra. With a shell, tetrahedra outside radius - shell have tag 1 ("shell"), the others tag 0
// ("core"), and a layer of vertices lies exactly on the interface.
struct BallShape {
  double radius = 1;  // [m]
  int resolution = 6;
  double shell = 0;  // thickness [m]; 0: no regions
};
TetMesh generate_ball(const BallShape& shape);

// Axis x, from x = 0 to length, around y = z = 0: 6 resolution^2 triangles across, cells_along slices, three
// tetrahedra per prism.
struct CylinderShape {
  double radius = 0.5;  // [m]
  double length = 2;    // [m]
  int resolution = 3;   // rings across the radius
  int cells_along = 0;  // 0: as long as a ring is wide
};
TetMesh generate_cylinder(const CylinderShape& shape);

// A rope coiled around the y axis from y = 0, its axis starting at x = coil_radius: 18 resolution^2 cells_along
// tetrahedra, plane ends across the rope.
struct HelixShape {
  double coil_radius = 50;  // [m] of the rope's axis
  double height = 265;      // [m] the axis rises
  double turns = 5;
  double rope_radius = 7.4;  // [m]
  int resolution = 2;        // rings across the rope's radius
  int cells_along = 656;     // slices along the rope
};
TetMesh generate_helix(const HelixShape& shape);

// A sheet of hexagonal holes over the x-y plane, from z = 0 to thickness, columns x rows of cells from the origin;
// each row is shifted by half a cell. A wall between two holes is two quadrilaterals thick: 36 divisions layers
// tetrahedra per cell.
struct HoneycombShape {
  std::array<int, 2> cells = {7, 6};
  double side = 11.5;     // [m] of a cell, from the middle of one wall to that of the next
  double wall = 3;        // [m] thickness of a wall between two holes; half of it at the outline
  double thickness = 10;  // [m] of the sheet
  int divisions = 3;      // along a wall
  int layers = 2;         // across the sheet
};
TetMesh generate_honeycomb(const HoneycombShape& shape);

// Centred at the origin, half axes along x, y, z; a lattice with `cells` cubes along the greatest diameter fills it.
struct SpheroidShape {
  Point3 radii = {0.05, 0.06, 0.05};  // [m]
  int cells = 11;
};
TetMesh generate_spheroid(const SpheroidShape& shape);

}  // namespace phiflex
