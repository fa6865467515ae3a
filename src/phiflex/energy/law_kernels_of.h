// The kernels of one law (law_kernels.h).
#pragma once

#include "phiflex/energy/elastic_term_of.h"
#include "phiflex/energy/law_kernels.h"
#include "phiflex/energy/plane_law_of.h"

namespace phiflex {

template <ElasticLaw Law>
class LawKernelsOf final : public LawKernels {
 public:
  std::unique_ptr<ElasticTerm> make_term(const Vector& rest, const ElasticElements& elements) const override {
    if (elements.quadratic.empty())
      return std::make_unique<ElasticTermOf<Law, Tet4>>(rest, elements.tets, elements);
    return std::make_unique<ElasticTermOf<Law, Tet10>>(rest, elements.quadratic, elements);
  }
  std::unique_ptr<PlaneLaw> make_plane_law(std::span<const double> numbers) const override {
    if constexpr (law_properties<Law>.singular_vectors)
      return (void)numbers, nullptr;
    else
      return std::make_unique<PlaneLawOf<Law>>(elastic_detail::moduli<Law>(numbers));
  }
  Lame<double> at_rest(std::span<const double> numbers, const SplineCurves* curves) const override {
    return Law::at_rest(with_curves<Law, double>(elastic_detail::moduli<Law>(numbers), curves));
  }
};

}  // namespace phiflex
