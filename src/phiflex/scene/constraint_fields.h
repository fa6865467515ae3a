// The keys of constraints (field.h).
#pragma once

#include "phiflex/scene/body_fields.h"
#include "phiflex/scene/constraint_spec.h"
#include "phiflex/scene/field.h"
#include "phiflex/scene/where_fields.h"

namespace phiflex {

template <class V>
void reaction_name(V& v, std::optional<std::string>& name) {
  v({.key = "name",
     .doc = "name of its force in `reactions.csv`; absent: `constraint0`, `constraint1`, ... by its place in "
            "the list",
     .text_rule = TextRule::name},
    name);
}

template <class V>
void fields(V& v, FixConstraint& s) {
  reaction_name(v, s.name);
  v({.key = "body", .doc = "name of the body", .need = Need::required}, s.body);
  v({.key = "where", .doc = "vertices that are held", .need = Need::required}, s.where);
  v({.key = "until", .doc = "time of the release; absent: never", .unit = "s", .range = ranges::positive},
    s.until);
}

template <class V>
void fields(V& v, PathPoint& s) {
  v({.key = "time", .doc = "time of this point", .unit = "s", .range = not_negative, .need = Need::required},
    s.time);
  v({.key = "offset", .doc = "displacement from the initial place", .unit = "m", .need = Need::required},
    s.offset);
}

template <class V>
void fields(V& v, SineSpec& s) {
  v({.key = "translate", .doc = "shift at the swing's largest", .unit = "m"}, s.translate);
  v({.key = "rotate",
     .doc = "rotation at the swing's largest, about the pivot: `axis` is a direction [x, y, z], `angle` in "
            "degrees"},
    s.rotate);
  v({.key = "frequency",
     .doc = "swings per second",
     .unit = "Hz",
     .range = ranges::positive,
     .need = Need::required},
    s.frequency);
  v({.key = "phase",
     .doc = "the factor is sin(2 pi frequency (t - from) + phase) - sin(phase): nothing jumps at the start",
     .unit = "degrees"},
    s.phase);
  v({.key = "from", .doc = "start of the swing", .unit = "s", .range = not_negative}, s.from);
  v({.key = "until",
     .doc = "end of the swing, which stays where it is then; absent: never",
     .unit = "s",
     .range = ranges::positive},
    s.until);
}

template <class V>
void fields(V& v, MoveConstraint& s) {
  reaction_name(v, s.name);
  v({.key = "body", .doc = "name of the body", .need = Need::required}, s.body);
  v({.key = "where", .doc = "vertices that are moved", .need = Need::required}, s.where);
  v({.key = "path", .doc = "points of the motion, linear in between, then held"}, s.path);
  v({.key = "sine", .doc = "swings that are added to the path; `path`, `sine` or both are given"}, s.sine);
  v({.key = "until", .doc = "time of the release; absent: never", .unit = "s", .range = ranges::positive},
    s.until);
}

template <class V>
void fields(V& v, FrameKey& s) {
  v({.key = "time", .doc = "time of this key", .unit = "s", .range = not_negative, .need = Need::required},
    s.time);
  v({.key = "translate", .doc = "shift from the place at the start, after the rotation", .unit = "m"},
    s.translate);
  v({.key = "rotate",
     .doc = "rotation about the pivot since the start: `axis` is a direction [x, y, z], `angle` in degrees; "
            "between two keys of one axis it may go round more than once, between others it goes the shorter "
            "way"},
    s.rotate);
}

template <class V>
void fields(V& v, RigidMotionSpec& s) {
  v({.key = "pivot", .doc = "point about which the keys rotate", .unit = "m"}, s.pivot);
  v({.key = "keys",
     .doc = "the motion at some times; constant velocity and turning speed in between, held before the first "
            "and after the last"},
    s.keys);
  v({.key = "sine",
     .doc =
         "swings that are added to the keys' motion, one after the other; `keys`, `sine` or both are given"},
    s.sine);
  v({.key = "smooth", .doc = "start and stop gently at every key"}, s.smooth);
  v({.key = "key_step",
     .doc = "length of a step: the keys are at the ends of steps, from the first one on, and only their "
            "`translate` counts; times that differ from a key's by rounding have exactly its place, as in "
            "recordings of `phiflex live`",
     .unit = "s",
     .range = ranges::positive},
    s.key_step);
}

template <class V>
void fields(V& v, FrameConstraint& s) {
  reaction_name(v, s.name);
  v({.key = "body", .doc = "name of the body", .need = Need::required}, s.body);
  v({.key = "where", .doc = "vertices that follow the rigid frame", .need = Need::required}, s.where);
  fields(v, s.motion);
  v({.key = "until", .doc = "time of the release; absent: never", .unit = "s", .range = ranges::positive},
    s.until);
}

template <class V>
void fields(V& v, MotionConstraint& s) {
  reaction_name(v, s.name);
  v({.key = "body", .doc = "name of the body", .need = Need::required}, s.body);
  v({.key = "file",
     .doc = "a table (CSV) of positions over time: columns `time` and `<vertex>_x`, `<vertex>_y`, "
            "`<vertex>_z` for each vertex that moves; it must last as long as the constraint",
     .need = Need::required},
    s.file);
  v({.key = "until", .doc = "time of the release; absent: never", .unit = "s", .range = ranges::positive},
    s.until);
}

}  // namespace phiflex
