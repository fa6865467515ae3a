// The material laws, by name. A new law is one header that meets material.h and one line in laws.h.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "phiflex/material/material.h"

namespace phiflex {

struct MaterialInfo {
  std::string_view name;
  std::string_view summary;
  std::string_view citation;  // keys of docs/references.bib
  bool needs_positive_J;      // an inverted element is outside the law's domain
  FunctionOfC function_of_C;
  LawProperties properties;
  std::vector<ParameterInfo> parameters;

  // Numbers of all parameters; elements hold them in one list, in the order of `parameters`.
  int number_count() const;
  // The first number of a parameter; -1 when there is no such parameter, or when it is a curve.
  int place_of(std::string_view key) const;
  bool has_curves() const;
  const ParameterInfo* find(std::string_view key) const;  // null when there is none
};

std::span<const MaterialInfo> material_catalogue();
// Null when there is none of that name.
const MaterialInfo* find_material(std::string_view name);
// std::invalid_argument when there is none: names from a user are checked before.
const MaterialInfo& material_info(std::string_view name);

// The parameters of all laws, each key once, in the order of the catalogue.
std::span<const ParameterInfo> material_parameters();
// The names of the laws that have that parameter.
std::vector<std::string> laws_with(std::string_view key);

// "a number > 0".
std::string expectation(const ParameterInfo& parameter);

// The numbers of a law for a soft rubber whose Young's modulus is about `young` (Pa): its examples, scaled.
std::vector<double> example_numbers(const MaterialInfo& law, double young);
// All parameters in Pa times a factor: so much stiffer.
void scale_stiffness(const MaterialInfo& law, double factor, std::span<double> numbers);

}  // namespace phiflex
