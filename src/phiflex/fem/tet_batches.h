// Tetrahedra, kLanes at a time.
//
// With the barycentric coordinates L_a and their gradients g_a = dL_a/dX (constant, g_0 = -g_1 - g_2 - g_3),
// the deformation gradient and its variation at a point of an element are those of its tangent linear
// tetrahedron (fem/tet_element.h), whose corners c_a and their variations give
//
//   F = sum_a c_a g_a' = sum_{a=1..3} (c_a - c_0) g_a'                                                    (1)
//   dF = sum_{a=1..3} (dc_a - dc_0) g_a'                                                                  (2)
//
// and a stress P gives the forces  f_a = -w V P g_a,  f_0 = -f_1 - f_2 - f_3,  w the point's weight       (3)
#pragma once

#include <array>
#include <span>
#include <vector>

#include "phiflex/fem/element_schedule.h"
#include "phiflex/fem/tet_element.h"
#include "phiflex/linalg/vector.h"

namespace phiflex {

using Tet = Tet4::Nodes;

// What the points of an element share, whatever its kind.
struct TetGeometry {
  Vec3<Lanes> g[3];  // g_1, g_2, g_3 [1/m]
  Lanes volume;      // at rest [m^3]; 0 in the lanes that only fill up the last batch
};

template <class Element>
struct TetBatchOf : TetGeometry {
  int vertex[Element::kNodes][kLanes];
};
using TetBatch = TetBatchOf<Tet4>;

template <class Element>
class TetBatchesOf {
 public:
  using Nodes = typename Element::Nodes;

  // rest: three coordinates per vertex [m]. Throws std::invalid_argument for a tetrahedron whose volume is
  // not positive or whose vertex is out of range: input was checked before.
  TetBatchesOf(const Vector& rest, std::span<const Nodes> tets);

  int count() const { return count_; }  // tetrahedra
  const std::vector<TetBatchOf<Element>>& batches() const { return batches_; }
  // The place in `tets` of a lane's tetrahedron; lanes that only fill up repeat the last one.
  int element(int batch, int lane) const { return element_[batch * kLanes + lane]; }
  // How many lanes of a batch hold tetrahedra of their own.
  int lanes_used(int batch) const { return batch * kLanes + kLanes <= count_ ? kLanes : count_ % kLanes; }
  // Chunks of batches.
  const ElementSchedule& schedule() const { return schedule_; }

  // A value per tetrahedron, in the order of `tets`, packed like the batches.
  std::vector<Lanes> pack(std::span<const double> values) const;

 private:
  int count_;
  std::vector<int> element_;
  std::vector<TetBatchOf<Element>> batches_;
  ElementSchedule schedule_;
};
using TetBatches = TetBatchesOf<Tet4>;

// The positions (or other nodal vectors) of a batch's nodes.
template <class Element>
NodeVectors<Element::kNodes> gather(const TetBatchOf<Element>& batch, const double* x) {
  NodeVectors<Element::kNodes> nodes;
  for (int a = 0; a < Element::kNodes; ++a) {
    const int* v = batch.vertex[a];
    for (int i = 0; i < 3; ++i) {
      nodes.at[a][i] = Lanes(Lanes::Raw{x[3 * v[0] + i], x[3 * v[1] + i], x[3 * v[2] + i], x[3 * v[3] + i]});
    }
  }
  return nodes;
}

// at[i] += nodal at the nodes of the batch.
template <class Element>
void scatter(const TetBatchOf<Element>& batch, const NodeVectors<Element::kNodes>& nodal, double* f) {
  for (int a = 0; a < Element::kNodes; ++a) {
    for (int lane = 0; lane < kLanes; ++lane) {
      double* at = f + 3 * batch.vertex[a][lane];
      for (int i = 0; i < 3; ++i) at[i] += nodal.at[a][i][lane];
    }
  }
}

// (1) from positions, (2) from their variations.
template <class Element>
Mat3<Lanes> deformation_gradient(const TetBatchOf<Element>& batch, const NodeVectors<Element::kNodes>& nodes,
                                 int point) {
  const TetCorners& c = Element::tangent_corners(nodes, point);
  const Vec3<Lanes> edge[3] = {c.at[1] - c.at[0], c.at[2] - c.at[0], c.at[3] - c.at[0]};
  Mat3<Lanes> F;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      F(i, j) = edge[0][i] * batch.g[0][j] + edge[1][i] * batch.g[1][j] + edge[2][i] * batch.g[2][j];
  return F;
}

template <class Element>
Mat3<Lanes> deformation_gradient(const TetBatchOf<Element>& batch, const double* x, int point = 0) {
  return deformation_gradient(batch, gather(batch, x), point);
}

// What the stress P at a point makes of the nodal forces, factor -1 for (3): assigned to f for the first
// point, added for those that follow.
template <class Element>
void spread_stress(const TetBatchOf<Element>& batch, const Mat3<Lanes>& P, double factor, int point,
                   NodeVectors<Element::kNodes>& f) {
  const Mat3<Lanes> scaled = (Lanes(factor * Element::kWeight) * batch.volume) * P;
  const Vec3<Lanes> f1 = scaled * batch.g[0], f2 = scaled * batch.g[1], f3 = scaled * batch.g[2];
  Element::spread({{-(f1 + f2 + f3), f1, f2, f3}}, point, f);
}

}  // namespace phiflex
