#include "phiflex/integrate/modes_at_rest.h"

namespace phiflex {

ModesAtRest modes_at_rest(const MechanicalSystem& system, Index count, ModesOptions options, Work& work) {
  const State rest{0, Vector::Zero(system.dofs()), Vector::Zero(system.dofs())};
  const auto tangent = system.assembled_tangent(Definiteness::exact);
  tangent->update(rest);
  const AssembledPencil pencil(tangent->K(), system.mass(), tangent->low_rank());
  if (system.has_positions()) system.positions(rest, options.positions);
  ModesAtRest result;
  result.status = compute_modes(pencil, count, options, result.modes, work);
  result.norm = pencil.norm();
  return result;
}

}  // namespace phiflex
