#include "phiflex/picture/quantity.h"

#include <algorithm>
#include <cmath>

namespace phiflex {
namespace {

std::string with_dashes(std::string_view name) {
  std::string word(name);
  std::replace(word.begin(), word.end(), '_', '-');
  return word;
}

std::vector<Quantity> make_quantities() {
  std::vector<Quantity> all = {{},
                               {ColourBy::region, "region"},
                               {ColourBy::speed, "speed", "m/s"},
                               {ColourBy::displacement, "displacement", "m"},
                               {ColourBy::strain_energy, "strain-energy", "J/m^3"}};
  for (const FieldDescription& field : field_descriptions()) {
    if (field.name == "contact_force")
      all.push_back({ColourBy::field, "contact-force", field.unit, field.name, -1, field.at_rest});
    if (field.name == "principal_stretches")
      all.push_back({ColourBy::field, "stretch", field.unit, field.name, 0, field.at_rest});
    for (std::size_t c = 0; c < field.components.size(); ++c) {
      const std::string& component = field.components[c];
      all.push_back({ColourBy::field,
                     with_dashes(component.empty() ? field.name : field.name + "_" + component), field.unit,
                     field.name, static_cast<int>(c), field.at_rest});
    }
  }
  return all;
}

// What nearly all of the numbers, or all, do not exceed; at least 0.
double upper_end(std::vector<double> values, double part) {
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  if (values.empty()) return 0;
  const auto at = static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return std::max(0.0, values[static_cast<std::size_t>(at)]);
}

// The next of 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten: a legend's end.
double rounded_up(double value) {
  if (!(value > 0)) return 1;
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0})
    if (value <= step * power * (1 + 1e-12)) return step * power;
  return 10 * power;
}

}  // namespace

const std::vector<Quantity>& quantities() {
  static const std::vector<Quantity> all = make_quantities();
  return all;
}

const Quantity* find_quantity(std::string_view name) {
  const std::string word = with_dashes(name);
  const std::vector<Quantity>& all = quantities();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Quantity& q) { return q.name == word; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<double> field_values(const Quantity& quantity, const std::vector<FrameField>& of_points,
                                 std::size_t vertices) {
  for (const FrameField& array : of_points) {
    if (array.name != quantity.field && array.name != "vertex_" + quantity.field) continue;
    if (quantity.component >= 0)
      return numbers_of({"", array.name, quantity.component, "", quantity.at_rest}, of_points, vertices);
    std::vector<double> lengths(vertices, 0.0);
    for (int c = 0; c < array.components; ++c) {
      const std::vector<double> part = numbers_of({"", array.name, c, "", 0}, of_points, vertices);
      for (std::size_t v = 0; v < vertices; ++v) lengths[v] = std::hypot(lengths[v], part[v]);
    }
    return lengths;
  }
  return {};
}

void ScaleFinder::add(const std::vector<double>& values) {
  const double part = quantity_.is_peaked() ? 0.99 : 1.0;
  std::vector<double> apart = values;
  for (double& v : apart) v -= quantity_.at_rest;
  above_ = std::max(above_, upper_end(apart, part));
  if (quantity_.colour_by != ColourBy::field) return;
  for (double& v : apart) v = -v;
  below_ = std::max(below_, upper_end(std::move(apart), part));
}

ColourScale ScaleFinder::scale() const {
  constexpr double little = 0.02;
  const double rest = quantity_.at_rest, reach = rounded_up(std::max(below_, above_));
  if (below_ <= little * above_) return {rest, rest + reach, false};
  if (above_ <= little * below_) return {rest - reach, rest, false};
  return {rest - reach, rest + reach, true};
}

}  // namespace phiflex
