// run.obj -> run_000000.obj, run_000010.obj, ...: the number is the frame's. Surfaces that bodies carry are files of
// their own, run_BODY_000000.obj.
#include "phiflex/base/files.h"
#include "phiflex/exchange/embedded_surfaces.h"
#include "phiflex/exchange/export_formats.h"
#include "phiflex/mesh/mesh_writers.h"

namespace phiflex {

std::vector<std::filesystem::path> export_obj(const ExportOrder& order) {
  std::vector<std::filesystem::path> files;
  VisibleFrame frame;
  const std::vector<EmbeddedSurface> surfaces = embedded_surfaces(order.motion);
  for (const std::size_t number : order.frames) {
    order.motion.read(number, frame);
    files.push_back(numbered(order.file, number, ".obj"));
    write_file_atomically(files.back(), format_obj(mesh_of(order.motion.shape(), frame.positions)));
    if (surfaces.empty()) continue;
    const std::vector<Point3> points = all_points(order.motion, number);
    for (const EmbeddedSurface& surface : surfaces) {
      files.push_back(numbered(named_after(order.file, surface.name), number, ".obj"));
      write_file_atomically(files.back(), surface.text.with(surface.at(points)));
    }
  }
  return files;
}

}  // namespace phiflex
