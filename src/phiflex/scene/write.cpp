#include "phiflex/base/hash.h"
#include "phiflex/scene/file_paths.h"
#include "phiflex/scene/scene_io.h"
#include "phiflex/scene/written.h"

namespace phiflex {

namespace {

// Visitors take members by reference.
Scene completed(Scene scene) {
  for (BodySpec& body : scene.bodies)
    if (body.material) complete(*body.material);
  return scene;
}

}  // namespace

nlohmann::ordered_json to_json(const Scene& scene) {
  Scene copy = completed(scene);
  return written(copy);
}

std::string scene_hash(const Scene& scene) {
  Scene copy = completed(scene);
  for_each_path(copy, [](std::filesystem::path& path) { path.clear(); });
  Hash hash;
  // As run.json holds it: bytes that are no UTF-8 are replaced there.
  hash.add(written(copy).dump(-1, ' ', false, Json::error_handler_t::replace));
  return hash.hexadecimal();
}

}  // namespace phiflex
