// The keys of materials (field.h).
#pragma once

#include <concepts>

#include "phiflex/scene/field.h"
#include "phiflex/scene/material_keys.h"
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

template <class V>
void fields(V& v, PronyBranch& s) {
  v({.key = "ratio",
     .doc = "modulus of the branch over the law's shear modulus at rest",
     .range = ranges::positive,
     .need = Need::required},
    s.ratio);
  v({.key = "time",
     .doc = "relaxation time of the branch",
     .unit = "s",
     .range = ranges::positive,
     .need = Need::required},
    s.time);
}

// The entry `key` of a map as a value that may be absent.
template <class V, class Value>
void entry(V& v, const Field& field, std::map<std::string, Value>& values) {
  const auto found = values.find(field.key);
  std::optional<Value> value = found == values.end() ? std::nullopt : std::optional<Value>(found->second);
  v(field, value);
  if (value) values[field.key] = std::move(*value);
}

// fallback: of a parameter that is not given; a region takes its body's.
inline Field field_of(const MaterialKey& key, std::optional<double> fallback) {
  return {.key = key.parameter.key,
          .doc = key.doc.c_str(),
          .unit = key.parameter.unit,
          .range = key.parameter.range,
          .fallback = fallback};
}

// A body's material and what a region changes of it have the same keys; the latter's may all be left out.
template <class V, class Material>
requires std::same_as<Material, MaterialSpec> || std::same_as<Material, MaterialChange>
void fields(V& v, Material& s) {
  constexpr bool whole = std::same_as<Material, MaterialSpec>;
  constexpr Need need = whole ? Need::required : Need::optional;
  v({.key = "type", .doc = "material law; `phiflex list materials` explains them", .need = need}, s.type);
  for (const MaterialKey& key : material_keys())
    if (key.parameter.kind == ParameterKind::number)
      entry(v, field_of(key, whole ? key.parameter.fallback : std::nullopt), s.law.numbers);
  v({.key = "density", .doc = "density at rest", .unit = "kg/m^3", .range = ranges::positive, .need = need},
    s.density);
  v({.key = "volumetric",
     .doc = "volume term of `neo-hookean`: `log` has mu ln J and lambda/2 (ln J)^2, `isochoric` has J^(-2/3) "
            "tr(F'F) and lambda/2 (J - 1)^2"},
    s.volumetric);
  v({.key = "prony",
     .doc =
         "viscoelasticity of solid bodies: branches that relax, beside the law, which is what is left in the "
         "end; after a sudden shear its modulus is mu (1 + sum ratio exp(-t/time)); an empty list: elastic"},
    s.prony);
  for (const MaterialKey& key : material_keys()) {
    if (key.parameter.kind == ParameterKind::curve) entry(v, field_of(key, {}), s.law.curves);
    if (key.parameter.kind == ParameterKind::direction) entry(v, field_of(key, {}), s.law.directions);
  }
  v({.key = "field",
     .doc = "instead of `direction`: name of a field of the mesh file with one vector per element"},
    s.law.field);
  if constexpr (whole)
    for (const auto& [law, key] : needed_material_keys()) v.needed_for("type", law.c_str(), key.c_str());
}

}  // namespace phiflex
