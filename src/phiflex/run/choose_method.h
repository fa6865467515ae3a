// "integrator": { "type": "auto" }: which method a scene gets, and why. With x = h w for the modes of the rest
// shape, and n the substeps an explicit method would take,
//
//   n <= 40 (h w_max below about 80)                          verlet: cheaper than any implicit step, and as
//                                                             accurate as its many steps
//   every body held, no mode at x = 0, 0.1 <= x_1 < 4.4       emx, 10 modes: they are visible, and too fast for a
//                                                             second-order method to keep their phase
//   everything else                                           em with its dial at 0.9
//
// Where barriers may act (MechanicalSystem::has_contacts): em with its dial at 1, whatever n is. The dial would damp every
// bounce, and the rest shape's n says nothing of a touched barrier.
//
// The choice depends on the model and the step alone, not on where the body is: a resumed run chooses the same.
#pragma once

#include <string>

#include "phiflex/scene/scene.h"
#include "phiflex/system/mechanical_system.h"

namespace phiflex {

struct MethodChoice {
  IntegratorSpec spec;  // its type is a method of the catalogue
  std::string note;     // empty unless something was chosen
};
MethodChoice choose_method(const IntegratorSpec& spec, const MechanicalSystem& system, double h);

// What "auto" comes to where no scene is at hand.
inline std::string general_method(const std::string& type) {
  return type == "auto" ? "em" : type;
}

}  // namespace phiflex
