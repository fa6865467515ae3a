// run.obj -> run_000000.obj, run_000010.obj, ...: the number is the frame's; an object for each body. Surfaces that
// bodies carry are files of their own, run_BODY_000000.obj, and so are obstacles: run_obstacles.obj, one for each frame
// where they move.
#include "phiflex/base/files.h"
#include "phiflex/exchange/embedded_surfaces.h"
#include "phiflex/exchange/export_formats.h"
#include "phiflex/exchange/export_parts.h"

namespace phiflex {

std::vector<std::filesystem::path> export_obj(const ExportOrder& order) {
  std::vector<std::filesystem::path> files;
  VisibleFrame frame;
  const std::vector<EmbeddedSurface> surfaces = embedded_surfaces(order.motion);
  const std::vector<ExportedBody> parts = exported_bodies(order.motion);
  const ExportedObstacles obstacles(order.motion);
  const std::filesystem::path of_obstacles = named_after(order.file, "obstacles");
  for (const std::size_t number : order.frames) {
    order.motion.read(number, frame);
    files.push_back(numbered(order.file, number, ".obj"));
    write_file_atomically(files.back(), obj_of_bodies(order.motion.shape(), parts, frame.positions));
    if (obstacles.moves()) {
      files.push_back(numbered(of_obstacles, number, ".obj"));
      write_file_atomically(files.back(), obstacles.obj(order.motion.time(number)));
    }
    if (surfaces.empty()) continue;
    const std::vector<Point3> points = all_points(order.motion, number);
    for (const EmbeddedSurface& surface : surfaces) {
      files.push_back(numbered(named_after(order.file, surface.name), number, ".obj"));
      write_file_atomically(files.back(), surface.text.with(surface.at(points)));
    }
  }
  if (!obstacles.empty() && !obstacles.moves()) {
    files.push_back(of_obstacles);
    write_file_atomically(files.back(), obstacles.obj(order.motion.time(order.frames.front())));
  }
  return files;
}

}  // namespace phiflex
