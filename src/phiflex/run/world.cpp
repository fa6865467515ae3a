#include "phiflex/run/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "phiflex/base/hash.h"
#include "phiflex/energy/gravity_term.h"
#include "phiflex/energy/spring_term.h"
#include "phiflex/fem/mass.h"
#include "phiflex/model/active_time.h"
#include "phiflex/run/coarsening.h"
#include "phiflex/run/holds.h"
#include "phiflex/run/initial_state.h"
#include "phiflex/run/loads.h"
#include "phiflex/run/mode_comparison.h"
#include "phiflex/run/stored_state.h"

namespace phiflex {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

std::vector<double> tet_masses(const Body& body, const Vector& rest, const std::vector<Tet>& tets) {
  std::vector<double> masses = tet_volumes(rest, tets);
  for (std::size_t e = 0; e < masses.size(); ++e) masses[e] *= body.materials[e].density;
  return masses;
}

}  // namespace

World::World(const Scene& scene, const std::string& scene_file)
    : World(dac_changes(scene, scene_file), scene, scene_file) {
  fine_ = make_fine_world(scene, scene_file);
}

World::World(const std::vector<TimedChange>& changes, const Scene& scene, const std::string& scene_file)
    : World(scene, scene_file, changes.front().change) {
  for (std::size_t i = 1; i < changes.size(); ++i) {
    later_.push_back(std::make_unique<World>(scene, scene_file, changes[i].change));
    later_from_.push_back(changes[i].from);
    notes_.push_back(fmt::format("dac: from t = {:.6g} s on, Young's modulus of \"{}\" is multiplied by {:.6g}",
                                 changes[i].from, changes[i].change.body, changes[i].change.young_factor));
  }
}

const World& World::at(double t) const {
  const World* world = this;
  for (std::size_t i = 0; i < later_.size(); ++i)
    if (!ActiveTime{0, later_from_[i]}.covers(t)) world = later_[i].get();
  return *world;
}

World::World(const Scene& scene, const std::string& scene_file, const BodyChange& change)
    : scene_file_(scene_file) {
  SceneProblems problems(scene_file);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const bool is_changed = scene.bodies[b].name == change.body;
    bodies_.push_back(build_body(scene.bodies[b], fmt::format("/bodies/{}", b), problems,
                                 is_changed ? change.refinements : 0));
    if (!is_changed || change.young_factor == 1) continue;
    for (ElementMaterial& material : bodies_.back().materials) material.young *= change.young_factor;
    notes_.push_back(fmt::format("dac: Young's modulus of \"{}\" is multiplied by {:.6g}", change.body,
                                 change.young_factor));
  }
  problems.throw_if_any();  // what follows needs the bodies

  int vertex = 0, element = 0;
  for (Body& body : bodies_) {
    body.first_vertex = vertex;
    body.first_element = element;
    vertex += body.vertex_count();
    element += body.element_count();
  }
  description_.rest.resize(3 * vertex);
  for (const Body& body : bodies_)
    for (int v = 0; v < body.vertex_count(); ++v)
      for (int i = 0; i < 3; ++i) description_.rest[3 * (body.first_vertex + v) + i] = body.rest()[v][i];
  description_.dimension = bodies_.front().in_plane() ? 2 : 3;  // a plane body is alone
  description_.start = description_.rest;
  description_.vertex_mass.setZero(vertex);
  description_.vertex_weight.setZero(vertex);
  initial_velocity_.setZero(3 * vertex);

  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const BodySpec& spec = scene.bodies[b];
    const Body& body = bodies_[b];
    BodyPart part{body.name, body.first_vertex, body.vertex_count(), {}, {}};
    part.damping = {
        spec.damping.mass, spec.damping.stiffness,
        spec.damping.stiffness_of == StiffnessOf::rest ? DampedStiffness::rest : DampedStiffness::current};
    add_terms(body, part);
    add_masses(body, spec.mass);
    check_masses(body, fmt::format("/bodies/{}", b), problems);
    add_initial_motion(spec, body, fmt::format("/bodies/{}/initial", b), problems);
    description_.bodies.push_back(std::move(part));
  }

  if (scene.gravity != Triple{})
    description_.shared_terms.push_back(std::make_shared<GravityTerm>(
        std::vector<double>(description_.vertex_weight.begin(), description_.vertex_weight.end()),
        scene.gravity, description_.rest));
  add_constraints(scene, problems);
  problems.throw_if_any();  // contacts and modes ask which vertices are held
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    if (const auto& mode = scene.bodies[b].initial.mode)
      add_initial_mode(*mode, bodies_[b], fmt::format("/bodies/{}/initial/mode", b), problems);
  contacts_ = make_contacts(scene, bodies_, description_.vertex_mass, problems);
  description_.shared_terms.insert(description_.shared_terms.end(), contacts_.terms.begin(),
                                   contacts_.terms.end());
  description_.carried = contacts_.carried;
  if (!contacts_.starts.empty())
    leave_obstacles(ConstraintMap(description_at(0)).free(), contacts_, description_.start, problems);
  notes_.insert(notes_.end(), contacts_.notes.begin(), contacts_.notes.end());
  description_.loads = make_loads(scene, bodies_, description_, problems);
  description_.loads.insert(description_.loads.end(), contacts_.friction.begin(), contacts_.friction.end());
  for (const ProbeSpec& probe : scene.probes) {
    const Body& b = find_body(bodies_, probe.body);
    probe_names_.push_back(probe.name);
    probe_vertices_.push_back(
        nearest_vertex(description_.rest, b.first_vertex, b.vertex_count(), vector3(probe.at)));
  }
  problems.throw_if_any();
  warnings_ = problems.warnings();
}

// One elastic term for each law of a solid, and for each set of curves.
void World::add_terms(const Body& body, BodyPart& part) {
  if (body.in_plane()) {
    add_triangle_term(body, part);
    return;
  }
  if (!body.solid()) {
    add_spring_terms(body, part);
    return;
  }
  tetrahedra_ += body.element_count();
  const std::vector<Tet> tets = model_tets(body);
  const std::vector<QuadraticTet> quadratic = model_quadratic(body);
  std::map<std::pair<std::string, int>, ElasticElements> by_law;
  for (std::size_t e = 0; e < tets.size(); ++e) {
    const ElementMaterial& material = body.materials[e];
    ElasticElements& elements = by_law[{material.law, material.curves}];
    elements.tets.push_back(tets[e]);
    if (!quadratic.empty()) elements.quadratic.push_back(quadratic[e]);
    if (material.curves >= 0) elements.curves = body.curves[material.curves];
    elements.young.push_back(material.young);
    elements.poisson.push_back(material.poisson);
    elements.number.push_back(static_cast<int>(e));
    elements.first_vertex = body.first_vertex;
  }
  for (const auto& [law, elements] : by_law) {
    std::shared_ptr<const ElasticTerm> term = make_elastic_term(law.first, description_.rest, elements);
    part.terms.push_back(term);
    elastic_groups_.push_back({term, shifted(elements.number, body.first_element)});
    if (elements.curves) knot_watches_.emplace_back(description_.rest, elements);
  }
}

void World::add_triangle_term(const Body& body, BodyPart& part) {
  triangles_ += body.element_count();
  TriangleElements elements{{}, body.plane.corners, {}, body.plane.continuity, body.plane.penalty};
  for (std::array<int, 3> nodes : body.plane.nodes) {
    for (int& v : nodes) v += body.first_vertex;
    elements.nodes.push_back(nodes);
  }
  for (const ElementMaterial& material : body.materials)
    elements.materials.push_back({material.law, material.young, material.poisson});
  triangle_term_ = std::make_shared<const TriangleTerm>(description_.rest, std::move(elements));
  part.terms.push_back(triangle_term_);
}

// One term for each law of the springs between two vertices, and one for each other kind of spring.
void World::add_spring_terms(const Body& body, BodyPart& part) {
  const SpringNetwork& network = body.springs;
  springs_ += static_cast<int>(network.springs.size());
  const auto in_model = [&](int v) { return v + body.first_vertex; };
  std::map<std::string, std::pair<std::vector<Spring>, std::vector<int>>> by_law;  // and their numbers
  for (const std::string& law : body.spring_laws) {
    by_law[law].first.reserve(network.springs.size());
    by_law[law].second.reserve(network.springs.size());
  }
  for (std::size_t s = 0; s < network.springs.size(); ++s) {
    Spring spring = network.springs[s];
    spring.a = in_model(spring.a), spring.b = in_model(spring.b);
    auto& [springs, numbers] = by_law[body.spring_laws[body.region[s]]];
    springs.push_back(spring);
    numbers.push_back(static_cast<int>(s));
  }
  for (auto& [law, chosen] : by_law) {
    if (chosen.first.empty()) continue;
    chosen.first.shrink_to_fit();
    chosen.second.shrink_to_fit();
    std::shared_ptr<const AnySpringTerm> term = find_spring_law(law).make_springs(std::move(chosen.first));
    part.terms.push_back(term);
    spring_groups_.push_back({term, shifted(std::move(chosen.second), body.first_element)});
  }
  if (!network.centre_springs.empty()) {
    std::vector<CentreSpring> springs = network.centre_springs;
    for (CentreSpring& spring : springs) {
      spring.vertex = in_model(spring.vertex);
      for (int& v : spring.face) v = in_model(v);
    }
    part.terms.push_back(find_spring_law(body.spring_laws[0]).make_centre_springs(std::move(springs)));
  }
  if (!network.scissors.empty()) {
    std::vector<ScissorSpring> scissors = network.scissors;
    for (ScissorSpring& s : scissors)
      for (int* v : {&s.a, &s.b, &s.c, &s.d}) *v = in_model(*v);
    part.terms.push_back(std::make_shared<ScissorSpringTerm>(std::move(scissors)));
  }
}

void World::add_masses(const Body& body, MassKind kind) {
  const auto all = [](Vector& v) { return std::span(v.data(), static_cast<std::size_t>(v.size())); };
  const std::span<double> mass = all(description_.vertex_mass), weight = all(description_.vertex_weight);
  ConsistentMass& consistent = description_.consistent;
  const auto append = [](auto& list, const auto& more) { list.insert(list.end(), more.begin(), more.end()); };
  if (body.in_plane()) {  // unit thickness
    for (std::size_t t = 0; t < body.plane.nodes.size(); ++t)
      for (const int v : body.plane.nodes[t])
        mass[body.first_vertex + v] += body.materials[t].density * triangle_term_->area(int(t)) / 3;
  } else if (!body.solid()) {
    for (int v = 0; v < body.vertex_count(); ++v) mass[body.first_vertex + v] += body.springs.masses[v];
  } else {
    const std::vector<Tet> tets = model_tets(body);
    const std::vector<QuadraticTet> quadratic = model_quadratic(body);
    const std::vector<double> masses = tet_masses(body, description_.rest, tets);
    if (!quadratic.empty()) {
      add_lumped_masses(quadratic, masses, mass);
      if (kind == MassKind::consistent) {
        append(consistent.quadratic, quadratic);
        append(consistent.quadratic_masses, masses);
        add_consistent_weights(quadratic, masses, weight);
        return;
      }
    } else {
      add_lumped_masses(tets, masses, mass);
      if (kind == MassKind::consistent) {
        append(consistent.tets, tets);
        append(consistent.tet_masses, masses);
      }
    }
  }
  for (int v = body.first_vertex; v < body.first_vertex + body.vertex_count(); ++v) weight[v] = mass[v];
}

void World::check_masses(const Body& body, const std::string& pointer, SceneProblems& problems) const {
  std::vector<bool> used(body.vertex_count(), false);
  const auto use = [&](const auto& elements) {
    for (const auto& element : elements)
      for (const int v : element) used[v] = true;
  };
  use(body.mesh.tets);
  use(body.quadratic);
  use(body.plane.nodes);
  const auto masses = description_.vertex_mass.segment(body.first_vertex, body.vertex_count());
  int bad = 0, first = -1;
  for (int v = 0; v < body.vertex_count(); ++v)
    if ((!std::isfinite(masses[v]) || (used[v] && !(masses[v] > 0))) && bad++ == 0) first = v;
  if (bad > 0)
    problems.problem(
        pointer,
        fmt::format("{} of {} vertices get a mass that is no number above 0, vertex {} first with {} "
                    "kg, from the size and the density of their elements; expected a finite mass",
                    bad, body.vertex_count(), first, masses[first]));
  else if (!std::isfinite(masses.sum()))
    problems.problem(pointer, "has no finite mass; expected a smaller body or a smaller density");
}

void World::add_initial_motion(const BodySpec& spec, const Body& body, const std::string& pointer,
                               SceneProblems& problems) {
  const auto row_of = [&](int v) { return 3 * (body.first_vertex + v); };
  if (spec.initial.state) {
    try {
      const StoredState stored = read_stored_state(*spec.initial.state, body, vertices());
      for (int v = 0; v < body.vertex_count(); ++v)
        for (int i = 0; i < 3; ++i) {
          description_.start[row_of(v) + i] = stored.positions[v][i];
          initial_velocity_[row_of(v) + i] = stored.velocities[v][i];
        }
    } catch (const InputError& error) {
      problems.add_all(error, pointer + "/state");
    } catch (const FileError& error) {
      problems.add(error);
    }
    return;
  }
  std::vector<double> masses(body.vertex_count());
  for (int v = 0; v < body.vertex_count(); ++v) masses[v] = description_.vertex_mass[body.first_vertex + v];
  const InitialMotion motion = initial_motion(spec.initial, body, masses);
  double size = 0, out = 0;  // of the motion, and across the plane
  for (int v = 0; v < body.vertex_count(); ++v)
    for (int i = 0; i < 3; ++i) {
      const double dx = motion.displacement[v][i], dv = motion.velocity[v][i];
      description_.start[row_of(v) + i] += dx;
      initial_velocity_[row_of(v) + i] = dv;
      size = std::max({size, std::abs(dx), std::abs(dv)});
      if (i == 2) out = std::max({out, std::abs(dx), std::abs(dv)});
    }
  if (body.in_plane() && out > 1e-12 * size)
    problems.problem(pointer, "moves the body out of its plane; expected a deformation and velocities within z = const");
}

void World::add_initial_mode(const ModeSpec& spec, const Body& body, const std::string& pointer,
                             SceneProblems& problems) {
  ModelDescription description = description_at(0);
  description.start = description.rest;
  description.loads.clear();
  description.shared_terms.clear();
  for (Hold& hold : description.holds) hold = {std::move(hold.vertices), {}, nullptr};
  Hold others;
  for (int v = 0; v < vertices(); ++v)
    if (v < body.first_vertex || v >= body.first_vertex + body.vertex_count()) others.vertices.push_back(v);
  description.holds.push_back(std::move(others));
  const DeformableModel alone(std::move(description));
  RestModes rest;
  try {
    rest = rest_modes(alone, spec.index, 0);
  } catch (const InputError& error) {
    problems.problem(pointer, error.problems().front().message);
    return;
  }
  State at{0, rest.modes.U.col(rest.rigid + spec.index - 1), Vector::Zero(alone.dofs())};
  // The first of the largest coordinates is positive. Symmetric bodies have several, equal but for rounding.
  const double nearly_most = (1 - 1e-6) * at.q.cwiseAbs().maxCoeff();
  if (*std::find_if(at.q.begin(), at.q.end(), [&](double x) { return std::abs(x) >= nearly_most; }) < 0) at.q = -at.q;
  Vector shape, v;
  alone.expand(at, shape, v);
  shape -= description_.rest;
  double most = 0;
  for (int n = 0; n < vertices(); ++n) most = std::max(most, shape.segment<3>(3 * Index(n)).norm());
  description_.start += spec.amplitude / most * shape;
  notes_.push_back(fmt::format("initial state of \"{}\": elastic mode {} at {:.6g} Hz, after {} rigid ones", body.name,
                               spec.index,
                               std::sqrt(rest.modes.lambda[rest.rigid + spec.index - 1]) / (2 * std::numbers::pi),
                               rest.rigid));
}

void World::add_constraints(const Scene& scene, SceneProblems& problems) {
  for (std::size_t c = 0; c < scene.constraints.size(); ++c)
    constraints_.push_back({make_hold(scene.constraints[c], bodies_, scene.time.end,
                                      fmt::format("/constraints/{}", c), problems),
                            release_time(scene.constraints[c])});
  std::vector<bool> can_move(description_.vertex_mass.size());
  for (std::size_t v = 0; v < can_move.size(); ++v) can_move[v] = description_.vertex_mass[Index(v)] > 0;
  for (const Constraint& constraint : constraints_)
    if (constraint.until == kForever)
      for (const int v : constraint.hold.vertices) can_move[v] = false;
  if (std::find(can_move.begin(), can_move.end(), true) == can_move.end())
    problems.problem("/constraints",
                     "every vertex is held and none is released; at least one must be free to move");
}

ModelDescription World::description_at(double t) const {
  ModelDescription description = description_;
  for (const Constraint& constraint : constraints_)
    if (ActiveTime{0, constraint.until}.covers(t)) description.holds.push_back(constraint.hold);
  return description;
}

std::unique_ptr<DeformableModel> World::make_model(double t) const {
  return std::make_unique<DeformableModel>(at(t).description_at(t));
}

std::unique_ptr<DeformableModel> World::make_rest_model(double t) const {
  ModelDescription description = at(t).description_at(t);
  description.start = description.rest;
  description.loads.clear();
  for (Hold& hold : description.holds) hold = {std::move(hold.vertices), {}, nullptr};
  return std::make_unique<DeformableModel>(std::move(description));
}

int World::active_constraints(double t) const {
  return static_cast<int>(
      std::count_if(constraints_.begin(), constraints_.end(), [t](const Constraint& constraint) {
        return ActiveTime{0, constraint.until}.covers(t);
      }));
}

std::vector<double> World::release_times() const {
  std::vector<double> times;
  for (const Constraint& constraint : constraints_)
    if (constraint.until != kForever) times.push_back(constraint.until);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

State World::initial_state(const DeformableModel& model) const {
  return model.state(0, description_.start, initial_velocity_);
}

std::vector<std::unique_ptr<StepFilter>> World::make_filters(const DeformableModel& model) const {
  std::vector<std::unique_ptr<StepFilter>> filters;
  if (!contacts_.obstacles.empty())
    filters.push_back(std::make_unique<ProjectionFilter>(model, contacts_.obstacles));
  for (const ParticleContact& contact : contacts_.particles)
    filters.push_back(std::make_unique<ParticleFilter>(model, contact));
  return filters;
}

void World::probe_positions(const Vector& x, std::vector<Point3>& positions) const {
  positions.resize(probe_vertices_.size());
  for (std::size_t p = 0; p < probe_vertices_.size(); ++p)
    for (int i = 0; i < 3; ++i) positions[p][i] = x[3 * probe_vertices_[p] + i];
}

FrameGeometry World::frame_geometry() const {
  FrameGeometry geometry;
  for (const Body& b : bodies_) {
    if (b.in_plane()) {
      geometry.add_triangles(b.mesh.vertices, b.plane.nodes, b.region);
      continue;
    }
    if (b.solid()) {
      if (b.quadratic.empty())
        geometry.add_tets(b.mesh.vertices, b.mesh.tets, b.region);
      else
        geometry.add_tets(b.mesh.vertices, b.quadratic, b.region);
      continue;
    }
    std::vector<std::array<int, 2>> lines;
    for (const Spring& spring : b.springs.springs) lines.push_back({spring.a, spring.b});
    geometry.add_springs(b.springs.vertices, lines, b.surface);
  }
  return geometry;
}

void World::strain_energy_densities(double t, const Vector& x, std::vector<double>& densities) const {
  if (const World& now = at(t); &now != this) return now.strain_energy_densities(t, x, densities);
  densities.assign(static_cast<std::size_t>(tetrahedra_ + triangles_ + springs_), 0.0);
  if (triangle_term_) triangle_term_->element_densities(x, densities);
  std::vector<double> of_group;
  for (const auto& group : elastic_groups_) {
    of_group.resize(group.cells.size());
    group.term->element_densities(x, of_group);
    for (std::size_t e = 0; e < group.cells.size(); ++e) densities[group.cells[e]] = of_group[e];
  }
  for (const auto& [term, cells] : spring_groups_) {  // per rest length
    of_group.resize(cells.size());
    term->element_energies(x, of_group);
    for (std::size_t s = 0; s < cells.size(); ++s) densities[cells[s]] = of_group[s];
  }
  for (const Body& b : bodies_)
    for (std::size_t s = 0; s < b.springs.springs.size(); ++s)
      densities[b.first_element + s] /= b.springs.springs[s].rest_length;
}

int World::outside_knots(const Vector& x) const {
  int count = 0;
  for (const KnotWatch& watched : knot_watches_) count += watched.outside(x);
  return count;
}

double World::largest_gap(const Vector& x) const {
  return triangle_term_ ? triangle_term_->largest_gap(x) : 0;
}

std::string World::hash() const {
  Hash hash;
  hash.add(as_span(description_.start));
  hash.add(as_span(description_.vertex_mass));
  for (const Body& b : bodies_) {
    for (const Tet& tet : b.mesh.tets) hash.add(tet.data(), sizeof tet);
    if (b.in_plane()) {
      for (const auto& corners : b.plane.corners) hash.add(corners.data(), sizeof corners);
      hash.add(std::int64_t(b.plane.continuity));
      hash.add(b.plane.penalty);
    }
    for (const ElementMaterial& m : b.materials) {
      hash.add(m.law);
      hash.add(m.young);
      hash.add(m.poisson);
    }
    for (const Spring& s : b.springs.springs) {
      hash.add(std::int64_t{s.a});
      hash.add(std::int64_t{s.b});
      hash.add(s.k);
      hash.add(s.rest_length);
    }
    for (const std::string& law : b.spring_laws) hash.add(law);
    if (b.spring_laws.size() > 1)
      for (const int region : b.region) hash.add(std::int64_t{region});
    for (const CentreSpring& s : b.springs.centre_springs) hash.add(s.k);
    for (const ScissorSpring& s : b.springs.scissors) hash.add(s.k);
  }
  // Motions and obstacles may come from files: where they lead, and how far from them everything starts.
  for (const Constraint& constraint : constraints_)
    if (const RecordedMotion* record = constraint.hold.record.get())
      for (std::size_t n = 0; n < constraint.hold.vertices.size(); ++n)
        for (const double share : {0.0, 0.3, 0.7, 1.0}) {
          const double t = record->first() + share * (record->last() - record->first());
          for (const double coordinate : record->position(n, t)) hash.add(coordinate);
        }
  for (const Obstacle& obstacle : contacts_.obstacles)
    for (const int v : obstacle.vertices)
      hash.add(obstacle.shape->at(description_.start.segment<3>(3 * Index(v))).distance);
  return hash.hexadecimal();
}

}  // namespace phiflex
