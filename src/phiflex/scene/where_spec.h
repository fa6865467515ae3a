// Selections of vertices, or of elements by their centroid; in rest coordinates after `transform`.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "phiflex/scene/values.h"

namespace phiflex {

struct BoxWhere {
  static constexpr Signature signature{"box"};
  struct Corners {
    Triple low{}, high{};
    bool operator==(const Corners&) const = default;
  } box;
  bool operator==(const BoxWhere&) const = default;
};

struct SphereWhere {
  static constexpr Signature signature{"sphere"};
  struct Sphere {
    Triple center{};
    double radius = 0;
    bool operator==(const Sphere&) const = default;
  } sphere;
  bool operator==(const SphereWhere&) const = default;
};

// The points x with (x - point).normal <= 0: the normal points away from what is selected.
struct HalfSpaceWhere {
  static constexpr Signature signature{"half_space"};
  struct HalfSpace {
    Triple point{};
    Triple normal{};
    bool operator==(const HalfSpace&) const = default;
  } half_space;
  bool operator==(const HalfSpaceWhere&) const = default;
};

// A tag of the mesh, by number or by name.
struct TagWhere {
  static constexpr Signature signature{"tag"};
  std::variant<std::int64_t, std::string> tag;
  bool operator==(const TagWhere&) const = default;
};

struct VerticesWhere {
  static constexpr Signature signature{"vertices"};
  std::vector<std::int64_t> vertices;
  bool operator==(const VerticesWhere&) const = default;
};

struct ElementsWhere {
  static constexpr Signature signature{"elements"};
  std::vector<std::int64_t> elements;
  bool operator==(const ElementsWhere&) const = default;
};

struct AllWhere {
  static constexpr Signature signature{"all"};
  Switch all = Switch::on;
  bool operator==(const AllWhere&) const = default;
};

// Everything within `radius` of the segment from `from` to `to`; a cylinder ends in planes there.
struct CapsuleWhere {
  static constexpr Signature signature{"capsule"};
  struct Capsule {
    Triple from{}, to{};  // m
    double radius = 0;    // m
    bool operator==(const Capsule&) const = default;
  } capsule;
  bool operator==(const CapsuleWhere&) const = default;
};
struct CylinderWhere {
  static constexpr Signature signature{"cylinder"};
  struct Cylinder {
    Triple from{}, to{};  // m
    double radius = 0;    // m
    bool operator==(const Cylinder&) const = default;
  } cylinder;
  bool operator==(const CylinderWhere&) const = default;
};

// Everything within `radius` of a line.
struct AxisWhere {
  static constexpr Signature signature{"axis"};
  struct Line {
    Triple point{};  // m
    Triple direction{};
    double radius = 0;  // m
    bool operator==(const Line&) const = default;
  } axis;
  bool operator==(const AxisWhere&) const = default;
};

// Everything within `distance` of the outline of the body seen along an axis: of the border of the convex hull of its
// vertices' projections.
struct OutlineWhere {
  static constexpr Signature signature{"outline"};
  struct Outline {
    Axis along = Axis::z;
    double distance = 0;  // m
    bool operator==(const Outline&) const = default;
  } outline;
  bool operator==(const OutlineWhere&) const = default;
};

// A selection that is made of no other, ...
using PlainWhere = std::variant<BoxWhere, SphereWhere, HalfSpaceWhere, CapsuleWhere, CylinderWhere, AxisWhere,
                                OutlineWhere, TagWhere, VerticesWhere, ElementsWhere, AllWhere>;
// ... everything else, ...
struct NotWhere {
  static constexpr Signature signature{"not"};
  PlainWhere excluded = AllWhere{};
  bool operator==(const NotWhere&) const = default;
};
// ... what at least one of several selects, and what all of them do.
using PartWhere = std::variant<BoxWhere, SphereWhere, HalfSpaceWhere, CapsuleWhere, CylinderWhere, AxisWhere,
                               OutlineWhere, TagWhere, VerticesWhere, ElementsWhere, AllWhere, NotWhere>;
struct AnyWhere {
  static constexpr Signature signature{"any"};
  std::vector<PartWhere> any;
  bool operator==(const AnyWhere&) const = default;
};
struct EveryWhere {
  static constexpr Signature signature{"every"};
  std::vector<PartWhere> every;
  bool operator==(const EveryWhere&) const = default;
};

using Where =
    std::variant<BoxWhere, SphereWhere, HalfSpaceWhere, CapsuleWhere, CylinderWhere, AxisWhere, OutlineWhere,
                 TagWhere, VerticesWhere, ElementsWhere, AllWhere, NotWhere, AnyWhere, EveryWhere>;

}  // namespace phiflex
