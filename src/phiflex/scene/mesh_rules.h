// Rules of meshes and of what generators are asked for.
#pragma once

#include "phiflex/scene/rule_context.h"

namespace phiflex {

void check_mesh(RuleContext& rules, const MeshSpec& mesh, const std::string& pointer);
// Of a surface or of springs that follow tetrahedra.
void check_solid_mesh(RuleContext& rules, const MeshSpec& mesh, const std::string& pointer);
// A few characters of a scene can ask for too much.
void check_size(RuleContext& rules, double elements, const char* noun, const std::string& pointer);

}  // namespace phiflex
