#include "phiflex/matfun/general_phi.h"

#include <limits>
#include <optional>
#include <vector>

#include "phiflex/base/outer_phase.h"
#include "phiflex/matfun/product_limit.h"

namespace phiflex {
namespace {

// The product of the call in progress: evaluators keep a pointer, but mass, stiffness and step change.
class CurrentProduct final : public InnerProduct {
 public:
  void set_step_norm(const MassMatrix& mass, double h) {
    if (!step_norm_) step_norm_.emplace(mass, h);
    step_norm_->change(mass, h);
    current_ = &*step_norm_;
  }
  void set_energy(const Pencil& pencil) {
    if (!energy_) energy_.emplace(pencil);
    energy_->change(pencil);
    current_ = &*energy_;
  }
  void apply(const Vector& x, Vector& Gx) const override {
    current_->apply(x, Gx);
    // The only place where an indefinite product shows itself before a square root of it is taken.
    if (dot(team(), x, Gx) < 0) negative_ = true;
  }
  const Team& team() const override { return current_->team(); }
  bool take_negative() {
    const bool seen = negative_;
    negative_ = false;
    return seen;
  }

 private:
  std::optional<StepNorm> step_norm_;
  std::optional<EnergyProduct> energy_;
  const InnerProduct* current_ = nullptr;
  mutable bool negative_ = false;
};

// J for a limited number of products; after that it is not finite, which every evaluator sees at once.
class LimitedProducts final : public LinearOperator {
 public:
  explicit LimitedProducts(const LinearOperator& J) : J_(J) {}
  Index size() const override { return J_.size(); }
  double norm() const override { return J_.norm(); }
  const Team& team() const override { return J_.team(); }
  void apply(const Vector& x, Vector& y) const override {
    if (left_ > 0)
      J_.apply(x, y);
    else
      y.setConstant(x.size(), std::numeric_limits<double>::quiet_NaN());
    --left_;
  }
  bool exceeded() const { return left_ < 0; }

 private:
  const LinearOperator& J_;
  mutable long left_ = kMostProducts;
};

class GeneralPhi final : public MechanicalPhi {
 public:
  GeneralPhi(std::unique_ptr<PhiEvaluator> (*make)(const PhiOptions&), std::string_view name,
             const MechanicalPhiOptions& options)
      : name_(name), product_(options.product), make_(make) {
    options_.tolerance = options.tolerance;
    options_.norm = &norm_;
    options_.basis = options.basis;
    options_.largest_basis = options.largest_basis;
    options_.expokit_tolerance = options.own_tolerance;
  }

  EvaluationReport evaluate(const FirstOrderForm& J, ShiftInverse* /*inverse*/, std::span<const Vector> u,
                            std::span<const double> tau, std::span<Vector> w, Work& work) override {
    const OuterPhase phase(work, &Work::matfun_seconds);
    if (product_ == BasisProduct::energy)
      norm_.set_energy(J.pencil());
    else
      norm_.set_step_norm(J.pencil().mass(), tau.back());
    const LimitedProducts limited(J);
    EvaluationReport report = evaluator(u.size()).evaluate(limited, u, tau, w);
    if (limited.exceeded()) report.status = EvaluationStatus::not_converged;
    if (norm_.take_negative()) report.status = EvaluationStatus::not_positive_definite;
    report.evaluator = name_;
    work.stiffness_products += report.products;
    work.krylov_vectors += report.krylov_vectors;
    work.substeps += report.substeps;
    return report;
  }

 private:
  // One per number of terms: methods take turns between sums of few shapes, and none should cost the other its
  // memory.
  PhiEvaluator& evaluator(std::size_t terms) {
    if (evaluators_.size() <= terms) evaluators_.resize(terms + 1);
    if (!evaluators_[terms]) evaluators_[terms] = make_(options_);
    return *evaluators_[terms];
  }

  std::string_view name_;
  BasisProduct product_;
  std::unique_ptr<PhiEvaluator> (*make_)(const PhiOptions&);
  PhiOptions options_;
  CurrentProduct norm_;
  std::vector<std::unique_ptr<PhiEvaluator>> evaluators_;
};

}  // namespace

std::unique_ptr<MechanicalPhi> make_general_phi(std::unique_ptr<PhiEvaluator> (*make)(const PhiOptions&),
                                                std::string_view name, const MechanicalPhiOptions& options) {
  return std::make_unique<GeneralPhi>(make, name, options);
}

}  // namespace phiflex
