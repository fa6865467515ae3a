// The scalar test equation as a mechanical system of one degree of freedom:
//
//   q'' + d q' + w^2 q = 0                                                                                (1)
#pragma once

#include "phiflex/system/mechanical_system.h"

namespace phiflex {

class Oscillator final : public MechanicalSystem {
 public:
  // w in rad/s, d in 1/s.
  explicit Oscillator(double w, double d = 0);

  double w() const { return w_; }
  double d() const { return d_; }

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
  double w_, d_;
  MassMatrix mass_;
  std::shared_ptr<const SparsityPattern> pattern_;
};

State oscillator_state(double q, double v);

}  // namespace phiflex
