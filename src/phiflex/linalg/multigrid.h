// Multigrid by smoothed aggregation (Vanek, Mandel and Brezina: Algebraic multigrid by smoothed aggregation for second
// and fourth order elliptic problems, 1996): an approximate inverse of a symmetric positive definite matrix of 3x3
// blocks, such as a M + b D + c K of an elastic body, at a cost that grows like the number of its vertices.
//
// Level 0 is A. With D the diagonal blocks of a level and |.| the Frobenius norm of a block, the next level is made by
//
//   strong couplings   |A_ij| >= theta sqrt(m_i m_j),   m_i the largest |A_ij| with j != i                 (1)
//   aggregates         a vertex and all that are strongly coupled to it; what is left over joins its strongest
//                      neighbour's aggregate, or makes aggregates of its own
//   B_a = Q_a R_a      of each aggregate a, orthonormal columns; B: the six rigid motions                  (2)
//   P0 = Q,   next level's B = R
//   P = (1 - omega D^-1 A) P0,   omega = 4/(3 lambda)                                                      (3)
//   A+ = P'A P,   six unknowns for each aggregate                                                          (4)
//
// lambda: an upper estimate of the largest eigenvalue of D^-1 A, from Lanczos's method. Smoothing before and after the
// correction from the next level: Chebyshev's polynomial in D^-1 A of degree 2 on [lambda/ratio, lambda] (Adams,
// Brezina, Hu and Tuminaro: Parallel multigrid smoothing: polynomial versus Gauss-Seidel, 2003). The last level is
// factorized. All of it is one symmetric positive definite operator: conjugate gradients may use it.
//
// Aggregates and the patterns of P, A P and A+ depend on the pattern and on (1) of the first build(); they are kept.
//
// Level 0 keeps its blocks in single precision. What rounding takes from the rows' sums, sum_j (A_ij - float(A_ij)), is
// added to the diagonal: translations, which the mass alone holds, keep all their digits.
//
// Rows are computed in parallel, sums have a fixed order: the same bits for any number of threads.
#pragma once

#include <memory>
#include <vector>

#include "phiflex/linalg/cholesky.h"
#include "phiflex/linalg/sparse_matrix.h"

namespace phiflex {

class Multigrid {
 public:
  // The pattern's blocks are of size 3.
  explicit Multigrid(std::shared_ptr<const SparsityPattern> pattern);
  ~Multigrid();
  Multigrid(Multigrid&&) noexcept;
  Multigrid& operator=(Multigrid&&) noexcept;

  // The hierarchy of A, which has the pattern of construction. positions: of the vertices, three numbers for each block
  // row; they give the rigid motions. Not positive definite: as far as Lanczos's method or the last level's
  // factorization meets it.
  FactorStatus build(const SparseMatrix& A, const Vector& positions);
  bool ready() const;

  // z = one cycle for A z = r, from z = 0. Serves one thread at a time.
  void precondition(const Vector& r, Vector& z);

  // The aggregate of each node, level by level: what build() keeps. A multigrid that is given them makes the same
  // hierarchy of the same matrix as the one they come from. std::invalid_argument: they do not fit the pattern.
  std::vector<std::vector<int>> aggregates() const;
  void set_aggregates(std::vector<std::vector<int>> aggregates);

  int levels() const;  // the finest included
  Index unknowns(int level) const;
  double build_operations() const;  // floating-point operations of a build() with the current patterns
  double cycle_operations() const;  // of precondition()
  std::size_t bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace phiflex
