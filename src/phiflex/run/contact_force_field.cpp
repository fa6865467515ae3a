#include "phiflex/run/contact_force_field.h"

#include <algorithm>

namespace phiflex {

bool ContactForceField::wanted(const OutputSpec& output) {
  return std::count(output.fields.begin(), output.fields.end(), OutputField::contact_force) > 0;
}

const Vector& ContactForceField::update(const Simulation& simulation, const Vector& x) {
  const DeformableModel& model = simulation.model();
  const State& now = simulation.state();
  f_.setZero(x.size());
  for (const TermPointer& term : model.terms())
    if (term->account() == PotentialTerm::Account::contact) term->add_force(x, f_);  // (1)
  for (const auto& obstacle : model.description().carried) obstacle->add_force(now.t, x, f_);
  double unused_power = 0;
  if (model.friction_forces(now, friction_, unused_power)) f_ += friction_;
  const Vector& impulses = simulation.projected_impulses();
  if (impulses.size() == f_.size() && simulation.step() > 0) f_ += impulses / simulation.h();
  return f_;
}

}  // namespace phiflex
