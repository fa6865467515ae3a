// A load of the whole scene on one rank: it is given the positions and velocities that the rank knows (those of far
// vertices are stale) and the forces on the rank's vertices are taken. For loads whose force on a vertex depends on the
// vertex itself and on the surface triangles around it.
#pragma once

#include <memory>
#include <vector>

#include "phiflex/model/load.h"

namespace phiflex {

// vertices: of the whole, those of this rank's model. start: positions of all vertices of the whole.
std::shared_ptr<const Load> make_part_load(std::shared_ptr<const Load> whole, std::vector<int> vertices,
                                           const Vector& start);

}  // namespace phiflex
