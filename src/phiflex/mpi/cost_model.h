// What a scene costs on a number of ranks, by a model: bytes over bandwidth, plus messages, plus reductions. Its
// constants were measured on one machine with bars of 98,304 to 1,119,744 tetrahedra, or are those of a usual cluster;
// nothing of it was measured on more than one machine. V: vertices of the largest part, E: elements it evaluates, G:
// its ghosts,
//
//   force = 24.5 ns E,   stiffness = 83 ns E                                                                (1)
//   halo  = 2 us + 11.5 x 0.5 us + 24 B G (1/25 GB/s + 1/B),   B = 5 GB/s a rank                            (2)
//   reduction = 2 us log2 P,   product = 1150 B V/B + halo                                                  (3)
//   iteration of CG with GAMG = 15.2 kB V/B + 6 (levels - 1) 7.75 us + 6 x 24 B G / 25 GB/s + 3 reductions  (4)
//   set-up = 170 us V, from scratch, every twentieth step                                                   (5)
//   memory = 40 MB + 3.6 kB E (explicit methods: 0.8 kB E) + 0.6 kB a tetrahedron of the whole, which every
//            rank keeps                                                                                     (6)
//
// and of a body that is not there, in parts that are surrounded by others, 5.68 tetrahedra to a vertex:
//
//   G = 6 V^(2/3),   E = 5.68 (V + G/2)                                                                     (7)
#pragma once

#include <string>
#include <vector>

#include "phiflex/run/scene_model.h"

namespace phiflex {

// In sentences. owner: the rank, in [0, ranks), of each vertex.
std::vector<std::string> describe_parts(const SceneModel& whole, const Scene& scene,
                                        const std::vector<int>& owner, int ranks);

// The same of a scene as if it had so many tetrahedra, by (7). Its meshes are not read.
std::vector<std::string> describe_size(double tetrahedra, const Scene& scene, int ranks);

}  // namespace phiflex
