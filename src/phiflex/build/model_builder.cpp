#include "phiflex/build/model_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "phiflex/build/setting_checks.h"
#include "phiflex/energy/gravity_term.h"

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
    if (problems.size() != before) return;  // the others would give the same problem
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
    if (solid.order != ElementOrder::linear) make_quadratic(body);
    body.solid()->mean_volume = solid.order == ElementOrder::quadratic_mean;
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

// A model leads held vertices from where they would have been at the beginning of their path (model/constraint_map.h).
void ModelBuilder::lead_back() {
  if (parts_.start_time == 0) return;
  Vector& start = parts_.description.start;
  std::vector<const VertexConstraint*> hold(std::size_t(parts_.vertices()), nullptr);
  for (const TimedConstraint& timed : parts_.constraints)
    for (const int v : timed.constraint.vertices) hold[std::size_t(v)] = &timed.constraint;
  for (std::size_t v = 0; v < hold.size(); ++v)
    if (hold[v] && !hold[v]->record && hold[v]->path.moves()) {
      auto x = start.segment<3>(3 * Index(v));
      x = hold[v]->path.pose(parts_.start_time).start_of(Eigen::Vector3d(x));
    }
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
      problems_.problem("/bodies", fmt::format("\"{}\" lies in a plane, and there are {} bodies; a model "
                                               "with a plane body has exactly that one body",
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
  lead_back();
  check();
  parts_.messages = messages();
  return Assembly(std::move(parts_));
}

}  // namespace phiflex
