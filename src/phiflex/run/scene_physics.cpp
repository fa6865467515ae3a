#include "phiflex/run/scene_physics.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "phiflex/base/errors.h"
#include "phiflex/base/interruption.h"
#include "phiflex/integrate/stable_step.h"
#include "phiflex/linalg/cholesky.h"
#include "phiflex/mesh/bounds.h"
#include "phiflex/mesh/vec3.h"
#include "phiflex/run/element_fields.h"
#include "phiflex/run/mode_comparison.h"
#include "phiflex/run/scene_model.h"
#include "phiflex/run/selection.h"
#include "phiflex/run/simulation.h"
#include "phiflex/run/step_prices.h"
#include "phiflex/scene/scene.h"

namespace phiflex {
namespace {

constexpr Index kMostVertices = 10000;          // of a body whose modes and sag are computed
constexpr Index kMostRows = 3 * kMostVertices;  // of a scene whose steps are timed, not guessed
constexpr double kTrialSeconds = 0.5;           // of steps that are made to time them
constexpr double kSettleSeconds = 2;  // of the search for the equilibrium that the trial begins with
constexpr double kSmallSag = 0.05;    // of a body's length: a shape that its weight hardly changes
// Bounds beyond which a number is probably in another unit. Gels and living tissue begin at some 100 Pa, foams at
// 10 kg/m^3.
constexpr double kSoftest = 100;    // Pa
constexpr double kLightest = 10;    // kg/m^3
constexpr double kLongest = 20;     // m
constexpr double kShortest = 1e-5;  // m
// Poisson's ratios beyond which elements are visibly too stiff (docs/elements.md).
constexpr double kMostPoissonLinear = 0.49, kMostPoissonQuadratic = 0.4995;

using TrialClock = std::chrono::steady_clock;

double seconds_since_trial(TrialClock::time_point start) {
  return std::chrono::duration<double>(TrialClock::now() - start).count();
}

// The search for the equilibrium of this thread is left when its time is over.
struct SettleWasLeft {};
thread_local TrialClock::time_point settle_start;
void leave_long_settle() {
  if (seconds_since_trial(settle_start) > kSettleSeconds) throw SettleWasLeft();
}

double longest(const std::array<double, 3>& extent) {
  return std::max({extent[0], extent[1], extent[2]});
}

// Vertices that are held at t = 0, by the model's numbers.
std::vector<bool> held_vertices(const DeformableModel& model) {
  std::vector<bool> held(std::size_t(model.vertices()), false);
  for (const VertexConstraint& hold : model.description().constraints)
    for (const int vertex : hold.vertices) held[std::size_t(vertex)] = true;
  return held;
}

std::string place_words(const Bounds& box) {
  const auto side = [&](int axis) {
    const double low = box.low[std::size_t(axis)], high = box.high[std::size_t(axis)];
    return low == high ? fmt::format("{} = {:.3g}", "xyz"[axis], low)
                       : fmt::format("{} = {:.3g}..{:.3g}", "xyz"[axis], low, high);
  };
  return fmt::format("{}, {}, {} m", side(0), side(1), side(2));
}

// u of K u = m g for a body that is held: the largest part along gravity.
std::optional<double> held_sag(const DeformableModel& alone, const Eigen::Vector3d& g) {
  if (alone.constraints().dimension() != 3) return std::nullopt;
  State rest{0, Vector::Zero(alone.dofs()), Vector::Zero(alone.dofs())};
  const auto tangent = alone.assembled_tangent(Definiteness::exact);
  tangent->update(rest);
  CholeskyFactorization factor(tangent->K().shared_pattern());
  if (factor.factorize(tangent->K()) != FactorStatus::ok) return std::nullopt;
  Vector weight(alone.dofs()), u;
  const FreeVertices& free = alone.constraints().free();
  for (std::size_t row = 0; row < free.vertex_of_row.size(); ++row)
    weight.segment<3>(3 * Index(row)) = alone.description().vertex_mass[free.vertex_of_row[row]] * g;
  factor.solve(weight, u);
  const Eigen::Vector3d down = g.normalized();
  double sag = 0;
  for (Index row = 0; row < u.size() / 3; ++row)
    sag = std::max(sag, std::abs(u.segment<3>(3 * row).dot(down)));
  return std::isfinite(sag) ? std::optional(sag) : std::nullopt;
}

double mean_young(const Body& body) {
  double sum = 0;
  for (const ElementMaterial& material : body.materials()->elements)
    sum += young_at_rest(material, body.materials()->curves);
  return sum / static_cast<double>(std::max<std::size_t>(1, body.materials()->elements.size()));
}

double mean_density(const Body& body) {
  double sum = 0;
  for (const ElementMaterial& material : body.materials()->elements) sum += material.density;
  return sum / static_cast<double>(std::max<std::size_t>(1, body.materials()->elements.size()));
}

// Of the elements around a vertex, m.
double longest_edge_at(const Body& body, int vertex) {
  double longest = 0;
  const auto look = [&](const auto& element) {
    if (std::find(element.begin(), element.end(), vertex) == element.end()) return;
    for (const int v : element)
      longest = std::max(longest, norm(body.rest()[std::size_t(v)] - body.rest()[std::size_t(vertex)]));
  };
  if (const SolidBody* solid = body.solid())
    for (const auto& tet : solid->mesh.tets) look(tet);
  if (const PlaneBody* plane = body.plane())
    for (const auto& nodes : plane->nodes) look(nodes);
  if (const SpringBody* springs = body.springs())
    for (const Spring& spring : springs->network.springs) look(std::array{spring.a, spring.b});
  return longest;
}

class Survey {
 public:
  Survey(const Scene& scene, const SceneModel& world, Simulation& simulation)
      : scene_(scene), world_(world), simulation_(simulation), held_(held_vertices(simulation.model())) {}

  ScenePhysics make() {
    out_.steps = simulation_.steps();
    for (std::size_t b = 0; b < world_.bodies().size(); ++b) {
      out_.bodies.push_back(survey(static_cast<int>(b)));
      warn_of(world_.bodies()[b], scene_.bodies[b], out_.bodies.back());
    }
    warn_of_probes();
    warn_of_stability();
    expect_frames();
    expect_time();
    return std::move(out_);
  }

  std::vector<std::string> doubts() {
    for (std::size_t b = 0; b < world_.bodies().size(); ++b)
      doubt(world_.bodies()[b], scene_.bodies[b], outline(static_cast<int>(b)));
    warn_of_probes();
    return std::move(out_.warnings);
  }

 private:
  Eigen::Vector3d gravity() const { return {scene_.gravity[0], scene_.gravity[1], scene_.gravity[2]}; }
  void warn(std::string words) { out_.warnings.push_back(std::move(words)); }

  // Size, mass and what is held.
  BodyPhysics outline(int number) const {
    const Body& body = world_.bodies()[std::size_t(number)];
    BodyPhysics made;
    made.name = body.name;
    const Bounds bounds = bounds_of(body.rest());
    for (int i = 0; i < 3; ++i) made.extent[std::size_t(i)] = bounds.length(i);
    made.vertices = body.vertex_count();
    std::vector<Point3> held;
    const Vector& mass = simulation_.model().description().vertex_mass;
    for (int v = 0; v < body.vertex_count(); ++v) {
      made.mass += mass[body.first_vertex + v];
      if (held_[std::size_t(body.first_vertex + v)]) held.push_back(body.rest()[std::size_t(v)]);
    }
    made.held = static_cast<std::int64_t>(held.size());
    if (!held.empty()) made.held_where = place_words(bounds_of(held));
    made.large = body.vertex_count() > kMostVertices;
    return made;
  }

  BodyPhysics survey(int number) {
    const Body& body = world_.bodies()[std::size_t(number)];
    BodyPhysics made = outline(number);
    if (made.held == made.vertices) return made;
    if (!made.large) {
      const std::unique_ptr<DeformableModel> alone = world_.make_rest_model_of(number, 0);
      try {
        const RestModes modes = rest_modes(*alone, 1, 0);
        made.lowest_frequency = std::sqrt(modes.modes.lambda[modes.rigid]) / (2 * std::numbers::pi);
        if (modes.rigid == 0 && gravity().norm() > 0) made.sag = held_sag(*alone, gravity());
      } catch (const InputError&) {  // it has none, or they are not found: left out
      }
    }
    if (!made.sag && made.held == 0 && body.solid() && gravity().norm() > 0 &&
        can_be_stopped(body.name)) {  // rho g H^2 / (2 E) of a column
      const Eigen::Vector3d down = gravity().normalized();
      double height = 0, volume = 1;
      for (std::size_t i = 0; i < 3; ++i) {
        height += std::abs(down[Index(i)]) * made.extent[i];
        volume *= made.extent[i];
      }
      made.sag = made.mass / volume * gravity().norm() * height * height / (2 * mean_young(body));
    }
    return made;
  }

  bool can_be_stopped(const std::string& body) const {
    if (!scene_.contacts.empty()) return true;
    return std::any_of(scene_.constraints.begin(), scene_.constraints.end(),
                       [&](const ConstraintSpec& constraint) {
                         return std::visit([&](const auto& kind) { return kind.body == body; }, constraint);
                       });
  }

  // What is cheap to find.
  void doubt(const Body& body, const BodySpec& spec, const BodyPhysics& physics) {
    const std::string name = "\"" + body.name + "\"";
    const double size = longest(physics.extent);
    if (size > kLongest && spec.mesh && std::holds_alternative<FileMesh>(*spec.mesh))
      warn(
          fmt::format("body {} is {:.4g} m long: is its mesh in millimetres? \"transform\": {{ \"scale\": "
                      "0.001 }} makes it {:.4g} m",
                      name, size, size / 1000));
    else if (size > kLongest && body.solid())
      warn(fmt::format("body {} is {:.4g} m long; lengths are in metres", name, size));
    if (size < kShortest) warn(fmt::format("body {} is {:.3g} m long; lengths are in metres", name, size));
    if (const BodyMaterials* materials = body.materials(); materials && !materials->elements.empty()) {
      double softest = young_at_rest(materials->elements.front(), materials->curves);
      for (const ElementMaterial& material : materials->elements)
        softest = std::min(softest, young_at_rest(material, materials->curves));
      const auto lightest = std::min_element(
          materials->elements.begin(), materials->elements.end(),
          [](const ElementMaterial& a, const ElementMaterial& b) { return a.density < b.density; });
      if (softest > 0 && softest < kSoftest)
        warn(
            fmt::format("body {} has a Young's modulus of {:.3g} Pa, softer than any gel: is it in MPa or "
                        "GPa? It is given in Pa, {:.3g} MPa are {:.3g}",
                        name, softest, softest, 1e6 * softest));
      if (lightest->density < kLightest)
        warn(
            fmt::format("body {} has a density of {:.3g} kg/m^3, lighter than any foam: is it in g/cm^3? "
                        "{:.3g} g/cm^3 are {:.4g} kg/m^3",
                        name, lightest->density, lightest->density, 1000 * lightest->density));
    }
    if (gravity().norm() > 0 && physics.held == 0 && !can_be_stopped(body.name)) {
      const double end = scene_.time.end;
      warn(fmt::format("nothing holds body {} and there is no contact: it falls {:.3g} m by the end", name,
                       0.5 * gravity().norm() * end * end));
    }
  }

  void warn_of(const Body& body, const BodySpec& spec, const BodyPhysics& physics) {
    doubt(body, spec, physics);
    warn_of_locking(body);
    const std::string name = "\"" + body.name + "\"";
    const double size = longest(physics.extent);
    // Of a large held body the sag is not known, but that it is no small part of the length.
    if (const double load = body.solid() ? mean_density(body) * gravity().norm() * size : 0;
        !physics.sag && physics.large && physics.held > 0 && physics.held < physics.vertices &&
        load > mean_young(body))
      warn(
          fmt::format("body {} will lose its shape under its weight: its Young's "
                      "modulus, {:.3g} Pa, is below rho g L = {:.3g} Pa",
                      name, mean_young(body), load));
    if (physics.sag && *physics.sag > 0.5 * size)
      warn(
          fmt::format("body {} will lose its shape under its weight: in linear "
                      "elasticity it sags by {:.3g} m, and it is {:.3g} m long{}",
                      name, *physics.sag, size, stiffness_words(body, *physics.sag, size)));
    if (physics.lowest_frequency && *physics.lowest_frequency > 0 &&
        1 / *physics.lowest_frequency < 2 * scene_.time.step)
      warn(
          fmt::format("the slowest vibration of body {} has a period of {:.3g} s, shorter than two steps: "
                      "the motion between steps is not seen; {:.2g} s would show it",
                      name, 1 / *physics.lowest_frequency, 0.05 / *physics.lowest_frequency));
  }

  // In linear elasticity the sag goes as rho g L/E: the E at which it is a small part of the length. Empty for springs.
  std::string stiffness_words(const Body& body, double sag, double size) const {
    if (!body.materials() || body.materials()->elements.empty()) return {};
    const double young = mean_young(body);
    return fmt::format(
        "; its Young's modulus, {:.3g} Pa, stands against rho g L = {:.3g} Pa: with {:.2g} Pa it sags by a "
        "twentieth of its length",
        young, mean_density(body) * gravity().norm() * size, young * sag / (kSmallSag * size));
  }

  // Linear tetrahedra bend too little where the material keeps its volume, and quadratic ones a little.
  void warn_of_locking(const Body& body) {
    const SolidBody* solid = body.solid();
    if (!solid || solid->mean_volume) return;
    const double most = solid->quadratic.empty() ? kMostPoissonLinear : kMostPoissonQuadratic;
    double largest = 0;
    for (const ElementMaterial& material : solid->materials.elements)
      largest = std::max(largest, poisson_at_rest(material, solid->materials.curves));
    if (largest > most)
      warn(
          fmt::format("body \"{}\" has a Poisson's ratio of {:.4g}: {} tetrahedra lock there, and are too "
                      "stiff; \"element\": \"tet10-mean\" is not",
                      body.name, largest, solid->quadratic.empty() ? "linear" : "quadratic"));
  }

  // Of the stiffness at the start; explicit_substeps() is of the limit 2 of Verlet's method.
  void warn_of_stability() {
    const MethodInfo& method = simulation_.method();
    if (!method.conditionally_stable || !(method.stability_limit > 0)) return;
    const double turn = 2 * explicit_substeps(simulation_.model(), simulation_.state(), simulation_.h());
    if (turn > 1.1 * method.stability_limit && turn > 2)
      warn(fmt::format(
          "{} is stable for h w_max below {:.3g} only, and the fastest vibration of these meshes has about "
          "{:.2g}: take steps of {:.2g} s, or an implicit method such as \"em\"",
          method.name, method.stability_limit, turn, simulation_.h() * method.stability_limit / turn));
  }

  // A probe follows the nearest vertex, which should be about where it is put.
  void warn_of_probes() {
    for (const ProbeSpec& probe : scene_.probes) {
      const Body& body = find_body(world_.bodies(), probe.body);
      const Point3 at{probe.at[0], probe.at[1], probe.at[2]};
      int vertex = 0;
      for (int v = 1; v < body.vertex_count(); ++v)
        if (norm(body.rest()[std::size_t(v)] - at) < norm(body.rest()[std::size_t(vertex)] - at)) vertex = v;
      const double nearest = norm(body.rest()[std::size_t(vertex)] - at);
      const Bounds bounds = bounds_of(body.rest());
      if (nearest > longest_edge_at(body, vertex))
        warn(
            fmt::format("probe \"{}\" is {:.3g} m from the nearest vertex of body \"{}\", farther than an "
                        "edge; it follows that vertex (the body is at {})",
                        probe.name, nearest, body.name, place_words(bounds)));
    }
  }

  // As FrameWriter writes them: these arrays, compressed, of which numbers keep most of their bytes and indices some
  // six of a cell.
  void expect_frames() {
    if (scene_.output.formats.empty()) return;
    const double cells = world_.tetrahedra() + world_.triangles() + world_.springs();
    double per_vertex = 57, per_cell = 10;
    for (const OutputField field : scene_.output.fields) {
      if (field == OutputField::contact_force) per_vertex += 12;
      if (const FieldInfo* info = find_field(field)) {
        per_vertex += 4 * static_cast<double>(info->components.size());
        per_cell += 4 * static_cast<double>(info->components.size());
      }
    }
    const double frames = static_cast<double>(simulation_.steps() / scene_.output.every + 1);
    out_.expected_bytes = frames * (per_vertex * world_.vertices() + per_cell * cells);
  }

  // By sizes, without a step: 1 us per element and step, 50 ns per explicit substep.
  void guess_time() {
    const double elements = world_.tetrahedra() + world_.triangles() + world_.springs();
    const double substeps = explicit_substeps(simulation_.model(), simulation_.state(), simulation_.h());
    const bool is_explicit = simulation_.method().auto_role == AutoRole::explicit_step;
    out_.expected_seconds =
        static_cast<double>(simulation_.steps()) * elements * (is_explicit ? 5e-8 * substeps : 1e-6);
  }

  void expect_time() {
    const double steps = static_cast<double>(simulation_.steps());
    const bool may_touch = scene_work(world_, simulation_.model()).touches;
    out_.contact_is_ahead = may_touch;
    if (simulation_.model().dofs() > kMostRows && scene_.device == Device::cpu) return guess_time();
    if (scene_.settle == Switch::on && !settle_first()) return;
    const TrialClock::time_point start = TrialClock::now();
    double first = 0, passed = 0;
    std::int64_t made = 0, touched = 0;
    // A first step that factorizes is none like the others.
    const auto is_only = [&] { return made == 1 && simulation_.work().factorizations > 0; };
    while (made < simulation_.steps() && (passed < kTrialSeconds || is_only())) {
      if (simulation_.advance() != StepStatus::ok) {
        warn("the run will fail, as a trial of its first steps did: " + simulation_.failure());
        break;
      }
      passed = seconds_since_trial(start);
      const LedgerRow& row = simulation_.ledger();
      if (row.energies.contact != 0 || row.contact_work != 0) ++touched;
      if (made++ == 0) first = passed;
    }
    const double later = made > 1 ? (passed - first) / static_cast<double>(made - 1) : passed;
    out_.expected_seconds += made > 0 ? first + later * (steps - 1) : 0;
    out_.timed_steps = made;
    out_.contact_is_ahead = may_touch && 2 * touched < made;
  }

  // The run's steps begin in the equilibrium. False: there is none, or it takes too long to be found here.
  bool settle_first() {
    const PollForInterruption polled(leave_long_settle);
    settle_start = TrialClock::now();
    try {
      const Interruptible scope;
      const EquilibriumReport report = simulation_.settle();
      out_.expected_seconds = seconds_since_trial(settle_start);
      if (report.status == StepStatus::ok) return true;
      warn("the run will fail, as the search for its equilibrium (`settle`) did: " + simulation_.failure());
    } catch (const SettleWasLeft&) {
      guess_time();
      warn(
          fmt::format("the equilibrium that the run begins with (`settle`) was not found in {:g} s: the time "
                      "of the run is guessed from sizes, without that of the search",
                      kSettleSeconds));
    }
    return false;
  }

  const Scene& scene_;
  const SceneModel& world_;
  Simulation& simulation_;
  std::vector<bool> held_;
  ScenePhysics out_;
};

}  // namespace

ScenePhysics scene_physics(const Scene& scene, const SceneModel& world, Simulation& simulation) {
  return Survey(scene, world, simulation).make();
}

std::vector<std::string> doubts_about(const Scene& scene, const SceneModel& world, Simulation& simulation) {
  return Survey(scene, world, simulation).doubts();
}

std::string describe(const BodyPhysics& body, double h, double gravity) {
  std::string words = fmt::format("{}: {:.3g} x {:.3g} x {:.3g} m, {:.3g} kg; ", body.name, body.extent[0],
                                  body.extent[1], body.extent[2], body.mass);
  words += body.held > 0
               ? fmt::format("{} of {} vertices held ({})", body.held, body.vertices, body.held_where)
               : fmt::format("none of {} vertices held", body.vertices);
  if (body.lowest_frequency && *body.lowest_frequency > 0)
    words += fmt::format("; slowest vibration {:.3g} Hz, {:.3g} steps a period", *body.lowest_frequency,
                         1 / (*body.lowest_frequency * h));
  if (body.large && body.held < body.vertices)
    words += fmt::format("; no frequency: more than {} vertices", kMostVertices);
  if (body.sag && gravity > 0) words += fmt::format("; its weight moves it by {:.2g} m", *body.sag);
  return words;
}

}  // namespace phiflex
