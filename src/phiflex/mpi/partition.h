// Which rank owns which vertex: recursive bisection of the vertices by coordinates.
//
// A set of vertices for ranks [a, b) is cut across its longest side into the parts of [a, m) and [m, b), m = (a + b)/2,
// in the ratio of their ranks; ties by the number of the vertex. So parts differ by one vertex at most for each level,
// every rank computes the same parts, and the same in every run: nothing need be sent or kept. A graph partitioner
// (PT-Scotch) has shorter boundaries on bodies with thin or folded parts.
#pragma once

#include <vector>

#include "phiflex/linalg/vector.h"

namespace phiflex {

// positions: three numbers a vertex. The rank, in [0, ranks), of each vertex.
std::vector<int> partition_vertices(const Vector& positions, int ranks);

}  // namespace phiflex
