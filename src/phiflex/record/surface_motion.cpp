#include "phiflex/record/surface_motion.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/mesh/mesh_formats.h"
#include "phiflex/record/frames.h"

namespace phiflex {
namespace {

std::optional<ParsedMesh> read_frame(const std::filesystem::path& file) {
  try {
    return parse_vtu(read_file(file), file.string());
  } catch (const InputError&) {
  } catch (const FileError&) {
  }
  return std::nullopt;
}

// The drawn vertices, numbered as they are met; indices of `corners` are replaced by the new numbers.
template <std::size_t N>
void renumber(std::vector<std::array<int, N>>& cells, std::vector<int>& new_number, std::vector<int>& drawn) {
  for (auto& corners : cells)
    for (int& corner : corners) {
      int& number = new_number[static_cast<std::size_t>(corner)];
      if (number < 0) {
        number = static_cast<int>(drawn.size());
        drawn.push_back(corner);
      }
      corner = number;
    }
}

}  // namespace

SurfaceMotion read_surface_motion(const RunFolder& folder, const MotionLimits& limits) {
  SurfaceMotion motion;
  const std::vector<FrameEntry> frames = read_frame_list(folder);
  motion.frames_in_run = static_cast<long>(frames.size());
  if (frames.empty()) return motion;
  std::optional<ParsedMesh> mesh = read_frame(frames.front().file);
  if (!mesh) return motion;

  const std::size_t vertices = mesh->tet.vertices.size();
  std::vector<int> drawn, new_number(vertices, -1);
  motion.triangles = boundary_triangles(mesh->tet);
  motion.springs = std::move(mesh->edges);
  renumber(motion.triangles, new_number, drawn);
  renumber(motion.springs, new_number, drawn);

  const std::size_t affordable = limits.coordinates / std::max<std::size_t>(1, 3 * drawn.size());
  const std::size_t moments = std::min({limits.moments, affordable, frames.size()});
  constexpr double infinity = std::numeric_limits<double>::infinity();
  motion.low.fill(infinity);
  motion.high.fill(-infinity);
  for (std::size_t m = 0; m < moments; ++m) {
    const std::size_t chosen = moments == 1 ? 0 : m * (frames.size() - 1) / (moments - 1);
    if (m > 0) mesh = read_frame(frames[chosen].file);
    if (!mesh || mesh->tet.vertices.size() != vertices) continue;
    std::vector<Point3> positions;
    positions.reserve(drawn.size());
    for (const int vertex : drawn) {
      const Point3& x = mesh->tet.vertices[static_cast<std::size_t>(vertex)];
      for (std::size_t k = 0; k < 3; ++k) {
        motion.low[k] = std::min(motion.low[k], x[k]);
        motion.high[k] = std::max(motion.high[k], x[k]);
      }
      positions.push_back(x);
    }
    motion.times.push_back(frames[chosen].time);
    motion.positions.push_back(std::move(positions));
  }
  return motion;
}

}  // namespace phiflex
