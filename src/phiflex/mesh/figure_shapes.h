// Bodies made of rods, blocks and ellipsoids, filled with tetrahedra (lattice_fill.h): stand-ins of the size and kind
// of those of the papers whose meshes are not public, and a cow.
//
// Each has a greatest extent `size` [m] and a number `cells` of lattice cubes along it. Feet and cut ends are plane.
#pragma once

#include <span>

#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

struct FigureShape {
  const char* name;
  const char* description;
  double size;  // the default [m]
  int cells;    // the default, which gives about as many tetrahedra as the paper's body has
  double fill;  // tetrahedra over cells^3, roughly
};

// tree, tower, bridge, moebius, body, arm, kidney, cow
std::span<const FigureShape> figure_shapes();

// `name` is one of figure_shapes(). `body` has the vertex set "inner", the flesh near the bones.
TetMesh generate_figure(const std::string& name, double size, int cells);

// Centred at the origin, half axes along x, y, z; `cells` along the greatest diameter.
struct SpheroidShape {
  Point3 radii = {0.05, 0.06, 0.05};  // [m]
  int cells = 11;
};
TetMesh generate_spheroid(const SpheroidShape& shape);

}  // namespace phiflex
