#include "phiflex/record/motion_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

#include "phiflex/base/errors.h"
#include "phiflex/mesh/mid_edges.h"
#include "phiflex/mesh/tet_faces.h"
#include "phiflex/record/frame_file.h"

namespace phiflex {
namespace {

std::span<const int> corners_of(const VtuCells& cells, std::size_t cell) {
  const auto begin = static_cast<std::size_t>(cell == 0 ? 0 : cells.offsets[cell - 1]);
  return {cells.connectivity.data() + begin, static_cast<std::size_t>(cells.offsets[cell]) - begin};
}

// Numbers the drawn vertices as they are met.
class Renumbering {
 public:
  Renumbering(std::size_t points, std::vector<int>& vertices) : number_(points, -1), vertices_(vertices) {}
  template <std::size_t N>
  void operator()(std::vector<std::array<int, N>>& elements) {
    for (auto& corners : elements)
      for (int& corner : corners) corner = number_of(corner);
  }
  int find(int vertex) const { return number_[static_cast<std::size_t>(vertex)]; }

 private:
  int number_of(int vertex) {
    int& number = number_[static_cast<std::size_t>(vertex)];
    if (number < 0) {
      number = static_cast<int>(vertices_.size());
      vertices_.push_back(vertex);
    }
    return number;
  }
  std::vector<int> number_;
  std::vector<int>& vertices_;
};

}  // namespace

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
  if (shape_.vertices.empty() && !entries_.empty()) find_shape();
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

  TetMesh solids;
  std::vector<QuadraticTet> quadratic;
  std::vector<std::size_t> tet_cells, quadratic_cells;
  std::set<int> bodies_with_surface, bodies_with_more;
  const auto is_triangle = [&](std::size_t c) {
    return first.cells.types[c] == static_cast<std::uint8_t>(VtkCell::triangle);
  };
  for (std::size_t c = 0; c < cells_; ++c) {
    if (!is_triangle(c)) bodies_with_more.insert(first.body[c]);
    const std::span<const int> corners = corners_of(first.cells, c);
    if (first.cells.types[c] == static_cast<std::uint8_t>(VtkCell::tetrahedron) && corners.size() == 4) {
      solids.tets.push_back({corners[0], corners[1], corners[2], corners[3]});
      tet_cells.push_back(c);
    } else if (first.cells.types[c] == static_cast<std::uint8_t>(VtkCell::quadratic_tetrahedron) &&
               corners.size() == 10) {
      std::copy(corners.begin(), corners.end(), quadratic.emplace_back().begin());
      quadratic_cells.push_back(c);
    } else if (first.cells.types[c] == static_cast<std::uint8_t>(VtkCell::triangle) && corners.size() == 3) {
      shape_.triangles.push_back({corners[0], corners[1], corners[2]});
      shape_.triangle_region.push_back(first.region[c]);
      shape_.triangle_body.push_back(first.body[c]);
      bodies_with_surface.insert(first.body[c]);
    }
  }
  const auto add_boundary = [&](const std::vector<std::array<int, 3>>& triangles,
                                const std::vector<int>& owners, const std::vector<std::size_t>& cells) {
    for (std::size_t f = 0; f < triangles.size(); ++f) {
      const std::size_t cell = cells[static_cast<std::size_t>(owners[f])];
      shape_.triangles.push_back(triangles[f]);
      shape_.triangle_region.push_back(first.region[cell]);
      shape_.triangle_body.push_back(first.body[cell]);
    }
  };
  const TetFaces faces = find_tet_faces(solids);
  add_boundary(faces.boundary, faces.owners, tet_cells);
  const QuadraticBoundary boundary = quadratic_boundary(quadratic);
  add_boundary(boundary.triangles, boundary.owners, quadratic_cells);
  for (std::size_t c = 0; c < cells_; ++c) {
    const std::span<const int> corners = corners_of(first.cells, c);
    if (first.cells.types[c] != static_cast<std::uint8_t>(VtkCell::line) || corners.size() != 2) continue;
    if (bodies_with_surface.count(first.body[c]) > 0) continue;
    shape_.lines.push_back({corners[0], corners[1]});
    shape_.line_body.push_back(first.body[c]);
  }
  Renumbering renumber(points_, shape_.vertices);
  renumber(shape_.triangles);
  renumber(shape_.lines);
  for (const int v : shape_.vertices) {
    const Point3 &x = first.points[static_cast<std::size_t>(v)],
                 &u = first.displacement[static_cast<std::size_t>(v)];
    shape_.rest.push_back({x[0] - u[0], x[1] - u[1], x[2] - u[2]});
  }

  // A cloth's triangles show its springs and have no energy; those of a plane body are what it is made of.
  const auto carries_energy = [&](std::size_t c) {
    return !is_triangle(c) || bodies_with_more.count(first.body[c]) == 0;
  };
  // Counting sort of (vertex, cell) pairs.
  cell_starts_.assign(shape_.vertices.size() + 1, 0);
  const auto for_each_pair = [&](const auto& visit) {
    for (std::size_t c = 0; c < cells_; ++c) {
      if (!carries_energy(c)) continue;
      for (const int corner : corners_of(first.cells, c))
        if (const int v = renumber.find(corner); v >= 0)
          visit(static_cast<std::size_t>(v), static_cast<int>(c));
    }
  };
  for_each_pair([&](std::size_t v, int) { ++cell_starts_[v + 1]; });
  for (std::size_t v = 0; v < shape_.vertices.size(); ++v) cell_starts_[v + 1] += cell_starts_[v];
  cell_ids_.resize(static_cast<std::size_t>(cell_starts_.back()));
  std::vector<int> next(cell_starts_.begin(), cell_starts_.end() - 1);
  for_each_pair([&](std::size_t v, int c) { cell_ids_[static_cast<std::size_t>(next[v]++)] = c; });
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
  const std::size_t drawn = shape_.vertices.size();
  out.time = entry.time;
  out.positions.resize(drawn);
  out.velocities.resize(drawn);
  out.strain_energy.resize(drawn);
  for (std::size_t v = 0; v < drawn; ++v) {
    const auto vertex = static_cast<std::size_t>(shape_.vertices[v]);
    out.positions[v] = file.points[vertex];
    out.velocities[v] = file.velocity[vertex];
    double sum = 0;
    for (int i = cell_starts_[v]; i < cell_starts_[v + 1]; ++i)
      sum += file.strain_energy_density[static_cast<std::size_t>(cell_ids_[static_cast<std::size_t>(i)])];
    out.strain_energy[v] = sum / std::max(1, cell_starts_[v + 1] - cell_starts_[v]);
  }
  out.fields.clear();
  for (const FrameField& whole : file.point_fields) {
    const auto width = static_cast<std::size_t>(whole.components);
    FrameField& field = out.fields.emplace_back(FrameField{whole.name, whole.components, {}});
    for (const int vertex : shape_.vertices) {
      const double* values = whole.values.data() + width * static_cast<std::size_t>(vertex);
      field.values.insert(field.values.end(), values, values + width);
    }
  }
}

}  // namespace phiflex
