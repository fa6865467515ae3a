#include "phiflex/record/energy_words.h"

#include <fmt/format.h>

#include <cmath>

namespace phiflex {

std::string joules(double energy) {
  struct Prefix {
    double factor;
    const char* letter;
  };
  constexpr Prefix kPrefixes[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "\u00b5"}};
  if (energy == 0 || !std::isfinite(energy)) return fmt::format("{:.3g} J", energy);
  for (const Prefix& prefix : kPrefixes)
    if (std::abs(energy) >= prefix.factor)
      return fmt::format("{:.3g} {}J", energy / prefix.factor, prefix.letter);
  return fmt::format("{:.3g} nJ", energy / 1e-9);
}

double without_rounding(double loss, double exchanged) {
  return std::abs(loss) <= 1e-12 * exchanged ? 0 : loss;
}

}  // namespace phiflex
