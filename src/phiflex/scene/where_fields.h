// The keys of selections (field.h).
#pragma once

#include <concepts>

#include "phiflex/scene/field.h"
#include "phiflex/scene/where_spec.h"

namespace phiflex {

template <>
inline constexpr bool written_as_list<BoxWhere::Corners> = true;
template <>
inline constexpr Title title_of<PlainWhere>{"where.not", "a selection that is made of no other"};
template <>
inline constexpr Title title_of<PartWhere>{"where.any", "a plain selection, or `not` one"};
template <>
inline constexpr Title title_of<Where>{"where", "selects vertices, or elements by their centroid"};

template <class V>
void fields(V& v, BoxWhere::Corners& s) {
  v({.key = "low", .doc = "smallest x, y and z", .unit = "m"}, s.low);
  v({.key = "high", .doc = "largest x, y and z", .unit = "m"}, s.high);
}

template <class V>
void fields(V& v, BoxWhere& s) {
  v({.key = "box",
     .doc = "everything inside a box: `low` and `high` are its corners [x, y, z] in m",
     .need = Need::required},
    s.box);
}

template <class V>
void fields(V& v, SphereWhere::Sphere& s) {
  v({.key = "center", .doc = "centre of the sphere", .unit = "m", .need = Need::required}, s.center);
  v({.key = "radius",
     .doc = "radius of the sphere",
     .unit = "m",
     .range = ranges::positive,
     .need = Need::required},
    s.radius);
}

template <class V>
void fields(V& v, SphereWhere& s) {
  v({.key = "sphere", .doc = "everything inside a sphere", .need = Need::required}, s.sphere);
}

template <class V>
void fields(V& v, HalfSpaceWhere::HalfSpace& s) {
  v({.key = "point", .doc = "a point of the bounding plane", .unit = "m", .need = Need::required}, s.point);
  v({.key = "normal",
     .doc = "normal of the plane, of any length; it points away from what is selected",
     .need = Need::required},
    s.normal);
}

template <class V>
void fields(V& v, HalfSpaceWhere& s) {
  v({.key = "half_space", .doc = "everything on one side of a plane", .need = Need::required}, s.half_space);
}

template <class V>
void fields(V& v, TagWhere& s) {
  v({.key = "tag",
     .doc = "everything that carries this tag of the mesh, by name or number",
     .need = Need::required},
    s.tag);
}

template <class V>
void fields(V& v, VerticesWhere& s) {
  v({.key = "vertices",
     .doc = "a list of vertex indices, from 0 in the mesh's own numbering",
     .range = not_negative,
     .need = Need::required,
     .min_items = 1},
    s.vertices);
}

template <class V>
void fields(V& v, ElementsWhere& s) {
  v({.key = "elements",
     .doc = "a list of element indices, from 0 in the mesh's own numbering",
     .range = not_negative,
     .need = Need::required,
     .min_items = 1},
    s.elements);
}

template <class V>
void fields(V& v, AllWhere& s) {
  v({.key = "all", .doc = "everything", .need = Need::required}, s.all);
}

template <class V, class Round>
requires std::same_as<Round, CapsuleWhere::Capsule> || std::same_as<Round, CylinderWhere::Cylinder>
void fields(V& v, Round& s) {
  v({.key = "from", .doc = "one end of the axis", .unit = "m", .need = Need::required}, s.from);
  v({.key = "to", .doc = "the other end", .unit = "m", .need = Need::required}, s.to);
  v({.key = "radius",
     .doc = "distance from the axis",
     .unit = "m",
     .range = ranges::positive,
     .need = Need::required},
    s.radius);
}

template <class V>
void fields(V& v, CapsuleWhere& s) {
  v({.key = "capsule",
     .doc = "everything within `radius` of a segment, with round ends",
     .need = Need::required},
    s.capsule);
}

template <class V>
void fields(V& v, CylinderWhere& s) {
  v({.key = "cylinder",
     .doc = "everything within `radius` of a segment, with plane ends",
     .need = Need::required},
    s.cylinder);
}

template <class V>
void fields(V& v, AxisWhere::Line& s) {
  v({.key = "point", .doc = "a point of the line", .unit = "m", .need = Need::required}, s.point);
  v({.key = "direction", .doc = "direction of the line, of any length", .need = Need::required}, s.direction);
  v({.key = "radius",
     .doc = "largest distance from the line",
     .unit = "m",
     .range = ranges::positive,
     .need = Need::required},
    s.radius);
}

template <class V>
void fields(V& v, AxisWhere& s) {
  v({.key = "axis", .doc = "everything within `radius` of an endless line", .need = Need::required}, s.axis);
}

template <class V>
void fields(V& v, OutlineWhere::Outline& s) {
  v({.key = "along", .doc = "direction from which the body is seen"}, s.along);
  v({.key = "distance",
     .doc = "largest distance from the outline, measured in the plane across `along`",
     .unit = "m",
     .range = ranges::positive,
     .need = Need::required},
    s.distance);
}

template <class V>
void fields(V& v, OutlineWhere& s) {
  v({.key = "outline",
     .doc = "everything near the outline of the body seen along an axis: the border of the convex hull of "
            "its vertices' projections, as the rim of a sheet",
     .need = Need::required},
    s.outline);
}

template <class V>
void fields(V& v, NotWhere& s) {
  v({.key = "not", .doc = "everything that a plain selection does not select", .need = Need::required},
    s.excluded);
}

template <class V>
void fields(V& v, AnyWhere& s) {
  v({.key = "any",
     .doc = "everything that at least one of these selects; each is a plain selection, or `not` one",
     .need = Need::required,
     .min_items = 1},
    s.any);
}

template <class V>
void fields(V& v, EveryWhere& s) {
  v({.key = "every", .doc = "everything that all of these select", .need = Need::required, .min_items = 1},
    s.every);
}

}  // namespace phiflex
