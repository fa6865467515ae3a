#include "phiflex/run/initial_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <system_error>

#include "phiflex/mesh/bounds.h"
#include "phiflex/record/checkpoint.h"
#include "phiflex/record/frame_file.h"
#include "phiflex/record/frames.h"
#include "phiflex/record/run_json.h"
#include "phiflex/run/checkpoint_pieces.h"
#include "phiflex/run/run.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/scene.h"

namespace phiflex {
namespace {

double radians(double degrees) {
  return degrees * std::numbers::pi / 180;
}

void stretch(const StretchSpec& spec, const Bounds& rest, Point3& x) {
  const int i = static_cast<int>(spec.axis);
  x[i] = rest.low[i] + spec.factor * (x[i] - rest.low[i]);  // (1)
}

void twist(const TwistSpec& spec, const Bounds& rest, double s, Point3& x) {
  const int i = static_cast<int>(spec.axis), j = (i + 1) % 3, k = (i + 2) % 3;
  const double angle = s * radians(spec.angle);  // (2)
  const double a = x[j] - rest.centre(j), b = x[k] - rest.centre(k);
  x[j] = rest.centre(j) + std::cos(angle) * a - std::sin(angle) * b;
  x[k] = rest.centre(k) + std::sin(angle) * a + std::cos(angle) * b;
}

void bend(const BendSpec& spec, const Bounds& rest, Point3& x) {
  const int i = static_cast<int>(spec.axis), j = static_cast<int>(spec.toward);
  const double length = rest.length(i);
  const double whole = radians(spec.angle);
  if (whole == 0 || length == 0) return;
  const double radius = length / whole;
  const double angle = (x[i] - rest.low[i]) / radius;  // (3): tangent angle at this cross-section
  const double off = x[j] - rest.centre(j);
  x[i] = rest.low[i] + (radius - off) * std::sin(angle);
  x[j] = rest.centre(j) + radius - (radius - off) * std::cos(angle);
}

}  // namespace

InitialMotion initial_motion(const InitialSpec& spec, const Body& body, const std::vector<double>& masses) {
  const std::vector<Point3>& rest = body.rest();
  const Bounds bounds = bounds_of(rest);
  InitialMotion motion{std::vector<Point3>(rest.size()), std::vector<Point3>(rest.size())};

  std::vector<Point3> now = rest;
  for (std::size_t v = 0; v < rest.size(); ++v) {
    if (spec.stretch) stretch(*spec.stretch, bounds, now[v]);
    if (spec.twist) {
      const int i = static_cast<int>(spec.twist->axis);
      const double length = bounds.length(i);
      twist(*spec.twist, bounds, length > 0 ? (rest[v][i] - bounds.low[i]) / length : 0, now[v]);
    }
    if (spec.bend) bend(*spec.bend, bounds, now[v]);
    for (int i = 0; i < 3; ++i) motion.displacement[v][i] = now[v][i] - rest[v][i];
  }

  Point3 centre_of_mass{};
  double mass = 0;
  for (std::size_t v = 0; v < rest.size(); ++v) {
    mass += masses[v];
    for (int i = 0; i < 3; ++i) centre_of_mass[i] += masses[v] * now[v][i];
  }
  for (int i = 0; i < 3; ++i) centre_of_mass[i] /= mass;
  const Triple& w = spec.angular_velocity;
  for (std::size_t v = 0; v < rest.size(); ++v) {
    const double r[3] = {now[v][0] - centre_of_mass[0], now[v][1] - centre_of_mass[1],
                         now[v][2] - centre_of_mass[2]};
    motion.velocity[v] = {spec.velocity[0] + w[1] * r[2] - w[2] * r[1],
                          spec.velocity[1] + w[2] * r[0] - w[0] * r[2],
                          spec.velocity[2] + w[0] * r[1] - w[1] * r[0]};
  }
  return motion;
}

namespace {

namespace fs = std::filesystem;

// A stored state with the rest shape it belongs to.
struct Found {
  StoredState state;
  std::vector<Point3> rest;
};

Found from_frame(const fs::path& path, const Body& body, int all_vertices) {
  const FrameFile frame = read_frame_file(path, FrameParts::motion_only);
  const auto count = static_cast<std::size_t>(body.vertex_count());
  std::size_t first = 0;
  if (frame.points.size() == static_cast<std::size_t>(all_vertices))
    first = static_cast<std::size_t>(body.first_vertex);
  else if (frame.points.size() != count)
    throw InputError(
        path.string(), "",
        fmt::format("holds {} points; body \"{}\" has {} vertices and the scene {}: it is of another mesh",
                    frame.points.size(), body.name, count, all_vertices));
  Found found;
  for (std::size_t v = first; v < first + count; ++v) {
    found.state.positions.push_back(frame.points[v]);
    found.state.velocities.push_back(frame.velocity[v]);
    Point3& rest = found.rest.emplace_back();
    for (int i = 0; i < 3; ++i) rest[i] = frame.points[v][i] - frame.displacement[v][i];
  }
  return found;
}

// A run that started from the state of a run, and so on: somewhere there is a first one.
constexpr int kDeepest = 16;
thread_local int depth = 0;
struct Descent {
  Descent() { ++depth; }
  ~Descent() { --depth; }
};

Found from_checkpoint(const RunFolder& folder, const Checkpoint& checkpoint, const Body& body) {
  const std::string name = folder.run_json().string();
  const nlohmann::ordered_json account = read_run_json(folder.run_json());
  if (!account.contains("scene"))
    throw InputError(name, "/scene", "missing: a run's scene is needed to understand its checkpoint");
  const Descent descent;
  if (depth > kDeepest)
    throw InputError(name, "/scene",
                     "starts from the state of a run that starts from it: there is no first one");
  std::vector<Problem> unused;
  const Scene scene = parse_scene(account["scene"].dump(), name, read_options(), unused);
  const RunPiece piece = read_run_piece(checkpoint);
  require_same_scene(piece, scene_hash(scene), name);
  const SceneModel world = build_scene(scene, name);
  const auto same = std::find_if(world.bodies().begin(), world.bodies().end(),
                                 [&](const Body& other) { return other.name == body.name; });
  if (same == world.bodies().end())
    throw InputError(name, "/scene/bodies", fmt::format("the run has no body \"{}\"", body.name));
  if (same->vertex_count() != body.vertex_count())
    throw InputError(name, "/scene/bodies",
                     fmt::format("body \"{}\" has {} vertices there and {} here: it is of another mesh",
                                 body.name, same->vertex_count(), body.vertex_count()));
  require_same_world(piece, world.hash(), name);
  Vector x, v;
  Simulation simulation(scene, world, piece.steps);
  load_simulation(checkpoint, simulation);
  simulation.model().expand(simulation.state(), x, v);
  Found found;
  found.rest = same->rest();
  for (int n = 0; n < body.vertex_count(); ++n) {
    const Index at = 3 * Index(same->first_vertex + n);
    found.state.positions.push_back({x[at], x[at + 1], x[at + 2]});
    found.state.velocities.push_back({v[at], v[at + 1], v[at + 2]});
  }
  return found;
}

Found from_folder(const fs::path& path, const Body& body, int all_vertices) {
  const RunFolder folder = open_run_folder(path);
  if (const CheckpointSearch search = newest_complete_checkpoint(folder.checkpoints()); search.newest)
    return from_checkpoint(folder, *search.newest, body);
  const std::vector<FrameEntry> frames = read_frame_list(folder);
  if (frames.empty()) throw InputError(path.string(), "", "the run has neither a checkpoint nor a frame");
  return from_frame(frames.back().file, body, all_vertices);
}

void check_rest(const Found& found, const Body& body, const std::string& name) {
  const Bounds bounds = bounds_of(body.rest());
  const double size = std::max({bounds.length(0), bounds.length(1), bounds.length(2)});
  for (std::size_t v = 0; v < found.rest.size(); ++v)
    for (int i = 0; i < 3; ++i) {
      const double there = found.rest[v][i], here = body.rest()[v][i];
      // A frame's displacements are in single precision.
      const double displacement = std::abs(found.state.positions[v][i] - here);
      if (!(std::abs(there - here) <= 1e-6 * std::max(size, displacement)))
        throw InputError(name, "",
                         fmt::format("vertex {} of body \"{}\" rests at {} = {:.9g} there and at {:.9g} "
                                     "here: it is of another mesh, or placed elsewhere",
                                     v, body.name, "xyz"[i], there, here));
      if (!std::isfinite(found.state.positions[v][i]) || !std::isfinite(found.state.velocities[v][i]))
        throw InputError(name, "",
                         fmt::format("vertex {} of body \"{}\" is at no finite place", v, body.name));
    }
}

}  // namespace

StoredState read_stored_state(const fs::path& path, const Body& body, int all_vertices) {
  std::error_code error;
  const bool folder = fs::is_directory(path, error);
  if (!folder && fs::exists(path, error) && path.extension() != ".vtu")
    throw InputError(path.string(), "", "is no state; expected a frame (.vtu) or a run's folder");
  Found found = folder ? from_folder(path, body, all_vertices) : from_frame(path, body, all_vertices);
  check_rest(found, body, path.string());
  return std::move(found.state);
}

}  // namespace phiflex
