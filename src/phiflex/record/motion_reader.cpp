#include "phiflex/record/motion_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "phiflex/base/errors.h"
#include "phiflex/record/frame_file.h"

namespace phiflex {

MotionReader::MotionReader(RunFolder folder) : folder_(std::move(folder)) {
  refresh();
}

bool MotionReader::refresh() {
  std::vector<FrameEntry> entries;
  try {
    entries = read_frame_list(folder_);
  } catch (const InputError&) {  // being written
    return false;
  } catch (const FileError&) {
  }
  const bool same = entries.size() == entries_.size() &&
                    std::equal(entries.begin(), entries.end(), entries_.begin(),
                               [](const FrameEntry& a, const FrameEntry& b) { return a.time == b.time; });
  if (same) return false;
  entries_ = std::move(entries);
  if (visible_.shape.vertices.empty() && !entries_.empty()) find_shape();
  return true;
}

void MotionReader::find_shape() {
  FrameFile first;
  try {
    first = read_frame_file(entries_.front().file);
  } catch (const InputError&) {
    return;
  } catch (const FileError&) {
    return;
  }
  points_ = first.points.size();
  cells_ = first.cells.size();
  numbers_ = field_numbers(first.point_fields);

  std::vector<Point3> rest = first.points;
  for (std::size_t v = 0; v < rest.size(); ++v)
    for (std::size_t i = 0; i < 3; ++i) rest[v][i] -= first.displacement[v][i];
  visible_ = find_visible(first.cells, first.region, first.body, rest);
}

const FrameField* VisibleFrame::field(std::string_view name) const {
  const auto found =
      std::find_if(fields.begin(), fields.end(), [&](const FrameField& f) { return f.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

void MotionReader::read(std::size_t frame, VisibleFrame& out, FrameParts parts) const {
  const FrameEntry& entry = entries_.at(frame);
  const FrameFile file = read_frame_file(entry.file, parts);
  if (file.points.size() != points_ || file.strain_energy_density.size() != cells_)
    throw InputError(entry.file.string(), "",
                     fmt::format("{} points and {} cells; the first frame has {} and {}", file.points.size(),
                                 file.strain_energy_density.size(), points_, cells_));
  const std::size_t drawn = visible_.shape.vertices.size();
  out.time = entry.time;
  out.positions.resize(drawn);
  out.velocities.resize(drawn);
  out.strain_energy.resize(drawn);
  for (std::size_t v = 0; v < drawn; ++v) {
    const auto vertex = static_cast<std::size_t>(visible_.shape.vertices[v]);
    out.positions[v] = file.points[vertex];
    out.velocities[v] = file.velocity[vertex];
    out.strain_energy[v] = visible_.mean_of_cells(v, file.strain_energy_density);
  }
  out.fields.clear();
  for (const FrameField& whole : file.point_fields) {
    const auto width = static_cast<std::size_t>(whole.components);
    FrameField& field = out.fields.emplace_back(FrameField{whole.name, whole.components, {}});
    for (const int vertex : visible_.shape.vertices) {
      const double* values = whole.values.data() + width * static_cast<std::size_t>(vertex);
      field.values.insert(field.values.end(), values, values + width);
    }
  }
}

}  // namespace phiflex
