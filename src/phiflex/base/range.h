// The numbers that a setting may have.
#pragma once

#include <limits>
#include <string>

namespace phiflex {

enum class Bound { inclusive, exclusive };

struct Range {
  double low = -std::numeric_limits<double>::infinity();
  Bound at_low = Bound::inclusive;
  double high = std::numeric_limits<double>::infinity();
  Bound at_high = Bound::inclusive;
  constexpr bool contains(double value) const {
    return (at_low == Bound::inclusive ? value >= low : value > low) &&
           (at_high == Bound::inclusive ? value <= high : value < high);
  }
  bool operator==(const Range&) const = default;
};

// "> 0 and < 1"; empty when every number is allowed.
std::string range_text(const Range& range);

// Those of most settings.
namespace ranges {

inline constexpr Range positive{.low = 0, .at_low = Bound::exclusive};
inline constexpr Range not_negative{.low = 0};
inline constexpr Range poisson_range{
    .low = -1, .at_low = Bound::exclusive, .high = 0.5, .at_high = Bound::exclusive};

}  // namespace ranges

}  // namespace phiflex
