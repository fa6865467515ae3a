// Materials for Python: the laws of the catalogue, and what elements of a body are made of, by the names of a law's
// parameters.
#pragma once

#include "phiflex/build/body.h"
#include "python/src/arrays.h"

namespace phiflex {
namespace python {

// A dict for each law: name, summary, citation, form_of, and its parameters, each a dict of key, doc, unit, kind,
// expected and default.
py::list material_laws();

// The materials of a body, one after the other: tuples of a place, the elements (None: all), the law, a dict of its
// parameters and the density. Numbers may be arrays with one entry for every element of the body, directions with one
// row. The second and later ones are the regions 1, 2, ...
void set_materials(Body& body, const py::list& materials, ProblemList& problems);

}  // namespace python
}  // namespace phiflex
