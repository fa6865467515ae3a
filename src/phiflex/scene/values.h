// Values that several parts of a scene share.
#pragma once

#include <array>

namespace phiflex {

using Triple = std::array<double, 3>;

enum class Axis { x, y, z };
enum class LinearForm { one_solve, woodbury };  // how a low-rank part of a linear system is solved
enum class Switch { off, on };                  // false, true

// What tells an alternative of a variant from the others: a key that must be there and, where given, its word.
struct Signature {
  const char* key;
  const char* word = nullptr;  // null: the key may hold any value of its type
};

}  // namespace phiflex
