#include "phiflex/run/law_name.h"

#include "phiflex/scene/words.h"

namespace phiflex {

std::string law_name(const MaterialSpec& spec) {
  std::string name = word(spec.type);
  if (spec.type == MaterialLaw::neo_hookean && spec.volumetric == Volumetric::isochoric) name += "-isochoric";
  return name;
}

}  // namespace phiflex
