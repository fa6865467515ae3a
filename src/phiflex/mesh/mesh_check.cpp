#include "phiflex/mesh/mesh_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "phiflex/base/errors.h"
#include "phiflex/mesh/mesh_info.h"
#include "phiflex/mesh/tet_quality.h"

namespace phiflex {
namespace {

constexpr std::size_t kShown = 5;

// Counts the tetrahedra (or vertices) that `is_bad` picks and lists the first few with `show`.
template <class IsBad, class Show>
std::string list_bad(std::size_t n, IsBad is_bad, Show show) {
  std::size_t count = 0;
  std::string first;
  for (std::size_t i = 0; i < n; ++i) {
    if (!is_bad(i)) continue;
    if (count++ < kShown) first += (first.empty() ? "" : ", ") + show(i);
  }
  if (count == 0) return "";
  return fmt::format("{} of {} ({}: {}{})", count, n, count > 1 ? "the first" : "it is", first,
                     count > kShown ? ", ..." : "");
}

}  // namespace

std::vector<std::string> check_for_simulation(const TetMesh& mesh, const std::string& file) {
  std::vector<Problem> problems;
  const auto refuse = [&](const std::string& place, const std::string& message) {
    problems.push_back({file, place, message});
  };
  if (mesh.tets.empty()) refuse("", "there are no tetrahedra; a body needs at least one");

  const auto not_finite = [&](std::size_t v) {
    const Point3& p = mesh.vertices[v];
    return !std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2]);
  };
  const auto show_vertex = [&](std::size_t v) {
    const Point3& p = mesh.vertices[v];
    return fmt::format("{} at [{}, {}, {}]", v, p[0], p[1], p[2]);
  };
  if (const std::string bad = list_bad(mesh.vertices.size(), not_finite, show_vertex); !bad.empty())
    refuse("vertices", fmt::format("{} have a coordinate that is not finite", bad));

  const auto count = static_cast<int>(mesh.vertices.size());
  const auto out_of_range = [&](std::size_t t) {
    return std::any_of(mesh.tets[t].begin(), mesh.tets[t].end(), [&](int v) { return v < 0 || v >= count; });
  };
  const auto show_corners = [&](std::size_t t) {
    const auto& [a, b, c, d] = mesh.tets[t];
    return fmt::format("{} with vertices {} {} {} {}", t, a, b, c, d);
  };
  if (const std::string bad = list_bad(mesh.tets.size(), out_of_range, show_corners); !bad.empty())
    refuse("tetrahedra", fmt::format("{} have a vertex index outside 0 to {}", bad, count - 1));
  if (!mesh.tags.empty() && mesh.tags.size() != mesh.tets.size())
    refuse("tags", fmt::format("there are {} for {} tetrahedra", mesh.tags.size(), mesh.tets.size()));
  if (!problems.empty()) throw InputError(std::move(problems));  // volumes would mean nothing

  const auto show_volume = [&](std::size_t t) {
    return fmt::format("{} with {:.3g}", t, tet_volume(mesh, t));
  };
  const auto is_flat = [&](std::size_t t) { return has_zero_volume(mesh, t); };
  const auto is_inverted = [&](std::size_t t) { return tet_volume(mesh, t) < 0 && !is_flat(t); };
  if (const std::string bad = list_bad(mesh.tets.size(), is_inverted, show_volume); !bad.empty())
    refuse(
        "tetrahedra",
        fmt::format(
            "{} have negative volume; it must be positive (mesh convert --fix-orientation turns them)", bad));
  if (const std::string bad = list_bad(mesh.tets.size(), is_flat, show_volume); !bad.empty())
    refuse("tetrahedra", fmt::format("{} have zero volume; it must be positive", bad));
  if (!problems.empty()) throw InputError(std::move(problems));

  std::vector<std::string> warnings = mesh.notes;
  const MeshInfo info = mesh_info(mesh);
  const auto warn = [&](std::size_t number, const char* what) {
    if (number > 0) warnings.push_back(fmt::format("{} {}", number, what));
  };
  warn(info.unused_vertices, "vertices are used by no tetrahedron; the simulation leaves them out");
  warn(info.duplicate_vertices, "vertices lie exactly on an earlier one; they are not joined");
  warn(info.duplicate_elements, "tetrahedra have the same corners as an earlier one; each counts");
  warn(info.crowded_faces, "faces belong to three or more tetrahedra");
  warn(info.surface.nonmanifold_edges, "edges of the surface have more than two triangles");
  warn(info.surface.nonmanifold_vertices, "vertices join parts of the surface that share no edge there");
  warn(info.hanging_vertices, "vertices lie inside an edge of the surface; the mesh is not joined there");
  if (info.poor > 0)
    warnings.push_back(fmt::format("{} tetrahedra have a quality below {} and make the system stiff",
                                   info.poor, kPoorQuality));
  if (info.components > 1)
    warnings.push_back(fmt::format("the mesh falls into {} separate pieces", info.components));
  return warnings;
}

int fix_orientation(TetMesh& mesh) {
  int turned = 0;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    if (!(tet_volume(mesh, t) < 0)) continue;
    std::swap(mesh.tets[t][2], mesh.tets[t][3]);
    ++turned;
  }
  return turned;
}

}  // namespace phiflex
