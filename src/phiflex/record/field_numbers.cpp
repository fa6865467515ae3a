#include "phiflex/record/field_numbers.h"

#include <algorithm>
#include <cmath>

namespace phiflex {
namespace {

constexpr std::string_view kSmoothed =
    "vertex_";  // before the names of fields of elements, smoothed at the vertices

std::string with_component(const std::string& name, const std::string& component) {
  return component.empty() ? name : name + "_" + component;
}

}  // namespace

const std::vector<FieldDescription>& field_descriptions() {
  const std::vector<std::string> tensor = {"xx", "yy", "zz", "xy", "yz", "xz"}, principal = {"1", "2", "3"};
  static const std::vector<FieldDescription> all = {{"stress", tensor, "Pa", 0},
                                                    {"von_mises", {""}, "Pa", 0},
                                                    {"principal_stresses", principal, "Pa", 0},
                                                    {"green_strain", tensor, "", 0},
                                                    {"principal_stretches", principal, "", 1},
                                                    {"J", {""}, "", 1},
                                                    {"contact_force", {"x", "y", "z"}, "N", 0},
                                                    {"contact_work", {""}, "J", 0}};
  return all;
}

const FieldDescription* find_field_description(std::string_view name) {
  const std::vector<FieldDescription>& all = field_descriptions();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const FieldDescription& known) { return known.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<FieldNumber> field_numbers(const std::vector<FrameField>& of_points) {
  std::vector<FieldNumber> numbers;
  for (const FrameField& array : of_points) {
    const bool smoothed = array.name.starts_with(kSmoothed);
    const std::string name = smoothed ? array.name.substr(kSmoothed.size()) : array.name;
    const FieldDescription* known = find_field_description(name);
    const bool fits = known && known->components.size() == static_cast<std::size_t>(array.components);
    for (int c = 0; c < array.components; ++c) {
      const std::string component = fits                    ? known->components[static_cast<std::size_t>(c)]
                                    : array.components == 1 ? ""
                                                            : std::to_string(c + 1);
      numbers.push_back({with_component(name, component), array.name, c, fits ? known->unit : "",
                         fits ? known->at_rest : 0});
    }
  }
  return numbers;
}

std::vector<double> numbers_of(const FieldNumber& number, const std::vector<FrameField>& of_points,
                               std::size_t vertices) {
  std::vector<double> values(vertices, number.at_rest);
  const auto array = std::find_if(of_points.begin(), of_points.end(),
                                  [&](const FrameField& field) { return field.name == number.array; });
  if (array == of_points.end() || array->components <= number.component) return values;
  const auto width = static_cast<std::size_t>(array->components);
  for (std::size_t v = 0; v < std::min(vertices, array->values.size() / width); ++v) {
    const double value = array->values[v * width + static_cast<std::size_t>(number.component)];
    if (!std::isnan(value)) values[v] = value;
  }
  return values;
}

}  // namespace phiflex
