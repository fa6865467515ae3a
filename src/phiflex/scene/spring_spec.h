// Bodies made of springs: ropes, cloth, flags, fibres, and the springs of a mesh.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "phiflex/scene/mesh_spec.h"

namespace phiflex {

// A name of spring_laws (energy/spring_laws.h).
struct SpringLawName {
  std::string text = "linear";
  static std::vector<std::string> names();
  static const char* doc();  // what they are, in a sentence
  bool operator==(const SpringLawName&) const = default;
};

// What all springs of a body share; exactly one of the two stiffnesses is given.
struct SpringStiffness {
  std::optional<double> stiffness;        // N per unit strain: a spring's constant is stiffness / rest length
  std::optional<double> spring_constant;  // N/m, the same for every spring
  SpringLawName law = {};
  bool operator==(const SpringStiffness&) const = default;
};

struct RopeSprings {
  static constexpr Signature signature{"generate", "rope"};
  Triple from{}, to{};  // m
  std::int64_t segments = 0;
  SpringStiffness spring;
  double linear_density = 0;  // kg/m
  bool operator==(const RopeSprings&) const = default;
};

struct ClothSprings {
  static constexpr Signature signature{"generate", "cloth"};
  std::array<double, 2> size{};         // m, in the x-z plane from the origin
  std::array<std::int64_t, 2> cells{};  // along x, along z
  SpringStiffness spring;
  double shear = 1;         // stiffness of the diagonal springs over that of the structural ones; 0: none
  double bending = 0;       // the same for springs that skip a particle
  double area_density = 0;  // kg/m^2
  bool operator==(const ClothSprings&) const = default;
};

// A cloth upright at a pole along y.
struct FlagSprings {
  static constexpr Signature signature{"generate", "flag"};
  std::array<double, 2> size{};         // m, in the x-y plane from the origin; the pole is x = 0
  std::array<std::int64_t, 2> cells{};  // along x, along y
  SpringStiffness spring{{}, {}, {"cubic"}};
  double shear = 0.1;
  double bending = 0.01;
  double area_density = 0;  // kg/m^2
  bool operator==(const FlagSprings&) const = default;
};

// What fibres of cuboids are made of.
struct FibreMaterial {
  std::int64_t segments = 8;
  std::array<double, 2> thickness{};  // m, at the root and at the tip
  double young = 0;                   // Pa
  double shear_modulus = 0;           // Pa
  double density = 0;                 // kg/m^3
  bool operator==(const FibreMaterial&) const = default;
};

struct FibreSprings {
  static constexpr Signature signature{"generate", "fibre"};
  Triple from{}, to{};  // m, root and tip
  FibreMaterial fibre;
  bool operator==(const FibreSprings&) const = default;
};

struct SphereGround {
  static constexpr Signature signature{"sphere"};
  struct Sphere {
    Triple center{};    // m
    double radius = 0;  // m
    double cap = 180;   // degrees from the pole +y
    bool operator==(const Sphere&) const = default;
  } sphere;
  bool operator==(const SphereGround&) const = default;
};

struct PlateGround {
  static constexpr Signature signature{"plate"};
  struct Plate {
    Triple center{};               // m
    std::array<double, 2> size{};  // m, along x and z; the normal is +y
    bool operator==(const Plate&) const = default;
  } plate;
  bool operator==(const PlateGround&) const = default;
};

struct FileGround {
  static constexpr Signature signature{"file"};
  std::filesystem::path file;  // absolute once read
  bool operator==(const FileGround&) const = default;
};

using FibreGround = std::variant<SphereGround, PlateGround, FileGround>;

// Many fibres on a surface, evenly spread.
struct FibresSprings {
  static constexpr Signature signature{"generate", "fibres"};
  FibreGround on = SphereGround{};
  std::int64_t count = 0;
  double length = 0;                // m
  std::optional<Triple> direction;  // absent: the surface's normals
  FibreMaterial fibre;
  bool operator==(const FibresSprings&) const = default;
};

// Springs on the edges of a tetrahedral mesh and from its vertices to the opposite faces.
struct TetraSprings {
  static constexpr Signature signature{"generate", "tetrahedra"};
  MeshSpec mesh;
  SpringStiffness spring;
  double diagonal = 0;  // strength of the springs to the faces over that of the edges; 0: none
  double density = 0;   // kg/m^3
  bool operator==(const TetraSprings&) const = default;
};

struct GirderSprings {
  static constexpr Signature signature{"generate", "girder"};
  Triple size{};  // m: length along x, height along y, width along z
  std::int64_t bays = 0;
  SpringStiffness spring;
  double shear = 1;           // of the diagonals over that of the others; 0: none
  double linear_density = 0;  // kg/m, of every bar
  bool operator==(const GirderSprings&) const = default;
};

// Springs on the edges of a file's triangles and lines.
struct FileSprings {
  static constexpr Signature signature{"file"};
  std::filesystem::path file;  // absolute once read
  SpringStiffness spring;
  double bending = 0;                    // of the springs across edges and along lines over that of the edges
  std::optional<double> area_density;    // kg/m^2
  std::optional<double> linear_density;  // kg/m
  bool operator==(const FileSprings&) const = default;
};

using SpringsSpec = std::variant<RopeSprings, ClothSprings, FlagSprings, FibreSprings, FibresSprings,
                                 TetraSprings, GirderSprings, FileSprings>;

// What a region changes of its body's springs.
struct SpringChange {
  std::optional<double> stiffness;        // N per unit strain
  std::optional<double> spring_constant;  // N/m
  std::optional<double> factor;           // of what the springs have
  std::optional<SpringLawName> law;
  bool operator==(const SpringChange&) const = default;
};

}  // namespace phiflex
