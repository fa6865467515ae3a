// The additive semi-implicit Euler method: only the stiff part K_s of the stiffness (system/tangent.h) is
// taken implicitly, the rest of the force explicitly,
//
//   (M + h D + h^2 K_s) dv = h (f + h g - h K_s v)                                                        (1)
//   v+ = v + dv,   q+ = q + h v+                                                                          (2)
//
// For springs K_s is the material stiffness, positive semidefinite in any state: no projection is ever needed
// where `si` meets the indefinite geometric stiffness of compressed springs. The rest being explicit bounds
// the step by its own frequencies, those of the transverse waves of a tight rope or cloth. (1) is `si` on a system whose
// tangent is (K_s, D, g); without a split it is `si` itself.
// Chen: Integrators for Elastodynamic Simulation with Stiffness and Stiffening, 2019, chapter 5.
#include "phiflex/integrate/methods.h"

namespace phiflex {
namespace {

constexpr MethodInfo kInfo{
    .name = "mssi",
    .summary = "semi-implicit Euler with only the stiff part of the stiffness implicit",
    .order = 1,
    .l_stable = true,
    .citation = "chen2019thesis"};

// A system with K_s for its K, where it offers a split.
class StiffPart final : public MechanicalSystem {
 public:
  explicit StiffPart(const MechanicalSystem& system) : system_(system) {}
  Index dofs() const override { return system_.dofs(); }
  const MassMatrix& mass() const override { return system_.mass(); }
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

std::vector<std::string> warnings(const MechanicalSystem& system, const IntegratorOptions&) {
  if (system.stiff_tangent(Definiteness::exact)) return {};
  return {
      "mssi: nothing here has a stiffness that is split into a stiff part and a rest (springs have): it is "
      "the same as si"};
}

}  // namespace

MethodEntry mssi_method() {
  return {&kInfo, si_method().option_names, make_method<AdditiveSemiImplicitEuler>, warnings};
}

}  // namespace phiflex
