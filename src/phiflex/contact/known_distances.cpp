#include "phiflex/contact/known_distances.h"

#include <algorithm>

#include "phiflex/base/parallel.h"

namespace phiflex {
namespace {

constexpr std::ptrdiff_t kChunkOfStencils = 512;
constexpr double kFarFromKnown = 0.5;  // of the reach, beside the way: distances are computed anew
constexpr double kRoundingUp = 1 + 1e-9, kRoundingDown = 1 - 1e-9;

}  // namespace

void KnownDistances::look(const ContactCandidates& candidates, const Vector& x, const Vector& dx) {
  const auto stencils = candidates.stencils();
  if (stencils.empty()) {
    search_ = -1;
    return;
  }
  if (candidates.searches() != search_) {
    search_ = candidates.searches();
    at_ = candidates.reference();
    distance_.resize(stencils.size());
    for (std::size_t c = 0; c < stencils.size(); ++c) distance_[c] = stencils[c].distance;
  }
  const std::size_t count = std::size_t(x.size() / 3);
  moved_.resize(count);
  double shift = 0, way = 0;
  for (std::size_t v = 0; v < count; ++v) {
    const Index row = 3 * Index(v);
    const double far = (x.segment<3>(row) - at_.segment<3>(row)).norm(), along = dx.segment<3>(row).norm();
    moved_[v] = far + along;
    shift = std::max(shift, far);
    way = std::max(way, along);
  }
  if (shift <= way + kFarFromKnown * stencils[0].reach) return;
  find(stencils, x);
  for (std::size_t v = 0; v < count; ++v) moved_[v] = dx.segment<3>(3 * Index(v)).norm();
}

void KnownDistances::find(std::span<const ContactStencil> stencils, const Vector& x) {
  at_ = x;
  distance_.resize(stencils.size());
  const auto count = static_cast<std::ptrdiff_t>(stencils.size());
  parallel_for((count + kChunkOfStencils - 1) / kChunkOfStencils, [&](std::ptrdiff_t task) {
    const std::ptrdiff_t end = std::min(count, (task + 1) * kChunkOfStencils);
    for (std::ptrdiff_t c = task * kChunkOfStencils; c < end; ++c) {
      const ContactStencil& stencil = stencils[std::size_t(c)];
      StencilPoints X = StencilPoints::Zero();
      for (int a = 0; a < vertex_count(stencil.kind); ++a)
        X.col(a) = x.segment<3>(3 * Index(stencil.vertices[std::size_t(a)]));
      const Eigen::Matrix3d E = stencil_edges(stencil.kind, X);
      distance_[std::size_t(c)] = (E * nearest_feet<3>(stencil.kind, E).z).norm();
    }
  });
}

double KnownDistances::bound(const ContactStencil& stencil, std::size_t number) const {
  const int side = first_side(stencil.kind), count = vertex_count(stencil.kind);
  double first = 0, second = 0;
  for (int a = 0; a < side; ++a)
    first = std::max(first, moved_[std::size_t(stencil.vertices[std::size_t(a)])]);
  for (int a = side; a < count; ++a)
    second = std::max(second, moved_[std::size_t(stencil.vertices[std::size_t(a)])]);
  return kRoundingDown * distance_[number] - kRoundingUp * (first + second);  // (1)
}

bool KnownDistances::stays_out(const ContactStencil& stencil, std::size_t number, double part) const {
  return bound(stencil, number) > part * stencil.reach;
}

}  // namespace phiflex
