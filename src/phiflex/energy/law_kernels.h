// What the energies compute with one law: elastic terms of tetrahedra, and its form in the plane. The kernels of each
// law are compiled on their own, in a file that cmake/rooms.cmake writes for each line of material/catalogue.h.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "phiflex/energy/elastic_term.h"
#include "phiflex/energy/plane_law.h"

namespace phiflex {

class LawKernels {
 public:
  virtual ~LawKernels() = default;
  // elements: sizes fit (make_elastic_term checks them).
  virtual std::unique_ptr<ElasticTerm> make_term(const Vector& rest,
                                                 const ElasticElements& elements) const = 0;
  // Null for a law whose stress needs singular vectors.
  virtual std::unique_ptr<PlaneLaw> make_plane_law(std::span<const double> numbers) const = 0;
  // Of the linear elasticity that the law is near rest. curves: null, or those of `spline`.
  virtual Lame<double> at_rest(std::span<const double> numbers, const SplineCurves* curves) const = 0;
};

// std::invalid_argument for a name that the catalogue does not have.
const LawKernels& law_kernels(std::string_view law);

}  // namespace phiflex
