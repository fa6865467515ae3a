// The drop grid: five shapes of six materials fall by 3 cm onto a floor of which nothing is said, with three steps and
// four methods. What fails, what the ledger's loss is over the largest kinetic energy of the run: gained and lost.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "bench/race.h"

namespace phiflex::bench {

struct Drop {
  double gained = 0, lost = 0;  // over the largest kinetic energy
  bool ok = true;
};

inline Drop drop(const std::string& body, const std::string& method, double h) {
  const std::string text = R"({ "phiflex": 1, "time": { "step": 0.005, "end": 0.2 }, "gravity": [0, -9.81, 0],
    "integrator": { "type": "em" }, "bodies": [ )" +
                           body + R"( ], "contacts": [ { "type": "floor" } ] })";
  Drop made;
  char step[40];
  std::snprintf(step, sizeof step, "time.step=%.17g", h);
  Runner runner(text, {"integrator.type=" + method, step}, int(0.2 / h + 0.5));
  double kinetic = 0;
  while (runner.simulation().step() < runner.simulation().steps() && runner.advance()) {
    const LedgerRow& row = runner.simulation().ledger();
    kinetic = std::max(kinetic, row.energies.kinetic);
    made.gained = std::max(made.gained, -row.numerical_loss);
    made.lost = std::max(made.lost, row.numerical_loss);
  }
  made.ok = runner.ok();
  if (!made.ok) std::printf("%s, %g s: %s\n", method.c_str(), h, runner.simulation().failure().c_str());
  made.gained /= kinetic;
  made.lost /= kinetic;
  return made;
}

// True when nothing fails, nothing gains more than 1e-3 and em loses less than 1e-2.
inline bool drop_grid(const std::vector<std::string>& methods) {
  struct Named {
    const char *name, *text;
  };
  const Named shapes[] = {
      {"cube", R"("mesh": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2] },
                  "transform": { "translate": [0, 0.036, 0], "rotate": [[0, 0, 1], 8] })"},
      {"ball", R"("mesh": { "generate": "ball", "radius": 0.05, "resolution": 2 },
                  "transform": { "translate": [0, 0.082, 0] })"},
      {"bar", R"("mesh": { "generate": "box", "size": [0.3, 0.04, 0.04], "cells": [7, 1, 1] },
                 "transform": { "translate": [0, 0.036, 0], "rotate": [[0, 0, 1], 5] })"},
      {"plate", R"("mesh": { "generate": "box", "size": [0.2, 0.02, 0.2], "cells": [4, 1, 4] },
                   "transform": { "translate": [0, 0.036, 0] })"},
      {"cylinder", R"("mesh": { "generate": "cylinder", "radius": 0.04, "length": 0.12, "resolution": 2 },
                      "transform": { "translate": [0, 0.072, 0], "rotate": [[0, 0, 1], 20] })"}};
  const Named materials[] = {
      {"jelly 3e4", R"({ "type": "stable-neo-hookean", "young": 3e4, "poisson": 0.45, "density": 1000 })"},
      {"soft 1e5", R"({ "type": "neo-hookean", "young": 1e5, "poisson": 0.4, "density": 1000 })"},
      {"rubber 1e6", R"({ "type": "corotated", "young": 1e6, "poisson": 0.45, "density": 1100 })"},
      {"hard 1e7", R"({ "type": "stable-neo-hookean", "young": 1e7, "poisson": 0.49, "density": 1000 })"},
      {"stvk 1e8", R"({ "type": "stvk", "young": 1e8, "poisson": 0.3, "density": 800 })"},
      {"plastic 2e9", R"({ "type": "neo-hookean", "young": 2e9, "poisson": 0.35, "density": 1200 })"}};
  std::printf(
      "five shapes of six materials fall by about 3 cm on a floor, 0.2 s, steps of 1, 5 and 10 ms: the "
      "largest "
      "gain and loss of the three\nover the largest kinetic energy, %%\n%-10s %-12s",
      "shape", "material");
  for (const std::string& method : methods) std::printf(" %9s %9s", (method + " gain").c_str(), "loss");
  std::printf("\n");
  int runs = 0, failed = 0, gains = 0, losses = 0;
  for (const Named& shape : shapes)
    for (const Named& material : materials) {
      std::printf("%-10s %-12s", shape.name, material.name);
      for (const std::string& method : methods) {
        Drop worst;
        for (const double h : {1e-3, 5e-3, 1e-2}) {
          const Drop made = drop(
              std::string(R"({ "name": "body", )") + shape.text + R"(, "material": )" + material.text + " }",
              method, h);
          ++runs;
          failed += !made.ok;
          gains += made.gained > 1e-3;
          losses += method == "em" && made.lost > 1e-2;
          worst.gained = std::max(worst.gained, made.gained);
          worst.lost = std::max(worst.lost, made.lost);
        }
        std::printf(" %9.2g %9.2g", 100 * worst.gained, 100 * worst.lost);
        std::fflush(stdout);
      }
      std::printf("\n");
    }
  const bool kept = failed == 0 && gains == 0 && losses == 0;
  std::printf("%d runs: %d failed, %d gain more than 0.1 %%, %d of em lose more than 1 %%: %s\n\n", runs,
              failed, gains, losses, kept ? "kept" : "NOT kept");
  return kept;
}

}  // namespace phiflex::bench
