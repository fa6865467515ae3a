// A step divided as its error asks, for methods with an error estimate. The caller's step h stays the grid of
// the output; inside it the method takes inner steps of length d.
//
// With e the estimated error of an inner step relative to its update (both in the norm q'M q / d^2 + v'M v) and
// p the order of the embedded method, e ~ d^p, so the longest step the tolerance allows is
//
//   d_e = d (0.8 tol / e)^(1/p).                                                                          (1)
//
// The cost of an exponential step depends on d (a Krylov basis grows with it), and a longer step may cost more
// per second of motion than a shorter one. With c the counted cost per unit of time, the controller follows its
// slope downhill, as far as (1) lets it:
//
//   S = dlog c / dlog d  between the last two lengths,     d_c = d exp(-0.65 tanh(0.27 S)),               (2)
//
// moved away from d by at least a factor (1.37 up, 0.64 down), since no slope can be learnt from equal steps.
// Where nothing but the caller's h limits d, steps are equal nevertheless: then every sixteenth is followed by a
// shorter one, to learn the slope. Costs are counted, never timed. Steps over the tolerance are made again (rejected).
// The descent follows Einkemmer: An adaptive step size controller for iterative implicit methods, 2018, with
// rounded constants.
#pragma once

#include <cstdint>
#include <memory>

#include "phiflex/integrate/contact_guard.h"
#include "phiflex/integrate/exponential_options.h"
#include "phiflex/integrate/integrator.h"

namespace phiflex {

class AdaptiveStep final : public Integrator {
 public:
  AdaptiveStep(std::unique_ptr<Integrator> method, double tolerance)
      : method_(std::move(method)), tolerance_(tolerance) {}

  const MethodInfo& info() const override { return method_->info(); }
  StepReport step(const State& now, double h, State& next) override;
  void save(ArchiveWriter& out) const override;
  void load(ArchiveReader& in) override;

 private:
  // What the controller carries from step to step.
  struct Memory {
    double d = 0;            // the length to try next; 0: not yet known
    double last_length = 0;  // of the latest accepted inner step, and its cost per unit of time
    double last_cost = 0;
    std::int64_t equal = 0;  // steps of one length in a row
  };
  // d of (1) and (2) after an accepted inner step.
  static void learn(const StepReport& inner, double d, double d_e, Memory& memory);

  std::unique_ptr<Integrator> method_;
  double tolerance_;
  Memory memory_;
  State from_, to_;
};

// For the catalogue: the method itself, or divided steps of it when an error tolerance is given.
template <class Method>
std::unique_ptr<Integrator> make_method_with_estimate(const MechanicalSystem& system,
                                                      const IntegratorOptions& given) {
  const auto options = given.read<EstimatingOptions>();
  auto method = std::make_unique<Method>(system, options);
  if (options.error_tolerance == 0) return guard_contacts(std::move(method), system);
  return guard_contacts(std::make_unique<AdaptiveStep>(std::move(method), options.error_tolerance), system);
}

}  // namespace phiflex
