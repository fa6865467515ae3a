// Functions of expressions that speak of the scalar test equation q'' + d q' + w^2 q = 0, x = h w (study/analyze.h has
// the formulas). A method is a text as the command line has it, 'generalized-alpha:rho_infinity=0.5'; x may be a list.
//
//   damping(method, x)                                d_a/w beyond the physical damping
//   spectral_radius(method, x [, xi [, 'printed']])   'printed': generalized-alpha with the misprinted sum of its alphas
//   period_elongation(method, x, xi [, reading])      reading: 'full' (default) or 'folded' angle
//   amplitude_decay(method, x, xi [, reading])
//   oscillator(method, w, d, h, n, q0, v0)            list of the positions at 0, h, ..., n h
//   exact_oscillator(w, d, t, q0, v0)                 position of the exact solution, t may be a list
//   stiffened_radius(method, x, ratio)                w^2 of the oscillator is `ratio` times that of its rest shape;
//                                                     x = h w_0, of the rest shape
#pragma once

#include "phiflex/reproduce/expression.h"

namespace phiflex {

const Functions& scalar_functions();

}  // namespace phiflex
