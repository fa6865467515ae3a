#include "phiflex/run/scene_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "phiflex/build/model_builder.h"
#include "phiflex/run/coarsening.h"
#include "phiflex/run/initial_state.h"
#include "phiflex/run/mode_comparison.h"
#include "phiflex/run/scene_body.h"
#include "phiflex/run/scene_parts.h"
#include "phiflex/scene/scene.h"
#include "phiflex/scene/scene_io.h"

namespace phiflex {
namespace {

// function(entry, pointer) for the entries of a list of the scene.
template <class List, class Function>
void each(const char* key, const List& list, Function function) {
  for (std::size_t i = 0; i < list.size(); ++i) function(list[i], fmt::format("/{}/{}", key, i));
}

void add_bodies(const Scene& scene, const std::vector<TimedChange>& changes, ModelBuilder& builder) {
  each("bodies", scene.bodies, [&](const BodySpec& spec, const std::string& pointer) {
    const BodyChange& first = changes.front().change;
    const bool is_changed = spec.name == first.body;
    const std::size_t before = builder.problems().size();
    Body body = build_body(spec, pointer, builder.problems(), is_changed ? first.refinements : 0);
    if (builder.problems().size() != before) return;
    const Body original = changes.size() > 1 && is_changed ? body : Body{};
    if (is_changed && first.young_factor != 1) {
      scale_stiffness(body, first.young_factor);
      builder.messages().note(fmt::format("dac: Young's modulus of \"{}\" is multiplied by {:.6g}",
                                          first.body, first.young_factor));
    }
    const int number = builder.add_body(std::move(body), pointer);
    if (!is_changed) return;
    for (std::size_t i = 1; i < changes.size(); ++i) {
      Body later = original;
      scale_stiffness(later, changes[i].change.young_factor);
      builder.change_materials(number, changes[i].from, std::move(*later.materials()));
      builder.messages().note(
          fmt::format("dac: from t = {:.6g} s on, Young's modulus of \"{}\" is multiplied by {:.6g}",
                      changes[i].from, first.body, changes[i].change.young_factor));
    }
  });
  builder.check();  // what follows needs the bodies
}

void add_initial_motion(const InitialSpec& spec, int number, const std::string& pointer,
                        ModelBuilder& builder) {
  const Body& body = builder.body(number);
  if (spec.state) {
    int all_vertices = 0;
    for (const Body& other : builder.bodies()) all_vertices += other.vertex_count();
    builder.problems().collect(pointer + "/state", [&] {
      const StoredState stored = read_stored_state(*spec.state, body, all_vertices);
      builder.set_initial(number, stored.positions, stored.velocities, pointer);
    });
    return;
  }
  InitialMotion motion = initial_motion(spec, body, builder.vertex_masses(number));
  for (std::size_t v = 0; v < motion.displacement.size(); ++v)
    for (std::size_t i = 0; i < 3; ++i)
      motion.displacement[v][i] = body.rest()[v][i] + motion.displacement[v][i];
  builder.set_initial(number, motion.displacement, motion.velocity, pointer);
}

// A mode of the body at rest, whatever the other bodies do.
void add_initial_mode(const ModeSpec& spec, int number, const std::string& pointer, ModelBuilder& builder) {
  const Body& body = builder.body(number);
  const std::unique_ptr<DeformableModel> alone = builder.build().make_rest_model_of(number, 0);
  RestModes rest;
  try {
    rest = rest_modes(*alone, spec.index, 0);
  } catch (const InputError& error) {
    builder.problems().problem(pointer, error.problems().front().message);
    return;
  }
  State at{0, rest.modes.U.col(rest.rigid + spec.index - 1), Vector::Zero(alone->dofs())};
  // The first of the largest coordinates is positive. Symmetric bodies have several, equal but for rounding.
  const double nearly_most = (1 - 1e-6) * at.q.cwiseAbs().maxCoeff();
  if (*std::find_if(at.q.begin(), at.q.end(), [&](double x) { return std::abs(x) >= nearly_most; }) < 0)
    at.q = -at.q;
  Vector shape, v;
  alone->expand(at, shape, v);
  shape -= alone->description().rest;
  double most = 0;
  for (Index n = 0; n < shape.size() / 3; ++n) most = std::max(most, shape.segment<3>(3 * n).norm());
  std::vector<Point3> positions = builder.initial_positions(number);
  for (std::size_t n = 0; n < positions.size(); ++n)
    for (std::size_t i = 0; i < 3; ++i)
      positions[n][i] += spec.amplitude / most * shape[3 * (Index(body.first_vertex) + Index(n)) + Index(i)];
  builder.set_initial(number, positions, builder.initial_velocities(number), pointer);
  builder.messages().note(fmt::format(
      "initial state of \"{}\": elastic mode {} at {:.6g} Hz, after {} rigid ones", body.name, spec.index,
      std::sqrt(rest.modes.lambda[rest.rigid + spec.index - 1]) / (2 * std::numbers::pi), rest.rigid));
}

// Where the hand says that the bodies are.
void set_initial_motion(const SceneHand& hand, ModelBuilder& builder) {
  for (std::size_t b = 0; b < builder.bodies().size(); ++b) {
    const Body& body = builder.bodies()[b];
    std::vector<Point3> positions, velocities;
    for (int n = 0; n < body.vertex_count(); ++n) {
      const Index at = 3 * Index(body.first_vertex + n);
      positions.push_back({hand.x[at], hand.x[at + 1], hand.x[at + 2]});
      velocities.push_back({hand.v[at], hand.v[at + 1], hand.v[at + 2]});
    }
    builder.set_initial(int(b), positions, velocities, fmt::format("/bodies/{}/initial", b));
  }
}

void add_ball(const SceneHand::Ball& ball, std::size_t number, ModelBuilder& builder) {
  const SphereContact contact = hand_contact(ball);
  builder.add_obstacle(
      std::make_shared<SphereSolid>(vector3(contact.center), contact.radius),
      {.mode = *contact.how.mode, .motion = Path(std::shared_ptr<const PathTrack>(ball.track))},
      fmt::format("/contacts/{}", number));
}

SceneModel build_changed(const Scene& scene, const std::string& scene_file,
                         const std::vector<TimedChange>& changes, const SceneHand& hand = {}) {
  ModelBuilder builder(scene_file);
  builder.set_start_time(start_of(scene.time));
  add_bodies(scene, changes, builder);
  if (hand.x.size() > 0)
    set_initial_motion(hand, builder);
  else
    each("bodies", scene.bodies, [&](const BodySpec& spec, const std::string& pointer) {
      add_initial_motion(spec.initial, builder.number_of(spec.name), pointer + "/initial", builder);
    });
  builder.set_gravity(vector3(scene.gravity));
  each("constraints", scene.constraints, [&](const ConstraintSpec& constraint, const std::string& pointer) {
    add_constraint(constraint, scene.time, pointer, builder);
  });
  builder.check();  // modes ask which vertices are held
  each("bodies", scene.bodies, [&](const BodySpec& spec, const std::string& pointer) {
    if (spec.initial.mode && hand.x.size() == 0)
      add_initial_mode(*spec.initial.mode, builder.number_of(spec.name), pointer + "/initial/mode", builder);
  });
  each("contacts", scene.contacts, [&](const ContactSpec& contact, const std::string& pointer) {
    add_contact(contact, pointer, builder);
  });
  if (hand.ball) add_ball(*hand.ball, scene.contacts.size(), builder);
  add_default_contact(scene, builder);
  each("forces", scene.forces, [&](const ForceSpec& force, const std::string& pointer) {
    add_force(scene, force, pointer, builder);
  });
  if (hand.grips) builder.add_load(std::make_shared<GripLoad>(hand.grips));
  std::vector<SceneModel::Probe> probes;
  for (const ProbeSpec& probe : scene.probes) {
    const int number = builder.number_of(probe.body);
    probes.push_back(
        {probe.name, builder.body(number).first_vertex + builder.nearest_vertex(number, vector3(probe.at))});
  }
  return {std::move(builder).build(), scene_file, std::move(probes)};
}

}  // namespace

SceneModel build_scene(const Scene& scene, const std::string& scene_file) {
  require_valid(scene, scene_file);
  SceneModel model = build_changed(scene, scene_file, dac_changes(scene, scene_file));
  if (std::optional<Assembly> fine = build_fine(scene, scene_file)) model.set_fine(std::move(*fine));
  return model;
}

SphereContact hand_contact(const SceneHand::Ball& ball) {
  SphereContact contact;
  contact.radius = ball.radius;
  contact.how.mode = ContactMode::penalty;
  RigidMotionSpec motion;
  motion.key_step = ball.track->times.h;
  for (std::size_t n = 0; n < ball.track->offsets.values.size(); ++n) {
    const Eigen::Vector3d& at = ball.track->offsets.values[n];
    const std::int64_t end = ball.track->offsets.first + static_cast<std::int64_t>(n);
    motion.keys.push_back(
        {.time = ball.track->times.time(end), .translate = {at[0], at[1], at[2]}, .rotate = {}});
  }
  contact.how.motion = std::move(motion);
  return contact;
}

SceneModel build_scene(const Scene& scene, const std::string& scene_file, const SceneHand& hand) {
  require_valid(scene, scene_file);
  if (scene.coarsening)
    throw InputError(scene_file, "/coarsening", "a scene with coarsening has no hand; expected none");
  return build_changed(scene, scene_file, {{0, {}}}, hand);
}

SceneModel build_scene(const Scene& scene, const std::string& scene_file, const BodyChange& change) {
  return build_changed(scene, scene_file, {{0, change}});
}

std::vector<std::string> SceneModel::probe_names() const {
  std::vector<std::string> names;
  for (const Probe& probe : probes_) names.push_back(probe.name);
  return names;
}

void SceneModel::probe_positions(const Vector& x, std::vector<Point3>& positions) const {
  positions.resize(probes_.size());
  for (std::size_t p = 0; p < probes_.size(); ++p)
    for (int i = 0; i < 3; ++i) positions[p][std::size_t(i)] = x[3 * Index(probes_[p].vertex) + i];
}

FrameGeometry SceneModel::frame_geometry() const {
  FrameGeometry geometry;
  for (const Body& body : bodies()) {
    if (const PlaneBody* plane = body.plane()) {
      geometry.add_triangles(plane->vertices, plane->nodes, body.region);
    } else if (const SolidBody* solid = body.solid()) {
      if (solid->quadratic.empty())
        geometry.add_tets(solid->mesh.vertices, solid->mesh.tets, body.region);
      else
        geometry.add_tets(solid->mesh.vertices, solid->quadratic, body.region);
    } else {
      const SpringNetwork& network = body.springs()->network;
      std::vector<std::array<int, 2>> lines;
      for (const Spring& spring : network.springs) lines.push_back({spring.a, spring.b});
      geometry.add_springs(network.vertices, lines, body.surface);
    }
  }
  return geometry;
}

}  // namespace phiflex
