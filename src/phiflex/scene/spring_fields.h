// The keys of springs (field.h).
#pragma once

#include <concepts>

#include "phiflex/scene/field.h"
#include "phiflex/scene/mesh_fields.h"
#include "phiflex/scene/spring_spec.h"

namespace phiflex {

template <class V>
void fields(V& v, SpringStiffness& s) {
  v({.key = "stiffness",
     .doc = "force per unit strain: a spring's constant is stiffness / rest length, so refinement does not "
            "change it",
     .unit = "N",
     .range = ranges::positive},
    s.stiffness);
  v({.key = "spring_constant",
     .doc = "instead of `stiffness`: the constant of every spring",
     .unit = "N/m",
     .range = ranges::positive},
    s.spring_constant);
  v.exactly_one({"stiffness", "spring_constant"});
  v({.key = "law", .doc = SpringLawName::doc()}, s.law);
}

template <class V>
void fields(V& v, RopeSprings& s) {
  v({.key = "from", .doc = "first end", .unit = "m", .need = Need::required}, s.from);
  v({.key = "to", .doc = "last end", .unit = "m", .need = Need::required}, s.to);
  v({.key = "segments", .doc = "number of springs", .range = at_least_one, .need = Need::required},
    s.segments);
  fields(v, s.spring);
  v({.key = "linear_density",
     .doc = "mass per length; half of a spring's mass goes to each end",
     .unit = "kg/m",
     .range = ranges::positive,
     .need = Need::required},
    s.linear_density);
}

template <class V, class Sheet>
requires std::same_as<Sheet, ClothSprings> || std::same_as<Sheet, FlagSprings>
void fields(V& v, Sheet& s) {
  constexpr bool cloth = std::same_as<Sheet, ClothSprings>;
  v({.key = "size",
     .doc = cloth ? "extent along x and z, from the origin"
                  : "extent along x and y, from the pole's foot at the origin",
     .unit = "m",
     .range = ranges::positive,
     .need = Need::required},
    s.size);
  v({.key = "cells",
     .doc = cloth ? "number of cells along x and z" : "number of cells along x and y",
     .range = at_least_one,
     .need = Need::required},
    s.cells);
  fields(v, s.spring);
  v({.key = "shear",
     .doc = "stiffness of the diagonal springs over that of the others; 0: none",
     .range = not_negative},
    s.shear);
  v({.key = "bending",
     .doc = "stiffness of bending springs, which skip a particle, over that of the others; 0: none",
     .range = not_negative},
    s.bending);
  v({.key = "area_density",
     .doc = "mass per area",
     .unit = "kg/m^2",
     .range = ranges::positive,
     .need = Need::required},
    s.area_density);
}

template <class V>
void fields(V& v, FibreMaterial& s) {
  v({.key = "segments",
     .doc = "cuboids of a fibre, each between two cross-sections of four particles",
     .range = at_least_one},
    s.segments);
  v({.key = "thickness",
     .doc = "side of the square cross-section at the root and at the tip, linear in between",
     .unit = "m",
     .range = ranges::positive,
     .need = Need::required},
    s.thickness);
  v({.key = "young",
     .doc = "Young's modulus: stretching and bending",
     .unit = "Pa",
     .range = ranges::positive,
     .need = Need::required},
    s.young);
  v({.key = "shear_modulus",
     .doc = "shear (torsional) modulus: twisting and shearing",
     .unit = "Pa",
     .range = ranges::positive,
     .need = Need::required},
    s.shear_modulus);
  v({.key = "density", .doc = "density", .unit = "kg/m^3", .range = ranges::positive, .need = Need::required},
    s.density);
}

template <class V>
void fields(V& v, FibreSprings& s) {
  v({.key = "from", .doc = "centre of the root", .unit = "m", .need = Need::required}, s.from);
  v({.key = "to", .doc = "centre of the tip", .unit = "m", .need = Need::required}, s.to);
  fields(v, s.fibre);
}

template <class V>
void fields(V& v, SphereGround::Sphere& s) {
  v({.key = "center", .doc = "centre of the sphere", .unit = "m"}, s.center);
  v({.key = "radius",
     .doc = "radius of the sphere",
     .unit = "m",
     .range = ranges::positive,
     .need = Need::required},
    s.radius);
  v({.key = "cap",
     .doc = "fibres grow within this angle of the pole +y",
     .unit = "degrees",
     .range = {.low = 0, .at_low = Bound::exclusive, .high = 180}},
    s.cap);
}

template <class V>
void fields(V& v, SphereGround& s) {
  v({.key = "sphere", .doc = "a sphere, or its cap around +y", .need = Need::required}, s.sphere);
}

template <class V>
void fields(V& v, PlateGround::Plate& s) {
  v({.key = "center", .doc = "centre of the plate", .unit = "m"}, s.center);
  v({.key = "size",
     .doc = "extent along x and z",
     .unit = "m",
     .range = ranges::positive,
     .need = Need::required},
    s.size);
}

template <class V>
void fields(V& v, PlateGround& s) {
  v({.key = "plate", .doc = "a rectangle whose normal is +y", .need = Need::required}, s.plate);
}

template <class V>
void fields(V& v, FileGround& s) {
  v({.key = "file",
     .doc =
         "a surface: OBJ, PLY, STL, OFF, or the boundary of a tetrahedral mesh; relative to the scene file",
     .need = Need::required},
    s.file);
}

template <class V>
void fields(V& v, FibresSprings& s) {
  v({.key = "on", .doc = "the surface on which the fibres grow", .need = Need::required}, s.on);
  v({.key = "count", .doc = "number of fibres, evenly spread", .range = at_least_one, .need = Need::required},
    s.count);
  v({.key = "length",
     .doc = "length of each fibre",
     .unit = "m",
     .range = ranges::positive,
     .need = Need::required},
    s.length);
  v({.key = "direction", .doc = "from root to tip; absent: the surface's outward normal"}, s.direction);
  fields(v, s.fibre);
}

template <class V>
void fields(V& v, TetraSprings& s) {
  v({.key = "mesh", .doc = "the tetrahedral mesh whose edges become springs", .need = Need::required},
    s.mesh);
  fields(v, s.spring);
  v({.key = "diagonal",
     .doc = "stiffness of the springs from each vertex to the centre of the opposite face over that of the "
            "edges, which keep tetrahedra from collapsing; 0: none",
     .range = not_negative},
    s.diagonal);
  v({.key = "density",
     .doc = "mass per volume; a quarter of each tetrahedron's goes to each vertex",
     .unit = "kg/m^3",
     .range = ranges::positive,
     .need = Need::required},
    s.density);
}

template <class V>
void fields(V& v, GirderSprings& s) {
  v({.key = "size",
     .doc = "length along x, height along y and width along z, from the origin",
     .unit = "m",
     .range = ranges::positive,
     .need = Need::required},
    s.size);
  v({.key = "bays",
     .doc = "number of braced fields along the length",
     .range = at_least_one,
     .need = Need::required},
    s.bays);
  fields(v, s.spring);
  v({.key = "shear",
     .doc = "stiffness of the diagonals over that of the other bars; 0: none",
     .range = not_negative},
    s.shear);
  v({.key = "linear_density",
     .doc = "mass per length of every bar; half of it goes to each end",
     .unit = "kg/m",
     .range = ranges::positive,
     .need = Need::required},
    s.linear_density);
}

template <class V>
void fields(V& v, FileSprings& s) {
  v({.key = "file",
     .doc = "a mesh whose edges become springs: surfaces OBJ, PLY, STL, OFF, or lines, as strands of hair in "
            "OBJ and TFX; relative to the scene file",
     .need = Need::required},
    s.file);
  fields(v, s.spring);
  v({.key = "bending",
     .doc = "stiffness of springs across the common edge of two triangles, and along lines to the next "
            "vertex but one, over that of the edges; 0: none",
     .range = not_negative},
    s.bending);
  v({.key = "area_density",
     .doc = "mass per area of triangles, a third of each to each corner",
     .unit = "kg/m^2",
     .range = ranges::positive},
    s.area_density);
  v({.key = "linear_density",
     .doc = "mass per length of lines, half of each segment's to each end",
     .unit = "kg/m",
     .range = ranges::positive},
    s.linear_density);
}

template <class V>
void fields(V& v, SpringChange& s) {
  v({.key = "stiffness",
     .doc = "instead of the body's: force per unit strain",
     .unit = "N",
     .range = ranges::positive},
    s.stiffness);
  v({.key = "spring_constant",
     .doc = "instead of the body's: constant of every spring",
     .unit = "N/m",
     .range = ranges::positive},
    s.spring_constant);
  v({.key = "factor", .doc = "what the springs' constants are multiplied with", .range = ranges::positive},
    s.factor);
  v({.key = "law", .doc = "instead of the body's: force law"}, s.law);
}

}  // namespace phiflex
