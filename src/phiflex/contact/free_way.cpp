#include "phiflex/contact/free_way.h"

#include <algorithm>
#include <limits>

namespace phiflex {
namespace {

constexpr int kMostTests = 1000;  // what is reached then is free, too

}  // namespace

double free_way(StencilKind kind, const StencilPoints& X, const StencilPoints& dX, double reach,
                const WaySettings& settings) {
  const int count = vertex_count(kind), second = first_side(kind);
  StencilPoints from = StencilPoints::Zero(), way = StencilPoints::Zero();  // relative to vertex 0
  for (int a = 0; a < count; ++a) {
    from.col(a) = X.col(a) - X.col(0);
    way.col(a) = dX.col(a) - dX.col(0);
  }
  double t = 0, gap = 0;
  for (int test = 0; test < kMostTests; ++test) {
    const StencilPoints at = from + t * way;
    const Eigen::Matrix3d E = stencil_edges(kind, at);
    const Eigen::Vector3d r = E * nearest_feet<3>(kind, E).z;
    const double d = r.norm();
    if (settings.tests) ++*settings.tests;
    if (!(d > 0)) return t;  // only at the start: later d >= gap up to rounding
    if (test == 0)
      gap = settings.gap * std::min(d, reach);  // (2)
    else if (d <= kNear * gap)
      return t;
    const Eigen::Vector3d n = r / d;
    double tau = std::numeric_limits<double>::infinity();
    for (int i = 0; i < second; ++i)
      for (int j = second; j < count; ++j) {
        const double speed = -n.dot(way.col(i) - way.col(j));
        if (speed <= 0) continue;
        const double until = (n.dot(at.col(i) - at.col(j)) - gap) / speed;  // (1)
        if (!(until >= tau)) tau = until;                                   // not a number: nothing is free
      }
    if (!(tau > 0)) return t;
    t += tau;
    if (t >= settings.limit) return settings.limit;
  }
  return t;
}

}  // namespace phiflex
