// The parts of the module _phiflex, one function for each file.
#pragma once

#include "python/src/arrays.h"

namespace phiflex {
namespace python {

void bind_system(py::module_& m);
void bind_integrator(py::module_& m);
void bind_model(py::module_& m);
void bind_simulation(py::module_& m);
void bind_matfun(py::module_& m);
void bind_study(py::module_& m);
void bind_experiments(py::module_& m);

}  // namespace python
}  // namespace phiflex
