// The keys of materials (field.h).
#pragma once

#include <concepts>

#include "phiflex/scene/field.h"
#include "phiflex/scene/material_spec.h"

namespace phiflex {

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

}  // namespace phiflex
