#include "phiflex/energy/knot_range_counter.h"

#include "phiflex/material/spline_curves.h"
#include "phiflex/material/svd3.h"

namespace phiflex {
namespace {

bool beyond(const std::optional<CubicSpline>& curve, double x) {
  return curve && !(x >= curve->first_knot() && x <= curve->last_knot());
}

bool beyond(const SplineCurves& curves, double a, double b, double c) {
  return beyond(curves.f, a) || beyond(curves.f, b) || beyond(curves.f, c) || beyond(curves.g, a * b) ||
         beyond(curves.g, b * c) || beyond(curves.g, c * a) || beyond(curves.h, a * b * c);
}

template <class Element>
int count_outside(const TetBatchesOf<Element>& tets, const SplineCurves& curves, const Vector& x) {
  int count = 0;
  for (int i = 0; i < static_cast<int>(tets.batches().size()); ++i) {
    bool out[kLanes] = {};
    for (int point = 0; point < Element::kPoints; ++point) {
      const Svd3<Lanes> svd = svd3(deformation_gradient(tets.batches()[i], x.data(), point));
      for (int lane = 0; lane < tets.lanes_used(i); ++lane)
        out[lane] |= beyond(curves, svd.s[0][lane], svd.s[1][lane], svd.s[2][lane]);
    }
    for (const bool lane : out) count += lane;
  }
  return count;
}

}  // namespace

KnotRangeCounter::KnotRangeCounter(const Vector& rest, const ElasticElements& elements)
    : tets_(elements.quadratic.empty() ? Batches(TetBatchesOf<Tet4>(rest, elements.tets))
                                       : Batches(TetBatchesOf<Tet10>(rest, elements.quadratic))),
      curves_(elements.curves) {}

int KnotRangeCounter::outside(const Vector& x) const {
  return std::visit([&](const auto& tets) { return count_outside(tets, *curves_, x); }, tets_);
}

}  // namespace phiflex
