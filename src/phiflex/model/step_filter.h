// What happens to a state at the end of a step, outside the integrator: contacts that push and stop vertices.
// Their work on the bodies, what their friction takes and the work of moving obstacles are booked apart
// (energy_ledger.h).
#pragma once

#include "phiflex/system/state.h"

namespace phiflex {

struct FilterReport {
  long projected = 0;   // vertices pushed out of obstacles
  long impulses = 0;    // between pairs of particles
  double external = 0;  // work of moving obstacles on what they touch, J
  double friction = 0;  // taken by friction, J
  bool changed() const { return projected + impulses > 0; }
  FilterReport& operator+=(const FilterReport& other) {
    projected += other.projected;
    impulses += other.impulses;
    external += other.external;
    friction += other.friction;
    return *this;
  }
};

// The step at whose end a filter acts.
struct StepEnd {
  double h;                     // s
  const State* from = nullptr;  // its beginning; null: not known
  double lost = 0;  // by the method in this step (energy_ledger.h, (3)), J; what contacts may give back
};

// Made for one model; it may keep working memory, nothing else, from step to step.
class StepFilter {
 public:
  virtual ~StepFilter() = default;
  // at: the end of a step, changed in place. Held vertices stay where they are.
  virtual FilterReport apply(const StepEnd& step, State& at) = 0;
};

}  // namespace phiflex
