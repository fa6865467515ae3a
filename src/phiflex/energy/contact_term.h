// Contact between bodies, and of a body with itself, as a potential: the sum of barriers of contact/contact_forces.h.
// Its energy is +infinity where something touches. A state behind a surface has a finite energy, for distances have no
// sign: a caller that moves vertices must call free_way() first.
//
// Its stiffness has no place in a fixed pattern. add_couplings() lists nothing and the assemblers add nothing;
// add_blocks() gives its positive semidefinite part, add_stiffness_product() the whole.
//
// Terms are shared between threads. What contact keeps (candidates, what was found at the latest x) is leased, and
// does not change the answers.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "phiflex/contact/contact_forces.h"
#include "phiflex/energy/potential_term.h"

namespace phiflex {

class ContactTerm final : public PotentialTerm {
 public:
  ContactTerm(ContactCandidates candidates, const ContactLaw& law);

  Account account() const override { return Account::contact; }
  double energy(const Vector& x) const override;
  void add_force(const Vector& x, Vector& f) const override;
  void add_stiffness_product(const Vector& x, const Vector& dx, Vector& y) const override;
  void add_couplings(std::vector<Coupling>&) const override {}
  std::unique_ptr<StiffnessAssembler> make_assembler(const FreeVertices& free,
                                                     const SparsityPattern& pattern) const override;
  // Its force does exactly the change of the energy, less what the dial and friction take.
  std::unique_ptr<TwoStateTerm> make_two_state(const FreeVertices& free,
                                               const SparsityPattern& pattern) const override;
  bool has_blocks() const override { return true; }
  void add_blocks(const Vector& x, const FreeVertices& free, StencilBlocks& blocks) const override;
  double free_way(const Vector& x, const Vector& dx) const override;
  // Friction with the pressure of the potential, for methods that know forces alone (model/body_friction.h).
  bool rubs() const { return fresh_.rubs(); }
  void add_friction(const Vector& x, const Vector& v, Vector& f) const;
  void add_friction_blocks(const Vector& x, const Vector& v, const FreeVertices& free,
                           StencilBlocks& blocks) const;
  std::string diagnose(const Vector& x) const override;

 private:
  struct Memory {
    ContactForces forces;
    Vector at;  // the x that was looked at; empty: none
  };
  class Lease;

  ContactForces fresh_;  // copied for who needs one
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Memory>> idle_;
};

}  // namespace phiflex
