// Quadratic against linear tetrahedra: a clamped bar, 4 x 1 x 1 m, linear material, its first ten frequencies
// and the sag of its tip under gravity (statics), over degrees of freedom and seconds. The truth is the
// quadratic bar of 32 x 8 x 8 cells. One thread; seconds are those of the thread: assembly, factorization and
// solve for the sag, and compute_modes for the frequencies. Beside them the linear bars with EigenFit
// (model/eigenfit_correction.h), ten modes fitted to the finest linear bar: the sag solves with the corrected
// stiffness, the seconds hold all that is done once, the modes of the fine bar included.
//
//   error of the frequencies = largest |w - w_true|/w_true of ten                                         (1)
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "bench/thread_clock.h"
#include "phiflex/base/parallel.h"
#include "phiflex/linalg/implicit_matrix.h"
#include "phiflex/linalg/modes.h"
#include "phiflex/run/coarsening.h"
#include "phiflex/run/scene_model.h"
#include "phiflex/scene/scene.h"
#include "phiflex/scene/scene_io.h"

using namespace phiflex;
using bench::thread_seconds;

namespace {

constexpr int kModes = 10;

struct Result {
  Index dofs = 0;
  double sag = 0, sag_seconds = 0, modes_seconds = 0;
  std::vector<double> w;  // rad/s
};

std::string cells_of(int cells) {
  const std::string across = std::to_string(cells);
  std::string text("[");
  text.append(std::to_string(4 * cells)).append(", ").append(across).append(", ").append(across).append("]");
  return text;
}

// fine: cells of the bar that EigenFit follows; 0: none.
Result measure(const std::string& element, const std::string& mass, int cells, int fine = 0) {
  const std::string coarsening = fine == 0
                                     ? ""
                                     : R"(, "coarsening": { "type": "eigenfit", "modes": 10, "fine": { "mesh":
      { "generate": "box", "size": [4, 1, 1], "cells": )" +
                                           cells_of(fine) + " } } }";
  std::vector<Problem> warnings;
  const Scene scene = parse_scene(R"({ "phiflex": 1, "name": "bar", "time": { "step": 0.01, "end": 1.0 },
    "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "bar", "element": ")" +
                                      element + R"(", "mass": ")" + mass + R"(",
        "mesh": { "generate": "box", "size": [4, 1, 1], "cells": )" +
                                      cells_of(cells) + R"( },
        "material": { "type": "linear", "young": 1e8, "poisson": 0.3, "density": 1000 } } ],
    "constraints": [ { "body": "bar", "type": "fix", "where": { "box": [[-1e-6, -1, -1], [1e-6, 2, 2]] } } ],
    "probes": [ { "name": "tip", "body": "bar", "at": [4, 0.5, 0.5] } ])" +
                                      coarsening + "}",
                                  "bench_tet10", {}, warnings);
  const SceneModel world = build_scene(scene, "bench_tet10");
  const auto model = world.make_model(0);
  Result result;
  result.dofs = model->dofs();
  const State rest{0, Vector::Zero(result.dofs), Vector::Zero(result.dofs)};
  Vector f, x, v;
  State sagged = rest;
  Work work;
  double start = thread_seconds();
  const std::unique_ptr<EigenFit> eigenfit = make_eigenfit(scene, world, *model, 0);
  if (eigenfit) eigenfit->correction.update(rest, work);
  const MechanicalSystem& system = eigenfit ? static_cast<const MechanicalSystem&>(eigenfit->system) : *model;
  const auto tangent = system.assembled_tangent(Definiteness::exact);
  ImplicitMatrix matrix(model->mass(), model->pattern(), RefactorPolicy::always, 1e-10);
  tangent->update(rest);
  system.force(rest, f);
  matrix.set({0, 0, 1}, nullptr, tangent->K());
  matrix.add_low_rank(tangent->low_rank());
  if (matrix.solve(f, sagged.q, work) != SolveStatus::ok) std::printf("the sag could not be solved for\n");
  result.sag_seconds = thread_seconds() - start;
  model->expand(sagged, x, v);
  std::vector<Point3> tip, tip_at_rest;
  world.probe_positions(x, tip);
  world.probe_positions(world.rest(), tip_at_rest);
  result.sag = tip_at_rest[0][1] - tip[0][1];

  Modes modes;
  start = thread_seconds();
  if (compute_modes(AssembledPencil(tangent->K(), model->mass(), tangent->low_rank()), kModes, {}, modes,
                    work) != ModesStatus::ok)
    std::printf("the modes were not found\n");
  result.modes_seconds = thread_seconds() - start;
  for (Index i = 0; i < modes.count(); ++i) result.w.push_back(std::sqrt(modes.lambda[i]));
  return result;
}

double frequency_error(const Result& result, const Result& truth) {  // (1)
  double worst = 0;
  for (int i = 0; i < kModes; ++i) worst = std::max(worst, std::abs(result.w[i] / truth.w[i] - 1));
  return worst;
}

}  // namespace

int main() {
  set_thread_count(1);
  const Result truth = measure("tet10", "consistent", 8);
  std::printf("truth: %ld unknowns, sag %.6f m, first and tenth frequency %.4f and %.4f rad/s\n\n",
              long(truth.dofs), truth.sag, truth.w.front(), truth.w.back());
  std::printf("%-6s %8s %9s | %10s %10s | %14s %14s %10s\n", "", "cells", "unknowns", "sag error", "seconds",
              "w, consistent", "w, lumped", "seconds");
  struct Row {
    std::string element;
    double sag_error, frequency_error, seconds;
    Index dofs;
  };
  std::vector<Row> rows;
  for (const auto& [element, most] : {std::pair<std::string, int>("tet4", 12), {"tet10", 6}}) {
    for (const int cells : {1, 2, 3, 4, 6, 8, 12}) {
      const bool has_middle = element == "tet10" || cells % 2 == 0;  // a node at the middle of the tip
      if (cells > most || !has_middle) continue;
      const Result here = measure(element, "consistent", cells), lumped = measure(element, "lumped", cells);
      rows.push_back({element, std::abs(here.sag / truth.sag - 1), frequency_error(here, truth),
                      here.sag_seconds + here.modes_seconds, here.dofs});
      std::printf("%-6s %2dx%2dx%2d %9ld | %9.3f %% %10.3f | %12.3f %% %12.3f %% %10.3f\n", element.c_str(),
                  4 * cells, cells, cells, long(here.dofs), 100 * rows.back().sag_error, here.sag_seconds,
                  100 * rows.back().frequency_error, 100 * frequency_error(lumped, truth),
                  here.modes_seconds);
    }
  }
  constexpr int kFine = 12;
  for (const int cells : {2, 4, 6, 8}) {
    const Result here = measure("tet4", "consistent", cells, kFine),
                 lumped = measure("tet4", "lumped", cells, kFine);
    std::printf("%-6s %2dx%2dx%2d %9ld | %9.3f %% %10.3f | %12.3f %% %12.3f %% %10.3f\n", "efit", 4 * cells,
                cells, cells, long(here.dofs), 100 * std::abs(here.sag / truth.sag - 1), here.sag_seconds,
                100 * frequency_error(here, truth), 100 * frequency_error(lumped, truth), here.modes_seconds);
  }
  std::printf(
      "(efit: tet4 with EigenFit, ten modes of %dx%dx%d linear cells; its first seconds hold those modes)\n",
      4 * kFine, kFine, kFine);

  // The finest linear bar against the coarsest quadratic one that is at least as accurate in both.
  const Row* linear = nullptr;
  for (const Row& row : rows)
    if (row.element == "tet4") linear = &row;
  const auto better = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
    return row.element == "tet10" && row.sag_error <= linear->sag_error &&
           row.frequency_error <= linear->frequency_error;
  });
  if (better == rows.end()) {
    std::printf("\nno quadratic bar is as accurate as the finest linear one\n");
    return 1;
  }
  const double fewer = double(linear->dofs) / double(better->dofs),
               faster = linear->seconds / better->seconds;
  std::printf(
      "\nthe errors of %ld linear unknowns are met by %ld quadratic ones: %.1f times fewer, %.1f times as "
      "fast "
      "(at least 5 wanted of both)\n",
      long(linear->dofs), long(better->dofs), fewer, faster);
  return fewer >= 5 && faster >= 5 ? 0 : 1;
}
