// Scenes small enough to be run many times.
#pragma once

#include <string>

namespace phiflex::testing {

// A clamped bar with gravity, a moved and released end, damping, a gust of wind, a floor: everything that a
// restart must carry over, in 24 steps.
inline std::string eventful_scene(const std::string& integrator) {
  return R"({ "phiflex": 1, "name": "eventful",
    "time": { "step": 0.0005, "end": 0.012 },
    "integrator": { "type": ")" +
         integrator + R"(" },
    "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "bar",
        "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [4, 2, 2] },
        "material": { "type": "neo-hookean", "young": 2e4, "poisson": 0.4, "density": 1000 },
        "regions": [ { "where": { "box": [[0.2, -1, -1], [1, 1, 1]] }, "material": { "type": "corotated", "young": 4e4 } } ],
        "damping": { "mass": 0.1, "stiffness": 0.0005, "stiffness_of": "current" },
        "initial": { "velocity": [0, 0, 0.5] } },
      { "name": "rope", "springs": { "generate": "rope", "from": [0, 0.5, 0], "to": [0.4, 0.5, 0], "segments": 6,
        "stiffness": 20, "linear_density": 0.2 } } ],
    "constraints": [ { "body": "bar", "where": { "box": [[-1e-6, -1, -1], [1e-6, 1, 1]] }, "type": "fix" },
      { "body": "bar", "where": { "box": [[0.399, -1, -1], [1, 1, 1]] }, "type": "move", "until": 0.006,
        "path": [ { "time": 0, "offset": [0, 0, 0] }, { "time": 0.004, "offset": [0.004, 0.002, 0] } ] },
      { "body": "rope", "where": { "vertices": [0] }, "type": "fix" } ],
    "forces": [ { "type": "wind", "velocity": [0, 0, 5], "gust": { "amplitude": 0.5, "frequency": 20 } },
      { "type": "uniform", "acceleration": [0, -5, 0], "from": 0.002, "until": 0.005 } ],
    "contacts": [ { "type": "floor", "height": 0.001, "stiffness": 500 } ],
    "probes": [ { "name": "tip", "body": "bar", "at": [0.4, 0, 0] } ],
    "output": { "every": 4, "measures": true, "modes": 2, "condition": true } })";
}

}  // namespace phiflex::testing
