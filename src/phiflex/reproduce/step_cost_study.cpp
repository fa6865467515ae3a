#include "phiflex/reproduce/step_cost_study.h"

#include <time.h>

#include <algorithm>

#include "phiflex/linalg/implicit_matrix.h"
#include "phiflex/reproduce/expression.h"
#include "phiflex/reproduce/run_store.h"
#include "phiflex/run/scene_model.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/scene_io.h"
#include "phiflex/study/method_variant.h"

namespace phiflex {
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double newmark_step_seconds(const std::filesystem::path& file, const std::vector<std::string>& overrides,
                            int iterations, int steps) {
  const Scene scene = ordered_scene({.scene_file = file.string(), .overrides = overrides});
  const SceneModel world = build_scene(scene, file.string());
  const std::unique_ptr<DeformableModel> model = world.make_model(0);
  const std::unique_ptr<AssembledTangent> tangent = model->assembled_tangent(Definiteness::exact);
  ImplicitMatrix matrix(model->mass(), model->pattern(), RefactorPolicy::always, 1e-6);
  const double h = scene.time.step;
  State now = world.initial_state(*model), next = now;
  Vector a, a_next, f, Ma, da;
  Work work;
  model->force(now, f);
  model->mass().solve(f, a);
  std::vector<double> seconds;
  for (int step = 0; step < steps; ++step) {
    const double start = processor_seconds();
    a_next = a;
    next.t = now.t + h;
    for (int i = 0; i <= iterations; ++i) {
      next.q = now.q + h * now.v + h * h / 4 * (a + a_next);  // (1)
      next.v = now.v + h / 2 * (a + a_next);
      if (i == iterations) break;
      tangent->update(next);
      matrix.set({1, h / 2, h * h / 4}, tangent->D(), tangent->K());
      model->force(next, f);
      model->mass().apply(a_next, Ma);
      if (matrix.solve(f - Ma, da, work) != SolveStatus::ok)
        throw Undecided("the matrix of a Newmark step cannot be factorized");
      a_next += da;
    }
    seconds.push_back(processor_seconds() - start);
    std::swap(now, next);
    std::swap(a, a_next);
  }
  return *std::min_element(seconds.begin(), seconds.end());
}

double method_step_seconds(const std::filesystem::path& file, const std::vector<std::string>& overrides,
                           const std::string& method, int steps) {
  std::vector<std::string> all = overrides;
  for (const std::string& word : overrides_of(parse_method_variant(method, "method"))) all.push_back(word);
  const Scene scene = ordered_scene({.scene_file = file.string(), .overrides = all});
  const SceneModel world = build_scene(scene, file.string());
  Simulation simulation(scene, world, steps + 1);
  std::vector<double> seconds;
  for (int step = 0; step <= steps; ++step) {
    const double start = processor_seconds();
    if (simulation.advance() != StepStatus::ok)
      throw Undecided("a step of " + method + " failed: " + simulation.failure());
    if (step > 0) seconds.push_back(processor_seconds() - start);
  }
  return *std::min_element(seconds.begin(), seconds.end());
}

}  // namespace phiflex
