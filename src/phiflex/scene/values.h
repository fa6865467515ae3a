// Values that several parts of a scene share.
#pragma once

#include <array>

#include "phiflex/base/described.h"

namespace phiflex {

using Triple = std::array<double, 3>;

enum class Axis { x, y, z };
enum class Switch { off, on };  // false, true

}  // namespace phiflex
