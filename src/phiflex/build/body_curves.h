// The curves of a spline (material/spline_curves.h) given to elements of a body.
#pragma once

#include <string>
#include <vector>

#include "phiflex/build/body.h"
#include "phiflex/material/spline_curves.h"

namespace phiflex {

// The elements have their materials, whose law is a spline. Curves that leave the rest shape under stress, or unstable,
// are a problem at `place`; those whose Young's modulus is not the material's give a warning.
void set_curves(Body& body, const std::vector<int>& elements, SplineCurves curves, const std::string& place,
                ProblemList& problems);

}  // namespace phiflex
