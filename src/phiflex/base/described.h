// What descriptions of settings by fields() have in common, in scenes and beside the methods of the engine.
#pragma once

#include <string>
#include <utility>

#include "phiflex/base/range.h"

namespace phiflex {

enum class Need { optional, required };

// What tells an alternative of a variant from the others: a key that must be there and, where given, its word.
struct Signature {
  const char* key;
  const char* word = nullptr;  // null: the key may hold any value of its type
};

// The words by which a scene names the values of an enumeration: `all` pairs each value with its word.
template <class Enum>
struct Words;

template <class Enum>
std::string word(Enum value) {
  for (const auto& [candidate, text] : Words<Enum>::all) {
    if (candidate == value) return text;
  }
  return {};
}

inline constexpr Range at_least_one{.low = 1};
inline constexpr Range tolerance_range{
    .low = 0, .at_low = Bound::exclusive, .high = 1, .at_high = Bound::exclusive};

}  // namespace phiflex
