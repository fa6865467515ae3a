// A small program: a scene from a text, a hundred steps, the energy that is there and what was lost.
#include <phiflex/run/simulation.h>
#include <phiflex/scene/scene_io.h>
#include <cstdio>

int main() {
  std::vector<phiflex::Problem> remarks;
  const phiflex::Scene scene = phiflex::parse_scene(R"({
      "time": { "step": 0.01, "end": 1 }, "gravity": [0, -9.81, 0],
      "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [8, 2, 2] },
                    "material": { "type": "neo-hookean", "young": 2e5, "density": 1000 } } ],
      "constraints": [ { "body": "bar", "where": { "box": [[0, 0, 0], [0, 1, 1]] }, "type": "fix" } ],
      "probes": [ { "name": "tip", "body": "bar", "at": [0.4, 0, 0] } ] })",
                                                    "scene", {}, remarks);
  const phiflex::World world(scene, "scene");
  phiflex::Simulation simulation(scene, world, 100);
  while (simulation.step() < simulation.steps() && simulation.advance() == phiflex::StepStatus::ok) {
  }
  std::printf("after %d steps: kinetic energy %g J, lost by the integrator %g J\n", int(simulation.step()),
              simulation.ledger().energies.kinetic, simulation.ledger().numerical_loss);
  return simulation.step() == 100 ? 0 : 1;
}
