// Central differences: one leapfrog step (leapfrog.h).
#include "phiflex/integrate/leapfrog.h"
#include "phiflex/integrate/method_entry.h"
#include "phiflex/integrate/plain_method.h"

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

class CentralDifference final : public PlainMethod {
 public:
  CentralDifference(const MechanicalSystem& system, const IntegratorOptions&) : leapfrog_(system) {}
  const MethodInfo& info() const override { return kCentralDifferenceInfo; }
  void save(ArchiveWriter& out) const override { leapfrog_.save(out); }
  void load(ArchiveReader& in) override { leapfrog_.load(in); }

 private:
  StepStatus advance(const State& now, double h, State& next, Work& work) override {
    return leapfrog_.advance(now, h, next, work);
  }

  Leapfrog leapfrog_;
};

}  // namespace

MethodEntry central_difference_method() {
  return {&kCentralDifferenceInfo, {}, make_method<CentralDifference>};
}

}  // namespace phiflex
