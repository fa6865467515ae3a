// Overrides from the command line: --set bodies.0.material.young=1e6, or --set /bodies/0/material/young=1e6.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "phiflex/base/errors.h"

namespace phiflex {

struct Override {
  std::string text;   // as given
  std::string place;  // JSON pointer of the topmost value that it replaced or created
};

// The value is JSON, or a plain text where it is not JSON. Missing objects on the way are created: whether
// the scene knows such keys is decided by the validation that follows. What cannot be
// applied becomes a problem.
std::vector<Override> apply_overrides(const std::vector<std::string>& overrides, nlohmann::json& scene,
                                      std::vector<Problem>& problems);

}  // namespace phiflex
