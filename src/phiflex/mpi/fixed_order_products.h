// Coarse matrices P'AP of PETSc's parallel sparse matrices whose last digits do not depend on the order in which
// messages arrive.
//
// PETSc forms the rows of P'(A P) where the rows of A are and adds what other ranks send in the order of arrival: with
// three or more ranks, last digits differ from run to run. Here the row of the result is formed by its owner,
//
//   C = R (A P),   R = P',                                                                                 (1)
//
// as two products of rows, which PETSc sums in the order of columns. As many operations as PETSc's own product; its
// `-matptap_via allatonce`, which has a fixed order too, sums in a hash table for each row and takes some ten times as
// long.
//
// An aggregate of one vertex cannot carry six rigid motions: its last three columns of P are zero, and so are rows of
// C. A coarser aggregate of nothing else has a diagonal of roundings, by which Jacobi's method divides: largest
// eigenvalues of 1e16, smoothers that do nothing. So
//
//   C_ii = largest C_kk of the block of i,   where C_ii is zero but for rounding,                          (2)
//
// which changes nothing else: these rows are coupled with no other.
#pragma once

namespace phiflex {

// For all matrices of the type MATMPIAIJ that are made after it, unless an option -matptap_via asks for one of PETSc's
// own ways. Once, after PetscInitialize.
void use_fixed_order_products();

}  // namespace phiflex
