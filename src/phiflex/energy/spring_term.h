// Springs as an energy. With the arms s_j of an element (spring.h), l_j = |s_j|, n_j = s_j/l_j, the extension
// e = sum_j sigma_j l_j - l0 and a law with tension T(e) (spring_laws.h):
//
//   W = W(e),                force on the arm  -sigma_j T n_j                                             (1)
//   material stiffness       sigma_j sigma_k T' n_j n_k'                                                  (2)
//   geometric stiffness      delta_jk sigma_j T/l_j (I - n_j n_j')    (positive in tension)               (3)
//
// between the arms; the nodes get them through the weights of (1) in spring.h. For a spring of two nodes that is
// f_a = -T n = -f_b, the block (a, a) is (2) + (3), (b, b) the same, (a, b) and (b, a) the negative. The
// projection leaves out (3) where it is negative.
//
// A spring of length zero has no direction: it exerts no force and has no stiffness, except when l0 = 0, where
// (2) + (3) = k I holds everywhere.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "phiflex/energy/potential_term.h"
#include "phiflex/energy/spring.h"
#include "phiflex/energy/spring_laws.h"
#include "phiflex/fem/element_schedule.h"

namespace phiflex {

// Some methods treat only the stiff part (2) implicitly.
enum class StiffnessPart { all, material, geometric };

// Spring terms of any element and law.
class AnySpringTerm : public PotentialTerm {
 public:
  Account account() const override { return Account::elastic; }
  // The geometric stiffness (3) is the soft part, the material one (2) the stiff.
  bool has_soft_stiffness() const override { return true; }
  std::unique_ptr<StiffnessAssembler> make_stiff_assembler(const FreeVertices& free,
                                                           const SparsityPattern& pattern) const override {
    return make_assembler(free, pattern, StiffnessPart::material);
  }
  std::unique_ptr<StiffnessAssembler> make_assembler(const FreeVertices& free,
                                                     const SparsityPattern& pattern) const override {
    return make_assembler(free, pattern, StiffnessPart::all);
  }
  void add_stiffness_product(const Vector& x, const Vector& dx, Vector& y) const override {
    add_stiffness_product(x, StiffnessPart::all, dx, y);
  }

  // The same for a part of the stiffness. Assemblers refer to the term.
  virtual void add_stiffness_product(const Vector& x, StiffnessPart part, const Vector& dx,
                                     Vector& y) const = 0;
  virtual std::unique_ptr<StiffnessAssembler> make_assembler(const FreeVertices& free,
                                                             const SparsityPattern& pattern,
                                                             StiffnessPart part) const = 0;
  // The energy of each element [J].
  virtual void element_energies(const Vector& x, std::span<double> energies) const = 0;
};

template <class Element, class Law>
class SpringTermOf final : public AnySpringTerm {
 public:
  // Throws std::invalid_argument for a rest length that the law cannot have.
  explicit SpringTermOf(std::vector<Element> elements);

  double energy(const Vector& x) const override;
  void add_force(const Vector& x, Vector& f) const override;
  void add_couplings(std::vector<Coupling>& couplings) const override;
  void add_turning(const Vector& from, const Vector& to, Vector& T) const override;
  std::unique_ptr<TwoStateTerm> make_two_state(const FreeVertices& free,
                                               const SparsityPattern& pattern) const override;
  using AnySpringTerm::add_stiffness_product;
  using AnySpringTerm::make_assembler;
  void add_stiffness_product(const Vector& x, StiffnessPart part, const Vector& dx, Vector& y) const override;
  std::unique_ptr<StiffnessAssembler> make_assembler(const FreeVertices& free, const SparsityPattern& pattern,
                                                     StiffnessPart part) const override;
  void element_energies(const Vector& x, std::span<double> energies) const override;

  const std::vector<Element>& elements() const { return elements_; }

 private:
  std::vector<Element> elements_;
  ElementSchedule schedule_;
};

using SpringTerm = SpringTermOf<Spring, LinearSpringLaw>;
using CentreSpringTerm = SpringTermOf<CentreSpring, LinearSpringLaw>;
using ScissorSpringTerm = SpringTermOf<ScissorSpring, LinearSpringLaw>;

// The table of laws, and a term by a law's name (std::invalid_argument when there is none of that name).
struct SpringLawInfo {
  std::string_view name, description;  // of the tension of a spring of strain e
  std::unique_ptr<AnySpringTerm> (*make_springs)(std::vector<Spring>);
  std::unique_ptr<AnySpringTerm> (*make_centre_springs)(std::vector<CentreSpring>);
};
std::span<const SpringLawInfo> spring_law_catalogue();
const SpringLawInfo& find_spring_law(std::string_view name);

}  // namespace phiflex
