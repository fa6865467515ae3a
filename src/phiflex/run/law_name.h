// The material catalogue's name of what a scene asks for.
#pragma once

#include <string>

#include "phiflex/scene/scene.h"

namespace phiflex {

std::string law_name(const MaterialSpec& spec);

}  // namespace phiflex
