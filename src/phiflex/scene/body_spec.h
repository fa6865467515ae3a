// A body: its shape, what it is made of, where it is at first.
#pragma once

#include <cstdint>
#include <filesystem>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "phiflex/build/choices.h"
#include "phiflex/model/body_damping.h"
#include "phiflex/scene/material_spec.h"
#include "phiflex/scene/spring_spec.h"
#include "phiflex/scene/where_spec.h"

namespace phiflex {

// Angles of a scene are in degrees.
constexpr double kRadiansPerDegree = std::numbers::pi / 180;

// Elements are selected by their centroid (springs by their middle); a later region wins over an earlier one.
struct RegionSpec {
  Where where = AllWhere{};
  std::optional<MaterialChange> material;  // of a solid body
  std::optional<SpringChange> springs;     // of a body made of springs
  bool operator==(const RegionSpec&) const = default;
};

enum class ElementKind { tet4, tet10, tet10_mean, tri3, dg_bz, dg_ip };
inline bool is_plane(ElementKind element) {
  return element == ElementKind::tri3 || element == ElementKind::dg_bz || element == ElementKind::dg_ip;
}
inline bool is_discontinuous(ElementKind element) {
  return element == ElementKind::dg_bz || element == ElementKind::dg_ip;
}

// Rayleigh damping D = mass M + stiffness K.
struct DampingSpec {
  double mass = 0;       // 1/s
  double stiffness = 0;  // s
  DampedStiffness stiffness_of = DampedStiffness::rest;
  bool operator==(const DampingSpec&) const = default;
};

// Applied in the order scale, rotate, translate.
struct TransformSpec {
  struct Rotation {
    Triple axis{0, 0, 1};
    double angle = 0;  // degrees
    bool operator==(const Rotation&) const = default;
  };
  double scale = 1;
  Rotation rotate;
  Triple translate{};  // m
  bool operator==(const TransformSpec&) const = default;
};

struct StretchSpec {
  Axis axis = Axis::x;
  double factor = 1;  // length over rest length
  bool operator==(const StretchSpec&) const = default;
};

struct TwistSpec {
  Axis axis = Axis::x;
  double angle = 0;  // degrees over the whole length, linear
  bool operator==(const TwistSpec&) const = default;
};

// The centre line becomes a circular arc.
struct BendSpec {
  Axis axis = Axis::x;
  Axis toward = Axis::y;
  double angle = 0;  // degrees between the ends
  bool operator==(const BendSpec&) const = default;
};

// A shape of the body's own free vibration about rest.
struct ModeSpec {
  std::int64_t index = 1;  // from the lowest elastic one on; rigid motions do not count
  double amplitude = 0;    // m, of the vertex that moves most
  bool operator==(const ModeSpec&) const = default;
};

// The initial state. Deformations act on the rest shape in the order stretch, twist, bend; each leaves the
// body's low end along `axis` (the bounding box's) in place and acts about the axis through
// the bounding box's centre.
struct InitialSpec {
  Triple velocity{};          // m/s
  Triple angular_velocity{};  // rad/s, about the centre of mass
  std::optional<StretchSpec> stretch;
  std::optional<TwistSpec> twist;
  std::optional<BendSpec> bend;
  std::optional<ModeSpec> mode;                // added to the deformations
  std::optional<std::filesystem::path> state;  // instead of all others: a frame or a run; absolute once read
  bool operator==(const InitialSpec&) const = default;
};

// Either a solid (mesh and material) or springs.
struct BodySpec {
  std::string name;
  std::optional<MeshSpec> mesh;
  std::optional<MaterialSpec> material;
  std::vector<RegionSpec> regions;
  std::optional<SpringsSpec> springs;
  ElementKind element = ElementKind::tet4;  // of a solid, or of a plane body
  std::optional<double> penalty;            // N/m^3, of discontinuous triangles
  MassKind mass = MassKind::lumped;
  DampingSpec damping;
  TransformSpec transform;
  InitialSpec initial;
  std::optional<std::filesystem::path> surface;  // that a solid carries, an OBJ file; absolute once read
  bool operator==(const BodySpec&) const = default;
};

}  // namespace phiflex
