// What a body of triangles in a plane must be like.
#pragma once

#include <string>

#include "phiflex/base/problem_list.h"
#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

// InputError with every reason to refuse the mesh; what is accepted but worth telling goes to the warnings. name:
// of the mesh, in messages.
void check_triangles(const SurfaceMesh& mesh, const std::string& name, ProblemList& problems);

}  // namespace phiflex
