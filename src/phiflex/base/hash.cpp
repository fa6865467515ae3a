#include "phiflex/base/hash.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace phiflex {

struct Hash::State {
  XXH64_state_t xxh;
};

Hash::Hash() : state_(std::make_unique<State>()) {
  XXH64_reset(&state_->xxh, 0);
}
Hash::~Hash() = default;
void Hash::add(const void* bytes, std::size_t count) {
  if (count > 0) XXH64_update(&state_->xxh, bytes, count);
}
std::uint64_t Hash::value() const {
  return XXH64_digest(&state_->xxh);
}
std::string Hash::hexadecimal() const {
  return fmt::format("{:016x}", value());
}

}  // namespace phiflex
