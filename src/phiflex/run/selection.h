// What a `where` selects of a body: vertices or elements, by rest coordinates, bounds inclusive. Elements are
// selected by their centroid. Selecting nothing is a problem that says where the body is.
#pragma once

#include <string>
#include <vector>

#include "phiflex/base/problem_list.h"
#include "phiflex/build/body.h"
#include "phiflex/scene/where_spec.h"

namespace phiflex {

std::vector<int> select_vertices(const Where& where, const Body& body, const std::string& pointer,
                                 ProblemList& problems);
// Tetrahedra of a solid body.
std::vector<int> select_elements(const Where& where, const Body& body, const std::string& pointer,
                                 ProblemList& problems);

// Whether a selection by volume holds a point; lists and tags hold none.
bool holds(const Where& where, const Point3& point);

}  // namespace phiflex
