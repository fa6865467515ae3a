// Scene texts that several tests share.
#pragma once

#include <string>
#include <vector>

#include "phiflex/scene/scene.h"
#include "phiflex/scene/scene_io.h"

namespace phiflex::test {

// Every part of the format that this version simulates.
inline const std::string full_scene = R"({
  "phiflex": 1, "name": "bar-drop",
  "time": { "step": 0.01, "end": 2.0 },
  "integrator": { "type": "newmark", "beta": 0.3025, "gamma": 0.6 },
  "gravity": [0, -9.81, 0],
  "bodies": [ {
    "name": "bar",
    "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [20, 5, 5] },
    "material": { "type": "neo-hookean", "young": 1e6, "poisson": 0.45, "density": 1000 },
    "regions": [ { "where": { "sphere": { "center": [0, 0, 0], "radius": 0.08 } }, "material": { "young": 1e8 } } ],
    "mass": "lumped",
    "damping": { "mass": 0.0, "stiffness": 0.0, "stiffness_of": "rest" },
    "transform": { "translate": [0, 0, 0], "rotate": [[0, 0, 1], 30], "scale": 1 },
    "initial": { "velocity": [0, 0, 0], "twist": { "axis": "x", "angle": 90 } }
  }, {
    "name": "tower",
    "mesh": { "file": "meshes/tower.msh" },
    "material": { "type": "stvk", "young": { "field": "E" }, "poisson": 0.3, "density": { "field": "rho" } },
    "regions": [ { "where": { "tag": "top" }, "material": { "type": "neo-hookean", "volumetric": "isochoric" } },
                 { "where": { "tag": 3 }, "material": { "density": 10 } },
                 { "where": { "elements": [0, 1, 2] }, "material": { "poisson": -0.5 } } ],
    "mass": "consistent",
    "initial": { "angular_velocity": [0, 1, 0], "stretch": { "axis": "y", "factor": 1.5 },
                 "bend": { "axis": "y", "toward": "z", "angle": -45 } }
  }, {
    "name": "ball", "mesh": { "generate": "ball", "radius": 0.1, "shell": 0.02 },
    "material": { "type": "arap", "young": 1e5, "density": 1000 }
  }, {
    "name": "post", "mesh": { "generate": "cylinder", "radius": 0.1, "length": 1, "cells_along": 20 },
    "material": { "type": "corotated", "young": 1e5, "poisson": 0, "density": 1000 }
  }, {
    "name": "rope",
    "springs": { "generate": "rope", "from": [0, 0, 0], "to": [1, 0, 0], "segments": 50, "stiffness": 100,
                 "law": "linear", "linear_density": 0.1 }
  }, {
    "name": "cloth",
    "springs": { "generate": "cloth", "size": [1, 1], "cells": [10, 10], "spring_constant": 100, "bending": 0.1,
                 "area_density": 0.2 }
  } ],
  "constraints": [
    { "body": "bar", "where": { "box": [[-1e-6, -1, -1], [1e-6, 1, 1]] }, "type": "fix" },
    { "body": "bar", "where": { "vertices": [3, 4] }, "type": "move",
      "path": [ { "time": 0, "offset": [0, 0, 0] }, { "time": 1, "offset": [0, 0.1, 0] } ], "until": 2.0 },
    { "body": "tower", "where": { "half_space": { "point": [0, 0.2, 0], "normal": [0, 1, 0] } }, "type": "fix" },
    { "body": "ball", "where": { "any": [ { "capsule": { "from": [0, 0, 0], "to": [0, 0.1, 0], "radius": 0.02 } },
                                          { "not": { "axis": { "point": [0, 0, 0], "direction": [0, 1, 0], "radius": 0.09 } } } ] },
      "type": "frame", "pivot": [0, 0.1, 0],
      "sine": [ { "translate": [0.3, 0, 0], "frequency": 0.7 },
                { "rotate": [[0, 1, 0], 40], "frequency": 0.5, "phase": 90, "from": 0.1, "until": 1.5 } ] },
    { "body": "cloth", "where": { "every": [ { "outline": { "along": "y", "distance": 0.05 } },
                                             { "cylinder": { "from": [0, 0, 0], "to": [0, 0, 1], "radius": 0.2 } } ] },
      "type": "move", "sine": [ { "translate": [0, 0.1, 0], "frequency": 5 } ] } ],
  "forces": [
    { "type": "uniform", "acceleration": [0, -196, 0], "from": 0, "until": 1, "gust": { "amplitude": 0.5, "frequency": 0.7 },
      "profile": [ { "time": 0, "factor": 0 }, { "time": 0.5, "factor": 1 } ] },
    { "type": "point", "body": "bar", "at": [0.4, 0, 0], "force": [0, 1, 0], "from": 0.5 },
    { "type": "point", "body": "bar", "where": { "vertices": [7] }, "force": [0, 1, 0] },
    { "type": "region", "body": "bar", "where": { "all": true }, "force": [1, 0, 0] },
    { "type": "region", "body": "tower", "where": { "tag": "top" }, "force_density": [1, 0, 0] },
    { "type": "wind", "velocity": [10, 0, 0], "gust": { "amplitude": 0.5, "frequency": 0.7 } } ],
  "contacts": [ { "type": "floor", "height": 0, "stiffness": 1e5 } ],
  "probes": [ { "name": "tip", "body": "bar", "at": [0.4, 0, 0] } ],
  "output": { "every": 1, "formats": ["vtu"] }
})";

inline const std::string small_scene = R"({
  "time": { "step": 0.01, "end": 1 },
  "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [1, 1, 1], "cells": [1, 1, 1] },
                "material": { "type": "linear", "young": 1e5, "poisson": 0.3, "density": 1000 } } ]
})";

inline const std::vector<MethodWords> some_methods = {
    {"si", {"linear_tolerance", "refactor"}},
    {"be", {"newton_tolerance", "newton_limit", "linear_tolerance", "refactor"}},
    {"newmark", {"beta", "gamma", "newton_tolerance", "newton_limit", "linear_tolerance", "refactor"}},
    {"auto", {"linear_tolerance", "refactor"}}};

inline Scene parse(const std::string& text, std::vector<std::string> overrides = {}) {
  std::vector<Problem> warnings;
  return parse_scene(text, "folder/test.json", {std::move(overrides), some_methods}, warnings);
}

// All problems of a text, as the user reads them; empty when it is a good scene.
inline std::vector<std::string> complaints(const std::string& text, std::vector<std::string> overrides = {}) {
  std::vector<std::string> lines;
  try {
    parse(text, std::move(overrides));
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) lines.push_back(problem.text());
  }
  return lines;
}

}  // namespace phiflex::test
