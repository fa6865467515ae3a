// What bodies must not enter.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "phiflex/scene/constraint_spec.h"
#include "phiflex/scene/mesh_spec.h"

namespace phiflex {

enum class ContactMode { project, penalty };
enum class AtStart { error, push };

// How an obstacle is met.
struct ObstacleSpec {
  ContactMode mode = ContactMode::project;
  double friction = 0;                                   // Coulomb's coefficient
  double slip_speed = 0.01;                              // m/s, of friction in `penalty`
  double thickness = 0;                                  // m, kept between vertex and surface
  double stiffness = 1e5;                                // N/m per vertex, of `penalty`
  std::optional<AtStart> at_start = std::nullopt;        // absent: error for `project`, nothing for `penalty`
  std::optional<std::string> body = std::nullopt;        // absent: every body
  std::optional<RigidMotionSpec> motion = std::nullopt;  // of the obstacle; absent: it stays
  bool operator==(const ObstacleSpec&) const = default;
};

// A floor under y = height.
struct FloorContact {
  static constexpr Signature signature{"type", "floor"};
  double height = 0;  // m
  ObstacleSpec how{.mode = ContactMode::penalty};
  bool operator==(const FloorContact&) const = default;
};

// The half space behind a plane: the normal points to where bodies may be.
struct PlaneContact {
  static constexpr Signature signature{"type", "plane"};
  Triple point{};  // m
  Triple normal{0, 1, 0};
  ObstacleSpec how;
  bool operator==(const PlaneContact&) const = default;
};

struct SphereContact {
  static constexpr Signature signature{"type", "sphere"};
  Triple center{};    // m
  double radius = 0;  // m
  ObstacleSpec how;
  bool operator==(const SphereContact&) const = default;
};

struct CapsuleContact {
  static constexpr Signature signature{"type", "capsule"};
  Triple from{}, to{};  // m, ends of the axis
  double radius = 0;    // m
  ObstacleSpec how;
  bool operator==(const CapsuleContact&) const = default;
};

struct BoxContact {
  static constexpr Signature signature{"type", "box"};
  Triple center{};  // m
  Triple size{};    // m, edge lengths
  TransformSpec::Rotation rotate;
  ObstacleSpec how;
  bool operator==(const BoxContact&) const = default;
};

// The inside of a closed surface: that of a surface file, or of tetrahedra.
struct SurfaceContact {
  static constexpr Signature signature{"type", "surface"};
  MeshSpec mesh;
  TransformSpec transform;
  ObstacleSpec how;
  bool operator==(const SurfaceContact&) const = default;
};

// Particles keep their distance from one another, by inelastic impulses at the ends of steps.
struct ParticlesContact {
  static constexpr Signature signature{"type", "particles"};
  double distance = 0;  // m
  double friction = 0;
  std::vector<std::string> bodies;  // empty: every body
  bool operator==(const ParticlesContact&) const = default;
};

using ContactSpec = std::variant<FloorContact, PlaneContact, SphereContact, CapsuleContact, BoxContact,
                                 SurfaceContact, ParticlesContact>;

}  // namespace phiflex
