// The keys of bodies (field.h).
#pragma once

#include "phiflex/scene/body_spec.h"
#include "phiflex/scene/field.h"
#include "phiflex/scene/material_fields.h"
#include "phiflex/scene/mesh_fields.h"
#include "phiflex/scene/spring_fields.h"
#include "phiflex/scene/where_fields.h"

namespace phiflex {

template <>
inline constexpr bool written_as_list<TransformSpec::Rotation> = true;

template <class V>
void fields(V& v, RegionSpec& s) {
  v({.key = "where",
     .doc = "elements of the region, by their centroid (springs by their middle); a later region wins",
     .need = Need::required},
    s.where);
  v({.key = "material", .doc = "of a solid body: what differs from its material"}, s.material);
  v({.key = "springs", .doc = "of a body made of springs: what differs from its springs"}, s.springs);
  v.exactly_one({"material", "springs"});
}

template <class V>
void fields(V& v, DampingSpec& s) {
  v({.key = "mass", .doc = "factor of the mass matrix", .unit = "1/s", .range = not_negative}, s.mass);
  v({.key = "stiffness", .doc = "factor of the stiffness matrix", .unit = "s", .range = not_negative},
    s.stiffness);
  v({.key = "stiffness_of", .doc = "the shape whose stiffness damps: the rest shape, or the current one"},
    s.stiffness_of);
}

template <class V>
void fields(V& v, TransformSpec::Rotation& s) {
  v({.key = "axis", .doc = "direction of the axis through the origin"}, s.axis);
  v({.key = "angle", .doc = "angle, by the right-hand rule", .unit = "degrees"}, s.angle);
}

template <class V>
void fields(V& v, TransformSpec& s) {
  v({.key = "scale", .doc = "factor of all lengths, applied first", .range = ranges::positive}, s.scale);
  v({.key = "rotate", .doc = "rotation, applied second: `axis` is a direction [x, y, z], `angle` in degrees"},
    s.rotate);
  v({.key = "translate", .doc = "shift, applied last", .unit = "m"}, s.translate);
}

template <class V>
void fields(V& v, StretchSpec& s) {
  v({.key = "axis", .doc = "direction of the stretch; the low end stays", .need = Need::required}, s.axis);
  v({.key = "factor", .doc = "length over rest length", .range = ranges::positive, .need = Need::required},
    s.factor);
}

template <class V>
void fields(V& v, TwistSpec& s) {
  v({.key = "axis",
     .doc = "axis of the twist, through the bounding box's centre; the low end stays",
     .need = Need::required},
    s.axis);
  v({.key = "angle",
     .doc = "angle over the body's whole length, linear",
     .unit = "degrees",
     .need = Need::required},
    s.angle);
}

template <class V>
void fields(V& v, BendSpec& s) {
  v({.key = "axis",
     .doc = "direction of the body's length, bent into an arc; the low end stays",
     .need = Need::required},
    s.axis);
  v({.key = "toward", .doc = "direction to which it bends", .need = Need::required}, s.toward);
  v({.key = "angle", .doc = "angle between the two ends", .unit = "degrees", .need = Need::required},
    s.angle);
}

template <class V>
void fields(V& v, ModeSpec& s) {
  v({.key = "index",
     .doc = "number of the mode from the lowest elastic one on, 1, 2, ...; rigid motions do not count",
     .range = {.low = 1, .high = 1000}},
    s.index);
  v({.key = "amplitude",
     .doc = "displacement of the vertex that moves most; the first of the largest coordinates of the shape "
            "is positive",
     .unit = "m",
     .need = Need::required},
    s.amplitude);
}

template <class V>
void fields(V& v, InitialSpec& s) {
  v({.key = "velocity", .doc = "velocity of every vertex that is not held", .unit = "m/s"}, s.velocity);
  v({.key = "angular_velocity", .doc = "added spin about the centre of mass", .unit = "rad/s"},
    s.angular_velocity);
  v({.key = "stretch", .doc = "initial stretch, applied first"}, s.stretch);
  v({.key = "twist", .doc = "initial twist, applied second"}, s.twist);
  v({.key = "bend", .doc = "initial bend, applied last"}, s.bend);
  v({.key = "mode",
     .doc = "initial displacement in a mode of free vibration of this body, added to the others"},
    s.mode);
  v({.key = "state",
     .doc = "instead of all others: positions and velocities of the body's vertices from a frame (`.vtu`) or "
            "from the newest checkpoint of a run's folder, on the same mesh; relative to the scene file"},
    s.state);
}

template <class V>
void fields(V& v, BodySpec& s) {
  v({.key = "name",
     .doc = "name by which the rest of the scene refers to the body",
     .need = Need::required,
     .text_rule = TextRule::name},
    s.name);
  v({.key = "mesh", .doc = "tetrahedra of a solid body, or triangles of a plane one"}, s.mesh);
  v({.key = "material",
     .doc = "material of a solid body; where a value varies from element to element, `{ \"field\": name }` "
            "takes it from a field of the mesh file"},
    s.material);
  v({.key = "regions", .doc = "parts of a body with another material, or with other springs"}, s.regions);
  v({.key = "springs", .doc = "instead of `mesh` and `material`: a body made of springs"}, s.springs);
  v.exactly_one({"mesh", "springs"});
  v.needs("mesh", "material");
  v.needs("material", "mesh");
  v({.key = "element",
     .doc = "tetrahedra of a solid: linear ones, quadratic ones with a node in the middle of each edge, or "
            "these with the mean of their volume change, for nearly incompressible materials (`tet10-mean`); "
            "triangles of a plane body: continuous (`tri3`), or discontinuous with Babuska and Zlamal's or "
            "the interior penalty flux (docs/elements.md)"},
    s.element);
  v({.key = "penalty",
     .doc = "`dg-bz`, `dg-ip`: eta of the energy of inner edges, eta times the square of the jump, per area; "
            "`tri3` has no use for it",
     .unit = "N/m^3",
     .range = ranges::positive},
    s.penalty);
  v({.key = "mass",
     .doc = "mass matrix; `lumped` gives a quarter of each tetrahedron's mass to each vertex (`tet10`: 1/36 "
            "to corners, 4/27 to edges)"},
    s.mass);
  v({.key = "damping", .doc = "Rayleigh damping"}, s.damping);
  v({.key = "transform", .doc = "places the rest shape"}, s.transform);
  v({.key = "initial", .doc = "initial velocity and deformation"}, s.initial);
  v({.key = "surface",
     .doc =
         "of a solid: an OBJ file that its tetrahedra carry, placed by `transform` as they are; `export` "
         "writes it moved, with its texture coordinates and its own numbering; relative to the scene file"},
    s.surface);
}

}  // namespace phiflex
