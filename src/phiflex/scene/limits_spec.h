// When a run is stopped before its end.
#pragma once

namespace phiflex {

struct LimitsSpec {
  double energy = 1000;  // times the available energy (model/energy_watch.h)
  bool operator==(const LimitsSpec&) const = default;
};

}  // namespace phiflex
