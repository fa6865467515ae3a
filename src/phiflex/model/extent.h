// How large bodies are.
#pragma once

#include "phiflex/linalg/vector.h"

namespace phiflex {

// Of the box around these vertices, x y z of each, in their unit; 0 where there is none.
double largest_side(const Vector& positions);  // deformable_model.cpp

}  // namespace phiflex
