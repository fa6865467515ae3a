// Mass of tetrahedra, m = rho V of each, in the shares of fem/tet_element.h:
//
//   lumped      to each node                                                                              (1)
//   consistent  integral of rho N_a N_b for each pair of nodes                                            (2)
//   weights     the sums of the rows of (2): what a uniform acceleration of 1 presses on each node with   (3)
//
// (1) and (3) are the same for linear tetrahedra. For quadratic ones (1) is positive and (3) is not, but only
// (3) lets a body with the mass (2) fall without being bent.
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
void add_lumped_masses(std::span<const QuadraticTet> tets, std::span<const double> tet_masses,
                       std::span<double> masses);
// weights[v] += (3).
void add_consistent_weights(std::span<const QuadraticTet> tets, std::span<const double> tet_masses,
                            std::span<double> weights);

// M += (2) times the identity of the block size, on the rows of free vertices: row_of_vertex is a vertex's
// block row, or -1 when it has none. M's pattern must couple the vertices of each tetrahedron.
void add_consistent_mass(std::span<const Tet> tets, std::span<const double> tet_masses,
                         std::span<const int> row_of_vertex, SparseMatrix& M);
void add_consistent_mass(std::span<const QuadraticTet> tets, std::span<const double> tet_masses,
                         std::span<const int> row_of_vertex, SparseMatrix& M);

}  // namespace phiflex
