// What a run records, and when it is stopped before its end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "phiflex/scene/values.h"

namespace phiflex {

struct ProbeSpec {
  std::string name;
  std::string body;
  Triple at{};  // m
  bool operator==(const ProbeSpec&) const = default;
};

enum class FrameFormat { vtu };
// Quantities of elements, and the forces of contact on vertices. Displacement, velocity and strain energy density are
// in every frame.
enum class OutputField {
  stress,
  von_mises,
  principal_stresses,
  green_strain,
  principal_stretches,
  J,
  contact_force,
  displacement,
  velocity,
  strain_energy_density
};

struct OutputSpec {
  std::int64_t every = 1;  // steps
  std::vector<FrameFormat> formats = {FrameFormat::vtu};
  std::vector<OutputField> fields = {};  // of frames and measures.csv
  Switch measures = Switch::off;         // area, speed, contact work of every step
  std::int64_t modes = 0;                // lowest modes whose eigenvalues are followed
  Switch condition = Switch::off;        // of the matrices of implicit methods
  bool operator==(const OutputSpec&) const = default;
};

struct LimitsSpec {
  double energy = 1000;  // times the available energy (model/energy_watch.h)
  bool operator==(const LimitsSpec&) const = default;
};

}  // namespace phiflex
