#include "phiflex/scene/scene.h"

#include <cmath>

namespace phiflex {

std::int64_t step_count(const TimeSpec& time) {
  return std::llround(time.end / time.step);
}

MaterialSpec changed(MaterialSpec material, const MaterialChange& change) {
  material.type = change.type.value_or(material.type);
  material.young = change.young.value_or(material.young);
  material.poisson = change.poisson.value_or(material.poisson);
  material.density = change.density.value_or(material.density);
  material.volumetric = change.volumetric.value_or(material.volumetric);
  if (change.f) material.f = change.f;
  if (change.g) material.g = change.g;
  if (change.h) material.h = change.h;
  return material;
}

}  // namespace phiflex
