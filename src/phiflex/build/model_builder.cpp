#include "phiflex/build/model_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>

#include "phiflex/build/setting_checks.h"
#include "phiflex/contact/contact_forces.h"
#include "phiflex/energy/floor_term.h"
#include "phiflex/energy/gravity_term.h"
#include "phiflex/energy/obstacle_term.h"
#include "phiflex/model/constraint_map.h"
#include "phiflex/model/nodal_load.h"
#include "phiflex/model/obstacle_friction.h"
#include "phiflex/model/surface_load.h"

namespace phiflex {
namespace {

std::string named(const std::string& name, const std::string& place) {
  return place.empty() ? fmt::format("body \"{}\"", name) : place;
}

template <class Settings>
void set_materials(const Settings& settings, const std::string& place, Body& body, ProblemList& problems) {
  const std::string at = place + "/material";
  if (settings.materials.empty())
    return set_material(body, element_material(settings.material, at, problems));
  const std::size_t before = problems.size();
  for (const Material& material : settings.materials) {
    body.materials()->elements.push_back(element_material(material, at, problems));
    if (problems.size() != before) return;  // the others would say the same
  }
}

void append(const std::vector<double>& more, Vector& all) {
  const Index before = all.size();
  all.conservativeResize(before + Index(more.size()));
  std::copy(more.begin(), more.end(), all.begin() + before);
}

template <class List>
void append_list(const List& more, List& all) {
  all.insert(all.end(), more.begin(), more.end());
}

std::vector<double> chosen_of(const Vector& all, const std::vector<int>& vertices) {
  std::vector<double> chosen;
  for (const int v : vertices) chosen.push_back(all[v]);
  return chosen;
}

}  // namespace

// -- Bodies

int ModelBuilder::add_solid(SolidSettings solid, std::string place) {
  const std::size_t before = problems_.size();
  place = named(solid.name, place);
  const std::string mesh_name =
      (problems_.source().empty() ? "" : problems_.source() + ": ") + place + "/mesh";
  Body body = make_solid(solid.name, std::move(solid.mesh), mesh_name, place, problems_);
  if (problems_.size() == before) {
    set_materials(solid, place, body, problems_);
    if (solid.order == ElementOrder::quadratic) make_quadratic(body);
  }
  body.solid()->mass = solid.mass;
  body.damping = solid.damping;
  return add_made(std::move(body), place, before);
}

int ModelBuilder::add_plane(PlaneSettings plane, std::string place) {
  const std::size_t before = problems_.size();
  place = named(plane.name, place);
  const std::string mesh_name =
      (problems_.source().empty() ? "" : problems_.source() + ": ") + place + "/mesh";
  Body body = make_plane(plane.name, std::move(plane.mesh), plane.continuity, plane.penalty, mesh_name, place,
                         problems_);
  if (problems_.size() == before) set_materials(plane, place, body, problems_);
  body.damping = plane.damping;
  return add_made(std::move(body), place, before);
}

int ModelBuilder::add_springs(SpringSettings springs, std::string place) {
  Body body = make_springs(springs.name, std::move(springs.network), std::move(springs.law));
  body.damping = springs.damping;
  return add_made(std::move(body), named(springs.name, place), problems_.size());
}

int ModelBuilder::add_body(Body body, std::string place) {
  place = named(body.name, place);
  return add_made(std::move(body), place, problems_.size());
}

int ModelBuilder::add_made(Body body, const std::string& place, std::size_t before) {
  ModelDescription& description = parts_.description;
  for (const Body& other : parts_.bodies)
    if (other.name == body.name)
      problems_.problem(
          place + "/name",
          fmt::format("\"{}\" is the name of an earlier body; expected a name of its own", body.name));
  if (problems_.size() == before) {
    if (body.materials())
      check_materials(body, place + "/material", problems_);
    else
      check_springs(body, place + "/springs", problems_);
  }
  for (const double value : {body.damping.alpha, body.damping.beta})
    if (!(value >= 0 && std::isfinite(value)))
      problems_.problem(place + "/damping", fmt::format("{} is not allowed; expected a number >= 0", value));

  const int number = static_cast<int>(parts_.bodies.size());
  body.first_vertex = parts_.vertices();
  if (number > 0)
    body.first_element = parts_.bodies.back().first_element + parts_.bodies.back().element_count();
  BodyTerms terms;
  BodyMasses masses;
  if (problems_.size() == before) {
    std::vector<double> rest;
    for (const Point3& point : body.rest()) rest.insert(rest.end(), point.begin(), point.end());
    append(rest, description.rest);
    terms = make_terms(body, description.rest);
    masses = make_masses(body, terms);
    check_masses(body, masses.lumped, place, problems_);
  }
  usable_.push_back(problems_.size() == before);
  if (!usable_.back()) {  // a place for the number; build() will throw
    description.rest.conservativeResize(3 * Index(body.first_vertex));
    parts_.bodies.push_back({body.name, SpringBody{}, {}, {}, {}, body.first_vertex, body.first_element});
    parts_.terms.emplace_back(1);
    description.bodies.push_back({body.name, body.first_vertex, 0, {}, {}});
    return number;
  }
  append(masses.lumped, description.vertex_mass);
  append(masses.weight, description.vertex_weight);
  append_list(masses.consistent.tets, description.consistent.tets);
  append_list(masses.consistent.tet_masses, description.consistent.tet_masses);
  append_list(masses.consistent.quadratic, description.consistent.quadratic);
  append_list(masses.consistent.quadratic_masses, description.consistent.quadratic_masses);
  const Index coordinates = 3 * Index(body.vertex_count());
  description.start.conservativeResize(description.rest.size());
  description.start.tail(coordinates) = description.rest.tail(coordinates);
  description.bodies.push_back(
      {body.name, body.first_vertex, body.vertex_count(), terms.terms, body.damping});
  parts_.initial_velocity.conservativeResize(description.rest.size());
  parts_.initial_velocity.tail(coordinates).setZero();
  parts_.terms.push_back({{0, std::move(terms)}});
  parts_.bodies.push_back(std::move(body));
  return number;
}

void ModelBuilder::change_materials(int number, double from, BodyMaterials materials) {
  if (!is_usable(number)) return;
  Body changed = body(number);
  *changed.materials() = std::move(materials);
  const std::size_t before = problems_.size();
  check_materials(changed, place_of(number, "") + "/material", problems_);
  if (problems_.size() != before) return;
  std::vector<TimedTerms>& timed = parts_.terms[std::size_t(number)];
  timed.push_back({from, make_terms(changed, parts_.description.rest)});
  std::stable_sort(timed.begin() + 1, timed.end(),
                   [](const TimedTerms& a, const TimedTerms& b) { return a.from < b.from; });
}

const Body& ModelBuilder::body(int number) const {
  if (number < 0 || std::size_t(number) >= parts_.bodies.size())
    throw std::invalid_argument(
        fmt::format("there is no body {}; {} were added", number, parts_.bodies.size()));
  return parts_.bodies[std::size_t(number)];
}

int ModelBuilder::number_of(const std::string& name) const {
  return static_cast<int>(&find_body(parts_.bodies, name) - parts_.bodies.data());
}

int ModelBuilder::nearest_vertex(int number, const Eigen::Vector3d& point) const {
  const Body& of = body(number);
  return phiflex::nearest_vertex(parts_.description.rest, of.first_vertex, of.vertex_count(), point) -
         of.first_vertex;
}

std::vector<double> ModelBuilder::vertex_masses(int number) const {
  const Body& of = body(number);
  const double* first = parts_.description.vertex_mass.data() + of.first_vertex;
  return {first, first + of.vertex_count()};
}

bool ModelBuilder::is_usable(int number) const {
  body(number);
  return usable_[std::size_t(number)];
}

std::string ModelBuilder::place_of(int number, const std::string& place) const {
  return named(body(number).name, place);
}

std::optional<std::vector<int>> ModelBuilder::in_model(int number, const std::vector<int>& vertices,
                                                       const std::string& place) {
  const Body& of = body(number);
  for (const int v : vertices)
    if (v < 0 || v >= of.vertex_count()) {
      problems_.problem(place, fmt::format("vertex {} is not there: body \"{}\" has {} vertices", v, of.name,
                                           of.vertex_count()));
      return std::nullopt;
    }
  return shifted(vertices, of.first_vertex);
}

std::vector<int> ModelBuilder::with_mass(std::optional<int> number) const {
  std::vector<int> vertices;
  for (std::size_t b = 0; b < parts_.bodies.size(); ++b) {
    if (number && std::size_t(*number) != b) continue;
    const Body& of = parts_.bodies[b];
    for (int v = of.first_vertex; v < of.first_vertex + of.vertex_count(); ++v)
      if (parts_.description.vertex_mass[v] > 0) vertices.push_back(v);
  }
  return vertices;
}

// -- The start

void ModelBuilder::set_initial(int number, const std::vector<Point3>& positions,
                               const std::vector<Point3>& velocities, std::string place) {
  if (!is_usable(number)) return;
  place = place_of(number, place);
  const Body& of = body(number);
  const auto count = static_cast<std::size_t>(of.vertex_count());
  if (positions.size() != count || velocities.size() != count) {
    problems_.problem(place,
                      fmt::format("{} positions and {} velocities for {} vertices; expected one for each",
                                  positions.size(), velocities.size(), count));
    return;
  }
  double size = 0, out = 0;  // of the motion, and across the plane z = const
  for (std::size_t v = 0; v < count; ++v)
    for (std::size_t i = 0; i < 3; ++i) {
      const Index row = 3 * (Index(of.first_vertex) + Index(v)) + Index(i);
      const double moved = std::abs(positions[v][i] - of.rest()[v][i]), speed = std::abs(velocities[v][i]);
      if (!std::isfinite(moved) || !std::isfinite(speed)) {
        problems_.problem(place,
                          fmt::format("vertex {} starts at no finite place, or with no finite velocity", v));
        return;
      }
      parts_.description.start[row] = positions[v][i];
      parts_.initial_velocity[row] = velocities[v][i];
      size = std::max({size, moved, speed});
      if (i == 2) out = std::max({out, moved, speed});
    }
  if (of.plane() && out > 1e-12 * size)
    problems_.problem(
        place, "moves the body out of its plane; expected a deformation and velocities within z = const");
}

namespace {

std::vector<Point3> points_of(const Body& body, const Vector& all) {
  std::vector<Point3> points(std::size_t(body.vertex_count()));
  for (std::size_t v = 0; v < points.size(); ++v)
    for (std::size_t i = 0; i < 3; ++i)
      points[v][i] = all[3 * (Index(body.first_vertex) + Index(v)) + Index(i)];
  return points;
}

}  // namespace

std::vector<Point3> ModelBuilder::initial_positions(int number) const {
  return points_of(body(number), parts_.description.start);
}
std::vector<Point3> ModelBuilder::initial_velocities(int number) const {
  return points_of(body(number), parts_.initial_velocity);
}

// -- Constraints

void ModelBuilder::hold(int number, std::vector<int> vertices, Path path, double until, std::string place,
                        std::string name) {
  add_constraint(number, {std::move(vertices), std::move(path), nullptr}, until, place, std::move(name));
}
void ModelBuilder::hold_recorded(int number, std::vector<int> vertices,
                                 std::shared_ptr<const RecordedMotion> record, double until,
                                 std::string place, std::string name) {
  add_constraint(number, {std::move(vertices), {}, std::move(record)}, until, place, std::move(name));
}

void ModelBuilder::add_constraint(int number, VertexConstraint hold, double until, const std::string& place,
                                  std::string name) {
  if (!is_usable(number)) return;
  const std::optional<std::vector<int>> vertices = in_model(number, hold.vertices, place_of(number, place));
  if (!vertices) return;
  hold.vertices = *vertices;
  if (name.empty()) name = fmt::format("constraint{}", parts_.constraints.size());
  parts_.constraints.push_back({std::move(hold), until, std::move(name)});
}

// -- Loads

void ModelBuilder::add_load(std::shared_ptr<const Load> load) {
  pending_loads_.push_back([load = std::move(load)](const ModelParts&) { return load; });
}

void ModelBuilder::add_term(TermPointer term) {
  more_terms_.push_back(std::move(term));
}

void ModelBuilder::add_load(int number, VertexLoad load, std::string place) {
  if (!is_usable(number)) return;
  place = place_of(number, place);
  check_settings(load.active, place, problems_);
  const Body& of = body(number);
  if (load.vertices.empty()) {
    load.vertices.resize(std::size_t(of.vertex_count()));
    std::iota(load.vertices.begin(), load.vertices.end(), 0);
  }
  const std::optional<std::vector<int>> vertices = in_model(number, load.vertices, place);
  if (!vertices) return;
  using Measure = VertexLoad::Measure;
  const ModelDescription& description = parts_.description;
  std::vector<double> weights(vertices->size(), 1.0);
  if (load.measure == Measure::shared_by_mass) {
    add_load(make_shared_load(*vertices, chosen_of(description.vertex_mass, *vertices), load.value,
                              load.active, load.strength));
    return;
  }
  if (load.measure == Measure::acceleration) weights = chosen_of(description.vertex_weight, *vertices);
  if (load.measure == Measure::per_volume) {
    if (of.springs()) {
      problems_.problem(
          place + "/force_density",
          fmt::format("body '{}' is made of springs and has no volume; give force or acceleration", of.name));
      return;
    }
    const std::vector<double> volumes = vertex_volumes(of, parts_.terms[std::size_t(number)].front().terms);
    for (std::size_t n = 0; n < weights.size(); ++n) weights[n] = volumes[std::size_t(load.vertices[n])];
  }
  add_load(make_proportional_load(*vertices, weights, load.value, load.active, load.strength));
}

void ModelBuilder::add_acceleration(const Eigen::Vector3d& acceleration, ActiveTime active,
                                    Modulation strength) {
  pending_loads_.push_back([=](const ModelParts& parts) {
    std::vector<int> vertices(std::size_t(parts.vertices()));
    std::iota(vertices.begin(), vertices.end(), 0);
    return make_proportional_load(vertices, chosen_of(parts.description.vertex_weight, vertices),
                                  acceleration, active, strength);
  });
}

void ModelBuilder::add_wind(const Wind& wind, ActiveTime active, std::optional<int> number,
                            std::string place) {
  if (number && !is_usable(*number)) return;
  if (place.empty()) place = "wind";
  check_settings(wind, place, problems_);
  check_settings(active, place, problems_);
  pending_loads_.push_back([=](const ModelParts& parts) -> std::shared_ptr<const Load> {
    std::vector<std::array<int, 3>> triangles;
    for (std::size_t b = 0; b < parts.bodies.size(); ++b) {
      if (number && std::size_t(*number) != b) continue;
      const Body& of = parts.bodies[b];
      for (const auto& [i, j, k] : of.surface)
        triangles.push_back({i + of.first_vertex, j + of.first_vertex, k + of.first_vertex});
    }
    if (triangles.empty())
      throw InputError("", place,
                       number ? fmt::format("body '{}' has no surface for the wind to push",
                                            parts.bodies[std::size_t(*number)].name)
                              : "no body has a surface for the wind to push");
    return std::make_shared<WindLoad>(std::move(triangles), wind, active);
  });
}

std::vector<std::array<int, 3>> ModelBuilder::surface_of(int number, const std::vector<int>& vertices,
                                                         const std::string& place) {
  const Body& of = body(number);
  std::vector<bool> chosen(std::size_t(of.vertex_count()), false);
  for (const int v : vertices)
    if (v >= 0 && v < of.vertex_count()) chosen[std::size_t(v)] = true;
  std::vector<std::array<int, 3>> triangles;
  for (const auto& [a, b, c] : of.surface)
    if (chosen[std::size_t(a)] && chosen[std::size_t(b)] && chosen[std::size_t(c)])
      triangles.push_back({a + of.first_vertex, b + of.first_vertex, c + of.first_vertex});
  if (triangles.empty())
    problems_.problem(
        place, fmt::format("no triangle of the surface of body \"{}\" has all its corners among the {} "
                           "selected vertices; expected a part of its surface",
                           of.name, vertices.size()));
  return triangles;
}

void ModelBuilder::add_dead_surface_load(const std::vector<std::array<int, 3>>& triangles,
                                         const std::function<Eigen::Vector3d(const Eigen::Vector3d&)>& force,
                                         ActiveTime active, Modulation strength) {
  std::map<int, Eigen::Vector3d> of_vertex;
  for (const std::array<int, 3>& triangle : triangles)
    for (const int v : triangle) {
      const auto [entry, is_new] = of_vertex.try_emplace(v, Eigen::Vector3d::Zero());
      entry->second += force(area_vector(triangle, parts_.description.rest)) / 3;
    }
  std::vector<int> vertices;
  Vector forces(3 * Index(of_vertex.size()));
  for (const auto& [v, total] : of_vertex) {
    forces.segment<3>(3 * Index(vertices.size())) = total;
    vertices.push_back(v);
  }
  add_load(std::make_shared<NodalLoad>(std::move(vertices), std::move(forces), active, std::move(strength)));
}

void ModelBuilder::add_pressure(int number, const std::vector<int>& vertices, double pressure, bool follower,
                                ActiveTime active, Modulation strength, std::string place) {
  if (!is_usable(number)) return;
  std::vector<std::array<int, 3>> triangles = surface_of(number, vertices, place_of(number, place));
  if (triangles.empty()) return;
  if (follower)
    add_load(std::make_shared<PressureLoad>(std::move(triangles), pressure, active, std::move(strength)));
  else
    add_dead_surface_load(
        triangles, [pressure](const Eigen::Vector3d& area) -> Eigen::Vector3d { return -pressure * area; },
        active, std::move(strength));
}

void ModelBuilder::add_traction(int number, const std::vector<int>& vertices, const Eigen::Vector3d& traction,
                                ActiveTime active, Modulation strength, std::string place) {
  if (!is_usable(number)) return;
  const std::vector<std::array<int, 3>> triangles = surface_of(number, vertices, place_of(number, place));
  if (triangles.empty()) return;
  add_dead_surface_load(
      triangles, [&](const Eigen::Vector3d& area) -> Eigen::Vector3d { return area.norm() * traction; },
      active, std::move(strength));
}

void ModelBuilder::add_torque(int number, const std::vector<int>& vertices, const Eigen::Vector3d& torque,
                              ActiveTime active, Modulation strength, std::string place) {
  if (!is_usable(number)) return;
  place = place_of(number, place);
  const std::optional<std::vector<int>> chosen = in_model(number, vertices, place);
  if (!chosen) return;
  bool spans = false;  // three vertices that are not in a line
  const auto at = [&](std::size_t i) -> Eigen::Vector3d {
    return parts_.description.rest.segment<3>(3 * Index((*chosen)[i]));
  };
  for (std::size_t i = 2; i < chosen->size() && !spans; ++i) {
    const Eigen::Vector3d a = at(1) - at(0), b = at(i) - at(0);
    spans = a.cross(b).norm() > 1e-9 * a.norm() * b.norm();
  }
  if (!spans) {
    problems_.problem(
        place, fmt::format("{} selected vertices cannot carry a torque; expected three or more that are "
                           "not in a line",
                           chosen->size()));
    return;
  }
  add_load(std::make_shared<TorqueLoad>(*chosen, torque, active, std::move(strength)));
}

void ModelBuilder::add_stokes_fluid(int number, std::vector<int> vertices, const StokesFluid& fluid,
                                    std::string place) {
  // A dense matrix of 3 n x 3 n numbers is factorized in every force.
  constexpr std::size_t most = 3000;
  if (!is_usable(number)) return;
  place = place_of(number, place);
  if (vertices.size() > most) {
    problems_.problem(place,
                      fmt::format("asks for {} Stokeslets; at most {} are allowed: select some by \"where\"",
                                  vertices.size(), most));
    return;
  }
  if (auto chosen = in_model(number, vertices, place))
    add_load(std::make_shared<StokesLoad>(std::move(*chosen), fluid));
}

void ModelBuilder::add_motor(int number, MotorLoad::Parts parts, double torque, ActiveTime active,
                             std::string place) {
  if (!is_usable(number)) return;
  place = place_of(number, place);
  for (std::size_t i = 0; i < 2; ++i)
    if (const auto end = in_model(number, {parts.axis[i]}, fmt::format("{}/axis/{}", place, i)))
      parts.axis[i] = end->front();
    else
      return;
  const auto rotor = in_model(number, parts.rotor, place + "/rotor");
  const auto stator = in_model(number, parts.stator, place + "/stator");
  if (!rotor || !stator) return;
  if (rotor->size() < 3 || stator->size() < 3) {
    problems_.problem(place, "rotor and stator need three vertices or more each, not in a line");
    return;
  }
  add_load(std::make_shared<MotorLoad>(MotorLoad::Parts{parts.axis, *rotor, *stator}, torque, active));
}

// -- Obstacles

void ModelBuilder::add_obstacle(std::shared_ptr<const SolidShape> shape, ObstacleSettings settings,
                                std::string place) {
  if (settings.body) body(*settings.body);
  if (place.empty()) place = fmt::format("obstacle {}", pending_obstacles_.size());
  check_settings(settings, place, problems_);
  pending_obstacles_.push_back({std::move(shape), std::move(settings), std::nullopt, std::move(place)});
}

void ModelBuilder::add_floor(double height, ObstacleSettings settings, std::string place) {
  add_obstacle(std::make_shared<PlaneSolid>(Eigen::Vector3d(0, height, 0), Eigen::Vector3d::UnitY()),
               std::move(settings), std::move(place));
  pending_obstacles_.back().floor_height = height;
}

void ModelBuilder::add_particles(std::vector<int> bodies, double distance, double friction) {
  for (const int number : bodies) body(number);
  pending_particles_.push_back({std::move(bodies), distance, friction});
}

std::vector<bool> ModelBuilder::held_forever() const {
  std::vector<bool> held(std::size_t(parts_.vertices()), false);
  for (const TimedConstraint& timed : parts_.constraints)
    if (timed.until == kForever)
      for (const int v : timed.constraint.vertices) held[std::size_t(v)] = true;
  return held;
}

const BodySkin& ModelBuilder::skin(std::size_t body) {
  skins_.resize(parts_.bodies.size());
  if (!skins_[body])
    skins_[body] = skin_of(parts_.bodies[body], parts_.description.rest, parts_.description.vertex_mass);
  return *skins_[body];
}

void ModelBuilder::finish_obstacle(const PendingObstacle& pending) {
  const ObstacleSettings& settings = pending.settings;
  if (settings.mode == ContactMode::barrier) {
    add_barriers(pending);
    return;
  }
  Obstacle obstacle{pending.shape, settings.motion.value_or(Path()), with_mass(settings.body),
                    settings.thickness, settings.friction};
  const bool projects = settings.mode == ContactMode::project;
  if (projects || settings.at_start)
    starts_.push_back({obstacle, settings.at_start.value_or(AtStart::error), pending.place});
  if (projects)
    parts_.obstacles.push_back(std::move(obstacle));
  else
    finish_penalty(pending, std::move(obstacle));
}

void ModelBuilder::finish_penalty(const PendingObstacle& pending, Obstacle obstacle) {
  const ObstacleSettings& settings = pending.settings;
  if (settings.stiffness && pending.floor_height && !settings.body && settings.thickness == 0 &&
      settings.friction == 0 && !settings.motion) {
    contact_terms_.push_back(
        std::make_shared<FloorTerm>(parts_.vertices(), *pending.floor_height, *settings.stiffness));
    return;
  }
  std::vector<double> weights(obstacle.vertices.size(), settings.stiffness.value_or(0));
  if (!settings.stiffness) {
    obstacle.vertices.clear();
    weights.clear();
    for (std::size_t b = 0; b < parts_.bodies.size(); ++b) {
      if (settings.body && std::size_t(*settings.body) != b) continue;
      append_list(skin(b).vertices, obstacle.vertices);
      for (std::size_t i = 0; i < skin(b).vertices.size(); ++i)
        weights.push_back(skin(b).penalty_stiffness(i));
    }
  }
  constexpr double slip_speed = 0.01;
  const ObstacleLaw law{.thickness = obstacle.thickness,
                        .friction = {settings.friction, settings.slip_speed.value_or(slip_speed)}};
  add_obstacle_term(obstacle, law, std::move(weights), std::vector<double>(obstacle.vertices.size(), 0.0));
}

// As an energy, with its friction, which energy-momentum steps take from the term itself.
void ModelBuilder::add_obstacle_term(const Obstacle& obstacle, const ObstacleLaw& law,
                                     std::vector<double> weights, std::vector<double> lowered) {
  auto term = std::make_shared<ObstacleTerm>(obstacle.shape, obstacle.vertices, law, std::move(weights),
                                             std::move(lowered));
  if (law.friction.coefficient > 0)
    friction_.push_back(std::make_shared<ObstacleFriction>(term, obstacle.path));
  if (obstacle.path.moves())
    parts_.description.carried.push_back(std::make_shared<CarriedObstacle>(std::move(term), obstacle.path));
  else
    contact_terms_.push_back(std::move(term));
}

// -- Barriers

void ModelBuilder::add_barriers(const PendingObstacle& pending) {
  const ObstacleSettings& settings = pending.settings;
  const std::vector<bool> held = held_forever();
  for (std::size_t b = 0; b < parts_.bodies.size(); ++b) {
    if (settings.body && std::size_t(*settings.body) != b) continue;
    const BodySkin& of = skin(b);
    const double reach = settings.distance.value_or(of.reach());
    const double modulus = settings.stiffness.value_or(of.barrier_modulus(gravity_.norm()));
    if (!(reach > 0) || !(modulus > 0)) {
      problems_.problem(
          pending.place,
          fmt::format(
              "the barrier before body \"{}\" has a reach of {:.3g} m and a modulus of {:.3g} Pa, by its "
              "mesh and material; expected more than 0: give \"distance\" and \"stiffness\"",
              of.part.name, reach, modulus));
      continue;
    }
    if (reach > of.edge)
      problems_.warning(
          fmt::format("the reach of {:.3g} m is longer than the mean edge of body \"{}\", {:.3g} m: "
                      "bodies will hover far from this obstacle",
                      reach, of.part.name, of.edge));
    Barrier barrier{
        &pending,
        int(b),
        {pending.shape, settings.motion.value_or(Path()), {}, settings.thickness, settings.friction},
        reach,
        modulus,
        {},
        {}};
    for (std::size_t i = 0; i < of.vertices.size(); ++i) {
      if (held[std::size_t(of.vertices[i])]) continue;
      barrier.obstacle.vertices.push_back(of.vertices[i]);
      barrier.weights.push_back(modulus * reach * of.areas[i]);
    }
    barrier.lowered.assign(barrier.weights.size(), 0.0);
    if (settings.at_start) {
      Obstacle wanted = barrier.obstacle;
      if (*settings.at_start == AtStart::push) wanted.thickness += reach;
      starts_.push_back({std::move(wanted), *settings.at_start, pending.place});
    }
    barriers_.push_back(std::move(barrier));
  }
}

void ModelBuilder::describe_barriers() {
  for (const PendingObstacle& pending : pending_obstacles_) {
    int count = 0, body = -1;
    double least = 0, most = 0, modulus = 0;
    for (const Barrier& barrier : barriers_) {
      if (barrier.pending != &pending) continue;
      body = barrier.body;
      least = count == 0 ? barrier.reach : std::min(least, barrier.reach);
      most = std::max(most, barrier.reach);
      modulus = std::max(modulus, barrier.modulus);
      ++count;
    }
    if (count == 0) continue;
    parts_.contacts.push_back(fmt::format(
        "{}: a barrier before {}, reach {}, modulus {}{:.3g} Pa{}", pending.place,
        count == 1 ? fmt::format("body \"{}\"", parts_.bodies[std::size_t(body)].name)
                   : fmt::format("{} bodies", count),
        least > 0.999 * most ? fmt::format("{:.3g} m", most) : fmt::format("{:.3g} to {:.3g} m", least, most),
        count == 1 ? "" : "up to ", modulus,
        pending.settings.friction > 0 ? fmt::format(", friction {:g}", pending.settings.friction) : ""));
  }
}

void ModelBuilder::make_barrier_terms() {
  constexpr double slip_speed = 1e-3;
  describe_barriers();
  for (Barrier& barrier : barriers_) {
    const ObstacleSettings& settings = barrier.pending->settings;
    const ObstacleLaw law{.kind = ObstacleLaw::Kind::barrier,
                          .thickness = settings.thickness,
                          .reach = barrier.reach,
                          .rest = usual_rest_dial(gravity_.norm(), barrier.reach),
                          .friction = {settings.friction, settings.slip_speed.value_or(slip_speed)}};
    const std::size_t terms = contact_terms_.size(), carried = parts_.description.carried.size(),
                      loads = friction_.size();
    add_obstacle_term(barrier.obstacle, law, std::move(barrier.weights), std::move(barrier.lowered));
    // An obstacle's reaction is the sum over the bodies that it stops.
    ObstacleParts& made = parts_.obstacle_parts[std::size_t(barrier.pending - pending_obstacles_.data())];
    const auto append_new = [](const auto& from, std::size_t first, auto& to) {
      to.insert(to.end(), from.begin() + std::ptrdiff_t(first), from.end());
    };
    append_new(contact_terms_, terms, made.terms);
    append_new(parts_.description.carried, carried, made.carried);
    append_new(friction_, loads, made.friction);
  }
}

namespace {

struct Inside {
  int count = 0;
  double deepest = 0;  // m
};

// The free vertices inside an obstacle at the start; with `push` they are put to its surface.
Inside start_inside(const Obstacle& obstacle, const FreeVertices& free, bool push, Vector& start) {
  const Path::Pose pose = obstacle.path.pose(0);
  Inside inside;
  for (const int vertex : obstacle.vertices) {
    if (free.row_of_vertex[std::size_t(vertex)] < 0) continue;
    auto x = start.segment<3>(3 * Index(vertex));
    const SurfaceDistance near = distance_to(obstacle, pose, x);
    const double depth = obstacle.thickness - near.distance;
    if (!(depth > 1e-9 * (1 + x.norm()))) continue;  // touching is allowed, up to rounding
    ++inside.count;
    inside.deepest = std::max(inside.deepest, depth);
    if (push) x += depth * near.normal;
  }
  return inside;
}

}  // namespace

// Free vertices that start inside an obstacle are problems, or are pushed to its surface and noted.
void ModelBuilder::leave_obstacles() {
  if (starts_.empty()) return;
  const ConstraintMap map(description_at(parts_, 0));
  Vector& start = parts_.description.start;
  const auto refuse = [&](const Start& begins, const Inside& inside, const char* expected) {
    problems_.problem(begins.place,
                      fmt::format("{} vertices start inside this obstacle, up to {:.3g} m deep; expected {}",
                                  inside.count, inside.deepest, expected));
  };
  bool refused = false;
  for (const Start& begins : starts_) {
    if (begins.at_start == AtStart::push) continue;
    const Inside inside = start_inside(begins.obstacle, map.free(), false, start);
    if (inside.count == 0) continue;
    refuse(begins, inside, "bodies outside, or \"at_start\": \"push\"");
    refused = true;
  }
  if (refused) return;

  // What one obstacle pushes out may come to lie in another: as at the ends of steps, all are repeated.
  std::vector<Inside> pushed(starts_.size());
  bool again = true;
  for (int pass = 0; again && pass < ProjectionFilter::kPasses; ++pass) {
    again = false;
    for (std::size_t i = 0; i < starts_.size(); ++i) {
      if (starts_[i].at_start != AtStart::push) continue;
      const Inside inside = start_inside(starts_[i].obstacle, map.free(), true, start);
      pushed[i].count = std::max(pushed[i].count, inside.count);
      pushed[i].deepest = std::max(pushed[i].deepest, inside.deepest);
      again = again || inside.count > 0;
    }
  }
  for (std::size_t i = 0; i < starts_.size(); ++i) {
    if (pushed[i].count > 0)
      parts_.notes.push_back(
          fmt::format("{} vertices started inside the obstacle {} and were pushed out, by up to {:.3g} m",
                      pushed[i].count, starts_[i].place, pushed[i].deepest));
    if (const Inside inside = start_inside(starts_[i].obstacle, map.free(), false, start); inside.count > 0)
      refuse(starts_[i], inside, "room beside the obstacles that push them there");
  }
}

// -- The end

void ModelBuilder::check_constraints() {
  const Vector& mass = parts_.description.vertex_mass;
  std::vector<bool> can_move(std::size_t(mass.size()));
  for (std::size_t v = 0; v < can_move.size(); ++v) can_move[v] = mass[Index(v)] > 0;
  for (const TimedConstraint& timed : parts_.constraints)
    if (timed.until == kForever)
      for (const int v : timed.constraint.vertices) can_move[std::size_t(v)] = false;
  if (std::find(can_move.begin(), can_move.end(), true) == can_move.end())
    problems_.problem("/constraints",
                      "every vertex is held and none is released; at least one must be free to move");
}

namespace {

// Of an obstacle's reaction: by its number in the scene's contacts, or among the obstacles.
std::string obstacle_name(const std::string& place, std::size_t number) {
  const std::string_view in_scene = "/contacts/";
  if (place.starts_with(in_scene)) return "contact" + place.substr(in_scene.size());
  return fmt::format("contact{}", number);
}

}  // namespace

Assembly ModelBuilder::finish() {
  ModelDescription& description = parts_.description;
  if (parts_.bodies.empty()) problems_.problem("/bodies", "there is no body; expected at least one");
  check();
  const auto plane = std::find_if(parts_.bodies.begin(), parts_.bodies.end(),
                                  [](const Body& body) { return body.plane() != nullptr; });
  if (plane != parts_.bodies.end()) {
    description.dimension = 2;
    if (parts_.bodies.size() > 1)
      problems_.problem("/bodies",
                        fmt::format("\"{}\" lies in a plane, and there are {} bodies; a model with a plane "
                                    "body has exactly that one body",
                                    plane->name, parts_.bodies.size()));
    if (!pending_obstacles_.empty() || !pending_particles_.empty() || !pending_bodies_.empty())
      problems_.problem("/contacts", "a plane body has no contacts; expected none");
    if (gravity_[2] != 0)
      problems_.problem(
          "/gravity",
          fmt::format("{} m/s^2 along z move nothing: the body lies in a plane; expected [x, y, 0]",
                      gravity_[2]));
  }
  check_constraints();
  check();  // contacts ask which vertices are held

  if (!gravity_.isZero(0))
    description.shared_terms.push_back(std::make_shared<GravityTerm>(
        std::vector<double>(description.vertex_weight.begin(), description.vertex_weight.end()),
        std::array<double, 3>{gravity_[0], gravity_[1], gravity_[2]}, description.rest));
  for (std::size_t i = 0; i < pending_obstacles_.size(); ++i) {
    const std::size_t terms = contact_terms_.size(), carried = description.carried.size(),
                      loads = friction_.size();
    const std::size_t projecting = parts_.obstacles.size();
    finish_obstacle(pending_obstacles_[i]);
    ObstacleParts made{obstacle_name(pending_obstacles_[i].place, i), {}, {}, {}, -1};
    made.terms.assign(contact_terms_.begin() + std::ptrdiff_t(terms), contact_terms_.end());
    made.carried.assign(description.carried.begin() + std::ptrdiff_t(carried), description.carried.end());
    made.friction.assign(friction_.begin() + std::ptrdiff_t(loads), friction_.end());
    if (parts_.obstacles.size() > projecting) made.projecting = static_cast<int>(projecting);
    parts_.obstacle_parts.push_back(std::move(made));
  }
  for (const PendingParticles& pending : pending_particles_) {
    ParticleContact contact{{}, pending.distance, pending.friction};
    for (std::size_t b = 0; b < parts_.bodies.size(); ++b)
      if (pending.bodies.empty() ||
          std::find(pending.bodies.begin(), pending.bodies.end(), int(b)) != pending.bodies.end())
        append_list(with_mass(int(b)), contact.vertices);
    parts_.particles.push_back(std::move(contact));
  }
  prepare_body_contacts();
  check();  // surfaces of bodies, and the pairs that touch
  leave_obstacles();
  start_without_contact();
  make_barrier_terms();
  make_contact_terms();
  append_list(contact_terms_, description.shared_terms);
  append_list(more_terms_, description.shared_terms);
  for (const auto& make : pending_loads_) {
    try {
      description.loads.push_back(make(parts_));
    } catch (const InputError& error) {
      problems_.add_all(error, "");
    }
  }
  append_list(friction_, description.loads);
  check();
  parts_.warnings = problems_.warnings();
  return Assembly(std::move(parts_));
}

}  // namespace phiflex
