// "integrator": { "type": "auto" }: which method a scene gets, and why. The candidates are priced by counted work
// (step_prices.h); with x = h w for the modes of the rest shape,
//
//   nothing but barriers may act on a touched body            em with its dial at 1: the rest shape's stability bound
//                                                             says nothing of a touched barrier
//   verlet, its substeps by the stability bound at rest with all penalties touched, takes at most 1.2 of em's work (0.6
//   with loads or damping by stiffness)
//                                                             verlet: as accurate as its many steps
//   em is; every body held, no mode at x = 0, 0.1 <= x_1 < 4.4
//                                                             emx, 10 modes: they are visible, and too fast for a
//                                                             second-order method to keep their phase
//   emx refuses the scene where it is made: em, and says so
//   em is, everything else                                    em, its dial at 0.9; at 1 where something may touch, since
//                                                             the dial would damp every bounce
//
// The choice depends on the model and the step alone, not on where the body is: a resumed run chooses the same. What
// changes it on the way is method_watch.h.
#pragma once

#include <string>

#include "phiflex/integrate/integrator.h"
#include "phiflex/run/step_prices.h"
#include "phiflex/scene/method_spec.h"
#include "phiflex/system/mechanical_system.h"

namespace phiflex {

inline constexpr const char* kAutoMethod = "auto";
// The method of the catalogue that has this role.
std::string method_with(AutoRole role);
AutoRole auto_role(const std::string& method);

struct MethodChoice {
  IntegratorSpec spec;  // its type is a method of the catalogue
  std::string note;     // empty unless something was chosen
  // Counted work of a step, of verlet and of em; 0: not estimated.
  double explicit_price = 0, implicit_price = 0;
};
MethodChoice choose_method(const IntegratorSpec& spec, const MechanicalSystem& system, const SceneWork& work,
                           double h);
// The scene's integrator as a method of `auto`, its dial set as above.
IntegratorSpec as_candidate(const IntegratorSpec& spec, const SceneWork& work, const std::string& type);

// What "auto" comes to where there is no scene.
inline std::string general_method(const std::string& type) {
  return type == kAutoMethod ? method_with(AutoRole::implicit_step) : type;
}

}  // namespace phiflex
