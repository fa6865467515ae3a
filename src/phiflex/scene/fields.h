// One description of each struct of the scene: fields(visitor, struct) names every member with its key, unit,
// range and meaning. Visitors (written.h, bind.cpp, describe.cpp) turn it into reading, writing, and the
// Shape from which validation, schema and documentation follow.
//
// A visitor is called as visitor(field, member) and knows
//   exactly_one(keys)   exactly one of these optional keys is given
//   needs(a, b)         key a is given only together with key b
//   later(key)          a key of a later version: refused, saying so
#pragma once

#include <array>
#include <concepts>
#include <initializer_list>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include "phiflex/scene/scene.h"
#include "phiflex/scene/shape.h"
#include "phiflex/scene/words.h"

namespace phiflex {

struct Field {
  const char* key;
  const char* doc;
  const char* unit = "";
  Range range = {};
  Need need = Need::optional;
  TextRule text_rule = TextRule::any;
  std::size_t min_items = 0;
};

// A visitor that does not care for the relations between keys.
struct IgnoresRelations {
  void exactly_one(std::initializer_list<const char*>) {}
  void needs(const char*, const char*) {}
  void later(const char*) {}
};

// ---- Kinds of members -------------------------------------------------------------------------------------

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t n>
inline constexpr bool is_array<std::array<T, n>> = true;
template <class T>
inline constexpr bool is_variant = false;
template <class... T>
inline constexpr bool is_variant<std::variant<T...>> = true;

template <class T>
concept HasWords = std::is_enum_v<T> && !std::same_as<T, Switch>;
template <class T>
concept HasSignature = requires {
  T::signature;
};

// A struct that the file writes as a list of its members in order, as in "box": [low, high].
template <class T>
inline constexpr bool written_as_list = false;
template <>
inline constexpr bool written_as_list<BoxWhere::Corners> = true;
template <>
inline constexpr bool written_as_list<TransformSpec::Rotation> = true;

// A shape that several keys share is described once, under this title.
struct Title {
  const char* name = "";
  const char* doc = "";
};
template <class T>
inline constexpr Title title_of{};
template <>
inline constexpr Title title_of<MeshSpec>{"mesh", "tetrahedra, from a file or made by a generator"};
template <>
inline constexpr Title title_of<PlainWhere>{"where.not", "a selection that is made of no other"};
template <>
inline constexpr Title title_of<PartWhere>{"where.any", "a plain selection, or `not` one"};
template <>
inline constexpr Title title_of<Where>{"where", "selects vertices, or elements by their centroid"};

// Words of a variant's signature key that belong to a later version.
template <class T>
inline constexpr std::array<const char*, 0> later_alternatives{};

// ---- Ranges -----------------------------------------------------------------------------------------------

inline constexpr double no_bound = std::numeric_limits<double>::infinity();
inline constexpr Range positive{.low = 0, .at_low = Bound::exclusive};
inline constexpr Range not_negative{.low = 0};
inline constexpr Range at_least_one{.low = 1};
inline constexpr Range poisson_range{
    .low = -1, .at_low = Bound::exclusive, .high = 0.5, .at_high = Bound::exclusive};
inline constexpr Range tolerance_range{
    .low = 0, .at_low = Bound::exclusive, .high = 1, .at_high = Bound::exclusive};

// ---- Time and method --------------------------------------------------------------------------------------

template <class V>
void fields(V& v, TimeSpec& s) {
  v({.key = "step", .doc = "length h of a time step", .unit = "s", .range = positive, .need = Need::required},
    s.step);
  v({.key = "end",
     .doc = "end of the simulation, a whole number of steps; it starts at 0",
     .unit = "s",
     .range = positive,
     .need = Need::required},
    s.end);
}

template <class V>
void fields(V& v, EvaluatorSpec& s) {
  v({.key = "type", .doc = "name of the evaluator, or `auto`", .need = Need::required}, s.type);
  v({.key = "m",
     .doc = "vectors of a Krylov basis: all of them for `expv` (30 when left out), the first try for `phipm` "
            "and "
            "`kiops`",
     .range = {.low = 2, .high = 1000}},
    s.m);
  v({.key = "tolerance",
     .doc = "relative error in place of the method's `tolerance`; for `expv` Expokit's own, absolute and per "
            "second",
     .range = tolerance_range},
    s.tolerance);
  v({.key = "largest_basis",
     .doc = "most vectors of the state's size held at once; a longer way is cut into substeps",
     .range = {.low = 4, .high = 10000}},
    s.largest_basis);
  v({.key = "inner_product",
     .doc = "of the bases of general evaluators: that of the step's error norm, or the energy"},
    s.inner_product);
}

template <class V>
void fields(V& v, IntegratorSpec& s) {
  v({.key = "type", .doc = "name of the method; `phiflex list integrators` shows them"}, s.type);
  v({.key = "newton_tolerance",
     .doc = "Newton's method stops when its update is this small, relative to the step",
     .range = tolerance_range},
    s.newton_tolerance);
  v({.key = "newton_limit", .doc = "largest number of Newton iterations in a step", .range = at_least_one},
    s.newton_limit);
  v({.key = "project_hessian",
     .doc = "fall back to the projected (positive semidefinite) stiffness when the step's matrix is not "
            "positive definite; `ere`: when the stiffness is indefinite and what grows outgrows the step"},
    s.project_hessian);
  v({.key = "hessian_correction",
     .doc =
         "what Newton's method does where its matrix is not positive definite: take the projected stiffness "
         "(unless `project_hessian` is false), or raise the diagonal until it can be factorized"},
    s.hessian_correction);
  v({.key = "halve_step", .doc = "fall back to smaller steps when Newton's method does not converge"},
    s.halve_step);
  v({.key = "rho_infinity",
     .doc = "`generalized-alpha`: spectral radius at infinity, 1 keeps high frequencies, 0 removes them",
     .range = {.low = 0, .high = 1}},
    s.rho_infinity);
  v({.key = "beta",
     .doc = "`newmark`: weight of the new acceleration in the position",
     .range = {.low = 0, .at_low = Bound::exclusive, .high = 1}},
    s.beta);
  v({.key = "gamma",
     .doc = "`newmark`: weight of the new acceleration in the velocity",
     .range = {.low = 0, .high = 1}},
    s.gamma);
  v({.key = "p",
     .doc = "`zheng`: weight of the rest shape's stiffness; stable at any step from 1/4 on",
     .range = {.low = 0, .high = 1000}},
    s.p);
  v({.key = "q",
     .doc = "`zheng`: weight of the rest shape's damping; stable at any step from 1 on, second order for 1 "
            "alone",
     .range = {.low = 0, .high = 1000}},
    s.q);
  v({.key = "r",
     .doc = "`zheng`: weight of the mass; any value but 1 changes the frequencies",
     .range = {.low = 0, .at_low = Bound::exclusive, .high = 1000}},
    s.r);
  v({.key = "lambda",
     .doc = "`gui`: 4 is `chen-ricles`; stable at any step up to 4, least period error near 12",
     .range = {.low = 0, .at_low = Bound::exclusive, .high = 1000}},
    s.lambda);
  v({.key = "linear_tolerance",
     .doc = "relative residual at which a solve preconditioned by a kept factorization stops",
     .range = tolerance_range},
    s.linear_tolerance);
  v({.key = "refactor",
     .doc = "`auto` keeps a factorization while that saves work, `always` makes a new one every time"},
    s.refactor);
  v({.key = "modes",
     .doc = "`siere`, `emx`: how many of the lowest modes move exactly; 0 is `si` and `em`",
     .range = {.low = 0, .high = 1000}},
    s.modes);
  v({.key = "modes_tolerance", .doc = "`siere`: relative residual of the modes", .range = tolerance_range},
    s.modes_tolerance);
  v({.key = "form",
     .doc = "`siere`: how its linear system is solved: `one-solve` takes the modes out of the right side, `woodbury` "
            "is the low-rank update of the original paper, 2 modes + 1 solves"},
    s.form);
  v({.key = "evaluator",
     .doc =
         "exponential methods: how matrix functions are evaluated, a name (`phiflex list evaluators`) or an "
         "object with its settings"},
    s.evaluator);
  v({.key = "tolerance",
     .doc = "exponential methods: error of matrix functions, relative to the step's update",
     .range = tolerance_range},
    s.tolerance);
  v({.key = "error_tolerance",
     .doc =
         "methods with an error estimate: error of a step, relative to its update; steps are divided as that "
         "asks, 0 keeps them as they are",
     .range = {.low = 0, .high = 1}},
    s.error_tolerance);
  v({.key = "filter", .doc = "`gautschi`: the pair of filters"}, s.filter);
  v({.key = "em_tolerance",
     .doc = "`em`, `emx`: the solver stops when its update is this small, relative to the step's change of "
            "velocity",
     .range = tolerance_range},
    s.em_tolerance);
  v({.key = "energy_tolerance",
     .doc = "`em`, `emx`: and when the step's error of energy is this small, relative to its kinetic energy",
     .range = tolerance_range},
    s.energy_tolerance);
  v({.key = "dissipation",
     .doc = "`em`, `emx`: the damping dial: 1 keeps the energy, 1/3 takes most from what a step cannot "
            "resolve",
     .range = {.low = 0.333, .high = 1}},
    s.dissipation);
  v({.key = "substeps",
     .doc = "`em`, `emx`, `verlet`: equal substeps in a step; 0 takes as many as the motion, or stability, "
            "asks for",
     .range = {.low = 0, .high = 1000000}},
    s.substeps);
}

// ---- Where ------------------------------------------------------------------------------------------------

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
  v({.key = "radius", .doc = "radius of the sphere", .unit = "m", .range = positive, .need = Need::required},
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
  v({.key = "radius", .doc = "distance from the axis", .unit = "m", .range = positive, .need = Need::required},
    s.radius);
}

template <class V>
void fields(V& v, CapsuleWhere& s) {
  v({.key = "capsule", .doc = "everything within `radius` of a segment, with round ends", .need = Need::required},
    s.capsule);
}

template <class V>
void fields(V& v, CylinderWhere& s) {
  v({.key = "cylinder", .doc = "everything within `radius` of a segment, with plane ends", .need = Need::required},
    s.cylinder);
}

template <class V>
void fields(V& v, AxisWhere::Line& s) {
  v({.key = "point", .doc = "a point of the line", .unit = "m", .need = Need::required}, s.point);
  v({.key = "direction", .doc = "direction of the line, of any length", .need = Need::required}, s.direction);
  v({.key = "radius",
     .doc = "largest distance from the line",
     .unit = "m",
     .range = positive,
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
     .range = positive,
     .need = Need::required},
    s.distance);
}

template <class V>
void fields(V& v, OutlineWhere& s) {
  v({.key = "outline",
     .doc = "everything near the outline of the body seen along an axis: the border of the convex hull of its "
            "vertices' projections, as the rim of a sheet",
     .need = Need::required},
    s.outline);
}

template <class V>
void fields(V& v, NotWhere& s) {
  v({.key = "not", .doc = "everything that a plain selection does not select", .need = Need::required}, s.excluded);
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
  v({.key = "every", .doc = "everything that all of these select", .need = Need::required, .min_items = 1}, s.every);
}

// ---- Bodies -----------------------------------------------------------------------------------------------

template <class V>
void fields(V& v, FileMesh& s) {
  v({.key = "file",
     .doc = "a tetrahedral mesh: MSH, VTK, VTU, MEDIT `.mesh`, TetGen `.node`, Vega `.veg`; for plane elements "
            "triangles in a plane z = const: OBJ, OFF, PLY, STL, ...; relative to the scene file",
     .need = Need::required},
    s.file);
}

template <class V>
void fields(V& v, BoxMesh& s) {
  v({.key = "size",
     .doc = "edge lengths; a corner lies at the origin",
     .unit = "m",
     .range = positive,
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
     .range = positive,
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
     .range = positive,
     .need = Need::required},
    s.radius);
  v({.key = "length", .doc = "length, from x = 0", .unit = "m", .range = positive, .need = Need::required},
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
     .range = positive},
    s.coil_radius);
  v({.key = "height", .doc = "rise of the rope's axis, from y = 0", .unit = "m", .range = not_negative}, s.height);
  v({.key = "turns", .doc = "how often the rope goes round", .range = positive}, s.turns);
  v({.key = "rope_radius", .doc = "radius of the rope", .unit = "m", .range = positive}, s.rope_radius);
  v({.key = "resolution", .doc = "number of rings across the rope's radius", .range = at_least_one}, s.resolution);
  v({.key = "cells_along",
     .doc = "number of slices along the rope: 18 resolution^2 cells_along tetrahedra",
     .range = at_least_one},
    s.cells_along);
}

template <class V>
void fields(V& v, HoneycombMesh& s) {
  v({.key = "cells", .doc = "number of cells along x and y, from the origin", .range = at_least_one}, s.cells);
  v({.key = "side", .doc = "side of a cell, between the middles of its walls", .unit = "m", .range = positive},
    s.side);
  v({.key = "wall",
     .doc = "thickness of a wall between two holes; half of it at the outline",
     .unit = "m",
     .range = positive},
    s.wall);
  v({.key = "thickness", .doc = "thickness of the sheet, from z = 0", .unit = "m", .range = positive}, s.thickness);
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
     .range = positive},
    s.radii);
  v({.key = "cells",
     .doc = "number n of cubes of the lattice along the greatest diameter; a ball has about 6.5 n^3 tetrahedra",
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
     .range = positive},
    s.fill.size);
  v({.key = "cells",
     .doc = "number of cubes of the lattice along the greatest extent; the default gives about as many tetrahedra as "
            "the papers' body has",
     .range = {.low = 2, .high = 1000}},
    s.fill.cells);
}

template <class V>
void fields(V& v, RectangleMesh& s) {
  v({.key = "size",
     .doc = "edge lengths along x and y, in the plane z = 0; a corner lies at the origin",
     .unit = "m",
     .range = positive,
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
     .range = positive,
     .need = Need::required},
    s.size);
  v({.key = "cells",
     .doc = "number n of triangles along each side: n^2 triangles",
     .range = at_least_one,
     .need = Need::required},
    s.cells);
}

template <class V>
void fields(V& v, SpringStiffness& s) {
  v({.key = "stiffness",
     .doc = "force per unit strain: a spring's constant is stiffness / rest length, so refinement does not "
            "change it",
     .unit = "N",
     .range = positive},
    s.stiffness);
  v({.key = "spring_constant",
     .doc = "instead of `stiffness`: the constant of every spring",
     .unit = "N/m",
     .range = positive},
    s.spring_constant);
  v.exactly_one({"stiffness", "spring_constant"});
  v({.key = "law",
     .doc = "tension of a spring of strain e: `linear` is proportional to e, `cubic` to e + e^3 (textiles); "
            "`corotated` is R K (R^-1 X - X0), which for springs between two points is `linear`"},
    s.law);
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
     .range = positive,
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
     .range = positive,
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
     .range = positive,
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
     .range = positive,
     .need = Need::required},
    s.thickness);
  v({.key = "young",
     .doc = "Young's modulus: stretching and bending",
     .unit = "Pa",
     .range = positive,
     .need = Need::required},
    s.young);
  v({.key = "shear_modulus",
     .doc = "shear (torsional) modulus: twisting and shearing",
     .unit = "Pa",
     .range = positive,
     .need = Need::required},
    s.shear_modulus);
  v({.key = "density", .doc = "density", .unit = "kg/m^3", .range = positive, .need = Need::required},
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
  v({.key = "radius", .doc = "radius of the sphere", .unit = "m", .range = positive, .need = Need::required},
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
  v({.key = "size", .doc = "extent along x and z", .unit = "m", .range = positive, .need = Need::required},
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
  v({.key = "length", .doc = "length of each fibre", .unit = "m", .range = positive, .need = Need::required},
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
            "edges, which "
            "keep tetrahedra from collapsing; 0: none",
     .range = not_negative},
    s.diagonal);
  v({.key = "density",
     .doc = "mass per volume; a quarter of each tetrahedron's goes to each vertex",
     .unit = "kg/m^3",
     .range = positive,
     .need = Need::required},
    s.density);
}

template <class V>
void fields(V& v, GirderSprings& s) {
  v({.key = "size",
     .doc = "length along x, height along y and width along z, from the origin",
     .unit = "m",
     .range = positive,
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
     .range = positive,
     .need = Need::required},
    s.linear_density);
}

template <class V>
void fields(V& v, FileSprings& s) {
  v({.key = "file",
     .doc = "a mesh whose edges become springs: surfaces OBJ, PLY, STL, OFF, or lines, as strands of hair in "
            "OBJ and TFX; "
            "relative to the scene file",
     .need = Need::required},
    s.file);
  fields(v, s.spring);
  v({.key = "bending",
     .doc = "stiffness of springs across the common edge of two triangles, and along lines to the next "
            "vertex but one, over "
            "that of the edges; 0: none",
     .range = not_negative},
    s.bending);
  v({.key = "area_density",
     .doc = "mass per area of triangles, a third of each to each corner",
     .unit = "kg/m^2",
     .range = positive},
    s.area_density);
  v({.key = "linear_density",
     .doc = "mass per length of lines, half of each segment's to each end",
     .unit = "kg/m",
     .range = positive},
    s.linear_density);
}

template <class V>
void fields(V& v, SpringChange& s) {
  v({.key = "stiffness",
     .doc = "instead of the body's: force per unit strain",
     .unit = "N",
     .range = positive},
    s.stiffness);
  v({.key = "spring_constant",
     .doc = "instead of the body's: constant of every spring",
     .unit = "N/m",
     .range = positive},
    s.spring_constant);
  v({.key = "factor", .doc = "what the springs' constants are multiplied with", .range = positive}, s.factor);
  v({.key = "law", .doc = "instead of the body's: force law"}, s.law);
}

template <class V>
void fields(V& v, MeshField& s) {
  v({.key = "field",
     .doc = "name of a field of the mesh file with one number per element",
     .need = Need::required},
    s.field);
}

template <class V>
void fields(V& v, CurveSpec& s) {
  v({.key = "knots",
     .doc = "where the curve is given, ascending; beyond them it goes on straight",
     .need = Need::required,
     .min_items = 2},
    s.knots);
  v({.key = "values",
     .doc = "its value at each knot, in units of `young`: with `young` 1 they are in Pa",
     .need = Need::required,
     .min_items = 2},
    s.values);
}

// A body's material and what a region changes of it have the same keys; the latter's may all be left out.
template <class V, class Material>
requires std::same_as<Material, MaterialSpec> || std::same_as<Material, MaterialChange>
void fields(V& v, Material& s) {
  constexpr Need need = std::same_as<Material, MaterialSpec> ? Need::required : Need::optional;
  v({.key = "type", .doc = "material law; `phiflex list materials` explains them", .need = need}, s.type);
  v({.key = "young", .doc = "Young's modulus at rest", .unit = "Pa", .range = positive, .need = need},
    s.young);
  v({.key = "poisson", .doc = "Poisson's ratio at rest; `arap` has none", .range = poisson_range}, s.poisson);
  v({.key = "density", .doc = "density at rest", .unit = "kg/m^3", .range = positive, .need = need},
    s.density);
  v({.key = "volumetric",
     .doc = "volume term of `neo-hookean`: `log` has mu ln J and lambda/2 (ln J)^2, `isochoric` has J^(-2/3) "
            "tr(F'F) and "
            "lambda/2 (J - 1)^2"},
    s.volumetric);
  v({.key = "f",
     .doc = "`spline`: the curve f' of psi = sum f(s_i) + sum g(s_i s_j) + h(s_1 s_2 s_3), over a principal "
            "stretch; absent: the line 2 mu (s - 1) of `young` and `poisson`"},
    s.f);
  v({.key = "g", .doc = "`spline`: the curve g', over a product of two stretches; absent: 0"}, s.g);
  v({.key = "h",
     .doc = "`spline`: the curve h', over the relative volume J; absent: the line lambda (J - 1)"},
    s.h);
}

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
  v({.key = "scale", .doc = "factor of all lengths, applied first", .range = positive}, s.scale);
  v({.key = "rotate", .doc = "rotation, applied second: `axis` is a direction [x, y, z], `angle` in degrees"},
    s.rotate);
  v({.key = "translate", .doc = "shift, applied last", .unit = "m"}, s.translate);
}

template <class V>
void fields(V& v, StretchSpec& s) {
  v({.key = "axis", .doc = "direction of the stretch; the low end stays", .need = Need::required}, s.axis);
  v({.key = "factor", .doc = "length over rest length", .range = positive, .need = Need::required}, s.factor);
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
     .doc = "displacement of the vertex that moves most; the first of the largest coordinates of the shape is positive",
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
  v({.key = "mode", .doc = "initial displacement in a mode of free vibration of this body, added to the others"},
    s.mode);
  v({.key = "state",
     .doc = "instead of all others: positions and velocities of the body's vertices from a frame (`.vtu`) or from "
            "the newest checkpoint of a run's folder, on the same mesh; relative to the scene file"},
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
     .doc = "tetrahedra of a solid: linear ones, or quadratic ones with a node in the middle of each edge; "
            "triangles of a plane body: continuous (`tri3`), or discontinuous with Babuska and Zlamal's or the "
            "interior penalty flux (docs/elements.md)"},
    s.element);
  v({.key = "penalty",
     .doc = "`dg-bz`, `dg-ip`: eta of the energy of inner edges, eta times the square of the jump, per area; `tri3` has no use for it",
     .unit = "N/m^3",
     .range = positive},
    s.penalty);
  v({.key = "mass",
     .doc =
         "mass matrix; `lumped` gives a quarter of each tetrahedron's mass to each vertex (`tet10`: 1/36 to "
         "corners, 4/27 to edges)"},
    s.mass);
  v({.key = "damping", .doc = "Rayleigh damping"}, s.damping);
  v({.key = "transform", .doc = "places the rest shape"}, s.transform);
  v({.key = "initial", .doc = "initial velocity and deformation"}, s.initial);
}

// ---- Constraints, forces, contacts ------------------------------------------------------------------------

template <class V>
void fields(V& v, FixConstraint& s) {
  v({.key = "body", .doc = "name of the body", .need = Need::required}, s.body);
  v({.key = "where", .doc = "vertices that are held", .need = Need::required}, s.where);
  v({.key = "until", .doc = "time of the release; absent: never", .unit = "s", .range = positive}, s.until);
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
     .doc = "rotation at the swing's largest, about the pivot: `axis` is a direction [x, y, z], `angle` in degrees"},
    s.rotate);
  v({.key = "frequency", .doc = "swings per second", .unit = "Hz", .range = positive, .need = Need::required},
    s.frequency);
  v({.key = "phase",
     .doc = "the factor is sin(2 pi frequency (t - from) + phase) - sin(phase): nothing jumps at the start",
     .unit = "degrees"},
    s.phase);
  v({.key = "from", .doc = "start of the swing", .unit = "s", .range = not_negative}, s.from);
  v({.key = "until",
     .doc = "end of the swing, which stays where it is then; absent: never",
     .unit = "s",
     .range = positive},
    s.until);
}

template <class V>
void fields(V& v, MoveConstraint& s) {
  v({.key = "body", .doc = "name of the body", .need = Need::required}, s.body);
  v({.key = "where", .doc = "vertices that are moved", .need = Need::required}, s.where);
  v({.key = "path", .doc = "points of the motion, linear in between, then held"}, s.path);
  v({.key = "sine", .doc = "swings that are added to the path; `path`, `sine` or both are given"}, s.sine);
  v({.key = "until", .doc = "time of the release; absent: never", .unit = "s", .range = positive}, s.until);
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
     .doc = "swings that are added to the keys' motion, one after the other; `keys`, `sine` or both are given"},
    s.sine);
  v({.key = "smooth", .doc = "start and stop gently at every key"}, s.smooth);
}

template <class V>
void fields(V& v, FrameConstraint& s) {
  v({.key = "body", .doc = "name of the body", .need = Need::required}, s.body);
  v({.key = "where", .doc = "vertices that follow the rigid frame", .need = Need::required}, s.where);
  fields(v, s.motion);
  v({.key = "until", .doc = "time of the release; absent: never", .unit = "s", .range = positive}, s.until);
}

template <class V>
void fields(V& v, MotionConstraint& s) {
  v({.key = "body", .doc = "name of the body", .need = Need::required}, s.body);
  v({.key = "file",
     .doc = "a table (CSV) of positions over time: columns `time` and `<vertex>_x`, `<vertex>_y`, "
            "`<vertex>_z` for each vertex that moves; it must last as long as the constraint",
     .need = Need::required},
    s.file);
  v({.key = "until", .doc = "time of the release; absent: never", .unit = "s", .range = positive}, s.until);
}

template <class V>
void fields(V& v, TimeWindow& s) {
  v({.key = "from", .doc = "start of the force", .unit = "s", .range = not_negative}, s.from);
  v({.key = "until", .doc = "end of the force; absent: never", .unit = "s", .range = positive}, s.until);
}

template <class V>
void fields(V& v, GustSpec& s) {
  v({.key = "amplitude", .doc = "largest change, as a fraction", .range = not_negative}, s.amplitude);
  v({.key = "frequency", .doc = "gusts per second", .unit = "Hz", .range = not_negative}, s.frequency);
}

template <class V>
void fields(V& v, ProfilePoint& s) {
  v({.key = "time", .doc = "time of this point", .unit = "s", .range = not_negative, .need = Need::required}, s.time);
  v({.key = "factor", .doc = "factor of the force then", .need = Need::required}, s.factor);
}

template <class V>
void fields(V& v, ForceInTime& s) {
  fields(v, s.window);
  v({.key = "gust", .doc = "the force's factor is 1 + amplitude sin(2 pi frequency t)"}, s.gust);
  v({.key = "profile",
     .doc = "the force's factor over time, linear between these points, constant before the first and after the last; "
            "an empty list is 1"},
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
void fields(V& v, WindForce& s) {
  v({.key = "body", .doc = "name of the body; absent: every body"}, s.body);
  v({.key = "velocity", .doc = "velocity of the air", .unit = "m/s", .need = Need::required}, s.velocity);
  v({.key = "gust", .doc = "the speed's factor is 1 + amplitude sin(2 pi frequency t)"}, s.gust);
  v({.key = "air_density", .doc = "density of the air", .unit = "kg/m^3", .range = positive}, s.air_density);
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
     .range = positive,
     .need = Need::required},
    s.viscosity);
  v({.key = "radius",
     .doc = "regularization of a Stokeslet, about the radius of the fibre",
     .unit = "m",
     .range = positive,
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
void fields(V& v, ObstacleSpec& s) {
  v({.key = "mode",
     .doc = "`project` puts vertices back to the surface at the end of every step, `penalty` is an energy "
            "with stiffness"},
    s.mode);
  v({.key = "friction", .doc = "Coulomb's coefficient", .range = not_negative}, s.friction);
  v({.key = "slip_speed",
     .doc = "of `penalty`: friction grows with the speed up to about this one, and is Coulomb's above",
     .unit = "m/s",
     .range = positive},
    s.slip_speed);
  v({.key = "thickness",
     .doc = "distance kept between vertices and the surface",
     .unit = "m",
     .range = not_negative},
    s.thickness);
  v({.key = "stiffness",
     .doc = "of `penalty`: stiffness of each vertex below the surface",
     .unit = "N/m",
     .range = positive},
    s.stiffness);
  v({.key = "at_start",
     .doc = "what to do with vertices that start inside: refuse the scene, or push them out and say so; "
            "absent: `error` for `project`, nothing for `penalty`"},
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
  v({.key = "radius", .doc = "radius of the sphere", .unit = "m", .range = positive, .need = Need::required},
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
     .range = positive,
     .need = Need::required},
    s.radius);
  fields(v, s.how);
}

template <class V>
void fields(V& v, BoxContact& s) {
  v({.key = "center", .doc = "centre of the box", .unit = "m", .need = Need::required}, s.center);
  v({.key = "size", .doc = "edge lengths", .unit = "m", .range = positive, .need = Need::required}, s.size);
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
void fields(V& v, ParticlesContact& s) {
  v({.key = "distance",
     .doc = "least distance of two vertices that no element or spring connects; pairs that start closer are "
            "left alone",
     .unit = "m",
     .range = positive,
     .need = Need::required},
    s.distance);
  v({.key = "friction", .doc = "Coulomb's coefficient", .range = not_negative}, s.friction);
  v({.key = "bodies", .doc = "names of the bodies whose vertices meet; an empty list is every body"},
    s.bodies);
}

// ---- Coarsening ---------------------------------------------------------------------------------------------

template <class V>
void fields(V& v, FineSpec& s) {
  v({.key = "mesh", .doc = "a finer mesh of the same body; the body's `transform` places it, too"}, s.mesh);
  v({.key = "refine",
     .doc = "instead of `mesh`: the body's own mesh, every tetrahedron divided into eight, so many times",
     .range = {.low = 1, .high = 4}},
    s.refine);
  v.exactly_one({"mesh", "refine"});
}

template <class V>
void fields(V& v, CoarseningSpec& s) {
  v({.key = "type",
     .doc = "`eigenfit` corrects each of the leading modes; `dac` multiplies Young's modulus by the first ratio",
     .need = Need::required},
    s.type);
  v({.key = "body", .doc = "name of the coarse body; absent: the only solid one"}, s.body);
  v({.key = "modes",
     .doc = "number of elastic modes that are corrected; absent: 10, or as many as `ratios` has",
     .range = {.low = 1, .high = 200}},
    s.modes);
  v({.key = "fine", .doc = "the finer mesh whose motion is wanted; only its modes at rest are computed"}, s.fine);
  v({.key = "ratios",
     .doc = "instead of `fine`: eigenvalues of the fine mesh over those of the coarse one, from the lowest elastic "
            "mode on",
     .range = positive,
     .min_items = 1},
    s.ratios);
  v.exactly_one({"fine", "ratios"});
  v({.key = "modes_tolerance",
     .doc = "`eigenfit`: how far the modes may be from those of the moving body, as an angle in the norm of its "
            "energy; eigenvalues are wrong by its square",
     .range = positive},
    s.modes_tolerance);
  v({.key = "fit_damping", .doc = "`eigenfit`: damping by stiffness is corrected like the stiffness"},
    s.fit_damping);
  v({.key = "on_mismatch",
     .doc = "when the modes of the two meshes, or of the body at rest and in motion, no longer match: go on "
            "uncorrected, stop, or correct all the same"},
    s.on_mismatch);
}

// ---- What to record ---------------------------------------------------------------------------------------

template <class V>
void fields(V& v, ProbeSpec& s) {
  v({.key = "name",
     .doc = "name of the probe, a heading in `probes.csv`",
     .need = Need::required,
     .text_rule = TextRule::name},
    s.name);
  v({.key = "body", .doc = "name of the body", .need = Need::required}, s.body);
  v({.key = "at",
     .doc = "follows the vertex whose rest place is nearest to this point",
     .unit = "m",
     .need = Need::required},
    s.at);
}

template <class V>
void fields(V& v, OutputSpec& s) {
  v({.key = "every", .doc = "number of steps between frames", .range = at_least_one}, s.every);
  v({.key = "formats", .doc = "file formats of the frames; an empty list writes none"}, s.formats);
  v({.key = "measures",
     .doc = "write surface area, mean speed and the work of contacts of every step to `measures.csv`, and the contacts' "
            "work on each vertex to the frames"},
    s.measures);
  v({.key = "modes",
     .doc = "write the eigenvalues of so many lowest modes to `measures.csv`, after every step anew, each followed by "
            "its shape",
     .range = {.low = 0, .high = 100}},
    s.modes);
  v({.key = "condition",
     .doc = "write estimates of the condition of the matrices I + h^2 M^-1 K (backward Euler) and I + h^2/4 M^-1 K "
            "(midpoint) to `measures.csv`"},
    s.condition);
}

template <class V>
void fields(V& v, Scene& s) {
  v({.key = "phiflex", .doc = "version of the scene format", .range = {.low = 1, .high = 1}}, s.phiflex);
  v({.key = "name", .doc = "name of the scene; absent: the file's name", .text_rule = TextRule::name},
    s.name);
  v({.key = "time", .doc = "step and end", .need = Need::required}, s.time);
  v({.key = "integrator",
     .doc = "time-stepping method and its settings; settings of other methods are not used"},
    s.integrator);
  v({.key = "gravity", .doc = "gravitational acceleration", .unit = "m/s^2"}, s.gravity);
  v({.key = "bodies", .doc = "what moves", .need = Need::required, .min_items = 1}, s.bodies);
  v({.key = "constraints", .doc = "vertices that are held or moved"}, s.constraints);
  v({.key = "forces", .doc = "loads beside gravity; where several act they add up"}, s.forces);
  v({.key = "contacts", .doc = "obstacles"}, s.contacts);
  v({.key = "probes", .doc = "points whose motion is written to `probes.csv`"}, s.probes);
  v({.key = "coarsening", .doc = "lets a coarse mesh move like a finer one"}, s.coarsening);
  v({.key = "output", .doc = "frames to write"}, s.output);
}

}  // namespace phiflex
