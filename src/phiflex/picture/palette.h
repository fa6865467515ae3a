// Colours for kinds and for numbers.
#pragma once

#include <cstddef>

#include "phiflex/picture/image.h"

namespace phiflex {

// Well apart from each other, also in print; repeated after the last.
Colour colour_of_kind(std::size_t kind);

enum class Sides { one, two };
// From deep blue (0) over green to yellow (1), ever lighter; of two sides from blue over a light grey (0.5) to red,
// ever darker. Clamped.
Colour colour_of_number(double fraction, Sides sides = Sides::one);

}  // namespace phiflex
