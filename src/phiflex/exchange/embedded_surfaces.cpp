#include "phiflex/exchange/embedded_surfaces.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/mesh/mesh_io.h"
#include "phiflex/mesh/mid_edges.h"
#include "phiflex/mesh/tet_locator.h"
#include "phiflex/mesh/vtu_writer.h"
#include "phiflex/record/json_file.h"
#include "phiflex/record/run_json.h"

namespace phiflex {
namespace {

// The tetrahedra of a body in a frame: corners, and all nodes.
struct BodyTets {
  std::vector<std::array<int, 4>> corners;
  std::vector<std::vector<int>> nodes;
};

BodyTets tets_of(const FrameFile& frame, int body) {
  BodyTets found;
  for (std::size_t c = 0; c < frame.cells.size(); ++c) {
    if (frame.body[c] != body) continue;
    const auto begin = static_cast<std::size_t>(c == 0 ? 0 : frame.cells.offsets[c - 1]);
    const auto end = static_cast<std::size_t>(frame.cells.offsets[c]);
    const std::uint8_t type = frame.cells.types[c];
    if (type != static_cast<std::uint8_t>(VtkCell::tetrahedron) &&
        type != static_cast<std::uint8_t>(VtkCell::quadratic_tetrahedron))
      continue;
    std::vector<int> nodes(frame.cells.connectivity.begin() + std::ptrdiff_t(begin),
                           frame.cells.connectivity.begin() + std::ptrdiff_t(end));
    found.corners.push_back({nodes[0], nodes[1], nodes[2], nodes[3]});
    found.nodes.push_back(std::move(nodes));
  }
  return found;
}

std::vector<double> shape_functions(const std::array<double, 4>& L, std::size_t nodes) {  // (1)
  if (nodes == 4) return {L.begin(), L.end()};
  std::vector<double> N;
  for (const double a : L) N.push_back(a * (2 * a - 1));
  for (const auto& [a, b] : kTetEdges) N.push_back(4 * L[std::size_t(a)] * L[std::size_t(b)]);
  return N;
}

}  // namespace

std::vector<Point3> EmbeddedSurface::at(const std::vector<Point3>& points) const {
  std::vector<Point3> moved;
  moved.reserve(anchors.size());
  for (const Anchor& anchor : anchors) {
    Point3 x = anchor.offset;
    for (std::size_t n = 0; n < anchor.points.size(); ++n)
      for (std::size_t i = 0; i < 3; ++i)
        x[i] += anchor.weights[n] * points[std::size_t(anchor.points[n])][i];
    moved.push_back(x);
  }
  return moved;
}

std::vector<EmbeddedSurface> embedded_surfaces(const MotionReader& motion) {
  std::vector<EmbeddedSurface> surfaces;
  const RunFolder& folder = motion.folder();
  std::error_code error;
  if (!std::filesystem::is_directory(folder.surfaces(), error)) return surfaces;
  const nlohmann::ordered_json account = read_run_json(folder.run_json());
  std::vector<std::string> names;
  if (account.contains("scene") && account["scene"].contains("bodies"))
    for (const auto& body : account["scene"]["bodies"]) names.push_back(text_at(body, "/name", ""));
  const std::vector<FrameEntry> entries = read_frame_list(folder);
  if (entries.empty()) return surfaces;
  FrameFile first = read_frame_file(entries.front().file);
  std::vector<Point3> rest = first.points;
  for (std::size_t v = 0; v < rest.size(); ++v)
    for (std::size_t i = 0; i < 3; ++i) rest[v][i] -= first.displacement[v][i];
  for (std::size_t b = 0; b < names.size(); ++b) {
    const std::filesystem::path file = folder.surface(static_cast<long>(b));
    if (!std::filesystem::exists(file, error)) continue;
    const BodyTets tets = tets_of(first, static_cast<int>(b));
    if (tets.corners.empty()) continue;
    EmbeddedSurface surface{names[b], ObjText(read_file(file)), read_surface_mesh(file).vertices, {}};
    if (surface.text.vertices() != surface.rest.size())
      throw InputError(file.string(), "", "is no surface that a run stored");
    const TetLocator locator(rest, tets.corners);
    for (const Point3& x : surface.rest) {
      const TetLocator::Place place = locator.locate(x);
      EmbeddedSurface::Anchor anchor;
      anchor.points = tets.nodes[std::size_t(place.tet)];
      anchor.weights = shape_functions(place.weights, anchor.points.size());
      anchor.offset = x;
      for (std::size_t n = 0; n < anchor.points.size(); ++n)
        for (std::size_t i = 0; i < 3; ++i)
          anchor.offset[i] -= anchor.weights[n] * rest[std::size_t(anchor.points[n])][i];
      surface.anchors.push_back(std::move(anchor));
    }
    surfaces.push_back(std::move(surface));
  }
  return surfaces;
}

std::vector<Point3> all_points(const MotionReader& motion, std::size_t frame) {
  return read_frame_file(read_frame_list(motion.folder()).at(frame).file, FrameParts::motion_only).points;
}

}  // namespace phiflex
