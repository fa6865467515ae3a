#include "phiflex/integrate/stable_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "phiflex/linalg/pencil.h"

namespace phiflex {
namespace {
constexpr double kPart = 0.9;   // of the longest stable step
constexpr double kImpact = 16;  // (2)
}  // namespace

StableStep::StableStep(const MechanicalSystem& system)
    : system_(system), tangent_(system.assembled_tangent(Definiteness::exact)) {}

double StableStep::at(const State& state, Work& work) {
  const PhaseTimer timer(work.assembly_seconds);
  ++work.assemblies;
  tangent_->update(state);
  const double lambda = AssembledPencil(tangent_->K(), system_.mass(), tangent_->low_rank()).norm() +
                        kImpact * system_.untouched_stiffness();
  const double d = tangent_->D() ? AssembledPencil(*tangent_->D(), system_.mass()).norm() : 0;
  if (!std::isfinite(lambda + d)) return 0;
  // The root of (1): h = 2/(d/2 + sqrt(d^2/4 + lambda)).
  const double rate = d / 2 + std::sqrt(d * d / 4 + lambda);
  return rate > 0 ? kPart * 2 / rate : std::numeric_limits<double>::infinity();
}

double explicit_substeps(const MechanicalSystem& system, const State& at, double h) {
  if (system.dofs() == 0) return 1;
  Work unused;
  return explicit_substeps(h, StableStep(system).at(at, unused));
}

double explicit_substeps(double h, double stable_step) {
  return std::max(1., std::ceil(h / stable_step));
}

}  // namespace phiflex
