// What the exponential part of SIERE costs: `si` and `siere` with 5 and 20 modes on the same bar (0.4 m long) or
// cube (of 0.1 m), swinging under gravity from a clamped end, in turn, for bodies of 5,000 to 98,304 tetrahedra and
// Young's moduli of 1e5 to 1e10, with a factorization at every step and with the keep-or-refactor policy (the default).
// The promise: 5 modes take at most 1.5 steps of `si` under the same policy.
// `bench_siere quick` leaves the largest bodies out.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "bench/race.h"
#include "phiflex/base/parallel.h"
#include "phiflex/linalg/cholesky.h"

using namespace phiflex;
using bench::Runner;

namespace {

constexpr int kWarmUp = 3;  // steps that are not timed: symbolic analysis, the first modes

std::string body(int along, int across) {
  return R"({ "phiflex": 1, "name": "bar", "time": { "step": 0.01, "end": 1 }, "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "bar",
        "mesh": { "generate": "box", "size": [)" +
         std::to_string(0.1 * along / across) + R"(, 0.1, 0.1], "cells": [)" + std::to_string(along) + "," +
         std::to_string(across) + "," + std::to_string(across) + R"(] },
        "material": { "type": "neo-hookean", "young": 1e6, "poisson": 0.45, "density": 1000 } } ],
    "constraints": [ { "body": "bar", "type": "fix",
        "where": { "box": [[-1e-6, -1, -1], [1e-6, 1, 1]] } } ] })";
}

constexpr double kMostFive = 1.5;  // si steps, with 5 modes
constexpr double kMostError =
    0.05;  // of the modes: relative residual, or angle in energy, whichever is smaller

// The ratios to si of siere with 5 and with 20 modes; false when a promise is not kept.
bool race(int along, int across, const char* young, const char* policy, int steps) {
  const auto overrides = [&](const std::string& type, int modes) {
    return std::vector<std::string>{"integrator.type=" + type, "integrator.modes=" + std::to_string(modes),
                                    std::string("integrator.refactor=") + policy,
                                    std::string("bodies.0.material.young=") + young};
  };
  const std::string scene = body(along, across);
  Runner si(scene, overrides("si", 5), 1000), five(scene, overrides("siere", 5), 1000),
      twenty(scene, overrides("siere", 20), 1000);
  const std::array all = {&si, &five, &twenty};
  for (int step = 0; step < kWarmUp + steps; ++step)
    for (Runner* runner : all)
      if (!runner->advance(step < kWarmUp ? Runner::Clock::waits : Runner::Clock::runs)) {
        std::printf("failed: %s\n", runner->simulation().failure().c_str());
        return false;
      }
  const double a = five.seconds_per_step() / si.seconds_per_step(),
               b = twenty.seconds_per_step() / si.seconds_per_step();
  const double error =
      std::max(five.simulation().quality().eigen_residual, twenty.simulation().quality().eigen_residual);
  const bool kept = a <= kMostFive && error <= kMostError;
  std::printf("%-5s %8d %8s  %-7s %9.1f %8.2f %8.2f %10.1e %7ld %7ld  %s\n", along == across ? "cube" : "bar",
              si.tetrahedra(), young, policy, 1e3 * si.seconds_per_step(), a, b, error,
              five.simulation().work().mode_sweeps, twenty.simulation().work().mode_sweeps,
              kept ? "" : "NOT KEPT");
  std::fflush(stdout);
  return kept;
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "quick") == 0;
  set_thread_count(1);
  set_blas_threads(1);
  std::printf(
      "siere against si, one thread, bodies swinging under gravity, h = 0.01: steps of si under the same "
      "policy "
      "(5 modes: at\n"
      "most %.2f; error of the modes, residual or angle in energy: at most %.2f)\n"
      "body      tets    young  refactor  si [ms]  5 modes 20 modes      error  sweeps of 5 and 20\n",
      kMostFive, kMostError);
  bool kept = true;
  struct Size {
    int along, across;
    bool large;
  };
  for (const auto& [along, across, large] : {Size{24, 6, false},
                                             {40, 10, false},
                                             {64, 16, true},
                                             {10, 10, false},
                                             {16, 16, false},
                                             {25, 25, true}}) {
    if (quick && large) continue;
    for (const char* young : {"1e5", "1e6", "1e7", "1e10"}) {
      if (young == std::string_view("1e6") && (large || along == across)) continue;
      kept &= race(along, across, young, "always", large ? 6 : 20);
      kept &= race(along, across, young, "auto", large ? 20 : 50);
    }
  }
  return kept ? 0 : 1;
}
