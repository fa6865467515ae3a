#include "phiflex/build/plane_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "phiflex/mesh/bounds.h"

namespace phiflex {
namespace {

double area(const SurfaceMesh& mesh, const std::array<int, 3>& triangle) {
  const auto& [a, b, c] = triangle;
  const auto& X = mesh.vertices;
  return 0.5 * ((X[b][0] - X[a][0]) * (X[c][1] - X[a][1]) - (X[b][1] - X[a][1]) * (X[c][0] - X[a][0]));
}

}  // namespace

void check_triangles(const SurfaceMesh& mesh, const std::string& name, ProblemList& problems) {
  std::vector<Problem> found;
  const auto refuse = [&](std::string place, std::string message) {
    found.push_back({name, std::move(place), std::move(message)});
  };
  if (mesh.triangles.empty())
    throw InputError(name, "", "there are no triangles; a plane body needs at least one");
  const int count = static_cast<int>(mesh.vertices.size());
  for (int v = 0; v < count; ++v)
    for (const double coordinate : mesh.vertices[v])
      if (!std::isfinite(coordinate))
        throw InputError(name, "vertices", fmt::format("vertex {} has a coordinate that is not finite", v));
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (const int v : mesh.triangles[t])
      if (v < 0 || v >= count)
        throw InputError(name, "triangles", fmt::format("triangle {} names vertex {} of {}", t, v, count));

  const Bounds bounds = bounds_of(mesh.vertices);
  const double size = std::max(bounds.length(0), bounds.length(1));
  if (const double thick = bounds.length(2); thick > 1e-9 * size) {
    int out = 0, first = -1;
    for (int v = 0; v < count; ++v)
      if (std::abs(mesh.vertices[v][2] - mesh.vertices[0][2]) > 1e-9 * size && out++ == 0) first = v;
    refuse("vertices", fmt::format("{} of {} lie out of the plane of vertex 0, z = {:.6g}: the first is {} "
                                   "at z = {:.6g}; expected all in one plane z = const, after `transform`",
                                   out, count, mesh.vertices[0][2], first,
                                   mesh.vertices[std::size_t(std::max(first, 0))][2]));
    throw InputError(std::move(found));
  }
  int turned = 0, flat = 0, first_turned = -1, first_flat = -1;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const double a = area(mesh, mesh.triangles[t]);
    if (std::abs(a) <= 1e-14 * size * size) {
      if (flat++ == 0) first_flat = static_cast<int>(t);
    } else if (a < 0 && turned++ == 0) {
      first_turned = static_cast<int>(t);
    }
  }
  if (flat > 0)
    refuse("triangles",
           fmt::format("{} have no area, the first is {}; it must be positive", flat, first_flat));
  if (turned > 0)
    refuse("triangles",
           fmt::format("{} go clockwise seen from +z, the first is {}; expected all counterclockwise", turned,
                       first_turned));
  // In a plane two triangles that go along an edge the same way lie on one another.
  std::map<std::pair<int, int>, int> sides;
  for (std::size_t t = 0; t < mesh.triangles.size() && turned == 0; ++t)
    for (int a = 0; a < 3; ++a) {
      const int from = mesh.triangles[t][a], to = mesh.triangles[t][(a + 1) % 3];
      const auto [known, fresh] = sides.insert({{from, to}, static_cast<int>(t)});
      if (fresh) continue;
      refuse("triangles",
             fmt::format("{} and {} lie on the same side of the edge between the vertices {} and {}",
                         known->second, t, from, to));
      throw InputError(std::move(found));
    }
  if (!found.empty()) throw InputError(std::move(found));

  for (const std::string& note : mesh.notes) problems.messages().warn(name + ": " + note);
  if (!mesh.edges.empty())
    problems.messages().warn(
        fmt::format("{}: {} segments beside the triangles are left out", name, mesh.edges.size()));
  std::vector<bool> used(mesh.vertices.size(), false);
  for (const auto& triangle : mesh.triangles)
    for (const int v : triangle) used[std::size_t(v)] = true;
  if (const auto unused = std::count(used.begin(), used.end(), false); unused > 0)
    problems.messages().warn(
        fmt::format("{}: {} vertices are used by no triangle; the simulation leaves them out", name, unused));
}

}  // namespace phiflex
