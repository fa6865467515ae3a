// Ropes and cloths as plain data: vertices, masses, springs.
#pragma once

#include <array>
#include <vector>

#include "phiflex/energy/spring_term.h"
#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

enum class SpringKind { structural, shear, bending };

struct SpringNetwork {
  std::vector<Point3> vertices;               // at rest [m]
  std::vector<double> masses;                 // of the vertices [kg]
  std::vector<Spring> springs;                // between these vertices
  std::vector<SpringKind> kinds;              // of the springs
  std::vector<std::array<int, 3>> triangles;  // the surface that air and light see; empty for a rope
};

// How stiff springs are: in newtons per unit strain, k = value / rest length, so that refinement does not
// change the whole; or k itself in N/m, the same for every spring.
struct SpringStrength {
  enum class Measure { per_strain, per_length };
  Measure measure = Measure::per_strain;
  double value = 0;

  double constant(double rest_length) const {
    return measure == Measure::per_strain ? value / rest_length : value;
  }
};

// `segments` equal springs in a line. Half of each spring's mass goes to each end.
struct RopeShape {
  Point3 from{}, to{};  // [m]
  int segments = 1;
  SpringStrength strength;
  double linear_density = 0;  // [kg/m]
};
SpringNetwork generate_rope(const RopeShape& shape);

// m x n cells in the x-z plane from the origin; vertex (i, j) has the number j (m + 1) + i and lies at
// (i a/m, 0, j b/n). Structural springs along the grid lines, shear springs along both diagonals of every
// cell, bending springs along the grid lines from each vertex to the next but one. A quarter of each cell's
// mass goes to each corner.
struct ClothShape {
  std::array<double, 2> size{};    // a along x, b along z [m]
  std::array<int, 2> cells{1, 1};  // m along x, n along z
  SpringStrength strength;         // of the structural springs
  double shear = 1;                // the same for shear springs, as a factor; 0: none
  double bending = 0;              // the same for bending springs
  double area_density = 0;         // [kg/m^2]
};
SpringNetwork generate_cloth(const ClothShape& shape);

}  // namespace phiflex
