#include "phiflex/live/gallery_card.h"

#include "phiflex/mesh/vtu_data.h"
#include "phiflex/pages/motion_chunk.h"
#include "phiflex/pages/motion_data.h"
#include "phiflex/run/run.h"
#include "phiflex/run/scene_model.h"
#include "phiflex/scene/scene.h"

namespace phiflex {

nlohmann::ordered_json gallery_card(const std::filesystem::path& file) {
  std::vector<Problem> unused;
  const Scene scene = read_scene(file, read_options(), unused);
  const SceneModel world = build_scene(scene, file.string());
  FrameGeometry geometry = world.frame_geometry();
  geometry.append_surfaces();
  const VisibleCells visible = find_visible(geometry.cells, geometry.region, geometry.body, geometry.rest);
  const std::unique_ptr<DeformableModel> model = world.make_model(world.start_time());
  Vector x, v;
  model->expand(world.initial_state(*model), x, v);
  VisibleFrame frame;
  for (const int vertex : visible.shape.vertices) {
    const Index at = 3 * Index(vertex);
    frame.positions.push_back({x[at], x[at + 1], x[at + 2]});
    frame.velocities.push_back({0, 0, 0});
  }
  frame.strain_energy.assign(frame.positions.size(), 0);
  MotionExtent extent(visible.shape);
  extent.add(frame);
  MotionChunk chunk(visible.shape.vertices.size(), extent.clip());
  chunk.add(frame);
  std::vector<std::string> bodies;
  for (const Body& body : world.bodies()) bodies.push_back(body.name);
  return {{"motion", motion_data(visible.shape, bodies, extent, {0.0}, 1)},
          {"chunk", encode_base64(chunk.encode(extent.size() / 65536, ZlibEffort::usual))},
          {"elements", world.tetrahedra() + world.triangles() + world.springs()},
          {"scene", {{"contacts", to_json(scene)["contacts"]}, {"gravity", scene.gravity}}}};
}

}  // namespace phiflex
