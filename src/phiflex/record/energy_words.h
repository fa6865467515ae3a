// Energies in words, the same on the console, in reports and in comparisons (web/src/words.ts).
#pragma once

#include <string>

namespace phiflex {

// With three digits and the prefix that leaves 1 to 999 before the unit: "64.5 mJ".
std::string joules(double energy);

// 0 for what is rounding: below 1e-12 of the energy that the motion exchanged.
double without_rounding(double loss, double exchanged);

}  // namespace phiflex
