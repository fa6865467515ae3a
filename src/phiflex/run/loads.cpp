#include "phiflex/run/loads.h"

#include <fmt/format.h>

#include <limits>
#include <numeric>
#include <optional>

#include "phiflex/energy/triangle_term.h"
#include "phiflex/fem/mass.h"
#include "phiflex/model/deformable_model.h"
#include "phiflex/model/motor_load.h"
#include "phiflex/model/nodal_load.h"
#include "phiflex/model/stokes_load.h"
#include "phiflex/model/wind_load.h"
#include "phiflex/run/selection.h"

namespace phiflex {
namespace {

ActiveTime active_time(const TimeWindow& window) {
  return {window.from, window.until.value_or(std::numeric_limits<double>::infinity())};
}

Modulation modulation(const ForceInTime& in_time) {
  Modulation out{in_time.gust.amplitude, in_time.gust.frequency, {}};
  for (const ProfilePoint& point : in_time.profile) out.profile.push_back({point.time, point.factor});
  return out;
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
    return make_proportional_load(vertices, weights(vertices), vector3(force.acceleration),
                                  active_time(force.in_time.window), modulation(force.in_time));
  }

  std::shared_ptr<const Load> make(const PointForce& force, const std::string& pointer) const {
    const Body& body = find_body(bodies_, force.body);
    const std::vector<int> vertices =
        force.where ? selected(*force.where, body, pointer + "/where")
                    : std::vector{nearest_vertex(description_.rest, body.first_vertex, body.vertex_count(),
                                                 vector3(*force.at))};
    return make_proportional_load(vertices, std::vector<double>(vertices.size(), 1.0), vector3(force.force),
                                  active_time(force.in_time.window), modulation(force.in_time));
  }

  std::shared_ptr<const Load> make(const RegionForce& force, const std::string& pointer) const {
    const Body& body = find_body(bodies_, force.body);
    const std::vector<int> vertices = selected(force.where, body, pointer + "/where");
    if (vertices.empty()) return nullptr;
    const ActiveTime active = active_time(force.in_time.window);
    const Modulation strength = modulation(force.in_time);
    if (force.force)
      return make_shared_load(vertices, masses(vertices), vector3(*force.force), active, strength);
    if (force.acceleration)
      return make_proportional_load(vertices, weights(vertices), vector3(*force.acceleration), active,
                                    strength);
    if (body.solid() || body.in_plane())
      return make_proportional_load(vertices, volumes(body, vertices), vector3(*force.force_density), active,
                                    strength);
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

  std::shared_ptr<const Load> make(const StokesForce& fluid, const std::string& pointer) const {
    // A dense matrix of 3 n x 3 n numbers is factorized in every force.
    constexpr std::size_t most = 3000;
    std::vector<int> vertices = selected(fluid.where, find_body(bodies_, fluid.body), pointer + "/where");
    if (vertices.empty()) return nullptr;
    if (vertices.size() > most) {
      problems_.problem(pointer, fmt::format("asks for {} Stokeslets; at most {} are allowed: select some by "
                                             "\"where\"",
                                             vertices.size(), most));
      return nullptr;
    }
    return std::make_shared<StokesLoad>(std::move(vertices), StokesFluid{fluid.viscosity, fluid.radius});
  }

  std::shared_ptr<const Load> make(const MotorForce& motor, const std::string& pointer) const {
    const Body& body = find_body(bodies_, motor.body);
    MotorLoad::Parts parts{{},
                           selected(motor.rotor, body, pointer + "/rotor"),
                           selected(motor.stator, body, pointer + "/stator")};
    for (int i = 0; i < 2; ++i) {
      if (motor.axis[i] >= body.vertex_count()) {
        problems_.problem(fmt::format("{}/axis/{}", pointer, i),
                          fmt::format("vertex {} is not there: body \"{}\" has {} vertices", motor.axis[i],
                                      body.name, body.vertex_count()));
        return nullptr;
      }
      parts.axis[i] = body.first_vertex + static_cast<int>(motor.axis[i]);
    }
    if (parts.rotor.size() < 3 || parts.stator.size() < 3) {
      problems_.problem(pointer, "rotor and stator need three vertices or more each, not in a line");
      return nullptr;
    }
    return std::make_shared<MotorLoad>(std::move(parts), motor.torque, active_time(motor.window));
  }

 private:
  std::vector<int> selected(const Where& where, const Body& body, const std::string& pointer) const {
    return shifted(select_vertices(where, body, pointer, problems_), body.first_vertex);
  }
  static std::vector<double> chosen_of(const Vector& all, const std::vector<int>& vertices) {
    std::vector<double> chosen;
    for (const int v : vertices) chosen.push_back(all[v]);
    return chosen;
  }
  std::vector<double> masses(const std::vector<int>& vertices) const {
    return chosen_of(description_.vertex_mass, vertices);
  }
  std::vector<double> weights(const std::vector<int>& vertices) const {
    return chosen_of(description_.vertex_weight, vertices);
  }
  // Each element's volume, shared by its nodes as its mass is, for forces per volume.
  std::vector<double> volumes(const Body& body, const std::vector<int>& vertices) const {
    std::vector<double> all(description_.vertex_mass.size(), 0.0), chosen;
    if (body.in_plane()) {
      const auto& term = static_cast<const TriangleTerm&>(*description_.bodies.front().terms.front());
      for (std::size_t t = 0; t < body.plane.nodes.size(); ++t)  // unit thickness
        for (const int v : body.plane.nodes[t]) all[body.first_vertex + v] += term.area(int(t)) / 3;
      for (const int v : vertices) chosen.push_back(all[v]);
      return chosen;
    }
    const std::vector<Tet> tets = model_tets(body);
    const std::vector<double> of_tets = tet_volumes(description_.rest, tets);
    if (body.quadratic.empty())
      add_lumped_masses(tets, of_tets, all);
    else
      add_lumped_masses(model_quadratic(body), of_tets, all);
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
