// One number for a state: xxHash64 over the bytes of t, q and v, as 16 hexadecimal digits. Two runs with the
// same hash ended in the same bits.
#pragma once

#include <string>

#include "phiflex/system/state.h"

namespace phiflex {

std::string state_hash(const State& state);

}  // namespace phiflex
