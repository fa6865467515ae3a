// The keys of forces (field.h).
#pragma once

#include "phiflex/scene/field.h"
#include "phiflex/scene/force_spec.h"
#include "phiflex/scene/where_fields.h"

namespace phiflex {

template <class V>
void fields(V& v, TimeWindow& s) {
  v({.key = "from", .doc = "start of the force", .unit = "s", .range = not_negative}, s.from);
  v({.key = "until", .doc = "end of the force; absent: never", .unit = "s", .range = ranges::positive},
    s.until);
}

template <class V>
void fields(V& v, GustSpec& s) {
  v({.key = "amplitude", .doc = "largest change, as a fraction", .range = not_negative}, s.amplitude);
  v({.key = "frequency", .doc = "gusts per second", .unit = "Hz", .range = not_negative}, s.frequency);
}

template <class V>
void fields(V& v, ProfilePoint& s) {
  v({.key = "time", .doc = "time of this point", .unit = "s", .range = not_negative, .need = Need::required},
    s.time);
  v({.key = "factor", .doc = "factor of the force then", .need = Need::required}, s.factor);
}

template <class V>
void fields(V& v, ForceInTime& s) {
  fields(v, s.window);
  v({.key = "gust", .doc = "the force's factor is 1 + amplitude sin(2 pi frequency t)"}, s.gust);
  v({.key = "profile",
     .doc = "the force's factor over time, linear between these points, constant before the first and after "
            "the last; an empty list is 1"},
    s.profile);
}

template <class V>
void fields(V& v, UniformForce& s) {
  v({.key = "body", .doc = "name of the body; absent: every body"}, s.body);
  v({.key = "acceleration",
     .doc = "acceleration of every vertex, like gravity",
     .unit = "m/s^2",
     .need = Need::required},
    s.acceleration);
  fields(v, s.in_time);
}

template <class V>
void fields(V& v, PointForce& s) {
  v({.key = "body", .doc = "name of the body", .need = Need::required}, s.body);
  v({.key = "at", .doc = "acts on the vertex whose rest place is nearest to this point", .unit = "m"}, s.at);
  v({.key = "where", .doc = "instead of `at`: acts on each of these vertices"}, s.where);
  v.exactly_one({"at", "where"});
  v({.key = "force", .doc = "force on each vertex", .unit = "N", .need = Need::required}, s.force);
  fields(v, s.in_time);
}

template <class V>
void fields(V& v, RegionForce& s) {
  v({.key = "body", .doc = "name of the body", .need = Need::required}, s.body);
  v({.key = "where", .doc = "part of the body that feels the force", .need = Need::required}, s.where);
  v({.key = "force", .doc = "total force, shared in proportion to mass", .unit = "N"}, s.force);
  v({.key = "acceleration", .doc = "instead of `force`: force per mass", .unit = "m/s^2"}, s.acceleration);
  v({.key = "force_density", .doc = "instead of `force`: force per rest volume", .unit = "N/m^3"},
    s.force_density);
  v.exactly_one({"force", "acceleration", "force_density"});
  fields(v, s.in_time);
}

template <class V>
void fields(V& v, PressureForce& s) {
  v({.key = "body", .doc = "name of the body", .need = Need::required}, s.body);
  v({.key = "where",
     .doc = "part of the surface: its triangles with all corners there",
     .need = Need::required},
    s.where);
  v({.key = "pressure",
     .doc = "pressure on the body; negative: suction",
     .unit = "Pa",
     .need = Need::required},
    s.pressure);
  v({.key = "follower",
     .doc = "act on the deformed surface along its normal; `false`: on that of the rest shape (a dead load)"},
    s.follower);
  fields(v, s.in_time);
}

template <class V>
void fields(V& v, TractionForce& s) {
  v({.key = "body", .doc = "name of the body", .need = Need::required}, s.body);
  v({.key = "where",
     .doc = "part of the surface: its triangles with all corners there",
     .need = Need::required},
    s.where);
  v({.key = "traction",
     .doc = "force per area of the rest shape; its direction stays (a dead load)",
     .unit = "Pa",
     .need = Need::required},
    s.traction);
  fields(v, s.in_time);
}

template <class V>
void fields(V& v, TorqueForce& s) {
  v({.key = "body", .doc = "name of the body", .need = Need::required}, s.body);
  v({.key = "where", .doc = "vertices that share it, three or more, not in a line", .need = Need::required},
    s.where);
  v({.key = "torque",
     .doc = "torque, by forces without resultant; it stays the same in space as the body turns",
     .unit = "N m",
     .need = Need::required},
    s.torque);
  fields(v, s.in_time);
}

template <class V>
void fields(V& v, MuscleForce& s) {
  v({.key = "body", .doc = "name of the body, of tetrahedra", .need = Need::required}, s.body);
  v({.key = "where", .doc = "elements that have the fibres"}, s.where);
  v({.key = "direction", .doc = "direction of the fibres at rest, of any length above 0"}, s.direction);
  v({.key = "field",
     .doc = "instead of `direction`: name of a field of the mesh file with one vector per element; elements "
            "with a vector of length 0 have no fibres"},
    s.field);
  v.exactly_one({"direction", "field"});
  v({.key = "stress",
     .doc = "active stress along the fibres at full activation: their pull per area of the rest shape at "
            "their rest length; it grows with their stretch",
     .unit = "Pa",
     .range = not_negative,
     .need = Need::required},
    s.stress);
  v({.key = "activation",
     .doc = "factor of the stress over time, linear between these points, constant before the first and "
            "after the last; an empty list is 1"},
    s.activation);
  fields(v, s.window);
}

template <class V>
void fields(V& v, PressurePoint& s) {
  v({.key = "time", .doc = "time of this point", .unit = "s", .range = not_negative, .need = Need::required},
    s.time);
  v({.key = "pressure", .doc = "pressure then", .unit = "Pa", .need = Need::required}, s.pressure);
}

template <class V>
void fields(V& v, ChamberForce& s) {
  v({.key = "name",
     .doc = "name of its volume and pressure in `measures.csv`; absent: `chamber0`, `chamber1`, ... in their "
            "order",
     .text_rule = TextRule::name},
    s.name);
  v({.key = "body", .doc = "name of the body, of tetrahedra", .need = Need::required}, s.body);
  v({.key = "surface",
     .doc = "vertices of the chamber's wall, a closed inner surface: its triangles with all corners there; "
            "absent: every closed inner surface of the body"},
    s.surface);
  v({.key = "pressure",
     .doc = "pressure in the chamber over that outside: a number, or a list of points over time, linear in "
            "between, constant before the first and after the last; negative: suction",
     .unit = "Pa",
     .need = Need::required},
    s.pressure);
  fields(v, s.window);
}

template <class V>
void fields(V& v, WindForce& s) {
  v({.key = "body", .doc = "name of the body; absent: every body"}, s.body);
  v({.key = "velocity", .doc = "velocity of the air", .unit = "m/s", .need = Need::required}, s.velocity);
  v({.key = "gust", .doc = "the speed's factor is 1 + amplitude sin(2 pi frequency t)"}, s.gust);
  v({.key = "air_density", .doc = "density of the air", .unit = "kg/m^3", .range = ranges::positive},
    s.air_density);
  v({.key = "drag_coefficient", .doc = "drag coefficient of the surface", .range = not_negative},
    s.drag_coefficient);
  fields(v, s.window);
}

template <class V>
void fields(V& v, StokesForce& s) {
  v({.key = "body", .doc = "name of the body that the fluid surrounds", .need = Need::required}, s.body);
  v({.key = "where", .doc = "vertices that carry a Stokeslet"}, s.where);
  v({.key = "viscosity",
     .doc = "dynamic viscosity",
     .unit = "Pa s",
     .range = ranges::positive,
     .need = Need::required},
    s.viscosity);
  v({.key = "radius",
     .doc = "regularization of a Stokeslet, about the radius of the fibre",
     .unit = "m",
     .range = ranges::positive,
     .need = Need::required},
    s.radius);
}

template <class V>
void fields(V& v, MotorForce& s) {
  v({.key = "body", .doc = "name of the body", .need = Need::required}, s.body);
  v({.key = "axis", .doc = "two vertices on the motor's axis", .range = not_negative, .need = Need::required},
    s.axis);
  v({.key = "rotor", .doc = "vertices that feel the torque", .need = Need::required}, s.rotor);
  v({.key = "stator", .doc = "vertices that feel the opposite torque", .need = Need::required}, s.stator);
  v({.key = "torque", .doc = "torque about the axis", .unit = "N m", .need = Need::required}, s.torque);
  fields(v, s.window);
}

template <class V>
void fields(V& v, GripsForce& s) {
  v({.key = "file",
     .doc = "the grips of a recording of `phiflex live`: springs between vertices and points that moved",
     .need = Need::required},
    s.file);
}

template <class V>
void fields(V& v, TableForce& s) {
  v({.key = "body", .doc = "name of the body; absent: every body"}, s.body);
  v({.key = "where", .doc = "part of the body that feels the force; absent: all of it"}, s.where);
  v({.key = "file",
     .doc = "a table (CSV) of the load over time: columns `time` (s) and some of `ax`, `ay`, `az` "
            "(acceleration of every vertex, m/s^2), `fx`, `fy`, `fz` (total force, shared in proportion to "
            "mass, N), `bx`, `by`, `bz` (force per rest volume, N/m^3); linear between rows, constant before "
            "the first and after the last",
     .need = Need::required},
    s.file);
  fields(v, s.window);
}

}  // namespace phiflex
