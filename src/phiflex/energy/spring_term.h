// Linear springs between vertices. With s = x_a - x_b, l = |s|, n = s/l, rest length l0:
//
//   W = k/2 (l - l0)^2,      f_a = -k (l - l0) n = -f_b                                                   (1)
//   material stiffness       k n n'                                                                       (2)
//   geometric stiffness      k (l - l0)/l (I - n n')      (positive in tension, negative in compression)  (3)
//
// for the block (a, a); (b, b) is the same, (a, b) and (b, a) are its negative. The projection leaves out
// (3) where it is negative.
//
// A spring of length zero has no direction: it exerts no force and has no stiffness, except when l0 = 0,
// where (2) + (3) = k I holds everywhere.
#pragma once

#include <vector>

#include "phiflex/energy/potential_term.h"
#include "phiflex/fem/element_schedule.h"

namespace phiflex {

struct Spring {
  int a, b;            // vertices of the model
  double k;            // [N/m]
  double rest_length;  // [m]
};

// Some methods treat only the stiff part (2) implicitly.
enum class StiffnessPart { all, material, geometric };

class SpringTerm final : public PotentialTerm {
 public:
  explicit SpringTerm(std::vector<Spring> springs);

  Account account() const override { return Account::elastic; }
  double energy(const Vector& x) const override;
  void add_force(const Vector& x, Vector& f) const override;
  void add_stiffness_product(const Vector& x, const Vector& dx, Vector& y) const override;
  void add_couplings(std::vector<Coupling>& couplings) const override;
  void add_turning(const Vector& from, const Vector& to, Vector& T) const override;
  std::unique_ptr<StiffnessAssembler> make_assembler(const FreeVertices& free,
                                                     const SparsityPattern& pattern) const override;
  std::unique_ptr<TwoStateTerm> make_two_state(const FreeVertices& free,
                                               const SparsityPattern& pattern) const override;

  // The geometric stiffness (3) is the soft part, the material one (2) the stiff.
  bool has_soft_stiffness() const override { return true; }
  std::unique_ptr<StiffnessAssembler> make_stiff_assembler(const FreeVertices& free,
                                                           const SparsityPattern& pattern) const override {
    return make_assembler(free, pattern, StiffnessPart::material);
  }

  // The same for a part of the stiffness. Assemblers refer to the term.
  void add_stiffness_product(const Vector& x, StiffnessPart part, const Vector& dx, Vector& y) const;
  std::unique_ptr<StiffnessAssembler> make_assembler(const FreeVertices& free, const SparsityPattern& pattern,
                                                     StiffnessPart part) const;

  const std::vector<Spring>& springs() const { return springs_; }

 private:
  std::vector<Spring> springs_;
  ElementSchedule schedule_;
};

}  // namespace phiflex
