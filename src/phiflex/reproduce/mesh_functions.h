// Functions of expressions that speak of mesh files: mesh_vertices('file'), mesh_elements('file').
#pragma once

#include <filesystem>

#include "phiflex/reproduce/expression.h"

namespace phiflex {

// `folder`: where mesh files lie; a file that is not there leaves the claim undecided.
Functions mesh_functions(std::filesystem::path folder);

}  // namespace phiflex
