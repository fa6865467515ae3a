// A run folder made by formulas instead of a simulation: a bar of tetrahedra that swings from its left end,
// with energies of a damped pendulum. Small, exact, and looks like the real thing.
#pragma once

#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "phiflex/mesh/generators.h"
#include "phiflex/record/energy_csv.h"
#include "phiflex/record/frames.h"
#include "phiflex/record/named_tables.h"
#include "phiflex/record/run_folder.h"
#include "phiflex/record/run_json.h"
#include "tests/scratch_folder.h"

namespace phiflex {

using testing::ScratchFolder;

// 6 tetrahedra in each cell, 480 if nothing is said; the left half region 1, the right half region 2.
inline TetMesh make_bar(const std::array<int, 3>& cells = {20, 2, 2}) {
  TetMesh mesh = generate_box({.size = {0.4, 0.04, 0.04}, .cells = cells});
  for (const std::array<int, 4>& tet : mesh.tets)
    mesh.tags.push_back(mesh.vertices[static_cast<std::size_t>(tet[0])][0] < 0.2 ? 1 : 2);
  return mesh;
}

// The displacement of a point of the bar: it bends down and swings, less and less.
inline Point3 swing(const Point3& x, double time) {
  const double bend = 2.6 * x[0] * (1 - std::exp(-0.35 * time) * std::cos(7 * time));
  const double angle = -std::min(2.0, bend);
  const double along = x[0], radius = x[1];
  const double turn = std::abs(angle) < 1e-9 ? 1e-9 : angle;
  // A piece of a circle whose end has turned by `angle`.
  return {along * std::sin(turn) / turn - radius * std::sin(turn) - x[0],
          along * (1 - std::cos(turn)) / turn + radius * std::cos(turn) - x[1],
          0.03 * x[0] * std::sin(3 * time)};
}

struct FakeRun {
  std::string name = "bar drop";
  int steps = 200;
  double h = 0.02;
  std::array<int, 3> cells{20, 2, 2};
  RunStatus status = RunStatus::done;
  bool frames = true, probes = true, springs = true;
  bool fields =
      false;  // von Mises stress, J, stress and contact forces at the vertices, by formulas of x and t
};

inline EnergyRow fake_energy(int step, double time) {
  EnergyRow row;
  row.step = step;
  row.time = time;
  const double left = std::exp(-0.7 * time), phase = std::cos(7 * time);
  row.gravity = -0.012 * (1 - std::exp(-0.35 * time) * phase);
  row.kinetic = 0.0068 * left * (1 - phase * phase);
  row.elastic = 0.006 * (1 - std::exp(-0.35 * time) * phase) * (1 - std::exp(-0.35 * time) * phase);
  row.total = row.kinetic + row.elastic + row.gravity;
  row.dissipated = 0.0009 * (1 - left);
  row.numerical_loss = -row.dissipated - row.total;
  return row;
}

// Of the vertices of a run with fields: Pa and volume over rest volume.
inline double fake_von_mises(const Point3& x, double time) {
  return 5e4 * (0.4 - std::min(0.4, x[0])) * (1 + time);
}
inline double fake_J(const Point3& x) {
  return 1 + 0.3 * std::sin(15 * x[0]);
}

inline RunSummary fake_summary(const FakeRun& run) {
  RunSummary summary;
  summary.status = run.status;
  if (run.status == RunStatus::failed) summary.reason = "step 57: a value is not finite";
  summary.version = "0.1.0";
  summary.scene = {{"phiflex", 1},
                   {"name", run.name},
                   {"time", {{"step", run.h}, {"end", run.h * run.steps}}},
                   {"integrator", {{"type", "si"}, {"newton_tolerance", 1e-8}}},
                   {"gravity", {0, -9.81, 0}}};
  summary.machine = this_machine();
  summary.threads = 2;
  summary.vertices = 225;
  summary.elements = 480;
  summary.degrees_of_freedom = 648;
  summary.steps = summary.steps_planned = run.steps;
  summary.h = run.h;
  summary.work.assemblies = run.steps;
  summary.work.factorizations = 12;
  summary.work.solves = 431;
  summary.work.cg_iterations = 386;
  summary.work.force_evaluations = 400;
  summary.work.assembly_seconds = 0.061;
  summary.work.factorization_seconds = 0.034;
  summary.work.solve_seconds = 0.092;
  summary.output_seconds = 0.12;
  summary.total_seconds = 0.331;
  summary.seconds_per_step = 0.00095;
  summary.hash = "d1f2a00c5b6e77aa";
  summary.frames = run.frames ? run.steps + 1 : 0;
  summary.messages.warn("bar: 2 vertices belong to no tetrahedron");
  summary.messages.note("/integrator/newton_tolerance is not used by si");
  return summary;
}

inline RunFolder make_fake_run(const std::filesystem::path& root, const FakeRun& run = {}) {
  const RunFolder folder = prepare_run_folder(root, ExistingFolder::refuse);
  const TetMesh bar = make_bar(run.cells);
  const std::vector<Point3> rope{{0.4, 0.02, 0.02}, {0.44, 0.02, 0.02}, {0.48, 0.02, 0.02}};
  FrameGeometry geometry;
  geometry.add_tets(bar.vertices, bar.tets, bar.tags);
  if (run.springs) geometry.add_springs(rope, std::vector<std::array<int, 2>>{{0, 1}, {1, 2}});
  const FrameGeometry shape = geometry;
  EnergyCsv energy(folder.energy_csv());
  std::optional<FrameWriter> frames;
  std::optional<ProbesCsv> probes;
  if (run.frames) frames.emplace(folder, geometry);
  if (run.probes) probes.emplace(folder.probes_csv(), std::vector<std::string>{"tip"});
  EnergySummary ledger;
  std::vector<double> displacement, velocity(3 * shape.rest.size(), 0.0), density(shape.cells.size(), 1.5);
  for (int step = 0; step <= run.steps; ++step) {
    const double time = step * run.h;
    energy.write(fake_energy(step, time));
    ledger.add(fake_energy(step, time));
    displacement.clear();
    for (const Point3& x : shape.rest) {
      const Point3 moved = swing(x, time);
      displacement.insert(displacement.end(), moved.begin(), moved.end());
    }
    std::vector<VtuArray> of_points;
    std::vector<double> von_mises, J, stress, force;
    if (run.fields) {
      for (const Point3& x : shape.rest) {
        von_mises.push_back(fake_von_mises(x, time));
        J.push_back(fake_J(x));
        for (int c = 1; c <= 6; ++c) stress.push_back(c * von_mises.back());
        force.insert(force.end(), {0.0, x[0] > 0.39 ? 2 * time : 0.0, 0.0});
      }
      of_points = {{"contact_force", 3, force, {}},
                   {"vertex_von_mises", 1, von_mises, {}},
                   {"vertex_J", 1, J, {}},
                   {"vertex_stress", 6, stress, {}}};
    }
    if (frames) frames->write(time, displacement, velocity, density, {}, of_points);
    if (probes) {
      const Point3 x{0.4, 0.04, 0.04}, u = swing(x, time);
      probes->write(step, time, std::array<Point3, 1>{{{x[0] + u[0], x[1] + u[1], x[2] + u[2]}}});
    }
  }
  RunSummary summary = fake_summary(run);
  summary.energy_first = ledger.first();
  summary.energy_last = ledger.last();
  summary.energy_largest_relative_change = ledger.largest_relative_change();
  write_run_json(folder.run_json(), summary);
  return folder;
}

}  // namespace phiflex
