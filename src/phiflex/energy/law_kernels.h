// What the energies compute with one law: elastic terms of tetrahedra, and its form in the plane. The kernels of each
// law are compiled on their own, in a file that cmake/rooms.cmake writes for each line of material/laws.h.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "phiflex/energy/elastic_term.h"
#include "phiflex/energy/plane_law.h"
#include "phiflex/material/catalogue.h"

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

// Of the catalogue or registered; std::invalid_argument when there is no law of this name.
const LawKernels& law_kernels(std::string_view law);

// A law that the catalogue does not have (own_law.h), for the rest of the process. std::invalid_argument when a law has
// this name already.
void register_law(MaterialInfo info, std::unique_ptr<const LawKernels> kernels);

}  // namespace phiflex
