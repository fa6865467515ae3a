#include "phiflex/energy/plane_law.h"

#include <stdexcept>

#include "phiflex/energy/law_kernels.h"
#include "phiflex/material/catalogue.h"

namespace phiflex {

// Dual numbers do not pass through the singular vectors of equal stretches.
bool has_plane_law(const std::string& law) {
  return !material_info(law).properties.singular_vectors;
}

std::unique_ptr<PlaneLaw> make_plane_law(const std::string& law, std::span<const double> numbers) {
  if (!has_plane_law(law))
    throw std::invalid_argument("make_plane_law: not for laws of singular vectors such as " + law);
  return law_kernels(law).make_plane_law(numbers);
}

}  // namespace phiflex
