// Solves with A = a M + b D + c K by a kept factorization B of an earlier A.
//
// Preconditioned conjugate gradients from x = 0, with z = B^-1 r:
//
//   alpha = r'z / p'Ap,   x += alpha p,   r -= alpha Ap,   p = z + (r'z / old r'z) p                      (2)
//
// An iterate has converged when  sqrt(r'z) <= tolerance sqrt(b'B^-1 b).                                   (3)
// Testing (3) takes the solve for z, which already holds the next direction: one last product and update use
// it, so that n solves pay for n steps and the result is one step better than what was tested.
//
// A cycle B^-1 of a multigrid of A knows nothing of contacts beside it, C = A + c sum k g g' (precondition_beside()).
// Most are far stiffer than A, and each would take an iteration of its own. S solves for the motion along each g alone:
//
//   S = sum g g'/s,   s = g'diag(A) g + c k (g'g)^2,   diag: of the 3x3 blocks
//   z = S r + (1 - S C) B^-1 (1 - C S) r                                                                  (4)
//
// It is symmetric and positive definite, and where contacts are stiff leaves to the cycle what is across them. It takes
// two products with C; a cycle costs tens of them.
#include "phiflex/linalg/implicit_matrix.h"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "phiflex/linalg/dense_solvers.h"
#include "phiflex/linalg/work_rates.h"

namespace phiflex {
namespace {

// The rate of convergence is not worth a guess before this iteration.
constexpr int kFirstGuess = 3;
// A current factorization is not given up: so many iterations say that what is beside A is not what it claims.
constexpr int kMostIterations = 1000;
// A multigrid that needs more, in a solve or in precondition(), is not used.
constexpr int kMostCycles = 200, kMostInnerCycles = 50;

SolveStatus status_of(FactorStatus status) {
  switch (status) {
    case FactorStatus::ok:
      return SolveStatus::ok;
    case FactorStatus::not_positive_definite:
      return SolveStatus::not_positive_definite;
    case FactorStatus::not_finite:
      break;
  }
  return SolveStatus::not_finite;
}

}  // namespace

ImplicitMatrix::ImplicitMatrix(const MassMatrix& mass, std::shared_ptr<const SparsityPattern> pattern,
                               RefactorPolicy policy, double tolerance, LinearSolver solver)
    : mass_(mass), A_(pattern), kept_(std::move(pattern), solver), policy_(policy), tolerance_(tolerance) {
  if (mass_.rows() != A_.rows())
    throw std::invalid_argument("ImplicitMatrix: mass and pattern differ in size");
  if (!(tolerance > 0)) throw std::invalid_argument("ImplicitMatrix: the tolerance is larger than 0");
}

void ImplicitMatrix::set(Shift shift, const SparseMatrix* D, const SparseMatrix& K) {
  A_.set(shift.c, K);
  if (D && shift.b != 0) A_.add(shift.b, *D);
  mass_.add_to(shift.a, A_);
  shift_ = shift;
  rotations_ = nullptr;
  low_rank_ = nullptr;
  blocks_ = drag_ = nullptr;
  expects_definite_ = false;
  ++set_;
  if (set_work_ == 0) return;  // nothing was solved with the last one: it says nothing about the cycle
  cycle_work_ += set_work_;
  ++cycle_sets_;
  refactorization_is_due_ = set_work_ * double(cycle_sets_) > cycle_work_;  // (1)
  set_work_ = 0;
}

SolveStatus ImplicitMatrix::refactor(Work& work) {
  const PhaseTimer timer(work.factorization_seconds);
  ++work.factorizations;
  FactorStatus status = kept_.build(A_, positions_);
  if (status == FactorStatus::not_positive_definite && expects_definite_ && !kept_.is_exact()) {
    ++work.factorizations;
    status = kept_.replace_by_factorization(A_).value_or(status);
  }
  begin_cycle(status);
  return status_of(status);
}

void ImplicitMatrix::begin_cycle(FactorStatus status) {
  factorized_ = status == FactorStatus::ok;
  rotations_ = nullptr;
  refactorization_is_due_ = false;
  factorized_set_ = factorized_ ? set_ : -1;
  cycle_work_ = factorization_work();
  set_work_ = 0;
  cycle_sets_ = 0;
}

// Of a current multigrid that did not converge; ok: the factorization is there.
SolveStatus ImplicitMatrix::replace_multigrid(Work& work) {
  const PhaseTimer timer(work.factorization_seconds);
  const std::optional<FactorStatus> status = kept_.replace_by_factorization(A_);
  if (!status) return SolveStatus::not_converged;
  ++work.factorizations;
  if (*status == FactorStatus::ok) begin_cycle(*status);
  return status_of(*status);
}

void ImplicitMatrix::drop_factorization() {
  factorized_ = false;
}

void ImplicitMatrix::apply_kept(const Vector& r, Vector& z, Work& work) {
  const PhaseTimer timer(work.solve_seconds);
  if (rotations_) {
    turned_ = r;
    rotations_->apply_transposed(turned_);
    kept_.precondition(turned_, z);
    rotations_->apply(z);
  } else {
    kept_.precondition(r, z);
  }
  ++work.solves;
  set_work_ += preconditioner_work();
}

void ImplicitMatrix::precondition(const Vector& r, Vector& z, Work& work) {
  if (kept_.is_exact()) {
    apply_kept(r, z, work);
    return;
  }
  constexpr double tolerance = 1e-3;
  const bool reached = iterate_on_kept(nullptr, 0, r, z, tolerance, kMostInnerCycles, work);
  if (reached || !factorization_is_current()) return;
  const BlockRotations* rotations = rotations_;  // of the same A
  if (replace_multigrid(work) != SolveStatus::ok) return;
  rotations_ = rotations;
  apply_kept(r, z, work);
}

SolveStatus ImplicitMatrix::precondition_beside(const StencilBlocks& B, double c, const Vector& r, Vector& z,
                                                double tolerance, int limit, Work& work) {
  iterate_on_kept(&B, c, r, z, tolerance, limit, work);
  return all_finite(mass_.team(), z) ? SolveStatus::ok : SolveStatus::not_finite;
}

// A multigrid's cycle is no inverse. Conjugate gradients (2) on the current matrix; where negative curvature is met,
// what they have by then. A current factorization that was warped is that of R A R'. With c B beside A, which is not
// turned: (4).
bool ImplicitMatrix::iterate_on_kept(const StencilBlocks* B, double c, const Vector& r, Vector& z,
                                     double tolerance, int limit, Work& work) {
  const BlockRotations* turn = factorization_is_current() ? std::exchange(rotations_, nullptr) : nullptr;
  inner_r_ = r;
  if (turn) turn->apply_transposed(inner_r_);
  if (B) place_beside(*B, c, turn);
  const auto multiply = [&](const Vector& x, Vector& y) {
    A_.apply(x, y);
    if (B) beside_.add_product(c, x, y);
    ++work.stiffness_products;
    set_work_ += product_work();
  };
  const auto apply_inverse = [&] {  // (4)
    if (!B) return apply_kept(inner_r_, inner_z_, work);
    beside_x_.setZero(inner_r_.size());
    beside_inverse_.add_product(1, inner_r_, beside_x_);
    multiply(beside_x_, beside_r_);
    beside_r_ = inner_r_ - beside_r_;
    apply_kept(beside_r_, inner_z_, work);
    multiply(inner_z_, beside_r_);
    inner_z_ += beside_x_;
    beside_inverse_.add_product(-1, beside_r_, inner_z_);
  };
  z.setZero(r.size());
  apply_inverse();
  double rz = dot(mass_.team(), inner_r_, inner_z_);
  const double target = tolerance * tolerance * rz;
  inner_p_ = inner_z_;
  bool reached = true;
  for (int iteration = 0; rz > target; ++iteration) {
    if (iteration == limit) {
      reached = false;
      break;
    }
    multiply(inner_p_, inner_Ap_);
    ++work.cg_iterations;
    const double curvature = dot(mass_.team(), inner_p_, inner_Ap_);
    if (!(curvature > 0)) {
      if (iteration == 0) z = inner_z_;
      break;
    }
    const double alpha = rz / curvature;
    z.noalias() += alpha * inner_p_;
    inner_r_.noalias() -= alpha * inner_Ap_;
    apply_inverse();
    const double before = std::exchange(rz, dot(mass_.team(), inner_r_, inner_z_));
    inner_p_ = inner_z_ + (rz / before) * inner_p_;
  }
  if (turn) {
    turn->apply(z);
    rotations_ = turn;
  }
  return reached;
}

// The terms of B where A is, R'g, and S of (4), without those where A is not positive.
void ImplicitMatrix::place_beside(const StencilBlocks& B, double c, const BlockRotations* turn) {
  beside_.clear();
  beside_inverse_.clear();
  for (StencilBlocks::Term term : B.terms()) {
    double along = 0, square = 0;
    for (std::size_t a = 0; a < 4; ++a) {
      const int row = term.rows[a];
      if (row < 0) continue;
      Eigen::Map<Eigen::Vector3d> g(&term.g[3 * a]);
      if (turn) g = (*turn)[row].transpose() * g.eval();
      const Eigen::Map<const Eigen::Matrix3d> diagonal(A_.block(A_.pattern().diagonal(row)));
      along += g.dot(diagonal * g);
      square += g.squaredNorm();
    }
    beside_.add(term);
    const double stiffness = along + c * term.k * square * square;
    term.k = stiffness > 0 ? 1 / stiffness : 0;
    beside_inverse_.add(term);
  }
}

void ImplicitMatrix::precondition(const Matrix& R, Matrix& Z, Work& work) {
  const PhaseTimer timer(work.solve_seconds);
  if (rotations_) {
    turned_block_ = R;
    rotations_->apply_transposed(turned_block_);
    kept_.precondition(turned_block_, Z);
    rotations_->apply(Z);
  } else {
    kept_.precondition(R, Z);
  }
  work.solves += R.cols();
  set_work_ += preconditioner_work() * double(R.cols());
}

bool ImplicitMatrix::needs_factorization() const {
  if (factorization_is_current()) return false;
  return !factorized_ || refactorization_is_due_ || policy_ == RefactorPolicy::always || !kept_.is_definite();
}

SolveStatus ImplicitMatrix::prepare(Work& work) {
  return needs_factorization() ? refactor(work) : SolveStatus::ok;
}

SolveStatus ImplicitMatrix::solve(const Vector& rhs, Vector& x, Work& work) {
  if (!all_finite(mass_.team(), rhs)) return SolveStatus::not_finite;
  if (!kept_.is_definite() && has_blocks())
    throw std::logic_error("ImplicitMatrix: an indefinite factorization does not serve contacts");
  if (has_low_rank() && kept_.is_definite() && modal_values().minCoeff() <= 0)
    return SolveStatus::not_positive_definite;
  const bool beside = has_low_rank() || has_blocks() || !kept_.is_exact();
  if (has_low_rank() && !has_blocks() && kept_.is_exact() &&
      (low_rank_->solve == LowRankSolve::woodbury || !kept_.is_definite()))
    return solve_by_woodbury(rhs, x, work);
  if (beside && needs_factorization())
    if (const SolveStatus status = refactor(work); status != SolveStatus::ok) return status;
  if (beside || (!needs_factorization() && !factorization_is_current())) {
    switch (solve_by_conjugate_gradients(rhs, x, work)) {
      case CgEnd::converged:
        return SolveStatus::ok;
      case CgEnd::not_positive_definite:
        return SolveStatus::not_positive_definite;
      case CgEnd::not_finite:
        return SolveStatus::not_finite;
      case CgEnd::gave_up:
        break;
    }
    if (!kept_.is_exact() && factorization_is_current()) {
      const SolveStatus status = replace_multigrid(work);
      if (status == SolveStatus::ok) return solve(rhs, x, work);
      return status;
    }
  }
  if (!factorization_is_current())
    if (const SolveStatus status = refactor(work); status != SolveStatus::ok) return status;
  if (beside) return solve(rhs, x, work);  // with the fresh factorization, which is not given up
  const PhaseTimer timer(work.solve_seconds);
  kept_.solve(rhs, x);
  ++work.solves;
  set_work_ += solve_work();
  return SolveStatus::ok;
}

// (3) of low_rank.h.
SolveStatus ImplicitMatrix::solve_by_woodbury(const Vector& rhs, Vector& x, Work& work) {
  if (!factorization_is_current())
    if (const SolveStatus status = refactor(work); status != SolveStatus::ok) return status;
  const PhaseTimer timer(work.solve_seconds);
  const LowRank& low = *low_rank_;
  modal_scale_ = shift_.c * low.scale + shift_.b * low.damping_scale;
  if (solved_set_ != set_) {
    kept_.solve(low.MU, Z_);
    capacitance_ = modal_scale_.asDiagonal() * (low.MU.transpose() * Z_);
    capacitance_.diagonal().array() += 1;
    work.solves += low.count();
    set_work_ += solve_work() * double(low.count());
    solved_set_ = set_;
  }
  kept_.solve(rhs, x);
  ++work.solves;
  set_work_ += solve_work();
  modal_.noalias() = low.MU.transpose() * x;
  modal_.array() *= modal_scale_.array();
  inner_ = capacitance_.partialPivLu().solve(modal_);
  x.noalias() -= Z_ * inner_;
  return SolveStatus::ok;
}

ImplicitMatrix::CgEnd ImplicitMatrix::solve_by_conjugate_gradients(const Vector& rhs, Vector& x, Work& work) {
  r_ = rhs;
  x.setZero(rhs.size());
  precondition_whole(r_, z_, work);
  double rz = dot(mass_.team(), r_, z_);
  p_ = z_;
  const double target = tolerance_ * tolerance_ * rz;  // of (3), squared
  const double rz_first = rz;
  for (int iteration = 1;; ++iteration) {
    if (!std::isfinite(rz)) return CgEnd::not_finite;
    if (rz < 0 && kept_.is_outer()) return CgEnd::not_positive_definite;
    if (rz <= 0) return CgEnd::converged;  // r = 0: the preconditioner is positive definite
    const bool converged = rz <= target;
    {
      const PhaseTimer timer(work.solve_seconds);
      apply_whole(p_, Ap_);
      ++work.stiffness_products;
      ++work.cg_iterations;
      set_work_ += product_work();
      const double curvature = dot(mass_.team(), p_, Ap_);
      if (!std::isfinite(curvature)) return CgEnd::not_finite;
      if (curvature <= 0) return CgEnd::not_positive_definite;
      const double alpha = rz / curvature;  // (2)
      x.noalias() += alpha * p_;
      if (converged) return CgEnd::converged;
      r_.noalias() -= alpha * Ap_;
    }
    precondition_whole(r_, z_, work);
    const double rz_old = std::exchange(rz, dot(mass_.team(), r_, z_));
    if (iteration >= kMostIterations) return CgEnd::not_positive_definite;
    if (!kept_.is_exact() && iteration >= kMostCycles) return CgEnd::gave_up;
    if (iteration >= kFirstGuess && rz > target && !factorization_is_current()) {
      const double decay = std::log(rz_first / rz) / iteration;  // per iteration, so far
      const double iterations_left = decay > 0 ? std::log(rz / target) / decay : HUGE_VAL;
      // A fresh factorization knows no contacts either: they take about as many iterations again.
      const double again = has_blocks() ? iteration : 0;
      if ((iterations_left - again) * (preconditioner_work() + product_work()) >
          factorization_work() + solve_work())
        return CgEnd::gave_up;
    }
    p_ = z_ + (rz / rz_old) * p_;
  }
}

void ImplicitMatrix::apply_whole(const Vector& x, Vector& y) {
  A_.apply(x, y);
  if (blocks_) blocks_->add_product(shift_.c, x, y);
  if (drag_) drag_->add_product(shift_.b, x, y);
  if (!has_low_rank()) return;
  modal_scale_ = shift_.c * low_rank_->scale + shift_.b * low_rank_->damping_scale;
  add_low_rank_product(low_rank_->MU, modal_scale_, x, modal_, y);
}

const Vector& ImplicitMatrix::modal_values() {
  const LowRank& low = *low_rank_;
  modal_scale_ = Vector::Constant(low.count(), shift_.a) + shift_.b * (low.damping + low.damping_scale) +
                 shift_.c * (low.lambda + low.scale);
  return modal_scale_;
}

// (2) of low_rank.h.
void ImplicitMatrix::precondition_whole(const Vector& r, Vector& z, Work& work) {
  apply_kept(r, z, work);
  if (!has_low_rank()) return;
  const LowRank& low = *low_rank_;
  inner_ = modal_values().cwiseInverse();
  modal_scale_ -= shift_.b * low.damping_scale + shift_.c * low.scale;  // a + b d + c lambda
  inner_ -= modal_scale_.cwiseInverse();
  if (!factorization_is_current()) inner_ = inner_.cwiseMax(0);
  modal_.noalias() = low.U.transpose() * r;
  modal_.array() *= (modal_scale_.array() > 0).select(inner_.array(), 0);
  z.noalias() += low.U * modal_;
}

double ImplicitMatrix::factorization_work() const {
  return kept_.build_work();
}
double ImplicitMatrix::solve_work() const {
  return kept_.solve_work();
}
double ImplicitMatrix::preconditioner_work() const {
  return kept_.application_work();
}
double ImplicitMatrix::product_work() const {
  return phiflex::product_work(A_.pattern());
}

void ImplicitMatrix::save(ArchiveWriter& out) const {
  out.put(std::int64_t(factorized_));
  out.put(std::int64_t(refactorization_is_due_));
  out.put(set_);
  out.put(factorized_set_);
  out.put(cycle_work_);
  out.put(set_work_);
  out.put(cycle_sets_);
}

void ImplicitMatrix::load(ArchiveReader& in) {
  const bool factorized = in.get_integer() != 0;
  if (factorized && !kept_.ready())
    throw ArchiveError("the archive names a factorization and does not contain it");
  factorized_ = factorized;
  refactorization_is_due_ = in.get_integer() != 0;
  set_ = in.get_integer();
  factorized_set_ = in.get_integer();
  cycle_work_ = in.get_double();
  set_work_ = in.get_double();
  cycle_sets_ = in.get_integer();
}

}  // namespace phiflex
