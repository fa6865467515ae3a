#include "phiflex/reproduce/newmark_cost_study.h"

#include <algorithm>
#include <chrono>

#include "phiflex/linalg/implicit_matrix.h"
#include "phiflex/reproduce/expression.h"
#include "phiflex/run/world.h"
#include "phiflex/scene/scene_io.h"

namespace phiflex {

double newmark_step_seconds(const std::filesystem::path& file, const std::vector<std::string>& overrides, int iterations,
                            int steps) {
  ReadOptions options;
  options.overrides = overrides;
  std::vector<Problem> warnings;
  const Scene scene = read_scene(file, options, warnings);
  const World world(scene, file.string());
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
    const auto start = std::chrono::steady_clock::now();
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
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    std::swap(now, next);
    std::swap(a, a_next);
  }
  return *std::min_element(seconds.begin(), seconds.end());
}

}  // namespace phiflex
