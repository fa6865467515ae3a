// A scene stepped: a bar that is clamped at one end swings under gravity for one second. The scene is a text here;
// read_scene() takes a file instead.
#include <phiflex/scene.h>

#include <cmath>
#include <cstdio>

int main() {
  using namespace phiflex;
  try {
    std::vector<Problem> remarks;  // keys that have no effect
    const Scene scene = parse_scene(R"({
        "time": { "step": 0.01, "end": 1 }, "gravity": [0, -9.81, 0], "integrator": { "type": "em" },
        "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [8, 2, 2] },
                      "material": { "type": "neo-hookean", "young": 2e5, "density": 1000 } } ],
        "constraints": [ { "body": "bar", "where": { "box": [[0, 0, 0], [0, 1, 1]] }, "type": "fix" } ],
        "probes": [ { "name": "tip", "body": "bar", "at": [0.4, 0, 0] } ] })",
                                    "bar.json", {}, remarks);

    const SceneModel bar = build_scene(scene, "bar.json");
    Simulation simulation(scene, bar, step_count(scene.time));
    std::vector<Point3> probes;
    Vector x, v;
    while (simulation.step() < simulation.steps()) {
      if (simulation.advance() != StepStatus::ok) {
        std::printf("%s\n", simulation.failure().c_str());
        return 1;
      }
      if (simulation.step() % 20 != 0) continue;
      simulation.model().expand(simulation.state(), x, v);  // positions and velocities of all vertices
      bar.probe_positions(x, probes);
      std::printf("t = %.2f s: tip at y = %+.4f m\n", simulation.state().t, probes[0][1]);
    }

    // The energy-momentum method loses nothing but what its solver leaves of the equations in each of 100 steps.
    const LedgerRow& ledger = simulation.ledger();
    std::printf("kinetic %.4f J, elastic %.4f J, lost by the integrator %.1e J\n", ledger.energies.kinetic,
                ledger.energies.elastic, ledger.numerical_loss);
    std::printf("state %s\n", state_hash(simulation.state()).c_str());  // as in run.json of the same scene
    return std::abs(ledger.numerical_loss) < 1e-5 * simulation.available_energy() ? 0 : 1;
  } catch (const std::exception& error) {  // InputError: every problem of the scene
    std::printf("%s\n", error.what());
    return 1;
  }
}
