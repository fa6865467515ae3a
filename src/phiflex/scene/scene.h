// The scene: what a user asks to be simulated, as plain structs that mirror the scene file key by key.
//
// A member's name is its key in the file, its initial value is the key's default; a std::optional member may
// be left out; a std::variant offers alternatives. Each struct is described once more, by its fields() in
// its subject's ..._fields.h, which adds units, ranges and a sentence of documentation; reading, writing,
// validation, the JSON schema and the documentation table all follow from that one description.
//
// Alternatives of a variant are recognised in the file by their signature: a key that must be there and,
// where given, the word it must hold, as in { "generate": "box", ... } or { "sphere": ... }.
//
// SI units throughout; angles in degrees. Selections and probes use rest coordinates after `transform`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "phiflex/scene/body_spec.h"
#include "phiflex/scene/coarsening_spec.h"
#include "phiflex/scene/constraint_spec.h"
#include "phiflex/scene/contact_spec.h"
#include "phiflex/scene/force_spec.h"
#include "phiflex/scene/material_spec.h"
#include "phiflex/scene/mesh_spec.h"
#include "phiflex/scene/method_spec.h"
#include "phiflex/scene/output_spec.h"
#include "phiflex/scene/spring_spec.h"
#include "phiflex/scene/where_spec.h"

namespace phiflex {

struct Scene {
  std::int64_t phiflex = 1;  // version of the scene format
  std::string name;          // by default the file's
  TimeSpec time;
  IntegratorSpec integrator;
  Device device = Device::cpu;  // written only where it is another
  Triple gravity{};             // m/s^2
  std::vector<BodySpec> bodies;
  std::vector<ConstraintSpec> constraints;
  std::vector<ForceSpec> forces;
  std::vector<ContactSpec> contacts;
  std::vector<ProbeSpec> probes;
  std::optional<CoarseningSpec> coarsening;
  Switch settle = Switch::off;  // start from the equilibrium
  OutputSpec output;
  LimitsSpec limits;
  bool operator==(const Scene&) const = default;
};

}  // namespace phiflex
