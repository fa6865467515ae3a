// Contact. Without arguments all tables; `bench_contact NAME` one of them:
//
//   impacts     cubes and balls that fly at each other, with barriers between them, em and be (impacts.h); `impacts em 5` with
//               these methods and steps (ms) alone
//   never-met   what contact costs that is switched on and never met, em and be; `never-met verlet` with this method
//   stack       ten boxes on each other
//   drops       five shapes of six materials fall on a floor; `drops em be` with these methods alone (drops.h)
//   pile        64, 343 and 1,000 soft cubes in a box: cost and growth; `pile 4 7`: 4 and 7 along an edge (pile.h)
//   slopes, top friction (rubbing.h)
//   self        a twisted rod and a knot (self_contact.h)
//   cloth       11 x 11 particles (springs of 100 N/m) on a projecting sphere, five methods at h = 1/60: where the energy goes
//               (Figures 7 to 11 of Chen, Ascher and Pai: Exponential Rosenbrock-Euler integrators for elastodynamic
//               simulation, 2018, show such runs)
//   lifted      a sphere of penalties that is lifted under a cloth
//   swimming    the bacterium: how far it swims per turn of its motor, against the number of Stokeslets
//
// `bench_contact write FILE.obj` writes the bacterium of the gallery.
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>

#include "bench/bacterium.h"
#include "bench/drops.h"
#include "bench/impacts.h"
#include "bench/pile.h"
#include "bench/race.h"
#include "bench/rubbing.h"
#include "bench/self_contact.h"
#include "phiflex/base/parallel.h"
#include "phiflex/mesh/mesh_io.h"

using namespace phiflex;
using bench::Runner;

namespace {

const std::string kCloth = R"({ "phiflex": 1, "time": { "step": 0.0166666666666666667, "end": 5 },
    "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "cloth", "springs": { "generate": "cloth", "size": [1, 1], "cells": [10, 10],
                  "spring_constant": 100, "area_density": 5 },
                  "damping": { "mass": 0.01, "stiffness": 0 } } ],
    "contacts": [ { "type": "sphere", "center": [0.55, -0.5, 0.5], "radius": 0.25,
                    "mode": "project" } ] })";
constexpr int kClothSteps = 75;  // 1.25 s: a second after the first touch

double deepest(const Simulation& simulation) {
  Vector x, v;
  simulation.model().expand(simulation.state(), x, v);
  double depth = 0;
  for (Index i = 0; i < x.size(); i += 3)
    depth =
        std::max(depth, 0.25 - (Eigen::Vector3d(x.segment<3>(i)) - Eigen::Vector3d(0.55, -0.5, 0.5)).norm());
  return depth;
}

// beta: damping by the stiffness at rest, s. The paper prints 0.01, which hides most of what methods do.
bool cloth_on_sphere(const char* beta) {
  std::printf("cloth on a sphere, damping alpha = 0.01/s, beta = %s s: J after 1.25 s at h = 1/60\n", beta);
  std::printf("%-9s %9s %9s %9s %11s %9s %9s %9s %8s\n", "method", "kinetic", "elastic", "gravity",
              "dissipated", "loss", "max |loss|", "inside m", "ms/step");
  bool kept = true;
  for (const char* method : {"ere", "si", "be", "midpoint", "em"}) {
    Runner runner(kCloth,
                  {std::string("integrator.type=") + method, "integrator.newton_tolerance=1e-6",
                   std::string("bodies.0.damping.stiffness=") + beta},
                  kClothSteps);
    double inside = 0, largest = 0;
    while (runner.simulation().step() < kClothSteps && runner.advance()) {
      inside = std::max(inside, deepest(runner.simulation()));
      largest = std::max(largest, std::abs(runner.simulation().ledger().numerical_loss));
    }
    if (!runner.ok()) std::printf("%s failed: %s\n", method, runner.simulation().failure().c_str());
    const LedgerRow& row = runner.simulation().ledger();
    std::printf("%-9s %9.3f %9.3f %9.3f %11.3f %9.3f %9.3f %9.1e %8.2f\n", method, row.energies.kinetic,
                row.energies.elastic, row.energies.gravity, row.dissipated, row.numerical_loss, largest,
                inside, 1e3 * runner.seconds_per_step());
    kept = kept && runner.ok() && inside < 1e-15;
  }
  std::printf("no particle inside the sphere at any step: %s\n\n", kept ? "kept" : "NOT kept");
  return kept;
}

// A penalty sphere is lifted through a hanging cloth, in 1 s, and turns under it: what its mover and its friction do,
// and what the method loses.
void lifted_sphere() {
  std::printf(
      "a penalty sphere (1000 N/m, friction 0.2) is lifted by 0.4 m under a cloth of 5 kg held at its "
      "corners, and "
      "turned by 90 degrees: J after 1 s\n%-9s %7s %9s %9s %9s %9s %9s %12s %8s\n",
      "method", "h [s]", "kinetic", "elastic", "gravity", "contact", "external", "loss", "ms/step");
  for (const char* method : {"ere", "pexprb43", "be", "midpoint", "em"})
    for (const int rate : {60, 240}) {
      char step[40];
      std::snprintf(step, sizeof step, "time.step=%.17g", 1.0 / rate);
      Runner runner(R"({ "phiflex": 1, "time": { "step": 0.0166666666666666667, "end": 1 },
        "gravity": [0, -9.81, 0],
        "bodies": [ { "name": "cloth", "springs": { "generate": "cloth", "size": [1, 1], "cells": [10, 10],
                      "spring_constant": 1000, "area_density": 5 } } ],
        "constraints": [ { "type": "fix", "body": "cloth", "where": { "vertices": [0, 10, 110, 120] } } ],
        "contacts": [ { "type": "sphere", "center": [0.5, -0.6, 0.5], "radius": 0.25, "mode": "penalty",
                        "stiffness": 1000, "friction": 0.2,
                        "motion": { "pivot": [0.5, -0.6, 0.5], "smooth": true, "keys": [ { "time": 0 },
                          { "time": 1, "translate": [0, 0.4, 0], "rotate": [[0, 1, 0], 90] } ] } } ] })",
                    {std::string("integrator.type=") + method, "integrator.newton_tolerance=1e-8", step},
                    rate);
      while (runner.simulation().step() < rate && runner.advance()) {
      }
      if (!runner.ok()) std::printf("%s failed: %s\n", method, runner.simulation().failure().c_str());
      const LedgerRow& row = runner.simulation().ledger();
      std::printf("%-9s   1/%-3d %9.3f %9.3f %9.3f %9.3f %9.3f %12.2e %8.2f\n", method, rate,
                  row.energies.kinetic, row.energies.elastic, row.energies.gravity, row.energies.contact,
                  row.external_work, row.numerical_loss, 1e3 * runner.seconds_per_step());
      std::fflush(stdout);
    }
  std::printf("\n");
}

// Angle of the tail's base about the axle, as the head sees it.
double motor_angle(const Simulation& simulation) {
  Vector x, v;
  simulation.model().expand(simulation.state(), x, v);
  const auto at = [&](Index i) { return Eigen::Vector3d(x.segment<3>(3 * i)); };
  const Eigen::Vector3d axis = (at(13) - at(12)).normalized();
  const auto across = [&](Index i) {
    const Eigen::Vector3d r = at(i) - at(12);
    return Eigen::Vector3d(r - r.dot(axis) * axis);
  };
  const Eigen::Vector3d head = across(0), base = across(14);
  return std::atan2(axis.dot(head.cross(base)), head.dot(base));
}

struct Swim {
  double distance = 0, turns = 0;
};

Swim swim(int sections, double step) {
  const std::string file =
      (std::filesystem::temp_directory_path() / ("bacterium_" + std::to_string(sections) + ".obj")).string();
  write_mesh(file, bench::bacterium({.sections = sections}));
  const int steps = static_cast<int>(2 / step + 0.5);
  Runner runner(R"({ "phiflex": 1, "time": { "step": 0.01, "end": 2 }, "integrator": { "type": "be" },
    "bodies": [ { "name": "bacterium", "springs": { "file": ")" +
                    file + R"(", "stiffness": 2e4, "linear_density": 0.01 } } ],
    "forces": [ { "type": "stokes", "body": "bacterium", "viscosity": 100, "radius": 0.004 },
      { "type": "motor", "body": "bacterium", "axis": [12, 13], "rotor": { "vertices": [14, 15, 16, 17, 18, 19] },
        "stator": { "vertices": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] }, "torque": 0.05 } ] })",
                {"time.step=" + std::to_string(step)}, steps);
  std::filesystem::remove(file);
  const auto place = [&] {
    Vector x, v;
    runner.simulation().model().expand(runner.simulation().state(), x, v);
    return Eigen::Vector3d(x.segment<3>(3 * 12));
  };
  Swim made;
  Eigen::Vector3d from = place();
  double last = motor_angle(runner.simulation());
  while (runner.simulation().step() < steps && runner.advance()) {
    const double now = motor_angle(runner.simulation());
    made.turns += std::remainder(now - last, 2 * std::numbers::pi) / (2 * std::numbers::pi);
    last = now;
  }
  if (!runner.ok()) std::printf("failed: %s\n", runner.simulation().failure().c_str());
  made.distance = (place() - from).norm();
  return made;
}

void swimming() {
  std::printf("bacterium, 2 s: distance per turn of the motor\n%11s %8s %10s %9s %12s %9s\n", "Stokeslets",
              "step s", "distance m", "turns", "mm per turn", "change");
  double before = 0;
  const auto report = [&](int sections, double step) {
    const Swim swam = swim(sections, step);
    const double per_turn = 1e3 * swam.distance / std::abs(swam.turns);
    std::printf("%11d %8.4f %10.5f %9.3f %12.4f %8.2f%%\n", 14 + 3 * (sections + 1), step, swam.distance,
                swam.turns, per_turn, before > 0 ? 100 * (per_turn / before - 1) : 0.0);
    std::fflush(stdout);
    before = per_turn;
  };
  for (const int sections : {12, 18, 27, 40, 60}) report(sections, 0.01);
  before = 0;
  for (const double step : {0.01, 0.005, 0.0025}) report(18, step);
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 3 && std::strcmp(arguments[1], "write") == 0) {
    write_mesh(arguments[2], bench::bacterium({}));
    return 0;
  }
  set_thread_count(1);
  const std::vector<std::string> given(arguments + 1, arguments + count);
  const auto methods = [&]() -> std::vector<std::string> {
    if (given.size() > 1) return {given.begin() + 1, given.end()};
    return {"auto", "em", "be", "verlet"};
  };
  const std::vector<std::pair<std::string, std::function<bool()>>> tables = {
      {"impacts",
       [&] {
         if (given.size() < 2) return bench::impact_table({"verlet", "em", "be"}, {1e-3, 5e-3, 1e-2});
         std::vector<std::string> of;
         std::vector<double> steps;
         for (std::size_t i = 1; i < given.size(); ++i) {
           const double ms = std::atof(given[i].c_str());
           ms > 0 ? steps.push_back(1e-3 * ms) : of.push_back(given[i]);
         }
         return bench::impact_table(of, steps);
       }},
      {"never-met",
       [&] {
         return bench::never_met(given.size() > 1 ? methods() : std::vector<std::string>{"em", "be"});
       }},
      {"stack", bench::stack_of_boxes},
      {"drops", [&] { return bench::drop_grid(methods()); }},
      {"pile",
       [&] {
         std::vector<int> sizes;
         for (std::size_t i = 1; i < given.size(); ++i) sizes.push_back(std::atoi(given[i].c_str()));
         return bench::pile(sizes.empty() ? std::vector<int>{4, 7, 10} : sizes);
       }},
      {"slopes", bench::slopes},
      {"top",
       [] {
         const bool sharp = bench::sharp_top(), blunt = bench::blunt_top();
         return sharp && blunt;
       }},
      {"self", bench::self_contact},
      {"cloth",
       [] {
         bool kept = true;
         for (const char* beta : {"0", "0.001", "0.01"}) kept = cloth_on_sphere(beta) && kept;
         return kept;
       }},
      {"lifted", [] { return lifted_sphere(), true; }},
      {"swimming", [] { return swimming(), true; }}};
  bool kept = true, any = given.empty();
  for (const auto& [name, table] : tables)
    if (given.empty() || given[0] == name) {
      kept = table() && kept;
      any = true;
    }
  if (!any) std::printf("no table of this name; see the head of bench_contact.cpp\n");
  return kept && any ? 0 : 1;
}
