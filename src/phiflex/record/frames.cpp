#include "phiflex/record/frames.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/record/csv_table.h"

namespace phiflex {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view pvd_head =
    "<?xml version=\"1.0\"?>\n"
    "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
    "  <Collection>\n";
constexpr std::string_view pvd_tail =
    "  </Collection>\n"
    "</VTKFile>\n";

constexpr std::size_t kOwnPointArrays = 2;  // displacement, velocity

std::string pvd_entry(double time, long number) {
  std::string text = "    <DataSet timestep=\"";
  append_number(text, time);
  return text + "\" part=\"0\" file=\"frames/" + RunFolder::frame_name(number) + "\"/>\n";
}

void remove_frames_from(const RunFolder& folder, long first) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.frames(), error)) {
    const std::string name = entry.path().filename().string();
    const bool draft = name.find(".vtu.part") != name.npos;
    const std::string limit = RunFolder::frame_name(first);  // longer names are larger numbers
    const bool later = name.size() != limit.size() ? name.size() > limit.size() : name >= limit;
    if (name.starts_with("frame_") && (draft || later)) fs::remove(entry.path(), error);
  }
}

// Makes the frames folder and a frames.pvd that lists the first `frames` frames already there, and nothing
// else; returns its size in bytes.
std::uint64_t start_pvd(const RunFolder& folder, long frames) {
  std::error_code error;
  fs::create_directories(folder.frames(), error);
  if (error) throw FileError(folder.frames().string(), "cannot make the folder: " + error.message());
  std::string text(pvd_head);
  if (frames > 0) {
    const std::vector<FrameEntry> entries = read_frame_list(folder);
    if (entries.size() < static_cast<std::size_t>(frames))
      throw InputError(folder.frames_pvd().string(), "",
                       fmt::format("lists {} frames, the checkpoint needs {}", entries.size(), frames));
    for (long i = 0; i < frames; ++i) text += pvd_entry(entries[static_cast<std::size_t>(i)].time, i);
  }
  text += pvd_tail;
  write_file_atomically(folder.frames_pvd(), text);
  remove_frames_from(folder, frames);
  return text.size();
}

// A list may have come from elsewhere: it names files of its own folder only.
bool lies_within(const fs::path& file) {
  return file.is_relative() && std::find(file.begin(), file.end(), "..") == file.end();
}

// The value of an attribute of the XML element that `element` begins with; empty when it has none.
std::string_view attribute(std::string_view element, std::string_view name) {
  const std::string opening = " " + std::string(name) + "=\"";
  const std::size_t start = element.find(opening);
  if (start == element.npos) return {};
  element.remove_prefix(start + opening.size());
  return element.substr(0, element.find('"'));
}

}  // namespace

template <class Tets>
void FrameGeometry::add_cells(VtkCell kind, std::span<const Point3> rest_vertices, const Tets& tets,
                              std::span<const int> regions) {
  if (regions.size() != tets.size())
    throw std::invalid_argument("FrameGeometry::add_tets: one region per tetrahedron");
  for (auto nodes : tets) {
    for (int& v : nodes) v += static_cast<int>(rest.size());
    cells.add(kind, nodes);
  }
  region.insert(region.end(), regions.begin(), regions.end());
  add_body(rest_vertices);
}

void FrameGeometry::add_tets(std::span<const Point3> rest_vertices, std::span<const std::array<int, 4>> tets,
                             std::span<const int> regions) {
  add_cells(VtkCell::tetrahedron, rest_vertices, tets, regions);
}
void FrameGeometry::add_tets(std::span<const Point3> rest_vertices, std::span<const QuadraticTet> tets,
                             std::span<const int> regions) {
  add_cells(VtkCell::quadratic_tetrahedron, rest_vertices, tets, regions);
}

void FrameGeometry::add_triangles(std::span<const Point3> rest_vertices,
                                  std::span<const std::array<int, 3>> triangles,
                                  std::span<const int> regions) {
  add_cells(VtkCell::triangle, rest_vertices, triangles, regions);
}

void FrameGeometry::add_springs(std::span<const Point3> rest_vertices,
                                std::span<const std::array<int, 2>> springs,
                                std::span<const std::array<int, 3>> surface) {
  const int shift = static_cast<int>(rest.size());
  for (const auto& [a, b, c] : surface) surfaces_.push_back({{a + shift, b + shift, c + shift}, bodies_});
  for (const auto& [a, b] : springs) cells.add(VtkCell::line, std::array{a + shift, b + shift});
  region.resize(cells.size(), 0);
  add_body(rest_vertices);
}

void FrameGeometry::add_body(std::span<const Point3> rest_vertices) {
  rest.insert(rest.end(), rest_vertices.begin(), rest_vertices.end());
  body.resize(cells.size(), bodies_++);
}

void FrameGeometry::append_surfaces() {
  for (const SurfaceCell& cell : surfaces_) {
    cells.add(VtkCell::triangle, cell.corners);
    region.push_back(0);
    body.push_back(cell.body);
  }
  surfaces_.clear();
}

FrameWriter::FrameWriter(RunFolder folder, FrameGeometry geometry)
    : FrameWriter(std::move(folder), std::move(geometry), 0) {}

FrameWriter::FrameWriter(RunFolder folder, FrameGeometry geometry, long frames)
    : folder_(std::move(folder)),
      geometry_(std::move(geometry)),
      pvd_(folder_.frames_pvd(), start_pvd(folder_, frames)),
      frames_(frames),
      synced_(frames),
      elements_(geometry_.cells.size()) {
  geometry_.append_surfaces();
  constant_ =
      prepare_vtu(geometry_.cells, {{"region", 1, {}, geometry_.region}, {"body", 1, {}, geometry_.body}},
                  VtuCompression::zlib, VtuPlace::appended_raw);
}

void FrameWriter::write(double time, std::span<const double> displacement, std::span<const double> velocity,
                        std::span<const double> strain_energy_density, std::span<const VtuArray> more_cells,
                        std::span<const VtuArray> more_points) {
  const std::span<const double> rest = flat(geometry_.rest);
  if (displacement.size() != rest.size())
    throw std::invalid_argument("FrameWriter::write: one displacement per vertex");
  points_.resize(rest.size());
  for (std::size_t i = 0; i < rest.size(); ++i) points_[i] = rest[i] + displacement[i];
  if (strain_energy_density.size() != elements_)
    throw std::invalid_argument("FrameWriter::write: one density per tetrahedron and spring");

  VtuGrid grid{.points = points_,
               .cells = &geometry_.cells,
               .point_data = {{"displacement", 3, displacement, {}, VtuPrecision::single},
                              {"velocity", 3, velocity, {}}},
               .cell_data = {{"strain_energy_density", 1, strain_energy_density, {}}},
               .prepared = &constant_};
  grid.point_data.insert(grid.point_data.end(), more_points.begin(), more_points.end());
  grid.cell_data.insert(grid.cell_data.end(), more_cells.begin(), more_cells.end());
  padded_.resize(grid.cell_data.size());
  for (std::size_t i = 0; i < padded_.size(); ++i) {
    VtuArray& array = grid.cell_data[i];
    padded_[i].assign(array.reals.begin(), array.reals.end());
    padded_[i].resize(geometry_.cells.size() * static_cast<std::size_t>(array.components), 0.0);
    array.reals = padded_[i];
    array.precision = VtuPrecision::single;
  }
  for (std::size_t i = kOwnPointArrays; i < grid.point_data.size(); ++i)
    grid.point_data[i].precision = VtuPrecision::single;
  write_vtu_file(folder_.frame(frames_), grid, VtuCompression::zlib_fast, VtuPlace::appended_raw);
  // Listed only once it is there.
  pvd_.overwrite_tail(pvd_tail.size(), pvd_entry(time, frames_).append(pvd_tail));
  ++frames_;
}

void FrameWriter::sync() {
  pvd_.require_in_place();
  if (synced_ == frames_) return;
  for (; synced_ < frames_; ++synced_) sync_path(folder_.frame(synced_));
  sync_path(folder_.frames());
  pvd_.sync();
}

void write_state_file(const std::filesystem::path& path, FrameGeometry geometry,
                      std::span<const double> positions, std::span<const double> velocities) {
  geometry.append_surfaces();
  const std::span<const double> rest = flat(geometry.rest);
  std::vector<double> displacement(positions.begin(), positions.end());
  if (displacement.size() != rest.size())
    throw std::invalid_argument("write_state_file: one position per vertex");
  for (std::size_t i = 0; i < displacement.size(); ++i) displacement[i] -= rest[i];
  const std::vector<double> densities(geometry.cells.size(), 0.0);
  const VtuGrid grid{.points = positions,
                     .cells = &geometry.cells,
                     .point_data = {{"displacement", 3, displacement, {}}, {"velocity", 3, velocities, {}}},
                     .cell_data = {{"strain_energy_density", 1, densities, {}},
                                   {"region", 1, {}, geometry.region},
                                   {"body", 1, {}, geometry.body}},
                     .prepared = nullptr};
  write_vtu_file(path, grid, VtuCompression::zlib_fast);
}

std::vector<FrameEntry> read_frame_list(const RunFolder& folder) {
  std::vector<FrameEntry> entries;
  std::error_code error;
  if (!fs::exists(folder.frames_pvd(), error)) return entries;
  const std::string bytes = read_file(folder.frames_pvd());
  std::string_view text = bytes;
  for (std::size_t start; (start = text.find("<DataSet")) != text.npos;) {
    text.remove_prefix(start);
    const std::size_t end = text.find('>');
    if (end == text.npos) break;
    const std::string_view element = text.substr(0, end);
    const std::string_view time = attribute(element, "timestep"), file = attribute(element, "file");
    FrameEntry entry{0, folder.root / file};
    const auto result = fast_float::from_chars(time.data(), time.data() + time.size(), entry.time);
    if (result.ec != std::errc{} || file.empty() || !lies_within(file))
      throw InputError(folder.frames_pvd().string(), "", "cannot read \"" + std::string(element) + "\"");
    entries.push_back(std::move(entry));
    text.remove_prefix(end);
  }
  return entries;
}

}  // namespace phiflex
