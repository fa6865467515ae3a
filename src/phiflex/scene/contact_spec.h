// What bodies must not enter.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "phiflex/build/choices.h"
#include "phiflex/scene/constraint_spec.h"
#include "phiflex/scene/mesh_spec.h"

namespace phiflex {

// How an obstacle is met.
struct ObstacleSpec {
  std::optional<ContactMode> mode = std::nullopt;   // absent: mode_of()
  double friction = 0;                              // Coulomb's coefficient
  std::optional<double> slip_speed = std::nullopt;  // m/s
  double thickness = 0;                             // m, kept between vertex and surface
  std::optional<double> distance = std::nullopt;    // m, reach of `barrier`; absent: by the mesh
  std::optional<double> stiffness =
      std::nullopt;  // N/m of `penalty`, Pa of `barrier`; absent: by the material
  std::optional<AtStart> at_start = std::nullopt;        // absent: ObstacleSettings::at_start
  std::optional<std::string> body = std::nullopt;        // absent: every body
  std::optional<RigidMotionSpec> motion = std::nullopt;  // of the obstacle; absent: it stays
  bool operator==(const ObstacleSpec&) const = default;
};

enum class BetweenBodies { all, none };

// A stiffness without a mode means a penalty.
inline ContactMode mode_of(const ObstacleSpec& how) {
  return how.mode.value_or(how.stiffness ? ContactMode::penalty : ContactMode::barrier);
}

// A floor under y = height.
struct FloorContact {
  static constexpr Signature signature{"type", "floor"};
  double height = 0;  // m
  ObstacleSpec how;
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

// Contact of bodies with each other and with themselves, by barriers between their surfaces.
struct BodiesContact {
  static constexpr Signature signature{"type", "bodies"};
  std::variant<BetweenBodies, std::vector<std::array<std::string, 2>>> between = BetweenBodies::all;
  Switch self = Switch::on;
  double friction = 0;
  std::optional<double> slip_speed = std::nullopt;  // m/s
  std::optional<double> distance = std::nullopt;    // m; absent: by the mesh
  std::optional<double> stiffness = std::nullopt;   // Pa; absent: by the softer material
  bool operator==(const BodiesContact&) const = default;
};

using ContactSpec = std::variant<FloorContact, PlaneContact, SphereContact, CapsuleContact, BoxContact,
                                 SurfaceContact, ParticlesContact, BodiesContact>;

}  // namespace phiflex
