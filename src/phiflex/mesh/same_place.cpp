#include "phiflex/mesh/same_place.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace phiflex {

std::vector<int> first_at_same_place(const std::vector<Point3>& vertices) {
  std::vector<int> first(vertices.size());
  std::iota(first.begin(), first.end(), 0);
  std::vector<int> order;
  order.reserve(vertices.size());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Point3& p = vertices[i];
    // NaN equals nothing and would spoil the order.
    if (!std::isnan(p[0]) && !std::isnan(p[1]) && !std::isnan(p[2])) order.push_back(static_cast<int>(i));
  }
  std::sort(order.begin(), order.end(),
            [&](int i, int j) { return vertices[i] != vertices[j] ? vertices[i] < vertices[j] : i < j; });
  for (std::size_t k = 1; k < order.size(); ++k)
    if (vertices[order[k]] == vertices[order[k - 1]]) first[order[k]] = first[order[k - 1]];
  return first;
}

}  // namespace phiflex
