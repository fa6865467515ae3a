// The keys of contacts (field.h).
#pragma once

#include "phiflex/scene/constraint_fields.h"
#include "phiflex/scene/contact_spec.h"
#include "phiflex/scene/field.h"
#include "phiflex/scene/mesh_fields.h"

namespace phiflex {

template <class V>
void fields(V& v, ObstacleSpec& s) {
  v({.key = "mode",
     .doc = "`barrier` is an energy that grows without bound before the surface, `penalty` an energy with "
            "stiffness behind it, `project` puts vertices back to the surface at the end of every step; "
            "absent: `barrier`, or `penalty` where `stiffness` is given"},
    s.mode);
  v({.key = "friction", .doc = "Coulomb's coefficient", .range = not_negative}, s.friction);
  v({.key = "slip_speed",
     .doc = "of `barrier` and `penalty`: friction grows with the speed up to about this one, and is "
            "Coulomb's above; absent: 0.001 and 0.01",
     .unit = "m/s",
     .range = ranges::positive},
    s.slip_speed);
  v({.key = "thickness",
     .doc = "distance kept between vertices and the surface",
     .unit = "m",
     .range = not_negative},
    s.thickness);
  v({.key = "distance",
     .doc = "of `barrier`: its reach, within which it acts; absent: a tenth of the mean edge of a body's "
            "surface",
     .unit = "m",
     .range = ranges::positive},
    s.distance);
  v({.key = "stiffness",
     .doc = "of `penalty`: stiffness of each vertex below the surface, N/m; of `barrier`: its modulus, Pa; "
            "absent: by material and mesh",
     .range = ranges::positive},
    s.stiffness);
  v({.key = "at_start",
     .doc = "what to do with vertices that start inside: refuse the scene, or push them out (of `barrier`: "
            "to the edge of its reach) and say so; absent: `error` for `project`, nothing for `penalty`; "
            "bodies that start within the reach of a `barrier`, or as deep inside, are set at its edge "
            "without energy, and it is said"},
    s.at_start);
  v({.key = "body", .doc = "name of the body that meets the obstacle; absent: every body"}, s.body);
  v({.key = "motion", .doc = "rigid motion of the obstacle; absent: it stays"}, s.motion);
}

template <class V>
void fields(V& v, FloorContact& s) {
  v({.key = "height", .doc = "the floor is the plane y = height", .unit = "m"}, s.height);
  fields(v, s.how);
}

template <class V>
void fields(V& v, PlaneContact& s) {
  v({.key = "point", .doc = "a point of the plane", .unit = "m", .need = Need::required}, s.point);
  v({.key = "normal",
     .doc = "normal of any length; it points to where bodies may be",
     .need = Need::required},
    s.normal);
  fields(v, s.how);
}

template <class V>
void fields(V& v, SphereContact& s) {
  v({.key = "center", .doc = "centre of the sphere", .unit = "m", .need = Need::required}, s.center);
  v({.key = "radius",
     .doc = "radius of the sphere",
     .unit = "m",
     .range = ranges::positive,
     .need = Need::required},
    s.radius);
  fields(v, s.how);
}

template <class V>
void fields(V& v, CapsuleContact& s) {
  v({.key = "from", .doc = "one end of the axis", .unit = "m", .need = Need::required}, s.from);
  v({.key = "to", .doc = "the other end", .unit = "m", .need = Need::required}, s.to);
  v({.key = "radius",
     .doc = "distance of the surface from the axis",
     .unit = "m",
     .range = ranges::positive,
     .need = Need::required},
    s.radius);
  fields(v, s.how);
}

template <class V>
void fields(V& v, BoxContact& s) {
  v({.key = "center", .doc = "centre of the box", .unit = "m", .need = Need::required}, s.center);
  v({.key = "size", .doc = "edge lengths", .unit = "m", .range = ranges::positive, .need = Need::required},
    s.size);
  v({.key = "rotate",
     .doc = "rotation about the centre: `axis` is a direction [x, y, z], `angle` in degrees"},
    s.rotate);
  fields(v, s.how);
}

template <class V>
void fields(V& v, SurfaceContact& s) {
  v({.key = "mesh",
     .doc = "the obstacle: a file with a closed surface (OBJ, PLY, STL, OFF) or tetrahedra, or a generator",
     .need = Need::required},
    s.mesh);
  v({.key = "transform", .doc = "places the obstacle"}, s.transform);
  fields(v, s.how);
}

template <class V>
void fields(V& v, BodiesContact& s) {
  v({.key = "between",
     .doc = "which bodies meet each other: `all`, `none`, or a list of pairs of names, [[\"a\", \"b\"]]"},
    s.between);
  v({.key = "self", .doc = "whether each body meets itself"}, s.self);
  v({.key = "friction",
     .doc = "Coulomb's coefficient, of bodies on each other and on themselves; with every method",
     .range = not_negative},
    s.friction);
  v({.key = "slip_speed",
     .doc = "friction grows with the speed up to about this one, and is Coulomb's above; absent: 0.001",
     .unit = "m/s",
     .range = ranges::positive},
    s.slip_speed);
  v({.key = "distance",
     .doc = "reach of the barriers; absent: a tenth of the mean edge, of the finer of two surfaces",
     .unit = "m",
     .range = ranges::positive},
    s.distance);
  v({.key = "stiffness",
     .doc = "modulus of the barriers; absent: 0.03 of the softer Young's modulus",
     .unit = "Pa",
     .range = ranges::positive},
    s.stiffness);
}

template <class V>
void fields(V& v, ParticlesContact& s) {
  v({.key = "distance",
     .doc = "least distance of two vertices that no element or spring connects; pairs that start closer are "
            "left alone",
     .unit = "m",
     .range = ranges::positive,
     .need = Need::required},
    s.distance);
  v({.key = "friction", .doc = "Coulomb's coefficient", .range = not_negative}, s.friction);
  v({.key = "bodies", .doc = "names of the bodies whose vertices meet; an empty list is every body"},
    s.bodies);
}

}  // namespace phiflex
