// What the operations of linear algebra cost, in units of about a nanosecond: counts of floating-point
// operations weighted by rates that were measured once (Zen 4, AVX2, one thread, bodies of 24,000 and 98,304
// tetrahedra) and fixed. They weigh one kind of work against another, they do not tell time: decisions by them
// are reproducible.
#pragma once

#include "phiflex/linalg/cholesky.h"
#include "phiflex/linalg/lu.h"

namespace phiflex {

// Matrix products in cache.
inline double factorization_work(const CholeskyFactorization& L) {
  return 0.035 * L.factor_operations();
}
// L read from memory, twice.
inline double solve_work(const CholeskyFactorization& L) {
  return 0.2 * L.solve_operations();
}
// The packed L, in single precision.
inline double preconditioner_work(const CholeskyFactorization& L) {
  return 0.07 * L.solve_operations();
}
// Pivots are looked for and rows assembled beside the products; L and U read from memory, with two refinements.
inline double factorization_work(const LuFactorization& lu) {
  return 0.1 * lu.factor_operations();
}
inline double solve_work(const LuFactorization& lu) {
  return 3 * 0.2 * lu.solve_operations();
}
// A matrix read from memory, once.
inline double product_work(const SparsityPattern& pattern) {
  if (pattern.halo()) return 1;  // a unit that is the same on all ranks
  return 0.08 * 2.0 * double(pattern.blocks()) * pattern.block() * pattern.block();
}

// Products of small blocks on kept patterns, and cycles that read their matrices from memory, in single precision for
// the most part; by their operations.
inline double multigrid_build_work(double operations) {
  return 0.33 * operations;
}
inline double multigrid_cycle_work(double operations) {
  return 0.3 * operations;
}

// On several ranks, in products: algebraic multigrid of PETSc, made from scratch, and one application of it. Measured
// on 98,304 and 1,119,744 tetrahedra, 1 to 8 ranks: 2,600 to 5,800 and 31 to 63 (bench/results/2026-11-19-ranks.txt).
inline constexpr double kOuterBuildWork = 4000, kOuterCycleWork = 35;

}  // namespace phiflex
