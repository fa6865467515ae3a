// Numbers of a model builder's settings that must lie in a range, with the sentences of the scene's checks: for models
// that do not come from a scene. What is wrong goes to the problems at `place`.
#pragma once

#include <string>

#include "phiflex/base/problem_list.h"
#include "phiflex/build/model_builder.h"

namespace phiflex {

void check_settings(const ObstacleSettings& settings, const std::string& place, ProblemList& problems);
void check_settings(const BodyContactSettings& settings, const std::string& place, ProblemList& problems);
void check_settings(const Wind& wind, const std::string& place, ProblemList& problems);
void check_settings(const ActiveTime& active, const std::string& place, ProblemList& problems);

}  // namespace phiflex
