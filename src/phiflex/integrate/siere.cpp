// SIERE: the semi-implicit Euler method for the body, the exponential Rosenbrock-Euler method for its s lowest
// modes, in one solve. With K U = M U L, U'M U = I (linalg/modes.h), f, g = df/dt and K, D at (t, q, v):
//
//   modal   vr = U'M v,  fr = U'f,  gr = U'g;  per mode, with the S_k of matfun/pencil_functions.h at t = h,
//             dq_i = (S_0 + d_i S_1) vr_i + S_1 fr_i + S_2 gr_i
//             dv_i =     -lambda_i S_1 vr_i + S_0 fr_i + S_1 gr_i                                         (1)
//   rest    vH = v - U vr,   fH = f - M U fr,   gH = g - M U gr
//             (M + h D + h^2 K) dvH = h (fH + h gH - h K vH)                                              (2)
//   update  q+ = q + h (vH + dvH) + U dq,   v+ = v + dvH + U dv                                           (3)
//
// The span of U is invariant under the linearized system, so that the low-rank system of the original paper
// (2s + 4 solves by the formula of Woodbury, siere_woodbury.h) collapses to (2), the matrix of `si`. This holds
// exactly for D = alpha M + beta K; for another D the modal damping is d_i = u_i'D u_i, and dvH is projected onto
// the complement of U in any case, which also guards against modes that are known only to their tolerance. Modes
// and solve use the same K, exact or projected, and the same factorization.
// The damping force of the step is D (q+ - q)/h, with D at (t, q): for the rest (2) takes it at vH + dvH, and for a
// mode the integral of d_i dq_i' is d_i dq_i. That is what the energy ledger books. It is exact as far as K U = M U L
// is. What it does not hold is that modes move unevenly within a step: damping takes d_i (integral of dq_i'^2 -
// dq_i^2/h) more of them, about d_i h dv_i^2/12, which is booked as numerical loss.
// Chen, Sheen, Ascher, Pai: SIERE: A Hybrid Semi-Implicit Exponential Integrator for Efficiently Simulating
// Stiff Deformable Objects, 2020.
#include <algorithm>
#include <array>
#include <optional>

#include "phiflex/base/outer_phase.h"
#include "phiflex/integrate/evaluate.h"
#include "phiflex/integrate/method_entry.h"
#include "phiflex/integrate/siere_woodbury.h"
#include "phiflex/linalg/followed_modes.h"
#include "phiflex/linalg/low_rank.h"
#include "phiflex/linalg/outer_solver.h"
#include "phiflex/matfun/pencil_functions.h"
#include "phiflex/system/state.h"

namespace phiflex {
namespace {

constexpr MethodInfo kSiereInfo{
    .name = "siere",
    .summary = "semi-implicit Euler with its lowest modes moved exactly: alive and cheap",
    .order = 1,
    .citation = "chen2020siere",
    // of eight modes, which one sweep follows
    .on_ranks = UsualStep{.matrices = 1, .products = 9, .iterations = 21}};

struct SiereOptions {
  TangentOptions tangent;
  double linear_tolerance = 1e-6;     // of conjugate gradients on a kept factorization, relative
  int modes = option::default_modes;  // that move exactly
  double modes_tolerance = 0.05;      // of their relative residual, or of their error in energy
  LowRankSolve form = LowRankSolve::one_solve;
};
template <class V>
void fields(V& v, SiereOptions& o) {
  v(option::solver, o.tangent.solver);
  v(option::modes, o.modes);
  v({.key = "modes_tolerance",
     .doc =
         "`siere`: its modes are kept while their relative residual, or their angle to those of the moving "
         "body in the norm of the energy that a step resolves, is below this",
     .range = tolerance_range},
    o.modes_tolerance);
  v({.key = "form",
     .doc = "`siere`: how its linear system is solved: `one-solve` takes the modes out of the right side, "
            "`woodbury` "
            "is the low-rank update of the original paper, 2 modes + 1 solves"},
    o.form);
  v(option::linear_tolerance, o.linear_tolerance);
  v(option::refactor, o.tangent.refactor);
  v(option::factorization, o.tangent.factorization);
  v(option::project_hessian, o.tangent.project_hessian);
}

// y = U'x, over the ranks that share the rows.
void modal_parts(const Team& team, const Matrix& U, const Vector& x, Vector& y) {
  y.noalias() = U.transpose() * x;
  team.sum({y.data(), std::size_t(y.size())});
}

class Siere final : public Integrator {
 public:
  using Options = SiereOptions;
  Siere(const MechanicalSystem& system, const SiereOptions& options)
      : system_(system),
        tangent_(system, options.tangent, options.linear_tolerance),
        solver_(system.has_positions() ? options.tangent.solver : LinearSolver::factorization),
        form_(options.form) {
    modes_at_.q.setZero(system.dofs());
    modes_at_.v.setZero(system.dofs());
    const Index dofs = total(system.mass().team(), system.dofs());
    if (options.modes > 0 && dofs > 0)
      warm_.emplace(std::min<Index>(options.modes, dofs), options.modes_tolerance,
                    FollowedModes::Keeping::by_either);
  }
  const MethodInfo& info() const override { return kSiereInfo; }

  StepReport step(const State& now, double h, State& next) override {
    StepReport report;
    report.status = advance(now, h, next, report);
    if (report.status == StepStatus::ok && tangent_.tangent().D()) {
      damped_at_.t = now.t;
      damped_at_.q = now.q;
      damped_at_.v = (next.q - now.q) / h;
      report.damping = {{{&damped_at_, 1}}};
    }
    return report;
  }
  const KeptInverse* kept_inverse() const override { return &tangent_.kept(); }
  void save(ArchiveWriter& out) const override {
    tangent_.save(out);
    if (warm_) {
      put_state(modes_at_, out);
      warm_->save(out);
    }
  }
  void load(ArchiveReader& in) override {
    tangent_.load(in);
    if (warm_) {
      get_state(in, system_.dofs(), modes_at_);
      warm_->load(in, total(system_.mass().team(), system_.dofs()));
    }
  }

 private:
  StepStatus advance(const State& now, double h, State& next, StepReport& report) {
    StepStatus status = evaluate_force(system_, now, f_, report.work);
    if (status != StepStatus::ok) return status;
    tangent_.linearize(now, {1, h, h * h}, report.work);
    tangent_.tangent().load_rate(g_);
    status = solve(now, h, report);
    while (status == StepStatus::not_positive_definite && tangent_.project(report.work))
      status = solve(now, h, report);
    if (status != StepStatus::ok) return status;
    next.t = now.t + h;
    next.q = now.q + dqH_;  // (3)
    next.v = now.v + dvH_;  // (3)
    if (warm_) {
      next.q.noalias() += warm_->modes().U * dq_;
      next.v.noalias() += warm_->modes().U * dv_;
    }
    return check_finite(system_, next);
  }

  // (1) and (2) with the current tangent.
  StepStatus solve(const State& now, double h, StepReport& report) {
    StepStatus status = to_step_status(tangent_.prepare(report.work));
    if (status == StepStatus::ok && warm_) status = update_modes(now, report);
    if (status != StepStatus::ok) return status;
    vH_ = now.v;
    rhs_ = f_ + h * g_;
    if (warm_) move_modes(now, h);
    tangent_.tangent().apply_K(vH_, product_);
    ++report.work.stiffness_products;
    rhs_ = h * (rhs_ - h * product_);  // (2)
    status = to_step_status(tangent_.solve(rhs_, dvH_, report.work));
    if (status != StepStatus::ok) return status;
    if (warm_ && form_ == LowRankSolve::one_solve) remove_modes(dvH_);
    dqH_ = h * (vH_ + dvH_);
    if (!warm_ || form_ != LowRankSolve::woodbury) return status;
    return woodbury_.update(system_.mass(), tangent_, warm_->modes(), damping_, h, dqH_, dvH_, report.work);
  }

  StepStatus update_modes(const State& now, StepReport& report) {
    const OuterPhase phase(report.work, &Work::modes_seconds);
    const AssembledTangent& tangent = tangent_.tangent();
    const AssembledPencil pencil(tangent.K(), system_.mass(), tangent.low_rank(), tangent.blocks());
    const auto turning = [&]() -> const BlockRotations& {
      system_.rotations(modes_at_, now, rotations_);
      return rotations_;
    };
    ModesStatus status = warm_->update(pencil, tangent_.inverse(), turning, report.work);
    if (status == ModesStatus::not_converged) status = update_on_own_inverse(now, pencil, report.work);
    if (status == ModesStatus::ok && warm_->refreshed()) modes_at_ = now;
    if (status == ModesStatus::not_finite) return StepStatus::not_finite;
    if (status != ModesStatus::ok) return StepStatus::modes_not_found;
    report.eigen_residual = warm_->error();
    return StepStatus::ok;
  }

  // The step's matrix says little of modes far below 1/h^2: where it does not find them, an inverse of
  // M + s K with the largest s that is positive definite and leaves M its digits does, at its price. What is not a
  // factorization depends on the matrices it met before, which a resumed run did not: it is made anew.
  ModesStatus update_on_own_inverse(const State& now, const AssembledPencil& pencil, Work& work) {
    if (!own_ || !own_->is_factorization) own_.emplace(system_, solver_);
    Vector positions;
    if (system_.has_positions()) system_.positions(now, positions);
    const double smallest = 1 / pencil.norm();
    for (double s = 1e10 * smallest; s > smallest; s /= 100) {
      own_->matrix.set(s, pencil.K());
      system_.mass().add_to(1, own_->matrix);
      ++work.factorizations;
      if (own_->outer) {
        if (own_->outer->build(own_->matrix, positions, work) != FactorStatus::ok) continue;
        OuterShiftInverse inverse(*own_->outer, s);
        return warm_->update(pencil, inverse, work);
      }
      if (own_->inverse->build(own_->matrix, positions) != FactorStatus::ok) continue;
      KeptShiftInverse inverse(*own_->inverse, s);
      const ModesStatus status = warm_->update(pencil, inverse, work);
      if (status != ModesStatus::not_converged || own_->is_factorization ||
          own_->inverse->replace_by_factorization(own_->matrix) != FactorStatus::ok)
        return status;
      ++work.factorizations;
      return warm_->update(pencil, inverse, work);
    }
    return ModesStatus::not_converged;
  }

  // (1), and the modal parts taken out of vH and of the right-hand side f + h g.
  void move_modes(const State& now, double h) {
    const Modes& modes = warm_->modes();
    const Matrix& U = modes.U;
    system_.mass().apply(now.v, product_);
    const Team& team = system_.mass().team();
    modal_parts(team, U, product_, vr_);
    modal_parts(team, U, f_, fr_);
    modal_parts(team, U, g_, gr_);
    dq_.resize(modes.count());
    dv_.resize(modes.count());
    damping_.resize(modes.count());
    for (Index i = 0; i < modes.count(); ++i) {
      const double lambda = modes.lambda[i], d = damping_[i] = modal_damping(i);
      std::array<double, 4> S;  // S_-1, S_0, S_1, S_2
      oscillator_integrals(lambda, {d, 0}, h, S);
      dq_[i] = (S[1] + d * S[2]) * vr_[i] + S[2] * fr_[i] + S[3] * gr_[i];
      dv_[i] = -lambda * S[2] * vr_[i] + S[1] * fr_[i] + S[2] * gr_[i];
    }
    vH_.noalias() -= U * vr_;
    fr_ += h * gr_;
    modal_.noalias() = U * fr_;
    system_.mass().apply(modal_, product_);
    rhs_ -= product_;
  }

  double modal_damping(Index i) {
    if (const auto rayleigh = tangent_.tangent().rayleigh())
      return rayleigh->alpha + rayleigh->beta * warm_->modes().lambda[i];
    modal_ = warm_->modes().U.col(i);
    tangent_.tangent().apply_D(modal_, product_);
    return dot(system_.mass().team(), modal_, product_);
  }

  // x -= U U'M x.
  void remove_modes(Vector& x) {
    system_.mass().apply(x, product_);
    modal_parts(system_.mass().team(), warm_->modes().U, product_, fr_);
    x.noalias() -= warm_->modes().U * fr_;
  }

  const MechanicalSystem& system_;
  TangentSolver tangent_;
  std::optional<FollowedModes> warm_;  // none: `si`
  State modes_at_;                     // where the modes were refreshed last
  BlockRotations rotations_;           // from there to here
  struct OwnInverse {
    OwnInverse(const MechanicalSystem& system, LinearSolver solver) : matrix(system.pattern()) {
      if (system.pattern()->halo())
        outer = std::make_unique<OuterSolver>(system.mass(), system.pattern());
      else
        inverse = std::make_unique<KeptInverse>(system.pattern(), solver);
      is_factorization = inverse && inverse->is_exact();
    }
    SparseMatrix matrix;
    std::unique_ptr<KeptInverse> inverse;  // one of the two is there
    std::unique_ptr<OuterSolver> outer;    // of several ranks
    bool is_factorization = false;         // from the beginning
  };
  LinearSolver solver_;
  std::optional<OwnInverse> own_;  // only where the step's does not serve the modes
  LowRankSolve form_;
  State damped_at_;  // of the latest step
  Vector f_, g_, vH_, dqH_, dvH_, rhs_, product_, modal_;
  SiereWoodbury woodbury_;
  Vector vr_, fr_, gr_, dq_, dv_, damping_;  // a number per mode
};

}  // namespace

MethodEntry siere_method() {
  return method_entry<Siere>(kSiereInfo);
}

}  // namespace phiflex
