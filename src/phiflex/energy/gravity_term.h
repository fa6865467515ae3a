// Uniform gravity:  W(x) = -sum_v m_v g.(x_v - X_v),  zero at the rest positions X.                       (1)
#pragma once

#include <array>
#include <vector>

#include "phiflex/energy/potential_term.h"

namespace phiflex {

class GravityTerm final : public PotentialTerm {
 public:
  // masses: of each vertex [kg]. gravity [m/s^2]. rest: three coordinates per vertex [m].
  GravityTerm(std::vector<double> masses, std::array<double, 3> gravity, Vector rest);

  Account account() const override { return Account::gravity; }
  double energy(const Vector& x) const override;
  void add_force(const Vector& x, Vector& f) const override;
  // The force does not depend on x: no stiffness.
  void add_stiffness_product(const Vector&, const Vector&, Vector&) const override {}
  void add_couplings(std::vector<Coupling>&) const override {}
  std::unique_ptr<StiffnessAssembler> make_assembler(const FreeVertices& free,
                                                     const SparsityPattern& pattern) const override;
  std::unique_ptr<TwoStateTerm> make_two_state(const FreeVertices& free,
                                               const SparsityPattern& pattern) const override;

 private:
  std::vector<double> masses_;
  std::array<double, 3> gravity_;
  Vector rest_;
};

}  // namespace phiflex
