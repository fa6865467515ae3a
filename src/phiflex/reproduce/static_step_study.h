// One step of a method from a static state. The scene brings its body there: backward Euler with steps so long that
// inertia is nothing, while a constraint moves. From the last state, with all velocities zero, one step of length tau is
// made in the same scene with other settings (material, damping: whatever leaves the static shape as it is).
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "phiflex/base/work.h"
#include "phiflex/linalg/vector.h"

namespace phiflex {

struct StaticState {
  double t = 0;
  Vector x;             // of all vertices
  double residual = 0;  // largest force on a free vertex over the largest on a held or moved one
  int inverted = 0;     // tetrahedra with J <= 0
  long repairs = 0;     // projected Hessians and halved steps on the way
  std::string failure;  // empty: it came to its end
};

class StaticStepStudy {
 public:
  // Scenes are named relative to this folder.
  explicit StaticStepStudy(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Computed once for each scene and overrides.
  const StaticState& state(const std::string& scene, const std::vector<std::string>& overrides);
  // What one step of the method needs. Throws Undecided when there is no static state or the step fails.
  Work step(const std::string& scene, const std::vector<std::string>& overrides,
            const std::vector<std::string>& step_overrides, const std::string& method, double tau);

 private:
  std::filesystem::path folder_;
  std::map<std::string, StaticState> states_;
};

}  // namespace phiflex
