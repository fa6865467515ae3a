// Meshes of solid and plane bodies: from a file or a generator.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <variant>

#include "phiflex/scene/values.h"

namespace phiflex {

struct FileMesh {
  static constexpr Signature signature{"file"};
  std::filesystem::path file;  // absolute once read
  bool operator==(const FileMesh&) const = default;
};

struct BoxMesh {
  static constexpr Signature signature{"generate", "box"};
  Triple size{};  // m
  std::array<std::int64_t, 3> cells{};
  bool operator==(const BoxMesh&) const = default;
};

struct BallMesh {
  static constexpr Signature signature{"generate", "ball"};
  double radius = 0;            // m
  std::int64_t resolution = 6;  // layers from the centre to the surface
  double shell = 0;             // m, thickness of the outer region tagged "shell"; 0: none
  bool operator==(const BallMesh&) const = default;
};

struct CylinderMesh {
  static constexpr Signature signature{"generate", "cylinder"};
  double radius = 0;             // m
  double length = 0;             // m, along x
  std::int64_t resolution = 3;   // rings across the radius
  std::int64_t cells_along = 0;  // slices; 0: as long as a ring is wide
  bool operator==(const CylinderMesh&) const = default;
};

// A rope coiled around the y axis.
struct HelixMesh {
  static constexpr Signature signature{"generate", "helix"};
  double coil_radius = 50;  // m
  double height = 265;      // m
  double turns = 5;
  double rope_radius = 7.4;        // m
  std::int64_t resolution = 2;     // rings across the rope
  std::int64_t cells_along = 656;  // slices along it
  bool operator==(const HelixMesh&) const = default;
};

// A sheet of hexagonal holes over the x-y plane.
struct HoneycombMesh {
  static constexpr Signature signature{"generate", "honeycomb"};
  std::array<std::int64_t, 2> cells{7, 6};
  double side = 11.5;          // m, of a cell
  double wall = 3;             // m, between two holes
  double thickness = 10;       // m, of the sheet
  std::int64_t divisions = 3;  // along a side
  std::int64_t layers = 2;     // across the sheet
  bool operator==(const HoneycombMesh&) const = default;
};

struct SpheroidMesh {
  static constexpr Signature signature{"generate", "spheroid"};
  Triple radii{0.05, 0.06, 0.05};  // m
  std::int64_t cells = 11;         // along the greatest diameter
  bool operator==(const SpheroidMesh&) const = default;
};

// Bodies that a lattice of tetrahedra fills: their greatest extent, and the cubes along it.
struct LatticeFill {
  double size = 1;  // m
  std::int64_t cells = 1;
  bool operator==(const LatticeFill&) const = default;
};
struct TreeMesh {
  static constexpr Signature signature{"generate", "tree"};
  LatticeFill fill{138, 103};
  bool operator==(const TreeMesh&) const = default;
};
struct TowerMesh {
  static constexpr Signature signature{"generate", "tower"};
  LatticeFill fill{45, 84};
  bool operator==(const TowerMesh&) const = default;
};
struct BridgeMesh {
  static constexpr Signature signature{"generate", "bridge"};
  LatticeFill fill{240, 140};
  bool operator==(const BridgeMesh&) const = default;
};
struct MoebiusMesh {
  static constexpr Signature signature{"generate", "moebius"};
  LatticeFill fill{120, 34};
  bool operator==(const MoebiusMesh&) const = default;
};
struct HumanMesh {
  static constexpr Signature signature{"generate", "body"};
  LatticeFill fill{1.8, 107};
  bool operator==(const HumanMesh&) const = default;
};
struct ArmMesh {
  static constexpr Signature signature{"generate", "arm"};
  LatticeFill fill{1.82, 49};
  bool operator==(const ArmMesh&) const = default;
};
struct KidneyMesh {
  static constexpr Signature signature{"generate", "kidney"};
  LatticeFill fill{0.102, 6};
  bool operator==(const KidneyMesh&) const = default;
};
struct CowMesh {
  static constexpr Signature signature{"generate", "cow"};
  LatticeFill fill{2.59, 40};
  bool operator==(const CowMesh&) const = default;
};

// Triangles in the plane z = 0.
struct RectangleMesh {
  static constexpr Signature signature{"generate", "rectangle"};
  std::array<double, 2> size{};  // m, along x and y from the origin
  std::array<std::int64_t, 2> cells{};
  bool operator==(const RectangleMesh&) const = default;
};

struct RightTriangleMesh {
  static constexpr Signature signature{"generate", "triangle"};
  std::array<double, 2> size{};  // m, legs along x and y from the origin
  std::int64_t cells = 0;        // along each side
  bool operator==(const RightTriangleMesh&) const = default;
};

using MeshSpec = std::variant<FileMesh, BoxMesh, BallMesh, CylinderMesh, HelixMesh, HoneycombMesh,
                              SpheroidMesh, TreeMesh, TowerMesh, BridgeMesh, MoebiusMesh, HumanMesh, ArmMesh,
                              KidneyMesh, CowMesh, RectangleMesh, RightTriangleMesh>;

inline bool is_flat(const MeshSpec& mesh) {
  return std::holds_alternative<RectangleMesh>(mesh) || std::holds_alternative<RightTriangleMesh>(mesh);
}

}  // namespace phiflex
