#include "phiflex/mpi/uncounted_term.h"

namespace phiflex {
namespace {

class NoStiffness final : public StiffnessAssembler {
 public:
  Index add_stiffness(const Vector&, Definiteness, SparseMatrix&) const override { return 0; }
};

class UncountedStiffness final : public StiffnessAssembler {
 public:
  explicit UncountedStiffness(std::unique_ptr<StiffnessAssembler> of) : of_(std::move(of)) {}
  Index add_stiffness(const Vector& x, Definiteness definiteness, SparseMatrix& K) const override {
    of_->add_stiffness(x, definiteness, K);
    return 0;
  }

 private:
  std::unique_ptr<StiffnessAssembler> of_;
};

class UncountedTwoState final : public TwoStateTerm {
 public:
  explicit UncountedTwoState(std::unique_ptr<TwoStateTerm> of) : of_(std::move(of)) {}  // null: no elements
  void begin(const Vector& x, const StepDamping& damping) override {
    if (of_) of_->begin(x, damping);
  }
  void add_force(const Vector& dx, Vector& f) override {
    if (of_) of_->add_force(dx, f);
  }
  void add_tangent(const Vector& dx, Definiteness definiteness, SparseMatrix& K) override {
    if (of_) of_->add_tangent(dx, definiteness, K);
  }
  bool turns_bodies() const override { return of_ && of_->turns_bodies(); }
  Index memory_size() const override { return of_ ? of_->memory_size() : 0; }
  void strain_change(const Vector& dx, double* memory) override {
    if (of_) of_->strain_change(dx, memory);
  }

 private:
  std::unique_ptr<TwoStateTerm> of_;
};

class UncountedTerm final : public PotentialTerm {
 public:
  explicit UncountedTerm(std::shared_ptr<const PotentialTerm> of) : of_(std::move(of)) {}
  Account account() const override { return of_ ? of_->account() : Account::elastic; }
  double energy(const Vector&) const override { return 0; }
  void add_force(const Vector& x, Vector& f) const override {
    if (of_) of_->add_force(x, f);
  }
  void add_stiffness_product(const Vector& x, const Vector& dx, Vector& y) const override {
    if (of_) of_->add_stiffness_product(x, dx, y);
  }
  void add_couplings(std::vector<Coupling>& couplings) const override {
    if (of_) of_->add_couplings(couplings);
  }
  std::unique_ptr<StiffnessAssembler> make_assembler(const FreeVertices& free,
                                                     const SparsityPattern& pattern) const override {
    if (!of_) return std::make_unique<NoStiffness>();
    return std::make_unique<UncountedStiffness>(of_->make_assembler(free, pattern));
  }
  std::unique_ptr<TwoStateTerm> make_two_state(const FreeVertices& free,
                                               const SparsityPattern& pattern) const override {
    return std::make_unique<UncountedTwoState>(of_ ? of_->make_two_state(free, pattern) : nullptr);
  }
  void add_turning(const Vector& from, const Vector& to, Vector& T) const override {
    if (of_) of_->add_turning(from, to, T);
  }

 private:
  std::shared_ptr<const PotentialTerm> of_;
};

}  // namespace

std::shared_ptr<const PotentialTerm> make_uncounted_term(std::shared_ptr<const PotentialTerm> of) {
  return std::make_shared<UncountedTerm>(std::move(of));
}

}  // namespace phiflex
