// Central differences: one leapfrog step (leapfrog.h).
#include "phiflex/integrate/leapfrog.h"
#include "phiflex/integrate/method_entry.h"

namespace phiflex {
namespace {

constexpr MethodInfo kCentralDifferenceInfo{.name = "central-difference",
                                            .summary = "explicit Verlet; stable for h w_max < 2",
                                            .order = 2,
                                            .symplectic = true,
                                            .conditionally_stable = true,
                                            .stability_limit = 2,
                                            .reversible = true,
                                            .citation = "hairer2006geometric",
                                            .contact = ContactStep::explicit_force};

class CentralDifference final : public Integrator {
 public:
  CentralDifference(const MechanicalSystem& system, const IntegratorOptions&) : leapfrog_(system) {}
  const MethodInfo& info() const override { return kCentralDifferenceInfo; }

  StepReport step(const State& now, double h, State& next) override {
    StepReport report;
    report.status = leapfrog_.advance(now, h, next, report.work);
    return report;
  }
  void save(ArchiveWriter& out) const override { leapfrog_.save(out); }
  void load(ArchiveReader& in) override { leapfrog_.load(in); }

 private:
  Leapfrog leapfrog_;
};

}  // namespace

MethodEntry central_difference_method() {
  return {&kCentralDifferenceInfo, {}, make_method<CentralDifference>};
}

}  // namespace phiflex
