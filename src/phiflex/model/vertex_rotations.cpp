// R_v = the polar factor of T_v = sum over elements at v of V F F_from^-1 (springs: s s_from').           (1)
//
// Where T_v leaves a direction open (a rope has no rotation about itself), the rotation nearest to the identity
// is taken: (1) with T_v + epsilon |T_v| 1, epsilon so small that a full T_v does not feel it. A vertex of a
// flattened element, where (1) is not finite, does not turn.
#include <algorithm>
#include <cmath>

#include "phiflex/material/svd3.h"
#include "phiflex/model/deformable_model.h"

namespace phiflex {

void DeformableModel::rotations(const State& from, const State& to, BlockRotations& R) const {
  if (map_.dimension() != 3) {
    R.clear();
    return;
  }
  constexpr double epsilon = 1e-9;
  WorkspacePool::Lease w(workspaces_);
  map_.expand(from, w->x, w->v);
  map_.expand(to, w->y, w->v);
  w->T.setZero(9 * map_.vertices());
  for (const TermPointer& term : terms_) term->add_turning(w->x, w->y, w->T);

  const auto& vertices = map_.free().vertex_of_row;
  const auto count = std::ptrdiff_t(vertices.size());
  R.resize(count);
  constexpr std::ptrdiff_t kPacksPerTask = 64;
  const std::ptrdiff_t packs = (count + kLanes - 1) / kLanes;
  parallel_for((packs + kPacksPerTask - 1) / kPacksPerTask, [&](std::ptrdiff_t task) {
    for (std::ptrdiff_t pack = task * kPacksPerTask; pack < std::min(packs, (task + 1) * kPacksPerTask);
         ++pack) {
      const auto row = [&](int lane) { return std::min(pack * kLanes + lane, count - 1); };
      Mat3<Lanes> T;
      for (int lane = 0; lane < kLanes; ++lane) {
        const double* of = w->T.data() + 9 * Index(vertices[std::size_t(row(lane))]);
        for (int k = 0; k < 9; ++k) T.e[k].set(lane, of[k]);
      }
      const Lanes size = sqrt(contract(T, T));
      for (int i = 0; i < 3; ++i) T(i, i) += Lanes(epsilon) * size;
      const Mat3<Lanes> turned = svd3(T).rotation();
      for (int lane = 0; lane < kLanes; ++lane)
        for (int k = 0; k < 9; ++k)
          R[row(lane)](k / 3, k % 3) = std::isfinite(size[lane]) ? turned.e[k][lane] : double(k % 4 == 0);
    }
  });
}

}  // namespace phiflex
