// Mass of linear tetrahedra, m = rho V of each.
//
//   lumped      m/4 to each vertex                                                                        (1)
//   consistent  integral of rho N_a N_b = m (1 + delta_ab)/20 for each pair of vertices                   (2)
//
// A row of (2) sums to the row's (1): both give the same total mass and the same weight.
#pragma once

#include <span>
#include <vector>

#include "phiflex/fem/tet_batches.h"
#include "phiflex/linalg/sparse_matrix.h"
#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

// Rest volume of each tetrahedron [m^3].
std::vector<double> tet_volumes(const Vector& rest, std::span<const Tet> tets);

// masses[v] += (1). tet_masses: of each tetrahedron [kg].
void add_lumped_masses(std::span<const Tet> tets, std::span<const double> tet_masses,
                       std::span<double> masses);

// M += (2) times the identity of the block size, on the rows of free vertices: row_of_vertex is a vertex's
// block row, or -1 when it has none. M's pattern must couple the vertices of each tetrahedron.
void add_consistent_mass(std::span<const Tet> tets, std::span<const double> tet_masses,
                         std::span<const int> row_of_vertex, SparseMatrix& M);

}  // namespace phiflex
