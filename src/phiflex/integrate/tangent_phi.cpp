#include "phiflex/integrate/tangent_phi.h"

#include <algorithm>
#include <cmath>

#include "phiflex/base/errors.h"
#include "phiflex/linalg/work_rates.h"
#include "phiflex/matfun/catalogue.h"

namespace phiflex {
namespace {

// Force and stiffness of linear tetrahedra, in products with K (measured once: bench_assembly against
// bench_product); only its order of magnitude matters.
constexpr double kAssemblyCost = 30;

constexpr double kUnused = 1e-6;  // the inverse's matrix solves nothing, it preconditions
constexpr double kCycles = 7;     // of conjugate gradients on a multigrid, to 1e-3

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

bool takes_inverse(const std::string& evaluator) {
  const EvaluatorEntry* entry = find_evaluator(evaluator);
  return !entry || entry->info->needs_factorization;  // "auto" may take one that does
}

[[noreturn]] void refuse_damping(const std::string& evaluator) {
  std::string others;
  for (const EvaluatorEntry& entry : evaluator_catalogue())
    if (!entry.info->needs_rayleigh_damping()) others += ", \"" + std::string(entry.info->name) + "\"";
  throw InputError(
      "", "/integrator/evaluator",
      "\"" + evaluator +
          "\" needs a damping alpha M + beta K, with one alpha and one beta for all bodies and K the "
          "current stiffness; wind, friction, a fluid, bodies of different damping and a damping by the "
          "rest stiffness are of another form: use \"auto\"" +
          others);
}

}  // namespace

TangentShiftInverse::TangentShiftInverse(const MechanicalSystem& system, const AssembledTangent& exact,
                                         LinearSolver solver)
    : system_(system),
      exact_(exact),
      matrix_(system.mass(), system.pattern(), RefactorPolicy::always, kUnused,
              system.has_positions() ? solver : LinearSolver::factorization),
      began_with_multigrid_(!kept().is_exact()) {
  if (system.pattern()->halo()) outer_ = std::make_unique<OfRanks>(system);
}

TangentShiftInverse::OfRanks::OfRanks(const MechanicalSystem& system)
    : matrix(system.pattern()), solver(system.mass(), system.pattern()) {}

void TangentShiftInverse::change(const State& at, double shift, bool keep) {
  ready_ = ready_ && keep && shift == shift_;
  at_ = at;
  shift_ = shift;
}

SolveStatus TangentShiftInverse::factorize(const SparseMatrix& K, Definiteness definiteness, Work& work) {
  if (outer_) {
    const PhaseTimer timer(work.factorization_seconds);
    ++work.factorizations;
    outer_->matrix.set(shift_, K);
    system_.mass().add_to(1, outer_->matrix);
    system_.positions(at_, positions_);
    switch (outer_->solver.build(outer_->matrix, positions_, work)) {
      case FactorStatus::ok:
        return SolveStatus::ok;
      case FactorStatus::not_positive_definite:
        return SolveStatus::not_positive_definite;
      case FactorStatus::not_finite:
        break;
    }
    return SolveStatus::not_finite;
  }
  matrix_.set({1, 0, shift_}, nullptr, K);
  if (definiteness == Definiteness::projected) matrix_.expect_definite();
  if (matrix_.needs_positions()) {
    system_.positions(at_, positions_);
    matrix_.set_positions(positions_);
  }
  return matrix_.refactor(work);
}

SolveStatus TangentShiftInverse::prepare(Work& work) {
  if (ready_) return SolveStatus::ok;
  SolveStatus status = factorize(exact_.K(), Definiteness::exact, work);
  if (status == SolveStatus::not_positive_definite) {
    if (!projected_) projected_ = system_.assembled_tangent(Definiteness::projected);
    {
      const PhaseTimer timer(work.assembly_seconds);
      ++work.assemblies;
      ++work.projected_hessians;
      projected_->update(at_);
    }
    status = factorize(projected_->K(), Definiteness::projected, work);
  }
  ready_ = status == SolveStatus::ok;
  return status;
}

bool TangentShiftInverse::is_definite(Work& work) {
  ready_ = factorize(exact_.K(), Definiteness::exact, work) == SolveStatus::ok;
  return ready_;
}

void TangentShiftInverse::apply(const Matrix& R, Matrix& X, Work& work) {
  if (outer_) {
    outer_->solver.solve(R, X, work);
    return;
  }
  if (kept().is_exact()) {
    FactorizedShiftInverse(matrix_.factorization(), shift_).apply(R, X, work);
    return;
  }
  X.resize(R.rows(), R.cols());
  for (Index j = 0; j < R.cols(); ++j) {
    column_ = R.col(j);
    matrix_.precondition(column_, result_, work);
    X.col(j) = result_;
  }
}

double TangentShiftInverse::preparation_work() const {
  if (ready_) return 0;
  return outer_ ? kOuterBuildWork : kept().expected_build_work() / matrix_.product_work();
}

double TangentShiftInverse::solve_work() const {
  if (outer_) return outer_->solver.solve_work();
  if (kept().is_exact()) return matrix_.solve_work() / matrix_.product_work();
  return kCycles * (kept().expected_application_work() / matrix_.product_work() + 1);
}

void TangentShiftInverse::save(ArchiveWriter& out) const {
  if (!outer_ && began_with_multigrid_) matrix_.save_structure(out);
}

void TangentShiftInverse::load(ArchiveReader& in) {
  if (!outer_ && began_with_multigrid_) matrix_.load_structure(in);
}

// The largest sum over a row of |D|.
double TangentPhi::Damping::norm() const {
  const SparseMatrix* D = tangent_.D();
  if (!D) return 0;
  const SparsityPattern& p = D->pattern();
  const int b = p.block();
  Vector beside = Vector::Zero(D->rows());
  if (const StencilBlocks* drag = tangent_.drag_blocks()) drag->add_row_sums(beside);
  double largest = 0;
  for (int i = 0; i < p.block_rows(); ++i)
    for (int row = 0; row < b; ++row) {
      double sum = beside[b * Index(i) + row];
      for (int k = p.row_start()[i]; k < p.row_start()[i + 1]; ++k)
        for (int col = 0; col < b; ++col) sum += std::abs(D->block(k)[b * row + col]);
      largest = std::max(largest, sum);
    }
  return largest;
}

FirstOrderForm TangentPhi::make_first_order_form(const AssembledTangent& tangent, const Pencil& pencil,
                                                 const Damping& D, JacobianDamping damping) {
  if (damping == JacobianDamping::none) return {pencil, Rayleigh{}};
  const std::optional<Rayleigh> rayleigh = tangent.rayleigh();
  return rayleigh ? FirstOrderForm(pencil, *rayleigh) : FirstOrderForm(pencil, D);
}

TangentPhi::TangentPhi(const MechanicalSystem& system, const ExponentialOptions& options,
                       JacobianDamping damping, Definiteness definiteness)
    : tangent_(system.assembled_tangent(definiteness)),
      pencil_(tangent_->K(), system.mass(), tangent_->low_rank(), tangent_->blocks()),
      damping_(*tangent_),
      J_(make_first_order_form(*tangent_, pencil_, damping_, damping)),
      inverse_(system, *tangent_, options.solver),
      takes_inverse_(takes_inverse(options.settings().type)),
      phi_(make_mechanical_phi(options.settings().type, options.phi())) {
  const std::string evaluator = options.settings().type;
  if (!takes_damping(evaluator, J_.rayleigh())) refuse_damping(evaluator);
}

void TangentPhi::update(const State& at, double h, StepReport& report, bool nearby) {
  const PhaseTimer timer(report.work.assembly_seconds);
  ++report.work.assemblies;
  report.cost += kAssemblyCost;
  tangent_->update(at);
  inverse_.change(at, h * h, nearby);
}

StepResult<std::vector<Vector>> TangentPhi::evaluate(std::span<const Vector> u, std::span<const double> tau,
                                                     PhiMemory& memory, StepReport& report) {
  memory.w_.resize(tau.size());
  const long factorizations = report.work.factorizations;
  const double factorization = inverse_.preparation_work();
  const EvaluationReport evaluation = phi_->evaluate(J_, &inverse_, u, tau, memory.w_, report.work);
  report.cost += double(evaluation.products) + inverse_.solve_work() * double(evaluation.solves) +
                 factorization * double(report.work.factorizations - factorizations);
  report.evaluator = evaluation.evaluator;
  report.function_error = std::max(report.function_error, evaluation.error);
  if (const StepStatus status = to_step_status(evaluation.status); status != StepStatus::ok) return status;
  return StepResult(memory.w_);
}

void TangentPhi::save(ArchiveWriter& out) const {
  out.put(std::int64_t{J_.size()});
  inverse_.save(out);
  phi_->save(out);
}

void TangentPhi::load(ArchiveReader& in) {
  if (in.get_integer() != J_.size()) throw ArchiveError("the archive is of a system of another size");
  inverse_.load(in);
  phi_->load(in);
}

}  // namespace phiflex
