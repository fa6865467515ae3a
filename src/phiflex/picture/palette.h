// Colours for kinds and for numbers.
#pragma once

#include <cstddef>

#include "phiflex/picture/image.h"

namespace phiflex {

// Well apart from each other, also in print; repeated after the last.
Colour colour_of_kind(std::size_t kind);

// From deep blue (0) over green to yellow (1), ever lighter; clamped.
Colour colour_of_number(double fraction);

}  // namespace phiflex
