// run.obj -> run_000000.obj, run_000010.obj, ...: the number is the frame's.
#include "phiflex/base/files.h"
#include "phiflex/exchange/export_formats.h"
#include "phiflex/mesh/mesh_writers.h"

namespace phiflex {

std::vector<std::filesystem::path> export_obj(const ExportOrder& order) {
  std::vector<std::filesystem::path> files;
  VisibleFrame frame;
  for (const std::size_t number : order.frames) {
    order.motion.read(number, frame);
    files.push_back(numbered(order.file, number, ".obj"));
    write_file_atomically(files.back(), format_obj(mesh_of(order.motion.shape(), frame.positions)));
  }
  return files;
}

}  // namespace phiflex
