// Materials of every law of the catalogue, for contracts.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "phiflex/material/catalogue.h"

namespace phiflex::test {

// The law's parameters: `young` and `poisson` where it has them, its examples scaled to that modulus elsewhere.
inline std::vector<double> example_parameters(std::string_view law, double young, double poisson) {
  const MaterialInfo& info = material_info(law);
  std::vector<double> numbers = example_numbers(info, young);
  if (const int place = info.place_of("young"); place >= 0) numbers[std::size_t(place)] = young;
  if (const int place = info.place_of("poisson"); place >= 0) numbers[std::size_t(place)] = poisson;
  return numbers;
}

inline std::vector<std::string> all_laws() {
  std::vector<std::string> names;
  for (const MaterialInfo& info : material_catalogue()) names.emplace_back(info.name);
  return names;
}
// Those whose energy a rotation does not change.
inline std::vector<std::string> laws_of_C() {
  std::vector<std::string> names = all_laws();
  std::erase_if(
      names, [](const std::string& law) { return material_info(law).function_of_C == FunctionOfC::nowhere; });
  return names;
}

// The examples of fields() times a factor where they are in Pa, as moduli. For laws that the catalogue does not have,
// too.
template <class Law>
typename Law::template Moduli<double> example_moduli(double factor) {
  struct Examples {
    double factor;
    double scaled(const ParameterInfo& info) const {
      return std::string_view(info.unit) == "Pa" ? factor : 1;
    }
    void operator()(const ParameterInfo& info, double& x) const { x = scaled(info) * info.example[0]; }
    void operator()(const ParameterInfo& info, Vec3<double>& x) const {
      for (int i = 0; i < 3; ++i) x[i] = info.example[std::size_t(i)];
    }
    void operator()(const ParameterInfo&, CurveParameter&) const {}
  } examples{factor};
  typename Law::template Parameters<double> parameters{};
  Law::fields(examples, parameters);
  return Law::moduli(parameters);
}

}  // namespace phiflex::test
