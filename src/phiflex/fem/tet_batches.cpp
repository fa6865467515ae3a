#include "phiflex/fem/tet_batches.h"

#include <stdexcept>
#include <string>

#include "phiflex/fem/spatial_order.h"

namespace phiflex {
namespace {

// Long enough to hide the cost of handing out a chunk, short enough that a few thousand elements feed eight
// threads. Fixed: the order of summation depends on it.
constexpr int kBatchesPerChunk = 64;

Vec3<double> corner(const Vector& x, int vertex) {
  return {x[3 * Index(vertex)], x[3 * Index(vertex) + 1], x[3 * Index(vertex) + 2]};
}

template <class Nodes>
std::vector<int> order_of_batches(const Vector& rest, std::span<const Nodes> tets) {
  std::vector<Point3> centroid;
  centroid.reserve(tets.size());
  for (const Nodes& tet : tets) {
    for (int v : tet) {
      if (v < 0 || 3 * Index(v) + 2 >= rest.size())
        throw std::invalid_argument("TetBatches: vertex " + std::to_string(v) + " is out of range");
    }
    const Vec3<double> c =
        0.25 * (corner(rest, tet[0]) + corner(rest, tet[1]) + corner(rest, tet[2]) + corner(rest, tet[3]));
    centroid.push_back({c[0], c[1], c[2]});
  }
  std::vector<int> order = spatial_order(centroid);
  while (order.size() % kLanes != 0) order.push_back(order.back());
  return order;
}

template <class Nodes>
std::vector<int> vertices_by_batch(const std::vector<int>& element, std::span<const Nodes> tets) {
  std::vector<int> vertices;
  vertices.reserve(std::tuple_size_v<Nodes> * element.size());
  for (int e : element) vertices.insert(vertices.end(), tets[e].begin(), tets[e].end());
  return vertices;
}

struct RestShape {
  Mat3<double> gradients;  // its rows are g_1, g_2, g_3
  double volume;
};

// One piece for all kinds of elements, so that both round in the same way wherever it is called from.
__attribute__((flatten)) RestShape rest_shape(const Vector& rest, const int* corners) {
  const Vec3<double> origin = corner(rest, corners[0]);
  const Mat3<double> edges =
      from_columns(corner(rest, corners[1]) - origin, corner(rest, corners[2]) - origin,
                   corner(rest, corners[3]) - origin);
  const double volume = determinant(edges) / 6;
  return {inverse(edges), volume};
}

}  // namespace

template <class Element>
TetBatchesOf<Element>::TetBatchesOf(const Vector& rest, std::span<const Nodes> tets)
    : count_(static_cast<int>(tets.size())),
      element_(order_of_batches(rest, tets)),
      batches_(element_.size() / kLanes),
      schedule_(vertices_by_batch(element_, tets), Element::kNodes * kLanes, kBatchesPerChunk) {
  for (std::size_t place = 0; place < element_.size(); ++place) {
    TetBatchOf<Element>& batch = batches_[place / kLanes];
    const int lane = static_cast<int>(place % kLanes);
    const Nodes& tet = tets[element_[place]];
    const auto [gradients, volume] = rest_shape(rest, tet.data());
    if (!(volume > 0)) {
      throw std::invalid_argument("TetBatches: the volume of tetrahedron " + std::to_string(element_[place]) +
                                  " is not positive");
    }
    for (int a = 0; a < Element::kNodes; ++a) batch.vertex[a][lane] = tet[a];
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < 3; ++i) batch.g[a][i].set(lane, gradients(a, i));
    batch.volume.set(lane, static_cast<int>(place) < count_ ? volume : 0.0);
  }
}

template <class Element>
std::vector<Lanes> TetBatchesOf<Element>::pack(std::span<const double> values) const {
  if (static_cast<int>(values.size()) != count_)
    throw std::invalid_argument("TetBatches::pack: one value per tetrahedron is needed");
  std::vector<Lanes> packed(batches_.size());
  for (std::size_t place = 0; place < element_.size(); ++place)
    packed[place / kLanes].set(static_cast<int>(place % kLanes), values[element_[place]]);
  return packed;
}

template class TetBatchesOf<Tet4>;
template class TetBatchesOf<Tet10>;

}  // namespace phiflex
