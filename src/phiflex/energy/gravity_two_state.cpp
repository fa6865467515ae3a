// A force that does not depend on x is its own discrete gradient: dx.f = -(W(x + dx) - W(x)).
#include "phiflex/energy/gravity_term.h"
#include "phiflex/energy/two_state_term.h"

namespace phiflex {
namespace {

class GravityTwoState final : public TwoStateTerm {
 public:
  explicit GravityTwoState(const GravityTerm& gravity) : gravity_(gravity) {}

  void begin(const Vector&, const StepDamping&) override {}
  void add_force(const Vector& dx, Vector& f) override { gravity_.add_force(dx, f); }
  void add_tangent(const Vector&, Definiteness, SparseMatrix&) override {}
  bool turns_bodies() const override { return true; }

 private:
  const GravityTerm& gravity_;
};

}  // namespace

std::unique_ptr<TwoStateTerm> GravityTerm::make_two_state(const FreeVertices&, const SparsityPattern&) const {
  return std::make_unique<GravityTwoState>(*this);
}

}  // namespace phiflex
