// `si` on the stiff part K_s of a system's stiffness (system/tangent.h), the rest of the force explicit: what the
// catalogue has as `mssi` and `dgsi`.
#pragma once

#include <memory>

#include "phiflex/integrate/method_entry.h"

namespace phiflex {

MethodEntry si_method();  // si.cpp

// A system with K_s for its K, where it offers a split. It tells of no contacts: the method around it guards its steps.
class StiffPart final : public MechanicalSystem {
 public:
  explicit StiffPart(const MechanicalSystem& system) : system_(system) {}
  Index dofs() const override { return system_.dofs(); }
  const MassMatrix& mass() const override { return system_.mass(); }
  double extent() const override { return system_.extent(); }
  double potential_energy(const State& at) const override { return system_.potential_energy(at); }
  void force(const State& at, Vector& f) const override { system_.force(at, f); }
  bool force_depends_on_velocity() const override { return system_.force_depends_on_velocity(); }
  std::shared_ptr<const SparsityPattern> pattern() const override { return system_.pattern(); }
  std::unique_ptr<AssembledTangent> assembled_tangent(Definiteness definiteness) const override {
    std::unique_ptr<AssembledTangent> stiff = system_.stiff_tangent(definiteness);
    return stiff ? std::move(stiff) : system_.assembled_tangent(definiteness);
  }

 private:
  const MechanicalSystem& system_;
};

template <const MethodInfo& kInfo>
class AdditiveSemiImplicitEuler final : public Integrator {
 public:
  AdditiveSemiImplicitEuler(const MechanicalSystem& system, const IntegratorOptions& options)
      : stiff_(system), si_(si_method().make(stiff_, options)) {}
  const MethodInfo& info() const override { return kInfo; }
  StepReport step(const State& now, double h, State& next) override { return si_->step(now, h, next); }
  void save(ArchiveWriter& out) const override { si_->save(out); }
  void load(ArchiveReader& in) override { si_->load(in); }

 private:
  StiffPart stiff_;
  std::unique_ptr<Integrator> si_;
};

}  // namespace phiflex
