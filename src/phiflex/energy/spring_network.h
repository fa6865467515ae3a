// Ropes, cloths, flags, girders, fibres and the edges of meshes as plain data: vertices, masses, springs.
#pragma once

#include <array>
#include <vector>

#include "phiflex/energy/spring.h"
#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

enum class SpringKind : char { structural, shear, bending };

struct SpringNetwork {
  std::vector<Point3> vertices;                        // at rest [m]
  std::vector<double> masses;                          // of the vertices [kg]
  std::vector<Spring> springs;                         // between these vertices
  std::vector<SpringKind> kinds;                       // of the springs
  std::array<double, 3> strength_of_kind = {1, 1, 1};  // over that of structural springs
  std::vector<CentreSpring> centre_springs;            // of tetrahedra
  std::vector<ScissorSpring> scissors;                 // of fibres' faces
  std::vector<std::array<int, 3>> triangles;           // the surface that air and light see; empty for a rope
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

// A spring at rest between two vertices of the network, as strong as its kind.
void add_spring(int a, int b, SpringKind kind, const SpringStrength& strength, SpringNetwork& network);
// The mass in equal parts to the vertices.
template <std::size_t n>
void add_mass(double mass, const std::array<int, n>& vertices, SpringNetwork& network) {
  for (const int v : vertices) network.masses[v] += mass / n;
}

// `segments` equal springs in a line. Half of each spring's mass goes to each end.
struct RopeShape {
  Point3 from{}, to{};  // [m]
  int segments = 1;
  SpringStrength strength;
  double linear_density = 0;  // [kg/m]
};
SpringNetwork generate_rope(const RopeShape& shape);

// m x n cells in the x-z plane from the origin; vertex (i, j) has the number j (m + 1) + i and lies at
// (i a/m, 0, j b/n); or upright as a flag at a pole along y, with the vertex at (i a/m, j b/n, 0). Structural
// springs along the grid lines, shear springs along both diagonals of every cell, bending springs along the grid
// lines from each vertex to the next but one. A quarter of each cell's mass goes to each corner.
struct ClothShape {
  enum class Plane { lying, upright };
  std::array<double, 2> size{};    // a along x, b along z or y [m]
  std::array<int, 2> cells{1, 1};  // m along x, n along z or y
  SpringStrength strength;         // of the structural springs
  double shear = 1;                // the same for shear springs, as a factor; 0: none
  double bending = 0;              // the same for bending springs
  double area_density = 0;         // [kg/m^2]
  Plane plane = Plane::lying;
};
SpringNetwork generate_cloth(const ClothShape& shape);

// A lattice girder along x from the origin: n bays of rectangular frames, length x height x width. Chords, posts and
// beams are structural springs; both diagonals of every face of a bay and of every frame are shear springs. Vertices:
// frame i has 4 i + (0: low, z = 0; 1: low, z = width; 2: high, z = width; 3: high, z = 0).
struct GirderShape {
  std::array<double, 3> size{};  // length along x, height along y, width along z [m]
  int bays = 1;
  SpringStrength strength;
  double shear = 1;           // of the diagonals, as a factor; 0: none
  double linear_density = 0;  // of every bar [kg/m]
};
SpringNetwork generate_girder(const GirderShape& shape);

// Springs along the edges of a tetrahedral mesh (structural), and from each vertex of a tetrahedron to the centre of
// the opposite face, which keep it from collapsing (Michels, Luan and Tokman: A Stiffly Accurate Integrator for
// Elastodynamic Problems, 2017). A quarter of each tetrahedron's mass goes to each vertex.
struct TetSprings {
  SpringStrength strength;
  double diagonal = 0;  // strength of the springs to the faces, as a factor; 0: none
  double density = 0;   // [kg/m^3]
};
SpringNetwork tet_springs(const TetMesh& mesh, const TetSprings& springs);

// Springs along the edges of triangles and the segments of lines (structural), and bending springs: across the common
// edge of two triangles, from corner to corner, and along lines from each vertex to the next but one. A third of
// each triangle's mass goes to each corner, half of each segment's to each end.
struct MeshSprings {
  SpringStrength strength;
  double bending = 0;         // as a factor; 0: none
  double area_density = 0;    // of triangles [kg/m^2]
  double linear_density = 0;  // of lines [kg/m]
};
SpringNetwork mesh_springs(const SurfaceMesh& mesh, const MeshSprings& springs);

}  // namespace phiflex
