// Materials of solid bodies.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "phiflex/scene/values.h"

namespace phiflex {

// A per-element field of the mesh file.
struct MeshField {
  static constexpr Signature signature{"field"};
  std::string field;
  bool operator==(const MeshField&) const = default;
};
using MaterialValue = std::variant<double, MeshField>;

enum class MaterialLaw { linear, corotated, arap, stvk, neo_hookean, stable_neo_hookean, spline };
enum class Volumetric { log, isochoric };

// A smooth curve through points.
struct CurveSpec {
  std::vector<double> knots;   // ascending
  std::vector<double> values;  // one for each knot
  bool operator==(const CurveSpec&) const = default;
};

struct MaterialSpec {
  MaterialLaw type = MaterialLaw::neo_hookean;
  MaterialValue young;          // Pa
  MaterialValue poisson = 0.3;  // -1 < nu < 0.5
  MaterialValue density;        // kg/m^3
  Volumetric volumetric = Volumetric::log;
  std::optional<CurveSpec> f, g, h;  // of `spline`: derivatives in units of Young's modulus
  bool operator==(const MaterialSpec&) const = default;
};

// What a region changes of its body's material.
struct MaterialChange {
  std::optional<MaterialLaw> type;
  std::optional<MaterialValue> young, poisson, density;
  std::optional<Volumetric> volumetric;
  std::optional<CurveSpec> f, g, h;
  bool operator==(const MaterialChange&) const = default;
};

MaterialSpec changed(MaterialSpec material, const MaterialChange& change);

}  // namespace phiflex
