#include "phiflex/integrate/linearized_flow.h"

#include <algorithm>
#include <cmath>

#include "phiflex/integrate/evaluate.h"
#include "phiflex/linalg/work_rates.h"
#include "phiflex/matfun/catalogue.h"

namespace phiflex {
namespace {

StepStatus to_step_status(EvaluationStatus status) {
  switch (status) {
    case EvaluationStatus::ok:
      return StepStatus::ok;
    case EvaluationStatus::not_finite:
      return StepStatus::not_finite;
    case EvaluationStatus::not_positive_definite:
      return StepStatus::not_positive_definite;
    case EvaluationStatus::not_converged:
      break;
  }
  return StepStatus::function_not_evaluated;
}

FirstOrderForm make_first_order_form(const AssembledTangent& tangent, const Pencil& pencil,
                                     const LinearOperator& damping) {
  const std::optional<Rayleigh> rayleigh = tangent.rayleigh();
  return rayleigh ? FirstOrderForm(pencil, *rayleigh) : FirstOrderForm(pencil, damping);
}

}  // namespace

TangentShiftInverse::TangentShiftInverse(const MechanicalSystem& system, const AssembledTangent& exact)
    : system_(system), exact_(exact), matrix_(system.pattern()), factorization_(system.pattern()) {}

void TangentShiftInverse::change(const State& at, double shift) {
  at_ = at;
  shift_ = shift;
  ready_ = false;
}

SolveStatus TangentShiftInverse::factorize(const SparseMatrix& K, Work& work) {
  const PhaseTimer timer(work.factorization_seconds);
  ++work.factorizations;
  matrix_.set(shift_, K);
  system_.mass().add_to(1, matrix_);
  switch (factorization_.factorize(matrix_)) {
    case FactorStatus::ok:
      return SolveStatus::ok;
    case FactorStatus::not_positive_definite:
      return SolveStatus::not_positive_definite;
    case FactorStatus::not_finite:
      break;
  }
  return SolveStatus::not_finite;
}

SolveStatus TangentShiftInverse::prepare(Work& work) {
  if (ready_) return SolveStatus::ok;
  SolveStatus status = factorize(exact_.K(), work);
  if (status == SolveStatus::not_positive_definite) {
    if (!projected_) projected_ = system_.assembled_tangent(Definiteness::projected);
    {
      const PhaseTimer timer(work.assembly_seconds);
      ++work.assemblies;
      ++work.projected_hessians;
      projected_->update(at_);
    }
    status = factorize(projected_->K(), work);
  }
  ready_ = status == SolveStatus::ok;
  return status;
}

void TangentShiftInverse::apply(const Matrix& R, Matrix& X, Work& work) {
  FactorizedShiftInverse(factorization_, shift_).apply(R, X, work);
}

double TangentShiftInverse::preparation_work() const {
  return ready_ ? 0 : factorization_work(factorization_) / product_work(factorization_.pattern());
}

double TangentShiftInverse::solve_work() const {
  return FactorizedShiftInverse(factorization_, shift_).solve_work();
}

LinearizedFlow::LinearizedFlow(const MechanicalSystem& system, const IntegratorOptions& options)
    : system_(system),
      tangent_(system.assembled_tangent(Definiteness::exact)),
      pencil_(tangent_->K(), system.mass()),
      damping_(*tangent_),
      J_(make_first_order_form(*tangent_, pencil_, damping_)),
      inverse_(system, *tangent_),
      phi_(make_mechanical_phi(options.evaluator, options.phi)) {}

// The largest sum over a row of |D|.
double LinearizedFlow::Damping::norm() const {
  const SparseMatrix* D = tangent_.D();
  if (!D) return 0;
  const SparsityPattern& p = D->pattern();
  const int b = p.block();
  double largest = 0;
  for (int i = 0; i < p.block_rows(); ++i)
    for (int row = 0; row < b; ++row) {
      double sum = 0;
      for (int k = p.row_start()[i]; k < p.row_start()[i + 1]; ++k)
        for (int col = 0; col < b; ++col) sum += std::abs(D->block(k)[b * row + col]);
      largest = std::max(largest, sum);
    }
  return largest;
}

StepStatus LinearizedFlow::linearize(const State& at, double h, StepReport& report) {
  at_ = at;
  const StepStatus status = evaluate_force(system_, at, f_, report.work);
  if (status != StepStatus::ok) return status;
  {
    const PhaseTimer timer(report.work.assembly_seconds);
    ++report.work.assemblies;
    tangent_->update(at);
  }
  inverse_.change(at, h * h);
  const Index n = system_.dofs();
  u_[1].resize(2 * n);
  u_[1].head(n) = at.v;
  system_.mass().solve(f_, half_);
  u_[1].tail(n) = half_;
  tangent_->load_rate(g_);
  if (g_.isZero(0)) {
    u_[2].resize(0);
  } else {
    u_[2].setZero(2 * n);
    system_.mass().solve(g_, half_);
    u_[2].tail(n) = half_;
  }
  return StepStatus::ok;
}

StepStatus LinearizedFlow::evaluate(std::span<const Vector> u, std::span<const double> tau,
                                    std::span<Vector> w, StepReport& report) {
  const PhaseTimer timer(report.work.matfun_seconds);
  const EvaluationReport evaluation = phi_->evaluate(J_, &inverse_, u, tau, w, report.work);
  report.evaluator = evaluation.evaluator;
  report.function_error = std::max(report.function_error, evaluation.error);
  return to_step_status(evaluation.status);
}

StepStatus LinearizedFlow::flow(std::span<const double> tau, std::span<Vector> increments,
                                StepReport& report) {
  const std::size_t terms = u_[2].size() > 0 ? 3 : 2;
  return evaluate(std::span(u_).first(terms), tau, increments, report);
}

StepStatus LinearizedFlow::correction(double tau, const Vector& u3, const Vector& u4, Vector& sum,
                                      StepReport& report) {
  correction_[3] = u3;
  correction_[4] = u4;
  return evaluate(std::span(correction_).first(u4.size() > 0 ? 5 : 4), {&tau, 1}, {&sum, 1}, report);
}

StepStatus LinearizedFlow::remainder(double tau, const Vector& increment, Vector& R, StepReport& report) {
  const Index n = system_.dofs();
  StepStatus status = add(tau, increment, stage_);
  if (status != StepStatus::ok) return status;
  status = evaluate_force(system_, stage_, stage_force_, report.work);
  if (status != StepStatus::ok) return status;
  stage_force_ -= f_ + tau * g_;
  half_ = increment.head(n);
  tangent_->apply_K(half_, product_);
  ++report.work.stiffness_products;
  stage_force_ += product_;
  if (tangent_->D()) {
    half_ = increment.tail(n);
    tangent_->apply_D(half_, product_);
    stage_force_ += product_;
  }
  system_.mass().solve(stage_force_, half_);
  R.resize(2 * n);
  R.head(n).setZero();
  R.tail(n) = half_;  // (3)
  return StepStatus::ok;
}

StepStatus LinearizedFlow::add(double tau, const Vector& increment, State& next) const {
  const Index n = system_.dofs();
  next.t = at_.t + tau;
  next.q = at_.q + increment.head(n);
  next.v = at_.v + increment.tail(n);
  return check_finite(next);
}

double LinearizedFlow::relative_norm(const Vector& part, const Vector& whole, double h) {
  const double size = norm(part, h);
  return size == 0 ? 0 : size / norm(whole, h);
}

double LinearizedFlow::norm(const Vector& w, double h) {
  const Index n = system_.dofs();
  half_ = w.head(n) / h;
  double square = system_.mass().dot(half_, half_);
  half_ = w.tail(n);
  square += system_.mass().dot(half_, half_);
  return std::sqrt(square);
}

}  // namespace phiflex
