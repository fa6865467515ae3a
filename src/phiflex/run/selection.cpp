#include "phiflex/run/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "phiflex/base/text.h"
#include "phiflex/mesh/bounds.h"
#include "phiflex/mesh/vec3.h"

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
// Squared distance from the line through a and b, and where along it (0 at a, 1 at b), or from its nearest end.
struct Beside {
  double squared, along;
};
Beside beside(const Triple& a, const Triple& b, const Point3& x, bool with_ends) {
  const Point3 d = b - a;
  const double along = dot(x - a, d) / dot(d, d);
  const Point3 off = x - (a + (with_ends ? std::clamp(along, 0.0, 1.0) : along) * d);
  return {dot(off, off), along};
}
bool inside(const CapsuleWhere& where, const Point3& x) {
  const auto& [from, to, radius] = where.capsule;
  return beside(from, to, x, true).squared <= radius * radius;
}
bool inside(const CylinderWhere& where, const Point3& x) {
  const auto& [from, to, radius] = where.cylinder;
  const auto [squared, along] = beside(from, to, x, false);
  return squared <= radius * radius && along >= 0 && along <= 1;
}
bool inside(const AxisWhere& where, const Point3& x) {
  const auto& [point, direction, radius] = where.axis;
  return beside(point, point + direction, x, false).squared <= radius * radius;
}
bool inside(const AllWhere& where, const Point3&) {
  return where.all == Switch::on;
}

// The outline of a body: the convex hull of its vertices' projections along an axis, by Andrew's monotone chain.
class Outline {
 public:
  Outline(const OutlineWhere& where, const Body& body)
      : distance_(where.outline.distance),
        u_((static_cast<int>(where.outline.along) + 1) % 3),
        v_((static_cast<int>(where.outline.along) + 2) % 3) {
    std::vector<Flat> points;
    for (const Point3& x : body.rest()) points.push_back({x[u_], x[v_]});
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    for (const int pass : {0, 1}) {  // the lower chain, then the upper one
      const std::size_t start = hull_.size();
      for (const Flat& p : points) {
        while (hull_.size() >= start + 2 && turn(hull_[hull_.size() - 2], hull_.back(), p) <= 0)
          hull_.pop_back();
        hull_.push_back(p);
      }
      hull_.pop_back();  // the first of the next chain
      if (pass == 0) std::reverse(points.begin(), points.end());
    }
  }
  bool is_near(const Point3& x) const {
    for (std::size_t i = 0; i < hull_.size(); ++i) {
      const Flat &a = hull_[i], &b = hull_[(i + 1) % hull_.size()];
      if (beside({a[0], a[1], 0}, {b[0], b[1], 0}, {x[u_], x[v_], 0}, true).squared <= distance_ * distance_)
        return true;
    }
    return false;
  }

 private:
  using Flat = std::array<double, 2>;
  static double turn(const Flat& a, const Flat& b, const Flat& c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  }
  double distance_;
  int u_, v_;
  std::vector<Flat> hull_;
};

std::string tag_text(const TagWhere& where) {
  if (const auto* number = std::get_if<std::int64_t>(&where.tag)) return std::to_string(*number);
  return std::get<std::string>(where.tag);
}

// The mesh whose tags a selection may name; one without tags for plane bodies and springs.
const TetMesh& tagged_mesh(const Body& body) {
  static const TetMesh none;
  return body.solid() ? body.solid()->mesh : none;
}

// The vertices of a tetrahedron, of a triangle, or of a spring.
std::vector<int> corners(const Body& body, int element) {
  const auto listed = [&](const auto& elements) {
    const auto& nodes = elements[std::size_t(element)];
    return std::vector<int>(nodes.begin(), nodes.end());
  };
  if (const SolidBody* solid = body.solid())
    return solid->quadratic.empty() ? listed(solid->mesh.tets) : listed(solid->quadratic);
  if (const PlaneBody* plane = body.plane()) return listed(plane->nodes);
  const Spring& spring = body.springs()->network.springs[std::size_t(element)];
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
                                         ProblemList& problems) {
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
                  ProblemList& problems) {
  if (const auto* tag = std::get_if<TagWhere>(&where)) {
    const std::vector<std::string> known = selectable_tags(tagged_mesh(body));
    problems.problem(pointer + "/tag",
                     fmt::format("'{}' is not a tag of body '{}'; its tags: {}", tag_text(*tag), body.name,
                                 known.empty() ? "none" : joined(known, ", ")));
    return;
  }
  problems.problem(pointer, fmt::format("selects no {} of body '{}', whose rest shape spans {}", what,
                                        body.name, extent(body)));
}

using Chosen = std::optional<std::vector<int>>;  // ascending; nothing: a problem was reported

// What vertices and elements are to a selection: how many there are, where they lie, and the selections that only one
// of them knows.
struct VerticesOf {
  const Body& body;
  ProblemList& problems;

  int count() const { return body.vertex_count(); }
  Point3 place(int v) const { return body.rest()[v]; }
  Chosen select(const TagWhere& w, const std::string&) const {
    const std::string tag = tag_text(w);
    if (tagged_mesh(body).vertex_sets.contains(tag)) return vertices_with_tag(tagged_mesh(body), tag);
    return vertices_of(tets_with_tag(tagged_mesh(body), tag), body);
  }
  Chosen select(const VerticesWhere& w, const std::string& pointer) const {
    return in_range(w.vertices, body.vertex_count(), "vertices", body, pointer, problems);
  }
  Chosen select(const ElementsWhere& w, const std::string& pointer) const {
    const auto elements = in_range(w.elements, body.element_count(), "elements", body, pointer, problems);
    if (!elements) return std::nullopt;
    return vertices_of(*elements, body);
  }
};

struct ElementsOf {
  const Body& body;
  ProblemList& problems;

  int count() const { return body.element_count(); }
  Point3 place(int element) const { return centroid(body, element); }
  Chosen select(const TagWhere& w, const std::string&) const {
    return tets_with_tag(tagged_mesh(body), tag_text(w));
  }
  Chosen select(const VerticesWhere&, const std::string& pointer) const {
    problems.problem(pointer + "/vertices",
                     "elements are selected here: by elements, tag, box, sphere, half_space or all, "
                     "not by vertices");
    return std::nullopt;
  }
  Chosen select(const ElementsWhere& w, const std::string& pointer) const {
    return in_range(w.elements, body.element_count(), "elements", body, pointer, problems);
  }
};

template <class AnyKind, class Items>
Chosen choose(const AnyKind& where, const Items& items, const std::string& pointer);

template <class Items, class Test>
std::vector<int> those(const Items& items, Test test) {
  std::vector<int> chosen;
  for (int i = 0; i < items.count(); ++i)
    if (test(items.place(i))) chosen.push_back(i);
  return chosen;
}

// The parts of `any` and `every`: how many of them choose each item.
template <class Items>
Chosen choose_by_count(const std::vector<PartWhere>& parts, std::size_t least, const Items& items,
                       const std::string& pointer) {
  std::vector<std::size_t> times(static_cast<std::size_t>(items.count()), 0);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Chosen part = choose(parts[i], items, fmt::format("{}/{}", pointer, i));
    if (!part) return std::nullopt;
    for (const int item : *part) ++times[item];
  }
  std::vector<int> chosen;
  for (int item = 0; item < items.count(); ++item)
    if (times[item] >= least) chosen.push_back(item);
  return chosen;
}

// `where` is any of the variants of selections.
template <class AnyKind, class Items>
Chosen choose(const AnyKind& where, const Items& items, const std::string& pointer) {
  return std::visit(
      [&](const auto& w) -> Chosen {
        using Kind = std::decay_t<decltype(w)>;
        if constexpr (std::is_same_v<Kind, NotWhere>) {
          const Chosen excluded = choose(w.excluded, items, pointer + "/not");
          if (!excluded) return std::nullopt;
          std::vector<int> rest;
          for (int i = 0; i < items.count(); ++i)
            if (!std::binary_search(excluded->begin(), excluded->end(), i)) rest.push_back(i);
          return rest;
        } else if constexpr (std::is_same_v<Kind, AnyWhere>) {
          return choose_by_count(w.any, 1, items, pointer + "/any");
        } else if constexpr (std::is_same_v<Kind, EveryWhere>) {
          return choose_by_count(w.every, w.every.size(), items, pointer + "/every");
        } else if constexpr (std::is_same_v<Kind, OutlineWhere>) {
          const Outline outline(w, items.body);
          return those(items, [&](const Point3& x) { return outline.is_near(x); });
        } else if constexpr (requires { items.select(w, pointer); }) {
          return items.select(w, pointer);
        } else {
          return those(items, [&](const Point3& x) { return inside(w, x); });
        }
      },
      where);
}

}  // namespace

std::vector<int> select_vertices(const Where& where, const Body& body, const std::string& pointer,
                                 ProblemList& problems) {
  const Chosen chosen = choose(where, VerticesOf{body, problems}, pointer);
  if (!chosen) return {};
  if (chosen->empty()) report_empty("vertex", where, body, pointer, problems);
  return *chosen;
}

std::vector<int> select_elements(const Where& where, const Body& body, const std::string& pointer,
                                 ProblemList& problems) {
  const Chosen chosen = choose(where, ElementsOf{body, problems}, pointer);
  if (!chosen) return {};
  if (chosen->empty()) report_empty("element", where, body, pointer, problems);
  return *chosen;
}

namespace {

template <class AnyKind>
bool holds_one(const AnyKind& where, const Point3& point) {
  const auto part_holds = [&](const PartWhere& part) { return holds_one(part, point); };
  return std::visit(
      [&](const auto& w) {
        using Kind = std::decay_t<decltype(w)>;
        if constexpr (std::is_same_v<Kind, NotWhere>)
          return !holds_one(w.excluded, point);
        else if constexpr (std::is_same_v<Kind, AnyWhere>)
          return std::any_of(w.any.begin(), w.any.end(), part_holds);
        else if constexpr (std::is_same_v<Kind, EveryWhere>)
          return std::all_of(w.every.begin(), w.every.end(), part_holds);
        else if constexpr (requires { inside(w, point); })
          return inside(w, point);
        else
          return false;
      },
      where);
}

}  // namespace

bool holds(const Where& where, const Point3& point) {
  return holds_one(where, point);
}

}  // namespace phiflex
