// Vertices whose motion is prescribed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "phiflex/scene/body_spec.h"
#include "phiflex/scene/where_spec.h"

namespace phiflex {

struct FixConstraint {
  static constexpr Signature signature{"type", "fix"};
  std::optional<std::string> name;  // of its reaction; absent: "constraint" and its number
  std::string body;
  Where where = AllWhere{};
  std::optional<double> until;  // s; absent: for ever
  bool operator==(const FixConstraint&) const = default;
};

struct PathPoint {
  double time = 0;  // s
  Triple offset{};  // m, from where the vertex was at the start
  bool operator==(const PathPoint&) const = default;
};

// A swing: sin(2 pi frequency (t - from) + phase) - sin(phase) times a shift and a rotation; 0 before `from`, and from
// `until` on it stays where it is.
struct SineSpec {
  Triple translate{};  // m
  TransformSpec::Rotation rotate;
  double frequency = 0;         // Hz
  double phase = 0;             // degrees
  double from = 0;              // s
  std::optional<double> until;  // s; absent: for ever
  bool operator==(const SineSpec&) const = default;
};

// Linear between the points of the path, held before the first and after the last; swings are added.
struct MoveConstraint {
  static constexpr Signature signature{"type", "move"};
  std::optional<std::string> name;  // of its reaction; absent: "constraint" and its number
  std::string body;
  Where where = AllWhere{};
  std::vector<PathPoint> path;
  std::vector<SineSpec> sine;
  std::optional<double> until;  // s
  bool operator==(const MoveConstraint&) const = default;
};

struct FrameKey {
  double time = 0;     // s
  Triple translate{};  // m
  TransformSpec::Rotation rotate;
  bool operator==(const FrameKey&) const = default;
};

// A rigid motion, from the place at the start: rotation about the pivot, then translation. Constant velocity
// and turning speed between the keys, or smooth (at rest at every key); held outside. Swings are added, one after the
// other.
struct RigidMotionSpec {
  Triple pivot{};  // m
  std::vector<FrameKey> keys;
  std::vector<SineSpec> sine;
  Switch smooth = Switch::off;
  std::optional<double> key_step = std::nullopt;  // s: keys are at the ends of steps, by their shifts alone
  bool operator==(const RigidMotionSpec&) const = default;
};

// Vertices that follow a rigid frame.
struct FrameConstraint {
  static constexpr Signature signature{"type", "frame"};
  std::optional<std::string> name;  // of its reaction; absent: "constraint" and its number
  std::string body;
  Where where = AllWhere{};
  RigidMotionSpec motion;
  std::optional<double> until;  // s
  bool operator==(const FrameConstraint&) const = default;
};

// Vertices that go where a file says (docs/contact.md describes it).
struct MotionConstraint {
  static constexpr Signature signature{"type", "motion"};
  std::optional<std::string> name;  // of its reaction; absent: "constraint" and its number
  std::string body;
  std::filesystem::path file;   // absolute once read
  std::optional<double> until;  // s
  bool operator==(const MotionConstraint&) const = default;
};

using ConstraintSpec = std::variant<FixConstraint, MoveConstraint, FrameConstraint, MotionConstraint>;

}  // namespace phiflex
