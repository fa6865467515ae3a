// A free cuboid, twisted about its length and let go: parts of it rotate by many degrees in a step, and under a
// twist of 180 degrees its stiffness starts indefinite. Which methods survive 150 steps, and what energy each
// keeps, as they are. `bench_untwist quick` takes the largest twist alone.
#include <cmath>
#include <cstdio>
#include <cstring>

#include "bench/race.h"

using namespace phiflex;
using bench::Runner;

namespace {

constexpr int kSteps = 150;
constexpr int kAngles[] = {10, 20, 45, 90, 180};  // degrees

// 12 x 8 x 8 cells: 4,608 tetrahedra.
const std::string kCuboid = R"({ "phiflex": 1, "name": "cuboid", "time": { "step": 0.01, "end": 1.5 },
  "bodies": [ { "name": "cuboid",
      "mesh": { "generate": "box", "size": [0.3, 0.1, 0.1], "cells": [12, 8, 8] },
      "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.45, "density": 1000 },
      "initial": { "twist": { "axis": "x", "angle": 180 } } } ] })";

struct Method {
  const char* name;
  std::vector<std::string> settings;
};

// Prints what is left of the elastic energy of the start after kSteps, or where the run ended; true when it
// survived.
bool run(const char* material, int angle, const Method& method) {
  std::vector<std::string> overrides = {std::string("bodies.0.material.type=") + material,
                                        "bodies.0.initial.twist.angle=" + std::to_string(angle)};
  for (const std::string& setting : method.settings) overrides.push_back("integrator." + setting);
  Runner runner(kCuboid, overrides, kSteps);
  const auto total = [&] { return runner.simulation().ledger().total(); };
  const double start = total();
  double largest = start;
  for (int step = 1; step <= kSteps; ++step) {
    if (!runner.advance()) {
      std::printf("  %7s", ("ends " + std::to_string(step)).c_str());
      return false;
    }
    largest = std::max(largest, total());
    // Ten times the energy there was is no motion of this body any more.
    if (largest > 10 * start) {
      std::printf("  %7s", ("grew " + std::to_string(step)).c_str());
      return false;
    }
  }
  std::printf("  %6.1f%%", 100 * total() / start);
  std::fflush(stdout);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "quick") == 0;
  const Method methods[] = {{"si", {"type=si"}},
                            {"siere, 12 modes", {"type=siere", "modes=12"}},
                            {"ere", {"type=ere"}},
                            {"be", {"type=be"}},
                            {"midpoint", {"type=midpoint"}},
                            {"pexprb43", {"type=pexprb43"}}};
  std::printf(
      "untwisting cuboid, 4,608 tetrahedra, Y = 1e5, free, h = 0.01: energy left after %d steps, of that at "
      "the\n"
      "start (\"ends n\": step n failed; \"grew n\": ten times the energy of the start at step n)\n",
      kSteps);
  bool siere_survives = true;
  for (const char* material : {"neo-hookean", "arap"}) {
    std::printf("%-18s", material);
    for (const int angle : kAngles)
      if (!quick || angle == 180) std::printf("  %4d deg", angle);
    std::printf("\n");
    for (const Method& method : methods) {
      std::printf("  %-16s", method.name);
      for (const int angle : kAngles) {
        if (quick && angle != 180) continue;
        const bool survived = run(material, angle, method);
        if (std::strcmp(method.settings[0].c_str(), "type=siere") == 0 && angle == 180)
          siere_survives &= survived;
      }
      std::printf("\n");
    }
  }
  return siere_survives ? 0 : 1;
}
