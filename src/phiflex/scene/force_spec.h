// Forces on bodies.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "phiflex/scene/where_spec.h"

namespace phiflex {

// A force acts while from <= t < until.
struct TimeWindow {
  double from = 0;              // s
  std::optional<double> until;  // s; absent: for ever
  bool operator==(const TimeWindow&) const = default;
};

// A change of strength: the factor 1 + amplitude sin(2 pi frequency t).
struct GustSpec {
  double amplitude = 0;  // as a fraction
  double frequency = 0;  // Hz
  bool operator==(const GustSpec&) const = default;
};
// A point of a factor over time, linear in between.
struct ProfilePoint {
  double time = 0;  // s
  double factor = 1;
  bool operator==(const ProfilePoint&) const = default;
};
struct ForceInTime {
  TimeWindow window;
  GustSpec gust;
  std::vector<ProfilePoint> profile;  // empty: 1
  bool operator==(const ForceInTime&) const = default;
};

struct UniformForce {
  static constexpr Signature signature{"type", "uniform"};
  std::optional<std::string> body;  // absent: every body
  Triple acceleration{};            // m/s^2
  ForceInTime in_time;
  bool operator==(const UniformForce&) const = default;
};

// The same force on the vertex nearest to `at`, or on each vertex of `where`.
struct PointForce {
  static constexpr Signature signature{"type", "point"};
  std::string body;
  std::optional<Triple> at;  // m
  std::optional<Where> where;
  Triple force{};  // N
  ForceInTime in_time;
  bool operator==(const PointForce&) const = default;
};

// A load spread over a region: `force` is its total, shared by mass; exactly one of the three is given.
struct RegionForce {
  static constexpr Signature signature{"type", "region"};
  std::string body;
  Where where = AllWhere{};
  std::optional<Triple> force;          // N
  std::optional<Triple> acceleration;   // m/s^2
  std::optional<Triple> force_density;  // N/m^3
  ForceInTime in_time;
  bool operator==(const RegionForce&) const = default;
};

// On the triangles of the surface all of whose corners are selected.
struct PressureForce {
  static constexpr Signature signature{"type", "pressure"};
  std::string body;
  Where where = AllWhere{};
  double pressure = 0;           // Pa, positive presses on the body
  Switch follower = Switch::on;  // along the deformed normal, on the deformed area
  ForceInTime in_time;
  bool operator==(const PressureForce&) const = default;
};
struct TractionForce {
  static constexpr Signature signature{"type", "traction"};
  std::string body;
  Where where = AllWhere{};
  Triple traction{};  // Pa, per area of the rest shape
  ForceInTime in_time;
  bool operator==(const TractionForce&) const = default;
};

// A torque that stays the same in space as the body turns, spread over vertices.
struct TorqueForce {
  static constexpr Signature signature{"type", "torque"};
  std::string body;
  Where where = AllWhere{};
  Triple torque{};  // N m
  ForceInTime in_time;
  bool operator==(const TorqueForce&) const = default;
};

// Active stress along fibres (model/muscle_load.h).
struct MuscleForce {
  static constexpr Signature signature{"type", "muscle"};
  std::string body;
  Where where = AllWhere{};              // elements
  std::optional<Triple> direction;       // at rest
  std::optional<std::string> field;      // of the mesh file, one vector per element
  double stress = 0;                     // Pa
  std::vector<ProfilePoint> activation;  // empty: 1
  TimeWindow window;
  bool operator==(const MuscleForce&) const = default;
};

// A point of a pressure over time, linear in between.
struct PressurePoint {
  double time = 0;      // s
  double pressure = 0;  // Pa
  bool operator==(const PressurePoint&) const = default;
};
// Pressure in hollows of a body (model/chamber_load.h).
struct ChamberForce {
  static constexpr Signature signature{"type", "chamber"};
  std::optional<std::string> name;  // of its volume; absent: "chamber" and its number
  std::string body;
  std::optional<Where> surface;  // vertices; absent: every closed inner surface
  std::variant<double, std::vector<PressurePoint>> pressure = 0.0;  // Pa
  TimeWindow window;
  bool operator==(const ChamberForce&) const = default;
};

// Drag on the surface: air moves with velocity (1 + amplitude sin(2 pi frequency t)).
struct WindForce {
  static constexpr Signature signature{"type", "wind"};
  std::optional<std::string> body;  // absent: every body
  Triple velocity{};                // m/s
  GustSpec gust;
  double air_density = 1.225;   // kg/m^3
  double drag_coefficient = 1;  // of a surface element facing the wind
  TimeWindow window;
  bool operator==(const WindForce&) const = default;
};

// A Stokes fluid around a body, by regularized Stokeslets at its vertices.
struct StokesForce {
  static constexpr Signature signature{"type", "stokes"};
  std::string body;
  Where where = AllWhere{};
  double viscosity = 0;  // Pa s
  double radius = 0;     // m, the regularization: about the thickness of the fibre
  bool operator==(const StokesForce&) const = default;
};

// A torque between two parts of a body, about the line from one vertex to another.
struct MotorForce {
  static constexpr Signature signature{"type", "motor"};
  std::string body;
  std::array<std::int64_t, 2> axis{};  // vertices
  Where rotor = AllWhere{}, stator = AllWhere{};
  double torque = 0;  // N m on the rotor, the opposite on the stator
  TimeWindow window;
  bool operator==(const MotorForce&) const = default;
};

// The grips of a hand as `phiflex live` recorded them (run/grips_file.h).
struct GripsForce {
  static constexpr Signature signature{"type", "grips"};
  std::filesystem::path file;  // absolute once read
  bool operator==(const GripsForce&) const = default;
};

// A load whose course a table gives (run/load_table.h).
struct TableForce {
  static constexpr Signature signature{"type", "table"};
  std::optional<std::string> body;  // absent: every body
  std::optional<Where> where;       // absent: all of it
  std::filesystem::path file;       // absolute once read
  TimeWindow window;
  bool operator==(const TableForce&) const = default;
};

using ForceSpec =
    std::variant<UniformForce, PointForce, RegionForce, PressureForce, TractionForce, TorqueForce,
                 MuscleForce, ChamberForce, WindForce, StokesForce, MotorForce, GripsForce, TableForce>;

}  // namespace phiflex
