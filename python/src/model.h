// A finished model that Python holds.
#pragma once

#include "phiflex/build/assembly.h"
#include "python/src/arrays.h"

namespace phiflex {
namespace python {

struct ModelHandle {
  Assembly assembly;
};

// name, first vertex, number of vertices, kind ("solid", "plane", "springs") of each body.
py::list body_list(const Assembly& assembly);

}  // namespace python
}  // namespace phiflex
