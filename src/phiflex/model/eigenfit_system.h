// A DeformableModel with the leading modes of a finer mesh: a decorator with the force and the stiffness of
// eigenfit_correction.h. It is a system like any other, for every integrator. Its force changes between steps: the
// owner of the correction calls EigenFitCorrection::update() before each step.
//
// The potential energy is the uncorrected one: the correction is conservative within a step only.
#pragma once

#include "phiflex/model/deformable_model.h"
#include "phiflex/model/eigenfit_correction.h"

namespace phiflex {

class EigenFitSystem final : public MechanicalSystem {
 public:
  // Both are kept by reference.
  EigenFitSystem(const DeformableModel& model, const EigenFitCorrection& correction)
      : model_(model), correction_(correction) {}

  Index dofs() const override { return model_.dofs(); }
  const MassMatrix& mass() const override { return model_.mass(); }
  double extent() const override { return model_.extent(); }
  double potential_energy(const State& at) const override { return model_.potential_energy(at); }
  void force(const State& at, Vector& f) const override {
    if (correction_.has_force_at(at))
      f = correction_.model_force();
    else
      model_.force(at, f);
    correction_.add_force(at, f);
  }
  bool force_depends_on_velocity() const override { return model_.force_depends_on_velocity(); }
  std::int64_t force_version() const override { return model_.force_version(); }
  std::shared_ptr<const SparsityPattern> pattern() const override { return model_.pattern(); }
  std::unique_ptr<AssembledTangent> assembled_tangent(Definiteness definiteness) const override;
  // The correction is soft: of a split stiffness it is no part, and acts through the force.
  std::unique_ptr<AssembledTangent> stiff_tangent(Definiteness definiteness) const override {
    return model_.stiff_tangent(definiteness);
  }
  std::unique_ptr<TwoStateForce> two_state_force() const override;
  bool has_contacts() const override { return model_.has_contacts(); }
  double free_way(const State& from, const State& to) const override { return model_.free_way(from, to); }
  double contact_stiffness(const State& at) const override { return model_.contact_stiffness(at); }
  double untouched_stiffness() const override { return model_.untouched_stiffness(); }
  double contact_drag(const State& at) const override { return model_.contact_drag(at); }
  void rotations(const State& from, const State& to, BlockRotations& R) const override {
    model_.rotations(from, to, R);
  }
  void positions(const State& at, Vector& x) const override { model_.positions(at, x); }
  bool has_positions() const override { return model_.has_positions(); }

 private:
  const DeformableModel& model_;
  const EigenFitCorrection& correction_;
};

}  // namespace phiflex
