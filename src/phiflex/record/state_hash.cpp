#include "phiflex/record/state_hash.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

namespace phiflex {

std::string state_hash(const State& state) {
  XXH64_state_t hash;
  XXH64_reset(&hash, 0);
  XXH64_update(&hash, &state.t, sizeof state.t);
  for (const Vector* x : {&state.q, &state.v})
    XXH64_update(&hash, x->data(), static_cast<std::size_t>(x->size()) * sizeof(double));
  return fmt::format("{:016x}", XXH64_digest(&hash));
}

}  // namespace phiflex
