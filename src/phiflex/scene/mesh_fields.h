// The keys of meshes (field.h).
#pragma once

#include <concepts>

#include "phiflex/scene/field.h"
#include "phiflex/scene/mesh_spec.h"

namespace phiflex {

template <>
inline constexpr Title title_of<MeshSpec>{"mesh", "tetrahedra, from a file or made by a generator"};

template <class V>
void fields(V& v, FileMesh& s) {
  v({.key = "file",
     .doc =
         "a tetrahedral mesh: MSH, VTK, VTU, MEDIT `.mesh`, TetGen `.node`, Vega `.veg`; for plane elements "
         "triangles in a plane z = const: OBJ, OFF, PLY, STL, ...; relative to the scene file",
     .need = Need::required},
    s.file);
}

template <class V>
void fields(V& v, BoxMesh& s) {
  v({.key = "size",
     .doc = "edge lengths; a corner lies at the origin",
     .unit = "m",
     .range = ranges::positive,
     .need = Need::required},
    s.size);
  v({.key = "cells",
     .doc = "number of cells along x, y and z, each cut into six tetrahedra",
     .range = at_least_one,
     .need = Need::required},
    s.cells);
}

template <class V>
void fields(V& v, BallMesh& s) {
  v({.key = "radius",
     .doc = "radius; the centre lies at the origin",
     .unit = "m",
     .range = ranges::positive,
     .need = Need::required},
    s.radius);
  v({.key = "resolution",
     .doc = "number n of layers from the centre to the surface: 20 n^3 tetrahedra",
     .range = at_least_one},
    s.resolution);
  v({.key = "shell",
     .doc = "thickness of the outer region, tagged `shell`; 0: no regions",
     .unit = "m",
     .range = not_negative},
    s.shell);
}

template <class V>
void fields(V& v, CylinderMesh& s) {
  v({.key = "radius",
     .doc = "radius; the axis is the x axis",
     .unit = "m",
     .range = ranges::positive,
     .need = Need::required},
    s.radius);
  v({.key = "length", .doc = "length, from x = 0", .unit = "m", .range = ranges::positive, .need = Need::required},
    s.length);
  v({.key = "resolution", .doc = "number of rings across the radius", .range = at_least_one}, s.resolution);
  v({.key = "cells_along",
     .doc = "number of slices along the length; 0: as long as a ring is wide",
     .range = not_negative},
    s.cells_along);
}

template <class V>
void fields(V& v, HelixMesh& s) {
  v({.key = "coil_radius",
     .doc = "distance of the rope's axis from the coil's, the y axis; the rope starts at x = coil_radius",
     .unit = "m",
     .range = ranges::positive},
    s.coil_radius);
  v({.key = "height", .doc = "rise of the rope's axis, from y = 0", .unit = "m", .range = not_negative},
    s.height);
  v({.key = "turns", .doc = "how often the rope goes round", .range = ranges::positive}, s.turns);
  v({.key = "rope_radius", .doc = "radius of the rope", .unit = "m", .range = ranges::positive}, s.rope_radius);
  v({.key = "resolution", .doc = "number of rings across the rope's radius", .range = at_least_one},
    s.resolution);
  v({.key = "cells_along",
     .doc = "number of slices along the rope: 18 resolution^2 cells_along tetrahedra",
     .range = at_least_one},
    s.cells_along);
}

template <class V>
void fields(V& v, HoneycombMesh& s) {
  v({.key = "cells", .doc = "number of cells along x and y, from the origin", .range = at_least_one},
    s.cells);
  v({.key = "side",
     .doc = "side of a cell, between the middles of its walls",
     .unit = "m",
     .range = ranges::positive},
    s.side);
  v({.key = "wall",
     .doc = "thickness of a wall between two holes; half of it at the outline",
     .unit = "m",
     .range = ranges::positive},
    s.wall);
  v({.key = "thickness", .doc = "thickness of the sheet, from z = 0", .unit = "m", .range = ranges::positive},
    s.thickness);
  v({.key = "divisions", .doc = "number of parts along a side", .range = at_least_one}, s.divisions);
  v({.key = "layers",
     .doc = "number of layers across the sheet: 36 divisions layers tetrahedra per cell",
     .range = at_least_one},
    s.layers);
}

template <class V>
void fields(V& v, SpheroidMesh& s) {
  v({.key = "radii",
     .doc = "half axes along x, y and z; the centre lies at the origin",
     .unit = "m",
     .range = ranges::positive},
    s.radii);
  v({.key = "cells",
     .doc =
         "number n of cubes of the lattice along the greatest diameter; a ball has about 6.5 n^3 tetrahedra",
     .range = {.low = 2, .high = 1000}},
    s.cells);
}

// Bodies that a lattice fills.
template <class V, class Figure>
requires std::same_as<decltype(Figure::fill), LatticeFill>
void fields(V& v, Figure& s) {
  v({.key = "size",
     .doc = "greatest extent; `phiflex list generators` says how the body lies",
     .unit = "m",
     .range = ranges::positive},
    s.fill.size);
  v({.key = "cells",
     .doc = "number of cubes of the lattice along the greatest extent; the default gives about as many "
            "tetrahedra as "
            "the papers' body has",
     .range = {.low = 2, .high = 1000}},
    s.fill.cells);
}

template <class V>
void fields(V& v, RectangleMesh& s) {
  v({.key = "size",
     .doc = "edge lengths along x and y, in the plane z = 0; a corner lies at the origin",
     .unit = "m",
     .range = ranges::positive,
     .need = Need::required},
    s.size);
  v({.key = "cells",
     .doc = "number of cells along x and y, each cut into two triangles along its rising diagonal",
     .range = at_least_one,
     .need = Need::required},
    s.cells);
}

template <class V>
void fields(V& v, RightTriangleMesh& s) {
  v({.key = "size",
     .doc = "lengths of the legs along x and y, in the plane z = 0; the right angle lies at the origin",
     .unit = "m",
     .range = ranges::positive,
     .need = Need::required},
    s.size);
  v({.key = "cells",
     .doc = "number n of triangles along each side: n^2 triangles",
     .range = at_least_one,
     .need = Need::required},
    s.cells);
}

}  // namespace phiflex
