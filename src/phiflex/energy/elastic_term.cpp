#include "phiflex/energy/elastic_term.h"

#include <stdexcept>

#include "phiflex/energy/law_kernels.h"
#include "phiflex/material/catalogue.h"

namespace phiflex {

std::unique_ptr<ElasticTerm> make_elastic_term(const std::string& material, const Vector& rest,
                                               const ElasticElements& elements) {
  const std::size_t count = elements.tets.size();
  const auto fits_if_given = [count](std::size_t size) { return size == 0 || size == count; };
  if (elements.parameters.size() !=
          count * static_cast<std::size_t>(material_info(material).number_count()) ||
      !fits_if_given(elements.number.size()) || !fits_if_given(elements.quadratic.size()))
    throw std::invalid_argument("make_elastic_term: sizes do not fit");
  return law_kernels(material).make_term(rest, elements);
}

}  // namespace phiflex
