// Beside elastic_term.cpp, so that the compiler works on the two kinds of elements at the same time.
#include "phiflex/energy/elastic_term_of.h"

namespace phiflex {

std::unique_ptr<ElasticTerm> make_quadratic_elastic_term(const std::string& material, const Vector& rest,
                                                         const ElasticElements& elements) {
  return with_material(material, [&]<class Law>(LawTag<Law>) -> std::unique_ptr<ElasticTerm> {
    return std::make_unique<ElasticTermOf<Law, Tet10>>(rest, elements.quadratic, elements);
  });
}

}  // namespace phiflex
