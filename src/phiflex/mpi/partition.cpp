#include "phiflex/mpi/partition.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace phiflex {
namespace {

int longest_side(const Vector& positions, std::span<const int> vertices) {
  int longest = 0;
  double length = -1;
  for (int axis = 0; axis < 3; ++axis) {
    const auto [low, high] = std::minmax_element(vertices.begin(), vertices.end(), [&](int a, int b) {
      return positions[3 * Index(a) + axis] < positions[3 * Index(b) + axis];
    });
    const double side = positions[3 * Index(*high) + axis] - positions[3 * Index(*low) + axis];
    if (side > length) longest = axis, length = side;
  }
  return longest;
}

void cut(const Vector& positions, std::span<int> vertices, int first, int last, std::vector<int>& owner) {
  if (last - first == 1 || vertices.empty()) {
    for (const int v : vertices) owner[std::size_t(v)] = first;
    return;
  }
  const int middle = (first + last) / 2;
  const std::size_t below = vertices.size() * std::size_t(middle - first) / std::size_t(last - first);
  const int axis = longest_side(positions, vertices);
  std::nth_element(vertices.begin(), vertices.begin() + std::ptrdiff_t(below), vertices.end(),
                   [&](int a, int b) {
                     const double x = positions[3 * Index(a) + axis], y = positions[3 * Index(b) + axis];
                     return x != y ? x < y : a < b;
                   });
  cut(positions, vertices.first(below), first, middle, owner);
  cut(positions, vertices.subspan(below), middle, last, owner);
}

}  // namespace

std::vector<int> partition_vertices(const Vector& positions, int ranks) {
  std::vector<int> vertices(std::size_t(positions.size() / 3)), owner(vertices.size(), 0);
  std::iota(vertices.begin(), vertices.end(), 0);
  if (ranks > 1) cut(positions, vertices, 0, ranks, owner);
  return owner;
}

}  // namespace phiflex
