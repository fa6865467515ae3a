// Coulomb's friction between bodies, and of a body with itself, smoothed about rest, for methods that know forces
// alone. (Energy-momentum steps have that of contact/stencil_friction.h with the pressure of the step.) Of every
// contact stencil, with the pressure P(x) of its potential, the slip J(x) v of the velocities, free of rotations, and
// the slip speed s,
//
//   f = -mu P J'u/q,    u = J v,    q = sqrt(|u|^2 + s^2)                                                  (1)
//   -df/dv <= mu P/q J'J =: D, positive semidefinite                                                       (2)
//
// f = -D v. D, not df/dv, stands beside the tangent (it couples vertices that no pattern foresees): a method that is
// implicit in v then takes -D v+ with the P and q of where it was linearized, whose power -v+'D v+ is never positive,
// and which does not turn the slip around. f has neither resultant nor torque. The change of P with x is not in the
// tangent.
//
// Friction takes sum of mu P |u|^2/q; its forces on moved vertices are borne by their movers. Explicit methods must
// resolve the rate of D (DeformableModel::contact_drag).
#pragma once

#include <memory>

#include "phiflex/energy/contact_term.h"
#include "phiflex/model/load.h"

namespace phiflex {

class BodyFriction final : public Load {
 public:
  // Its law has mu and s.
  explicit BodyFriction(std::shared_ptr<const ContactTerm> contact) : contact_(std::move(contact)) {}

  void add_force(const Motion& at, Vector& f) const override {
    contact_->add_friction(at.x, at.v, f);
  }  // (1)
  void add_force_rate(const Motion&, Vector&) const override {}
  bool is_friction() const override { return true; }
  bool has_drag_blocks() const override { return true; }
  void add_drag_blocks(const Motion& at, const FreeVertices& free, StencilBlocks& blocks) const override {
    contact_->add_friction_blocks(at.x, at.v, free, blocks);  // (2)
  }

 private:
  std::shared_ptr<const ContactTerm> contact_;
};

}  // namespace phiflex
