#include "phiflex/base/range.h"

#include <fmt/format.h>

#include <cmath>

namespace phiflex {

std::string range_text(const Range& range) {
  const bool below = std::isfinite(range.low), above = std::isfinite(range.high);
  const char* low_sign = range.at_low == Bound::inclusive ? ">=" : ">";
  const char* high_sign = range.at_high == Bound::inclusive ? "<=" : "<";
  if (below && above && range.low == range.high) return fmt::format("{}", range.low);
  if (below && above) return fmt::format("{} {} and {} {}", low_sign, range.low, high_sign, range.high);
  if (below) return fmt::format("{} {}", low_sign, range.low);
  if (above) return fmt::format("{} {}", high_sign, range.high);
  return "";
}

}  // namespace phiflex
