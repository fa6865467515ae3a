// Linear tetrahedra, kLanes at a time.
//
// With the barycentric coordinates N_a and their gradients g_a = dN_a/dX (constant, g_0 = -g_1 - g_2 - g_3),
// the deformation gradient and its variation are
//
//   F = sum_a x_a g_a' = sum_{a=1..3} (x_a - x_0) g_a'                                                    (1)
//   dF = sum_{a=1..3} (dx_a - dx_0) g_a'                                                                  (2)
//
// and a stress P gives the forces  f_a = -V P g_a,  f_0 = -f_1 - f_2 - f_3                                (3)
#pragma once

#include <array>
#include <span>
#include <vector>

#include "phiflex/base/mat3.h"
#include "phiflex/fem/element_schedule.h"
#include "phiflex/linalg/vector.h"
#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

using Lanes = Pack<kLanes>;
using Tet = std::array<int, 4>;

struct TetBatch {
  int vertex[4][kLanes];
  Vec3<Lanes> g[3];  // g_1, g_2, g_3 [1/m]
  Lanes volume;      // at rest [m^3]; 0 in the lanes that only fill up the last batch
};

// The corner positions (or other nodal vectors) of a batch.
struct TetCorners {
  Vec3<Lanes> at[4];
};

class TetBatches {
 public:
  // rest: three coordinates per vertex [m]. Throws std::invalid_argument for a tetrahedron whose volume is
  // not positive or whose vertex is out of range: input was checked before.
  TetBatches(const Vector& rest, std::span<const Tet> tets);

  int count() const { return count_; }  // tetrahedra
  const std::vector<TetBatch>& batches() const { return batches_; }
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
  std::vector<TetBatch> batches_;
  ElementSchedule schedule_;
};

inline TetCorners gather(const TetBatch& batch, const double* x) {
  TetCorners corners;
  for (int a = 0; a < 4; ++a) {
    const int* v = batch.vertex[a];
    for (int i = 0; i < 3; ++i) {
      corners.at[a][i] =
          Lanes(Lanes::Raw{x[3 * v[0] + i], x[3 * v[1] + i], x[3 * v[2] + i], x[3 * v[3] + i]});
    }
  }
  return corners;
}

// (1) from positions, (2) from their variations.
inline Mat3<Lanes> deformation_gradient(const TetBatch& batch, const TetCorners& x) {
  const Vec3<Lanes> edge[3] = {x.at[1] - x.at[0], x.at[2] - x.at[0], x.at[3] - x.at[0]};
  Mat3<Lanes> F;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      F(i, j) = edge[0][i] * batch.g[0][j] + edge[1][i] * batch.g[1][j] + edge[2][i] * batch.g[2][j];
  return F;
}

inline Mat3<Lanes> deformation_gradient(const TetBatch& batch, const double* x) {
  return deformation_gradient(batch, gather(batch, x));
}

// f_a += factor V P g_a at the vertices of the batch: (3) for factor -1.
inline void add_nodal_forces(const TetBatch& batch, const Mat3<Lanes>& P, double factor, double* f) {
  const Mat3<Lanes> scaled = (Lanes(factor) * batch.volume) * P;
  const Vec3<Lanes> f1 = scaled * batch.g[0], f2 = scaled * batch.g[1], f3 = scaled * batch.g[2];
  const Vec3<Lanes> nodal[4] = {-(f1 + f2 + f3), f1, f2, f3};
  for (int a = 0; a < 4; ++a) {
    for (int lane = 0; lane < kLanes; ++lane) {
      double* at = f + 3 * batch.vertex[a][lane];
      for (int i = 0; i < 3; ++i) at[i] += nodal[a][i][lane];
    }
  }
}

}  // namespace phiflex
