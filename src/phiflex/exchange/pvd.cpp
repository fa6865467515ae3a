// PVD: an XML list of times and VTU files, which stand in a folder of the same name.
#include <fmt/format.h>

#include <system_error>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/base/text.h"
#include "phiflex/exchange/export_formats.h"
#include "phiflex/mesh/vtu_writer.h"
#include "phiflex/record/frame_file.h"

namespace phiflex {
namespace {

namespace fs = std::filesystem;

void add_fields(const std::vector<FrameField>& fields, std::vector<VtuArray>& arrays) {
  for (const FrameField& field : fields) arrays.push_back({field.name, field.components, field.values, {}});
}

void write_visible(const fs::path& file, const MotionReader& motion, std::size_t number) {
  const VisibleShape& shape = motion.shape();
  VisibleFrame frame;
  motion.read(number, frame, FrameParts::motion_and_fields);
  VtuCells cells;
  std::vector<int> region(shape.triangle_region), body(shape.triangle_body);
  for (const auto& corners : shape.triangles) cells.add(VtkCell::triangle, corners);
  for (const auto& corners : shape.lines) cells.add(VtkCell::line, corners);
  region.resize(cells.size(), 0);
  body.insert(body.end(), shape.line_body.begin(), shape.line_body.end());
  std::vector<Point3> displacement;
  for (std::size_t v = 0; v < frame.positions.size(); ++v) {
    const Point3 &x = frame.positions[v], &rest = shape.rest[v];
    displacement.push_back({x[0] - rest[0], x[1] - rest[1], x[2] - rest[2]});
  }
  VtuGrid grid{.points = flat(frame.positions),
               .cells = &cells,
               .point_data = {{"displacement", 3, flat(displacement), {}},
                              {"velocity", 3, flat(frame.velocities), {}},
                              {"strain_energy_density", 1, frame.strain_energy, {}},
                              {"point", 1, {}, shape.vertices}},
               .cell_data = {{"region", 1, {}, region}, {"body", 1, {}, body}}};
  add_fields(frame.fields, grid.point_data);
  write_vtu_file(file, grid, VtuCompression::zlib);
}

void write_all(const fs::path& file, const fs::path& source) {
  const FrameFile frame = read_frame_file(source);
  VtuGrid grid{.points = flat(frame.points),
               .cells = &frame.cells,
               .point_data = {{"displacement", 3, flat(frame.displacement), {}},
                              {"velocity", 3, flat(frame.velocity), {}}},
               .cell_data = {{"strain_energy_density", 1, frame.strain_energy_density, {}},
                             {"region", 1, {}, frame.region},
                             {"body", 1, {}, frame.body}}};
  add_fields(frame.point_fields, grid.point_data);
  add_fields(frame.cell_fields, grid.cell_data);
  write_vtu_file(file, grid, VtuCompression::zlib);
}

}  // namespace

std::vector<fs::path> export_pvd(const ExportOrder& order) {
  const fs::path folder = with_ending(order.file, "");
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw FileError(folder.string(), "cannot make the folder: " + error.message());
  const std::vector<FrameEntry> entries = read_frame_list(order.motion.folder());
  std::vector<fs::path> files{order.file};
  std::string list =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
      "  <Collection>\n";
  for (const std::size_t number : order.frames) {
    const std::string name = RunFolder::frame_name(static_cast<long>(number));
    if (order.cells == ExportCells::visible)
      write_visible(folder / name, order.motion, number);
    else
      write_all(folder / name, entries.at(number).file);
    files.push_back(folder / name);
    append(list, "    <DataSet timestep=\"{}\" part=\"0\" file=\"{}/{}\"/>\n", order.motion.time(number),
           folder.filename().string(), name);
  }
  write_file_atomically(order.file, list + "  </Collection>\n</VTKFile>\n");
  return files;
}

}  // namespace phiflex
