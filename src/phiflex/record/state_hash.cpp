#include "phiflex/record/state_hash.h"

#include "phiflex/base/hash.h"

namespace phiflex {

std::string state_hash(const State& state) {
  Hash hash;
  hash.add(state.t);
  hash.add(as_span(state.q));
  hash.add(as_span(state.v));
  return hash.hexadecimal();
}

}  // namespace phiflex
