// Coarse meshes that are to move like fine ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "phiflex/linalg/low_rank.h"
#include "phiflex/scene/mesh_spec.h"

namespace phiflex {

enum class CoarseningType { eigenfit, dac };
enum class OnMismatch { go_on, stop, ignore };

// The finer mesh of a body: another mesh, or its own, each tetrahedron divided into eight, so many times.
struct FineSpec {
  std::optional<MeshSpec> mesh;
  std::optional<std::int64_t> refine;
  bool operator==(const FineSpec&) const = default;
};

// A coarse mesh that moves like a fine one: its leading eigenvalues times ratios, which come from the finer mesh at
// rest, or are given.
struct CoarseningSpec {
  CoarseningType type = CoarseningType::eigenfit;
  std::optional<std::string> body;    // absent: the only solid
  std::optional<std::int64_t> modes;  // elastic ones; absent: 10, or as many as there are ratios
  std::optional<FineSpec> fine;
  std::optional<std::vector<double>> ratios;    // fine over coarse eigenvalue
  double modes_tolerance = 0.2;                 // energy angle of the modes in motion
  Switch fit_damping = Switch::off;             // damping by stiffness is corrected, too
  LowRankSolve form = LowRankSolve::one_solve;  // of linear systems
  OnMismatch on_mismatch = OnMismatch::go_on;
  bool operator==(const CoarseningSpec&) const = default;
};

}  // namespace phiflex
