// The lowest modes of a system at rest: q = v = 0 at t = 0.
#pragma once

#include "phiflex/linalg/modes.h"
#include "phiflex/system/mechanical_system.h"

namespace phiflex {

struct ModesAtRest {
  ModesStatus status = ModesStatus::ok;
  Modes modes;
  double norm = 0;  // of M^-1 K (linalg/pencil.h), 1/s^2
};

// count: at most system.dofs(). The positions of the options are found here; a system without any has its stiffness
// factorized.
ModesAtRest modes_at_rest(const MechanicalSystem& system, Index count, ModesOptions options, Work& work);

}  // namespace phiflex
