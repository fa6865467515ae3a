// The method of the catalogue that serves as the reference of a comparison.
//
// Among the methods that are applicable, the one of highest order; of equals an explicit one, because its steps
// are cheap. An explicit method is applicable when at most 64 of its stable steps are needed for the finest step
// that is compared. Its stable step is estimated from the initial state,
//
//   h < limit / w,   w^2 = |M^-1 K|_inf >= w_max^2                                                        (1)
//
// (an equality only for the worst of meshes: the estimate errs on the safe side). Whether the reference is good
// is not assumed but measured, by halving its step.
//
// Where its ledger refuses it (compare.h), `auto`'s explicit and implicit methods take its place, first the one whose
// second of motion is predicted to be cheaper, by counted work (run/step_prices.h):
//
//   1/h times the price of a step at the initial state                                                    (2)
#pragma once

#include <string>
#include <vector>

#include "phiflex/run/scene_model.h"
#include "phiflex/study/method_variant.h"

namespace phiflex {

struct ReferenceChoice {
  MethodVariant method;  // with solver tolerances far below its own error, and its first step
  std::string reason;
};

// In the order in which they are to be tried, at least one. `asked`: what the user wants and nothing else, or null; a
// step that is missing is chosen, and settings of the user's are kept.
std::vector<ReferenceChoice> reference_candidates(const SceneModel& world, double finest_step,
                                                  const MethodVariant* asked);

}  // namespace phiflex
