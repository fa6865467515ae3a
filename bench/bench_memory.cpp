// Peak memory of an SI run of the 98,304-tetrahedra box, recorded with every frame: it must not grow with their number.
// Each run is a process of its own, since a process never forgets its peak.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "phiflex/run/run.h"
#include "phiflex/scene/scene.h"

using namespace phiflex;

namespace {

double peak_gigabytes(int steps) {
  const pid_t child = fork();
  if (child == 0) {
    std::vector<Problem> remarks;
    const Scene scene =
        parse_scene(R"({ "name": "box", "time": { "step": 0.01, "end": 1 }, "gravity": [0, -9.81, 0],
        "bodies": [ { "name": "box", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [64, 16, 16] },
                      "material": { "type": "neo-hookean", "young": 2e5, "poisson": 0.45, "density": 1000 } } ],
        "constraints": [ { "body": "box", "where": { "box": [[0, 0, 0], [0, 1, 1]] }, "type": "fix" } ] })",
                    "bench_memory", {}, remarks);
    RunOptions options;
    options.folder =
        std::filesystem::temp_directory_path() / ("phiflex_bench_memory_" + std::to_string(getpid()));
    options.steps = steps;
    const RunSummary summary = run_scene(scene, "bench_memory", {}, options);
    std::filesystem::remove_all(options.folder);
    _exit(summary.status == RunStatus::done ? 0 : 1);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? static_cast<double>(usage.ru_maxrss) * 1024 / 1e9
                                                       : -1;
}

}  // namespace

int main() {
  const double few = peak_gigabytes(4), many = peak_gigabytes(40);
  std::printf(
      "SI, 98304 tetrahedra, peak memory: %.3f GB with 5 frames, %.3f GB with 41 frames (at most 1.2 "
      "wanted)\n",
      few, many);
  return few > 0 && many > 0 && many <= 1.2 ? 0 : 1;
}
