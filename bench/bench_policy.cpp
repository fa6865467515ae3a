// What the keep-or-refactor policy is worth: a bar of 24,000 tetrahedra swings under gravity, integrated by
// SI with the policy and with a factorization at every step. Both advance in turn, one thread each; seconds
// are those of the thread, so that other programs do not count.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "phiflex/base/parallel.h"
#include "phiflex/linalg/cholesky.h"
#include "phiflex/run/scene_model.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/scene.h"
#include "phiflex/scene/scene_io.h"

using namespace phiflex;

namespace {

constexpr int kSteps = 100;

double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

Scene swinging_bar(const std::string& refactor) {
  std::vector<Problem> warnings;
  return parse_scene(R"({ "phiflex": 1, "name": "swinging-bar",
    "time": { "step": 0.01, "end": 1.0 },
    "integrator": { "type": "si", "refactor": ")" +
                         refactor + R"(" },
    "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "bar",
        "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [40, 10, 10] },
        "material": { "type": "neo-hookean", "young": 2e5, "poisson": 0.45, "density": 1000 } } ],
    "constraints": [ { "body": "bar", "type": "fix",
        "where": { "box": [[-1e-6, -1, -1], [1e-6, 1, 1]] } } ] })",
                     "bench_policy", {}, warnings);
}

struct Runner {
  explicit Runner(const std::string& refactor)
      : scene(swinging_bar(refactor)),
        world(build_scene(scene, "bench_policy")),
        simulation(scene, world, kSteps) {}
  void advance() {
    const double start = now();
    ok = ok && simulation.advance() == StepStatus::ok;
    seconds += now() - start;
  }
  void print(const char* name) const {
    const Work& work = simulation.work();
    std::printf(
        "%-12s %9.1f ms/step: assembly %5.1f, factorization %6.1f, solve %6.1f; %4ld factorizations, %5ld "
        "iterations\n",
        name, 1e3 * seconds / kSteps, 1e3 * work.assembly_seconds / kSteps,
        1e3 * work.factorization_seconds / kSteps, 1e3 * work.solve_seconds / kSteps, work.factorizations,
        work.cg_iterations);
  }
  Scene scene;
  SceneModel world;
  Simulation simulation;
  double seconds = 0;
  bool ok = true;
};

}  // namespace

int main() {
  set_thread_count(1);
  set_blas_threads(1);
  Runner automatic("auto"), always("always");
  double difference = 0, motion = 0;
  for (int step = 0; step < kSteps; ++step) {
    automatic.advance();
    always.advance();
    const Vector& q = always.simulation.state().q;
    difference = std::max(difference, (automatic.simulation.state().q - q).cwiseAbs().maxCoeff());
    motion = std::max(motion, q.cwiseAbs().maxCoeff());
  }
  std::printf("swinging bar, %d tetrahedra, %d steps of SI, one thread\n", automatic.world.tetrahedra(),
              kSteps);
  always.print("always");
  automatic.print("policy");
  const double gain = always.seconds / automatic.seconds;
  std::printf(
      "the policy is faster by %.2f (at least 2 wanted); largest difference %.1e of the motion (at most "
      "1e-5)\n",
      gain, difference / motion);
  return automatic.ok && always.ok && gain >= 2 && difference <= 1e-5 * motion ? 0 : 1;
}
