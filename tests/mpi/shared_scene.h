// A scene, its part on this rank, and both at a state without symmetry.
#pragma once

#include <random>

#include "phiflex/mpi/part.h"
#include "phiflex/mpi/partition.h"
#include "phiflex/run/run.h"
#include "phiflex/scene/scene.h"
#include "phiflex/scene/scene_io.h"

namespace phiflex::testing {

// Two bodies, one of them of quadratic tetrahedra, held, moved, damped and loaded; the first lies in the floor's
// barrier.
inline constexpr char kScene[] = R"({ "time": { "step": 0.01, "end": 0.1 }, "gravity": [0, -9.81, 0],
  "integrator": { "type": "si" },
  "bodies": [
    { "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [8, 2, 2] },
      "material": { "type": "neo-hookean", "young": 2e5, "poisson": 0.4, "density": 1000 },
      "damping": { "mass": 0.5, "stiffness": 0.002 } },
    { "name": "cube", "element": "tet10", "mesh": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2] },
      "transform": { "translate": [0.1, 0.3, 0] },
      "material": { "type": "corotated", "young": 1e5, "poisson": 0.3, "density": 500 } } ],
  "constraints": [
    { "body": "bar", "where": { "box": [[0, 0, 0], [0, 1, 1]] }, "type": "fix" },
    { "body": "cube", "where": { "box": [[0.1, 0.4, 0], [0.2, 0.4, 0.1]] }, "type": "frame",
      "keys": [ { "time": 0 }, { "time": 1, "translate": [0, 0.1, 0] } ] } ],
  "forces": [
    { "type": "wind", "velocity": [0, 0, 20] },
    { "type": "region", "body": "bar", "where": { "box": [[0.2, 0, 0], [0.4, 1, 1]] }, "force": [0, 5, 0] } ],
  "contacts": [ { "type": "bodies", "between": "none", "self": false }, { "type": "floor", "height": -0.0004 } ] })";

inline Scene shared_scene() {
  std::vector<Problem> unused;
  return parse_scene(kScene, "test.json", read_options(), unused);
}

struct SharedScene {
  MpiTeam team;
  Scene scene = shared_scene();
  SceneModel all = build_scene(scene, "test.json");
  ModelDescription description = all.description(0);
  Part part{all, scene, partition_vertices(description.start, team.size()), team};
  DeformableModel whole{description}, mine{part.model().description(0)};
  State at, at_mine;

  SharedScene() {
    std::mt19937 random(7);  // the same on all ranks
    const auto noise = [&](double size) {
      Vector y(description.start.size());
      for (double& number : y) number = size * (2 * double(random()) / double(std::mt19937::max()) - 1);
      return y;
    };
    const Vector x = description.start + noise(2e-4), v = noise(1);
    at = whole.state(0, x, v);
    at_mine = mine.state(0, of_mine(x), of_mine(v));
  }
  int row_of_whole(int vertex) const {  // of this rank's model
    return whole.constraints().free().row_of_vertex[std::size_t(part.vertices()[std::size_t(vertex)])];
  }

 private:
  Vector of_mine(const Vector& x) const {
    Vector of(3 * Index(part.vertices().size()));
    for (std::size_t i = 0; i < part.vertices().size(); ++i)
      of.segment<3>(3 * Index(i)) = x.segment<3>(3 * Index(part.vertices()[i]));
    return of;
  }
};

}  // namespace phiflex::testing
