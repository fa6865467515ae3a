#include "phiflex/reproduce/static_step_study.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "phiflex/integrate/catalogue.h"
#include "phiflex/linalg/dense_solvers.h"
#include "phiflex/reproduce/expression.h"
#include "phiflex/reproduce/run_store.h"
#include "phiflex/run/scene_model.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/scene_io.h"
#include "phiflex/study/method_variant.h"

namespace phiflex {
namespace {

int count_inverted(const SceneModel& world, const Vector& x) {
  int inverted = 0;
  for (const Body& body : world.bodies()) {
    if (!body.solid()) continue;
    for (const std::array<int, 4>& tet : body.solid()->mesh.tets) {
      const auto corner = [&](std::size_t i) { return x.segment<3>(3 * (body.first_vertex + tet[i])); };
      Eigen::Matrix3d edges;
      edges << corner(1) - corner(0), corner(2) - corner(0), corner(3) - corner(0);
      inverted += edges.determinant() <= 0;
    }
  }
  return inverted;
}

double largest_per_vertex(const Vector& f) {
  double largest = 0;
  for (Index i = 0; i + 2 < f.size(); i += 3) largest = std::max(largest, f.segment<3>(i).norm());
  return largest;
}

}  // namespace

const StaticState& StaticStepStudy::state(const std::string& scene_name,
                                          const std::vector<std::string>& overrides) {
  const auto [place, is_new] =
      states_.try_emplace(fmt::format("{} {}", scene_name, fmt::join(overrides, " ")));
  StaticState& found = place->second;
  if (!is_new) return found;
  const Scene scene = ordered_scene({.scene_file = (folder_ / scene_name).string(), .overrides = overrides});
  const SceneModel world = build_scene(scene, scene_name);
  const auto steps = static_cast<std::int64_t>(std::llround(scene.time.end / scene.time.step));
  Simulation simulation(scene, world, steps);
  while (simulation.step() < steps)
    if (simulation.advance() != StepStatus::ok) {
      found.failure = simulation.failure();
      return found;
    }
  const DeformableModel& model = simulation.model();
  State at = simulation.state();
  at.v.setZero();
  Vector f, e, v;
  model.force(at, f);
  model.expand(at, found.x, v);
  model.external_forces(at, e);
  found.t = at.t;
  found.residual = largest_per_vertex(f) / std::max(largest_per_vertex(e), 1e-300);
  found.inverted = count_inverted(world, found.x);
  found.repairs = simulation.work().projected_hessians + simulation.work().halved_steps;
  return found;
}

Work StaticStepStudy::step(const std::string& scene_name, const std::vector<std::string>& overrides,
                           const std::vector<std::string>& step_overrides, const std::string& method,
                           double tau) {
  const StaticState& start = state(scene_name, overrides);
  if (!start.failure.empty()) throw Undecided("there is no static state: " + start.failure);
  std::vector<std::string> all = overrides;
  all.insert(all.end(), step_overrides.begin(), step_overrides.end());
  const MethodVariant variant = parse_method_variant(method, "method");
  for (const std::string& word : overrides_of(variant)) all.push_back(word);
  const Scene scene = ordered_scene({.scene_file = (folder_ / scene_name).string(), .overrides = all});
  const SceneModel world = build_scene(scene, scene_name);
  const std::unique_ptr<DeformableModel> model = world.make_model(start.t);
  const std::unique_ptr<Integrator> integrator =
      find_integrator(scene.integrator.type)->make(*model, scene.integrator.options);
  const State now = model->state(start.t, start.x, Vector::Zero(start.x.size()));
  State next = now;
  const StepReport report = integrator->step(now, tau, next);
  if (report.status != StepStatus::ok) throw Undecided(fmt::format("one step of {} failed", method));
  return report.work;
}

}  // namespace phiflex
