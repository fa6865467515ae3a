#include "phiflex/run/selection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "phiflex/mesh/bounds.h"

namespace phiflex {
namespace {

bool inside(const BoxWhere& where, const Point3& x) {
  for (int i = 0; i < 3; ++i)
    if (x[i] < where.box.low[i] || x[i] > where.box.high[i]) return false;
  return true;
}
bool inside(const SphereWhere& where, const Point3& x) {
  double squared = 0;
  for (int i = 0; i < 3; ++i) squared += (x[i] - where.sphere.center[i]) * (x[i] - where.sphere.center[i]);
  return squared <= where.sphere.radius * where.sphere.radius;
}
bool inside(const HalfSpaceWhere& where, const Point3& x) {
  double along = 0;
  for (int i = 0; i < 3; ++i) along += (x[i] - where.half_space.point[i]) * where.half_space.normal[i];
  return along <= 0;
}
bool inside(const AllWhere& where, const Point3&) {
  return where.all == Switch::on;
}

std::string tag_text(const TagWhere& where) {
  if (const auto* number = std::get_if<std::int64_t>(&where.tag)) return std::to_string(*number);
  return std::get<std::string>(where.tag);
}

// The vertices of a tetrahedron, or of a spring.
std::vector<int> corners(const Body& body, int element) {
  if (!body.quadratic.empty()) return {body.quadratic[element].begin(), body.quadratic[element].end()};
  if (body.solid()) return {body.mesh.tets[element].begin(), body.mesh.tets[element].end()};
  const Spring& spring = body.springs.springs[element];
  return {spring.a, spring.b};
}

Point3 centroid(const Body& body, int element) {
  const std::vector<int> all = corners(body, element);
  Point3 c{};
  for (const int v : all)
    for (int i = 0; i < 3; ++i) c[i] += body.rest()[v][i] / static_cast<double>(all.size());
  return c;
}

std::string extent(const Body& body) {
  const auto [low, high] = bounds_of(body.rest());
  return fmt::format("[{:.6g}, {:.6g}, {:.6g}] to [{:.6g}, {:.6g}, {:.6g}]", low[0], low[1], low[2], high[0],
                     high[1], high[2]);
}

// The listed numbers, or nothing when one is out of range.
std::optional<std::vector<int>> in_range(const std::vector<std::int64_t>& list, int count, const char* what,
                                         const Body& body, const std::string& pointer,
                                         SceneProblems& problems) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] >= 0 && list[i] < count) continue;
    problems.problem(fmt::format("{}/{}/{}", pointer, what, i),
                     fmt::format("{} is not a number of the {} of body '{}': 0 to {} are there", list[i],
                                 what, body.name, count - 1));
    return std::nullopt;
  }
  std::vector<int> sorted(list.begin(), list.end());
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

std::vector<int> vertices_of(const std::vector<int>& elements, const Body& body) {
  std::vector<int> vertices;
  for (const int element : elements)
    for (const int v : corners(body, element)) vertices.push_back(v);
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

void report_empty(const char* what, const Where& where, const Body& body, const std::string& pointer,
                  SceneProblems& problems) {
  if (const auto* tag = std::get_if<TagWhere>(&where)) {
    const std::vector<std::string> known = selectable_tags(body.mesh);
    problems.problem(pointer + "/tag",
                     fmt::format("'{}' is not a tag of body '{}'; its tags: {}", tag_text(*tag), body.name,
                                 known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
    return;
  }
  problems.problem(pointer, fmt::format("selects no {} of body '{}', whose rest shape spans {}", what,
                                        body.name, extent(body)));
}

}  // namespace

std::vector<int> select_vertices(const Where& where, const Body& body, const std::string& pointer,
                                 SceneProblems& problems) {
  std::optional<std::vector<int>> chosen = std::visit(
      [&](const auto& w) -> std::optional<std::vector<int>> {
        using Kind = std::decay_t<decltype(w)>;
        if constexpr (std::is_same_v<Kind, TagWhere>) {
          const std::string tag = tag_text(w);
          if (body.mesh.vertex_sets.contains(tag)) return vertices_with_tag(body.mesh, tag);
          return vertices_of(tets_with_tag(body.mesh, tag), body);
        } else if constexpr (std::is_same_v<Kind, VerticesWhere>) {
          return in_range(w.vertices, body.vertex_count(), "vertices", body, pointer, problems);
        } else if constexpr (std::is_same_v<Kind, ElementsWhere>) {
          const auto elements =
              in_range(w.elements, body.element_count(), "elements", body, pointer, problems);
          if (!elements) return std::nullopt;
          return vertices_of(*elements, body);
        } else {
          std::vector<int> inner;
          for (int v = 0; v < body.vertex_count(); ++v)
            if (inside(w, body.rest()[v])) inner.push_back(v);
          return inner;
        }
      },
      where);
  if (!chosen) return {};
  if (chosen->empty()) report_empty("vertex", where, body, pointer, problems);
  return *chosen;
}

std::vector<int> select_elements(const Where& where, const Body& body, const std::string& pointer,
                                 SceneProblems& problems) {
  std::optional<std::vector<int>> chosen = std::visit(
      [&](const auto& w) -> std::optional<std::vector<int>> {
        using Kind = std::decay_t<decltype(w)>;
        if constexpr (std::is_same_v<Kind, TagWhere>) {
          return tets_with_tag(body.mesh, tag_text(w));
        } else if constexpr (std::is_same_v<Kind, VerticesWhere>) {
          problems.problem(pointer + "/vertices",
                           "elements are selected here: by elements, tag, box, sphere, half_space or all, "
                           "not by vertices");
          return std::nullopt;
        } else if constexpr (std::is_same_v<Kind, ElementsWhere>) {
          return in_range(w.elements, body.element_count(), "elements", body, pointer, problems);
        } else {
          std::vector<int> inner;
          for (int element = 0; element < body.element_count(); ++element)
            if (inside(w, centroid(body, element))) inner.push_back(element);
          return inner;
        }
      },
      where);
  if (!chosen) return {};
  if (chosen->empty()) report_empty("element", where, body, pointer, problems);
  return *chosen;
}

bool holds(const Where& where, const Point3& point) {
  return std::visit(
      [&](const auto& w) {
        if constexpr (requires { inside(w, point); })
          return inside(w, point);
        else
          return false;
      },
      where);
}

}  // namespace phiflex
