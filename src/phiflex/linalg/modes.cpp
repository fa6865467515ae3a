#include "phiflex/linalg/modes.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "phiflex/base/outer_phase.h"
#include "phiflex/linalg/davidson.h"
#include "phiflex/linalg/dense_solvers.h"
#include "phiflex/linalg/shift_inverse.h"

namespace phiflex {
namespace {

// Up to this size, and when a large part of all pairs is wanted, a dense solver is faster.
constexpr Index kDenseSize = 300, kDenseShare = 5;

// On an exact inverse far below the wanted eigenvalues. Blocks grow with the count, so that the projected
// problems are not solved too often; a few vectors above the wanted ones speed up the convergence of the last.
Davidson::Shape direct_shape(Index rows, Index wanted) {
  const Index block = std::max(kModesBlock, round_up_to_block(wanted / 5, kModesBlock)),
              kept = wanted + block;
  return {rows, rows, wanted, kept, 0, block, block, std::min(rows, std::max(2 * kept, kept + 4 * block))};
}

// Eigenvectors by a dense solver; empty when it fails.
Matrix dense_modes(const AssembledPencil& pencil, Index count) {
  Matrix K = Matrix(pencil.K().to_eigen());
  if (const LowRank* low = pencil.low_rank())
    K.noalias() += low->MU * low->scale.asDiagonal() * low->MU.transpose();
  Matrix M = pencil.mass().diagonal().asDiagonal();
  if (const SparseMatrix* consistent = pencil.mass().matrix()) M = Matrix(consistent->to_eigen());
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> eigen(K, M);
  if (eigen.info() != Eigen::Success) return {};
  return eigen.eigenvectors().leftCols(count);
}

// Builds the inverse of M + s K with the largest s that leaves it positive definite, from 1/s = 1e-11 |A| on: far below
// the eigenvalues of interest, and above the rounding errors of a singular K. A multigrid holds its finest level in
// single precision, and gains nothing from a shift below the lowest eigenvalues.
SolveStatus build_with_large_shift(const AssembledPencil& pencil, double norm, const Vector& positions,
                                   KeptInverse& kept, double& s, Work& work) {
  const PhaseTimer timer(work.factorization_seconds);
  SparseMatrix A(pencil.K().shared_pattern());
  for (double sigma = (kept.is_exact() ? 1e-11 : 1e-9) * norm;; sigma *= 100) {
    s = 1 / sigma;
    A.set(s, pencil.K());
    pencil.mass().add_to(1, A);
    ++work.factorizations;
    switch (kept.build(A, positions)) {
      case FactorStatus::ok:
        return SolveStatus::ok;
      case FactorStatus::not_finite:
        return SolveStatus::not_finite;
      case FactorStatus::not_positive_definite:
        break;
    }
    if (sigma > norm) return SolveStatus::not_positive_definite;
  }
}

// By Davidson's method on a factorization, or on the cycle of a multigrid.
ModesStatus find_modes(const AssembledPencil& pencil, Index count, double norm, const ModesOptions& options,
                       KeptInverse& kept, Modes& modes, Work& work) {
  double s = 0;
  switch (build_with_large_shift(pencil, norm, options.positions, kept, s, work)) {
    case SolveStatus::ok:
      break;
    case SolveStatus::not_positive_definite:
    case SolveStatus::not_converged:
      return ModesStatus::not_positive_definite;
    case SolveStatus::not_finite:
      return ModesStatus::not_finite;
  }
  KeptShiftInverse inverse(kept, s);
  Davidson davidson(kept.is_exact() ? direct_shape(pencil.size(), count)
                                    : Davidson::cold_shape(pencil.size(), pencil.size(), count));
  const ModesStatus status =
      davidson.converge_cold({pencil, &inverse, norm, options.tolerance, 1, work}, options.sweep_limit);
  if (davidson.space().pairs() < count) return status;
  davidson.keep();
  davidson.store(modes);
  return status;
}

}  // namespace

ModesStatus compute_modes(const AssembledPencil& pencil, Index count, const ModesOptions& options,
                          Modes& modes, Work& work) {
  const OuterPhase phase(work, &Work::modes_seconds);
  const Index rows = pencil.size();
  if (count < 0 || count > rows)
    throw std::invalid_argument("compute_modes: between none and as many modes as unknowns");
  modes = {};
  if (count == 0) return ModesStatus::ok;
  double norm = pencil.norm();
  if (!std::isfinite(norm)) return ModesStatus::not_finite;
  if (norm == 0) norm = 1;  // K = 0: every vector is a mode
  if (rows <= kDenseSize || count * kDenseShare > rows) {
    const Matrix U = dense_modes(pencil, count);
    if (U.size() == 0) return ModesStatus::not_finite;
    Davidson davidson(
        {rows, rows, count, count, 0, std::min(kModesBlock, count), std::min(kModesBlock, count), count});
    const Davidson::Problem problem = {pencil, nullptr, norm, options.tolerance, 1, work};
    davidson.set_basis(U);
    davidson.resume(problem);
    const ModesStatus status = davidson.converge(problem, 0);
    davidson.keep();
    davidson.store(modes);
    return status;
  }
  const bool factorize = options.solver == LinearSolver::indefinite || options.positions.size() == 0;
  KeptInverse kept(pencil.K().shared_pattern(), factorize ? LinearSolver::factorization : options.solver);
  ModesStatus status = find_modes(pencil, count, norm, options, kept, modes, work);
  const bool failed = status == ModesStatus::not_converged || status == ModesStatus::not_positive_definite;
  if (failed && kept.replace_by_factorization())
    status = find_modes(pencil, count, norm, options, kept, modes, work);
  modes.solver_reason = kept.reason();
  return status;
}

}  // namespace phiflex
