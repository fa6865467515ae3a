#include "phiflex/energy/gravity_term.h"

#include <stdexcept>
#include <utility>

#include "phiflex/energy/two_state_term.h"

namespace phiflex {
namespace {

class NoStiffness final : public StiffnessAssembler {
 public:
  Index add_stiffness(const Vector&, Definiteness, SparseMatrix&) const override { return 0; }
};

// A force that does not depend on x is its own discrete gradient: dx.f = -(W(x + dx) - W(x)).
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

GravityTerm::GravityTerm(std::vector<double> masses, std::array<double, 3> gravity, Vector rest)
    : masses_(std::move(masses)), gravity_(gravity), rest_(std::move(rest)) {
  if (rest_.size() != 3 * static_cast<Index>(masses_.size()))
    throw std::invalid_argument("GravityTerm: three coordinates are needed for each mass");
}

double GravityTerm::energy(const Vector& x) const {
  double W = 0;
  for (std::size_t v = 0; v < masses_.size(); ++v)
    for (int i = 0; i < 3; ++i) W -= masses_[v] * gravity_[i] * (x[3 * v + i] - rest_[3 * v + i]);
  return W;
}

void GravityTerm::add_force(const Vector&, Vector& f) const {
  for (std::size_t v = 0; v < masses_.size(); ++v)
    for (int i = 0; i < 3; ++i) f[3 * v + i] += masses_[v] * gravity_[i];
}

std::unique_ptr<StiffnessAssembler> GravityTerm::make_assembler(const FreeVertices&,
                                                                const SparsityPattern&) const {
  return std::make_unique<NoStiffness>();
}

std::unique_ptr<TwoStateTerm> GravityTerm::make_two_state(const FreeVertices&, const SparsityPattern&) const {
  return std::make_unique<GravityTwoState>(*this);
}

}  // namespace phiflex
