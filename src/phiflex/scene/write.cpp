#include "phiflex/scene/scene_io.h"
#include "phiflex/scene/written.h"

namespace phiflex {

nlohmann::ordered_json to_json(const Scene& scene) {
  Scene copy = scene;  // visitors take members by reference
  return written(copy);
}

}  // namespace phiflex
