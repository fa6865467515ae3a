// The scalar test equation as a mechanical system of one degree of freedom:
//
//   q'' + d q' + w^2 q = 0                                                                                (1)
//
// At rest, q = v = 0, its tangent may have another stiffness: methods that factorize the rest shape once then see a
// body that has become stiffer, or softer, since.
#pragma once

#include "phiflex/system/mechanical_system.h"

namespace phiflex {

class Oscillator final : public MechanicalSystem {
 public:
  // w in rad/s, d in 1/s.
  explicit Oscillator(double w, double d = 0) : Oscillator(w, d, w * w) {}
  Oscillator(double w, double d, double stiffness_at_rest);

  double w() const { return w_; }
  double d() const { return d_; }
  double stiffness_at_rest() const { return stiffness_at_rest_; }

  Index dofs() const override { return 1; }
  const MassMatrix& mass() const override { return mass_; }
  double potential_energy(const State& at) const override;
  void force(const State& at, Vector& f) const override;
  bool force_depends_on_velocity() const override { return d_ != 0; }
  std::shared_ptr<const SparsityPattern> pattern() const override { return pattern_; }
  std::unique_ptr<AssembledTangent> assembled_tangent(Definiteness definiteness) const override;

  // The exact solution of (1) at t from q, v at 0.
  State exact(double q, double v, double t) const;

 private:
  double w_, d_, stiffness_at_rest_;
  MassMatrix mass_;
  std::shared_ptr<const SparsityPattern> pattern_;
};

State oscillator_state(double q, double v);

}  // namespace phiflex
