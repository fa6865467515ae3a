#include "phiflex/run/loads.h"

#include <fmt/format.h>

#include <limits>
#include <numeric>
#include <optional>

#include "phiflex/fem/mass.h"
#include "phiflex/model/deformable_model.h"
#include "phiflex/model/nodal_load.h"
#include "phiflex/model/wind_load.h"
#include "phiflex/run/selection.h"

namespace phiflex {
namespace {

ActiveTime active_time(const TimeWindow& window) {
  return {window.from, window.until.value_or(std::numeric_limits<double>::infinity())};
}

// Makes the load of one force; null when there is none to make, with the reason among the problems.
class LoadMaker {
 public:
  LoadMaker(const std::vector<Body>& bodies, const ModelDescription& description, SceneProblems& problems)
      : bodies_(bodies), description_(description), problems_(problems) {}

  std::shared_ptr<const Load> make(const UniformForce& force, const std::string&) const {
    const Body* only = force.body ? &find_body(bodies_, *force.body) : nullptr;
    std::vector<int> vertices(only ? only->vertex_count() : description_.vertex_mass.size());
    std::iota(vertices.begin(), vertices.end(), only ? only->first_vertex : 0);
    return make_proportional_load(vertices, masses(vertices), vector3(force.acceleration),
                                  active_time(force.window));
  }

  std::shared_ptr<const Load> make(const PointForce& force, const std::string& pointer) const {
    const Body& body = find_body(bodies_, force.body);
    const std::vector<int> vertices =
        force.where ? selected(*force.where, body, pointer)
                    : std::vector{nearest_vertex(description_.rest, body.first_vertex, body.vertex_count(),
                                                 vector3(*force.at))};
    return make_proportional_load(vertices, std::vector<double>(vertices.size(), 1.0), vector3(force.force),
                                  active_time(force.window));
  }

  std::shared_ptr<const Load> make(const RegionForce& force, const std::string& pointer) const {
    const Body& body = find_body(bodies_, force.body);
    const std::vector<int> vertices = selected(force.where, body, pointer);
    if (vertices.empty()) return nullptr;
    const ActiveTime active = active_time(force.window);
    if (force.force) return make_shared_load(vertices, masses(vertices), vector3(*force.force), active);
    if (force.acceleration)
      return make_proportional_load(vertices, masses(vertices), vector3(*force.acceleration), active);
    if (body.solid())
      return make_proportional_load(vertices, volumes(body, vertices), vector3(*force.force_density), active);
    problems_.problem(
        pointer + "/force_density",
        fmt::format("body '{}' is made of springs and has no volume; give force or acceleration", body.name));
    return nullptr;
  }

  std::shared_ptr<const Load> make(const WindForce& wind, const std::string& pointer) const {
    std::vector<std::array<int, 3>> triangles;
    for (const Body& body : bodies_) {
      if (wind.body && *wind.body != body.name) continue;
      for (const auto& [a, b, c] : body.surface)
        triangles.push_back({a + body.first_vertex, b + body.first_vertex, c + body.first_vertex});
    }
    if (triangles.empty()) {
      problems_.problem(pointer,
                        wind.body ? fmt::format("body '{}' has no surface for the wind to push", *wind.body)
                                  : "no body has a surface for the wind to push");
      return nullptr;
    }
    return std::make_shared<WindLoad>(std::move(triangles),
                                      Wind{vector3(wind.velocity), wind.gust.amplitude, wind.gust.frequency,
                                           wind.air_density, wind.drag_coefficient},
                                      active_time(wind.window));
  }

 private:
  std::vector<int> selected(const Where& where, const Body& body, const std::string& pointer) const {
    return shifted(select_vertices(where, body, pointer + "/where", problems_), body.first_vertex);
  }
  std::vector<double> masses(const std::vector<int>& vertices) const {
    std::vector<double> chosen;
    for (const int v : vertices) chosen.push_back(description_.vertex_mass[v]);
    return chosen;
  }
  // A quarter of each tetrahedron's volume to each corner, for forces per volume.
  std::vector<double> volumes(const Body& body, const std::vector<int>& vertices) const {
    std::vector<double> all(description_.vertex_mass.size(), 0.0), chosen;
    const std::vector<Tet> tets = model_tets(body);
    add_lumped_masses(tets, tet_volumes(description_.rest, tets), all);
    for (const int v : vertices) chosen.push_back(all[v]);
    return chosen;
  }

  const std::vector<Body>& bodies_;
  const ModelDescription& description_;
  SceneProblems& problems_;
};

}  // namespace

std::vector<std::shared_ptr<const Load>> make_loads(const Scene& scene, const std::vector<Body>& bodies,
                                                    const ModelDescription& description,
                                                    SceneProblems& problems) {
  const LoadMaker maker(bodies, description, problems);
  std::vector<std::shared_ptr<const Load>> loads;
  for (std::size_t n = 0; n < scene.forces.size(); ++n) {
    const std::string pointer = fmt::format("/forces/{}", n);
    auto load = std::visit([&](const auto& force) { return maker.make(force, pointer); }, scene.forces[n]);
    if (load) loads.push_back(std::move(load));
  }
  return loads;
}

}  // namespace phiflex
