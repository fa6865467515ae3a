// Materials of solid bodies.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "phiflex/material/prony.h"
#include "phiflex/scene/values.h"

namespace phiflex {

// A per-element field of the mesh file.
struct MeshField {
  static constexpr Signature signature{"field"};
  std::string field;
  bool operator==(const MeshField&) const = default;
};
using MaterialValue = std::variant<double, MeshField>;

// The name of a material law that scenes may choose.
struct LawName {
  std::string text = "neo-hookean";
  LawName() = default;
  LawName(const char* name) : text(name) {}
  static std::vector<std::string> names();
  bool operator==(const LawName&) const = default;
};
enum class Volumetric { log, isochoric };

// A smooth curve through points.
struct CurveSpec {
  std::vector<double> knots;   // ascending
  std::vector<double> values;  // one for each knot
  bool operator==(const CurveSpec&) const = default;
};

// The law's own parameters by their keys (material/catalogue.h). Those that are not here have their defaults.
struct LawSettings {
  std::map<std::string, MaterialValue> numbers;
  std::map<std::string, Triple> directions;
  std::map<std::string, CurveSpec> curves;
  std::optional<std::string> field;  // of the mesh file, one vector per element, instead of a direction
  bool operator==(const LawSettings&) const = default;
};

struct MaterialSpec {
  LawName type;
  LawSettings law;
  MaterialValue density;  // kg/m^3
  Volumetric volumetric = Volumetric::log;
  PronySeries prony = {};  // empty: elastic
  bool operator==(const MaterialSpec&) const = default;
};

// What a region changes of its body's material.
struct MaterialChange {
  std::optional<LawName> type;
  LawSettings law;
  std::optional<MaterialValue> density;
  std::optional<Volumetric> volumetric;
  std::optional<PronySeries> prony;
  bool operator==(const MaterialChange&) const = default;
};

// Of another law, parameters that it does not have are left out.
MaterialSpec changed(MaterialSpec material, const MaterialChange& change);
// With the defaults of the law's numbers filled in.
void complete(MaterialSpec& material);
// The material catalogue's name.
std::string law_name(const MaterialSpec& material);

}  // namespace phiflex
