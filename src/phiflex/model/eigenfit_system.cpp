#include "phiflex/model/eigenfit_system.h"

#include <utility>

namespace phiflex {
namespace {

// The model's tangent with the correction's low-rank part beside it. What the correction assembled at the beginning of
// a step serves the integrator, too.
class EigenFitTangent final : public AssembledTangent {
 public:
  EigenFitTangent(const DeformableModel& model, const EigenFitCorrection& correction,
                  Definiteness definiteness)
      : model_(model), correction_(correction), definiteness_(definiteness), K_(model.pattern()) {
    if (correction.tangent().D()) D_.emplace(model.pattern());
  }

  void update(const State& at) override {
    if (definiteness_ == Definiteness::exact && correction_.has_force_at(at)) {
      source_ = &correction_.tangent();
      K_.set(1, source_->K());
    } else {
      if (!own_) own_ = std::make_unique<DeformableTangent>(model_, definiteness_);
      own_->update(at);
      own_->exchange_K(K_);
      source_ = own_.get();
    }
    if (const StencilBlocks* blocks = source_->blocks()) blocks_ = *blocks;
    if (const StencilBlocks* drag = source_->drag_blocks()) drag_blocks_ = *drag;
    if (D_ && (!std::exchange(has_D_, true) || correction_.damping_changes())) D_->set(1, *source_->D());
  }
  const SparseMatrix& K() const override { return K_; }
  const SparseMatrix* D() const override { return D_ ? &*D_ : nullptr; }
  const LowRank* low_rank() const override { return &correction_.low_rank(); }
  const StencilBlocks* blocks() const override { return model_.has_contacts() ? &blocks_ : nullptr; }
  const StencilBlocks* drag_blocks() const override {
    return correction_.tangent().drag_blocks() ? &drag_blocks_ : nullptr;
  }
  void load_rate(Vector& g) const override {
    source_->load_rate(g);
    correction_.add_load_rate(g);
  }
  // Damping by stiffness is that of the corrected one only where it is fitted to each mode.
  std::optional<Rayleigh> rayleigh() const override {
    const std::optional<Rayleigh> rayleigh = correction_.tangent().rayleigh();
    return rayleigh && (rayleigh->beta == 0 || correction_.trivial()) ? rayleigh : std::nullopt;
  }

 private:
  const DeformableModel& model_;
  const EigenFitCorrection& correction_;
  Definiteness definiteness_;
  std::unique_ptr<DeformableTangent> own_;  // where the correction's does not serve
  const AssembledTangent* source_ = nullptr;
  SparseMatrix K_;
  StencilBlocks blocks_, drag_blocks_;
  std::optional<SparseMatrix> D_;
  bool has_D_ = false;
};

// The correction is linear within a step: its force at the middle is the discrete gradient of its potential.
class EigenFitTwoState final : public TwoStateForce {
 public:
  EigenFitTwoState(std::unique_ptr<TwoStateForce> of_model, const EigenFitCorrection& correction)
      : of_model_(std::move(of_model)), correction_(correction) {}

  void begin(const State& now, double h, const Dial& dial) override {
    now_ = &now;
    h_ = h;
    of_model_->begin(now, h, dial);
  }
  double room() const override { return of_model_->room(); }
  void force(const Vector& w, Vector& f) override {
    of_model_->force(w, f);
    if (correction_.low_rank().empty()) return;
    middle_.t = now_->t + h_ / 2;
    middle_.q = now_->q + h_ / 2 * w;
    middle_.v = w;
    correction_.add_force(middle_, f);
  }
  // Without the correction: they precondition an iteration, whose force has it.
  void linearize(const Vector& w, Definiteness definiteness) override {
    of_model_->linearize(w, definiteness);
  }
  const SparseMatrix& K() const override { return of_model_->K(); }
  const SparseMatrix* D() const override { return of_model_->D(); }

  const StencilBlocks* blocks() override { return of_model_->blocks(); }
  StepWork work(const Vector& w) override {
    StepWork work = of_model_->work(w);
    const LowRank& low = correction_.low_rank();
    if (!low.empty()) {
      modal_.noalias() = low.MU.transpose() * w;
      work.dissipated += h_ * modal_.cwiseAbs2().dot(low.damping_scale);
    }
    return work;
  }
  bool has_contact_forces() const override { return of_model_->has_contact_forces(); }
  void correct_momenta(Vector& w) override { of_model_->correct_momenta(w); }
  ElementRates rates(const State& at) override { return of_model_->rates(at); }
  double approach_rate(const State& at, double h) override { return of_model_->approach_rate(at, h); }
  Index memory_size() const override { return of_model_->memory_size(); }
  void strain_change(const Vector& w, Vector& memory) override { of_model_->strain_change(w, memory); }
  double dial_energy(double chi, const Vector& memory) override {
    return of_model_->dial_energy(chi, memory);
  }

 private:
  std::unique_ptr<TwoStateForce> of_model_;
  const EigenFitCorrection& correction_;
  const State* now_ = nullptr;
  double h_ = 0;
  State middle_;
  Vector modal_;
};

}  // namespace

std::unique_ptr<AssembledTangent> EigenFitSystem::assembled_tangent(Definiteness definiteness) const {
  return std::make_unique<EigenFitTangent>(model_, correction_, definiteness);
}

std::unique_ptr<TwoStateForce> EigenFitSystem::two_state_force() const {
  return std::make_unique<EigenFitTwoState>(model_.two_state_force(), correction_);
}

}  // namespace phiflex
