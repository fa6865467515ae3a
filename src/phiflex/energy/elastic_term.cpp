#include "phiflex/energy/elastic_term.h"

#include <stdexcept>

#include "phiflex/energy/elastic_term_of.h"

namespace phiflex {

std::unique_ptr<ElasticTerm> make_elastic_term(const std::string& material, const Vector& rest,
                                               const ElasticElements& elements) {
  const std::size_t count = elements.tets.size();
  const auto fits = [count](std::size_t size) { return size == count; };
  const auto fits_if_given = [count](std::size_t size) { return size == 0 || size == count; };
  if (!fits(elements.young.size()) || !fits(elements.poisson.size()) ||
      !fits_if_given(elements.number.size()) || !fits_if_given(elements.quadratic.size()))
    throw std::invalid_argument("make_elastic_term: sizes do not fit");
  if (!elements.quadratic.empty()) return make_quadratic_elastic_term(material, rest, elements);
  return with_material(material, [&]<class Law>(LawTag<Law>) -> std::unique_ptr<ElasticTerm> {
    return std::make_unique<ElasticTermOf<Law, Tet4>>(rest, elements.tets, elements);
  });
}

}  // namespace phiflex
