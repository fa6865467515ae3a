// Counts the tetrahedra of a spline material (material/spline_curves.h) that are stretched beyond the knots of its
// curves, where these go on straight: the material is then not the one that was measured or designed.
#pragma once

#include <memory>
#include <variant>

#include "phiflex/energy/elastic_term.h"

namespace phiflex {

class KnotRangeCounter {
 public:
  // Of elements with curves.
  KnotRangeCounter(const Vector& rest, const ElasticElements& elements);
  // How many tetrahedra have a stretch, a product of two or a volume outside the knots of f, g or h.
  int outside(const Vector& x) const;

 private:
  using Batches = std::variant<TetBatchesOf<Tet4>, TetBatchesOf<Tet10>>;
  Batches tets_;
  std::shared_ptr<const SplineCurves> curves_;
};

}  // namespace phiflex
