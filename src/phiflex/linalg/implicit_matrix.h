// The one primitive that owns  A = a M + b D + c K : its symbolic analysis (once per pattern), its numeric
// factorization, and the policy when to keep an old factorization and use it as the preconditioner of
// conjugate gradients instead of refactoring.
//
// Policy. Let F be the work of a factorization and w_1, w_2, ... the work of the solves since, per set(). The
// mean work of a cycle of k sets is (F + w_1 + ... + w_k)/k; as w grows it has one minimum, reached when the
// next w exceeds the mean. So a fresh factorization is due at the next set() as soon as
//
//   w_k > (F + w_1 + ... + w_k)/k.                                                                        (1)
//
// Within a solve the kept factorization is given up when what conjugate gradients still need, at the rate
// seen so far, exceeds F. Work is counted (operations of factorizations, solves and products, weighted by
// fixed rates, since a factorization runs at the speed of matrix products and a solve at that of memory),
// never timed: runs are reproducible.
//
// The factorization may be a multigrid (kept_inverse.h), of which all of this is true too, but that no solve is without
// conjugate gradients. A current multigrid that does not converge, or that cannot be built of a definite A, is replaced
// by a factorization for good, if memory allows it. It may be an LU of an indefinite matrix: that of an earlier A is no
// preconditioner of conjugate gradients, so that each A has its own. "Factorization" below means whichever it is.
#pragma once

#include <cstdint>
#include <memory>

#include "phiflex/base/archive.h"
#include "phiflex/base/work.h"
#include "phiflex/linalg/block_rotations.h"
#include "phiflex/linalg/kept_inverse.h"
#include "phiflex/linalg/low_rank.h"
#include "phiflex/linalg/mass_matrix.h"
#include "phiflex/linalg/sparse_matrix.h"
#include "phiflex/linalg/stencil_blocks.h"

namespace phiflex {

struct Shift {
  double a = 0, b = 0, c = 0;  // a M + b D + c K
  bool operator==(const Shift&) const = default;
};

enum class RefactorPolicy { automatic, always };
// not_converged: a multigrid did not serve, and memory forbids a factorization.
enum class [[nodiscard]] SolveStatus{ok, not_positive_definite, not_finite, not_converged};

class ImplicitMatrix {
 public:
  // tolerance: of conjugate gradients, on the residual in the norm of the preconditioner, relative to the
  // right-hand side.
  ImplicitMatrix(const MassMatrix& mass, std::shared_ptr<const SparsityPattern> pattern,
                 RefactorPolicy policy, double tolerance, LinearSolver solver = LinearSolver::factorization);

  bool needs_positions() const { return !kept_.is_exact(); }
  // Of the vertices, for the next factorizations; three numbers for each block row. Needed where needs_positions() says
  // so.
  void set_positions(const Vector& positions) { positions_ = positions; }
  const KeptInverse& kept() const { return kept_; }

  // The current A; D may be null. Cheap: no factorization yet. The matrices are copied into A, not kept.
  void set(Shift shift, const SparseMatrix* D, const SparseMatrix& K);
  // The kept factorization B is that of a body which has turned since: R B R' takes its place (block_rotations.h;
  // kept by reference) until the next set() or factorization. Comes after set().
  void warp(const BlockRotations& rotations) { rotations_ = rotations.empty() ? nullptr : &rotations; }
  // A has a low-rank part beside its sparse one (low_rank.h; kept by reference, may be null or empty) until the
  // next set(). Comes after set(). Solves are then by conjugate gradients on the whole, with the factorization of
  // the sparse part and (2) of low_rank.h as their preconditioner, or by (3), if that is what it asks for.
  void add_low_rank(const LowRank* low_rank) {
    low_rank_ = low_rank;
    solved_set_ = -1;
  }
  // K has contacts beside it, and D their drag B_D (stencil_blocks.h; kept by reference, may be null or empty), until
  // the next set(). Comes after set(). Solves are then by conjugate gradients on A + c B + b B_D, with the
  // factorization of the sparse part as their preconditioner: contacts come and go, and the factorization is kept. An
  // LU does not serve them: a solve with blocks is misuse then (std::logic_error).
  void add_blocks(const StencilBlocks* blocks, const StencilBlocks* drag = nullptr) {
    blocks_ = blocks;
    drag_ = drag;
  }
  // A is definite by how it was made: where a multigrid cannot be built of it, a factorization is. Until the next
  // set(); comes after it.
  void expect_definite() { expects_definite_ = true; }
  const SparseMatrix& matrix() const { return A_; }  // the sparse part
  Shift shift() const { return shift_; }             // of the latest set()

  // x = A^-1 rhs: by the kept factorization and conjugate gradients, or after a fresh factorization of A.
  // Not positive definite (factorization failed, or negative curvature met): x is undefined, the caller may
  // set() a projected K and try again. With an LU it means that A is singular.
  SolveStatus solve(const Vector& rhs, Vector& x, Work& work);
  // z = (kept factorization, warped)^-1 r to about single precision (by a multigrid: to 1e-3), for those who iterate
  // themselves; a factorization must be there. Where a current multigrid does not reach 1e-3 and cannot be replaced, z
  // is what it has reached (kept().reason() says so).
  void precondition(const Vector& r, Vector& z, Work& work);
  void precondition(const Matrix& R, Matrix& Z, Work& work);  // several at once, one solve per column
  // z = (kept multigrid's matrix, warped, + c B)^-1 r, by conjugate gradients with the multigrid and, for B, what each
  // of its terms is alone ((4) of the source): stop as in (3), or at the limit. Where kept().is_exact() is false; a
  // current one must be there.
  SolveStatus precondition_beside(const StencilBlocks& B, double c, const Vector& r, Vector& z,
                                  double tolerance, int limit, Work& work);
  // Makes sure that precondition() has a factorization: the current one as long as the policy keeps it, else
  // a fresh one of the current A.
  SolveStatus prepare(Work& work);
  bool needs_factorization() const;  // prepare() would make a fresh one
  // Factorize the current A now, whatever the policy says.
  SolveStatus refactor(Work& work);
  void drop_factorization();

  // True when the current factorization was made from the matrix of the latest set().
  bool factorization_is_current() const { return factorized_ && factorized_set_ == set_; }
  bool has_factorization() const { return factorized_; }
  const CholeskyFactorization& factorization() const { return kept_.factorization(); }

  // The policy's unit costs: of a factorization, of a solve with a fresh one, of an application of a kept
  // one, and of a product with A.
  double factorization_work() const;
  double solve_work() const;
  double preconditioner_work() const;
  double product_work() const;

  // The policy's numbers, not the factorization itself: the owner of the states must restore the matrix that
  // was factorized (set, refactor), then calls load. From there on all decisions are those of the run that
  // saved.
  void save(ArchiveWriter& out) const;
  void load(ArchiveReader& in);
  // What a factorization depends on beside the matrix; it must be loaded before refactor().
  void save_structure(ArchiveWriter& out) const { kept_.save_structure(out); }
  void load_structure(ArchiveReader& in) { kept_.load_structure(in); }

 private:
  void begin_cycle(FactorStatus status);
  SolveStatus replace_multigrid(Work& work);
  enum class CgEnd { converged, gave_up, not_positive_definite, not_finite };
  CgEnd solve_by_conjugate_gradients(const Vector& rhs, Vector& x, Work& work);
  SolveStatus solve_by_woodbury(const Vector& rhs, Vector& x, Work& work);
  bool has_low_rank() const { return low_rank_ && !low_rank_->empty(); }
  bool has_blocks() const {  // on some rank
    return any(mass_.team(), (blocks_ && !blocks_->empty()) || (drag_ && !drag_->empty()));
  }
  // Of the whole A, with what is beside its sparse part: its product, and its preconditioner.
  void apply_whole(const Vector& x, Vector& y);
  void precondition_whole(const Vector& r, Vector& z, Work& work);
  void apply_kept(const Vector& r, Vector& z, Work& work);  // the kept inverse, once, turned
  // False: the limit came first.
  bool iterate_on_kept(const StencilBlocks* B, double c, const Vector& r, Vector& z, double tolerance,
                       int limit, Work& work);
  void place_beside(const StencilBlocks& B, double c, const BlockRotations* turn);
  const Vector& modal_values();  // g+ of (2) in low_rank.h

  const MassMatrix& mass_;
  SparseMatrix A_;
  Shift shift_;
  KeptInverse kept_;
  Vector positions_;
  RefactorPolicy policy_;
  double tolerance_;
  bool factorized_ = false;
  bool refactorization_is_due_ = false;
  bool expects_definite_ = false;
  std::int64_t set_ = 0, factorized_set_ = -1;
  double cycle_work_ = 0;        // F + w_1 + ... + w_(k-1) of (1)
  double set_work_ = 0;          // w_k of (1), so far
  std::int64_t cycle_sets_ = 0;  // k - 1 of (1)
  const BlockRotations* rotations_ = nullptr;
  const LowRank* low_rank_ = nullptr;
  const StencilBlocks *blocks_ = nullptr, *drag_ = nullptr;
  Vector r_, z_, p_, Ap_, turned_, inner_r_, inner_z_, inner_p_, inner_Ap_, beside_x_, beside_r_;
  StencilBlocks beside_, beside_inverse_;  // the terms of B where A is not turned, and S of (4)
  Vector modal_, inner_, modal_scale_;
  Matrix turned_block_;
  std::int64_t solved_set_ = -1;  // whose Z_ is kept
  Matrix Z_, capacitance_;        // Z and I + S W'Z of (3) in low_rank.h
};

}  // namespace phiflex
