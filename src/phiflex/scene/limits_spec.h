// When a run is stopped before its end.
#pragma once

namespace phiflex {

struct LimitsSpec {
  double energy = 1000;  // times what there was and came in
  bool operator==(const LimitsSpec&) const = default;
};

}  // namespace phiflex
