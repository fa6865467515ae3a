#include "phiflex/material/catalogue.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "phiflex/material/all_laws.h"
#include "phiflex/material/described_law.h"
#include "phiflex/material/laws.h"
#include "phiflex/material/registered_materials.h"

namespace phiflex {
namespace {

struct Registry {
  std::mutex mutex;
  std::deque<MaterialInfo> laws;  // pointers to them stay valid
};

Registry& registry() {
  static Registry all;
  return all;
}

const MaterialInfo* find_law(std::string_view name, const auto& laws) {
  const auto found =
      std::find_if(laws.begin(), laws.end(), [&](const MaterialInfo& info) { return info.name == name; });
  return found == laws.end() ? nullptr : &*found;
}

}  // namespace

int MaterialInfo::number_count() const {
  int count = 0;
  for (const ParameterInfo& parameter : parameters) count += parameter.count();
  return count;
}

int MaterialInfo::place_of(std::string_view key) const {
  int place = 0;
  for (const ParameterInfo& parameter : parameters) {
    if (parameter.key == key) return parameter.count() > 0 ? place : -1;
    place += parameter.count();
  }
  return -1;
}

bool MaterialInfo::has_curves() const {
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const ParameterInfo& parameter) { return parameter.kind == ParameterKind::curve; });
}

const ParameterInfo* MaterialInfo::find(std::string_view key) const {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const ParameterInfo& parameter) { return parameter.key == key; });
  return found == parameters.end() ? nullptr : &*found;
}

std::span<const MaterialInfo> material_catalogue() {
#define PHIFLEX_LAW(header, Law) described_law<Law>(),
  static const std::vector<MaterialInfo> all = {PHIFLEX_LAWS(PHIFLEX_LAW)};
#undef PHIFLEX_LAW
  return all;
}

const MaterialInfo* find_material(std::string_view name) {
  if (const MaterialInfo* info = find_law(name, material_catalogue())) return info;
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  return find_law(name, all.laws);
}

const MaterialInfo& register_material(MaterialInfo info) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  if (find_law(info.name, material_catalogue()) || find_law(info.name, all.laws))
    throw std::invalid_argument("there is a material called " + std::string(info.name) + " already");
  return all.laws.emplace_back(std::move(info));
}

const MaterialInfo& material_info(std::string_view name) {
  if (const MaterialInfo* info = find_material(name)) return *info;
  throw std::invalid_argument("no material is called " + std::string(name));
}

std::span<const ParameterInfo> material_parameters() {
  static const std::vector<ParameterInfo> all = [] {
    std::vector<ParameterInfo> list;
    for (const MaterialInfo& info : material_catalogue())
      for (const ParameterInfo& parameter : info.parameters) {
        const std::string_view key = parameter.key;
        if (std::none_of(list.begin(), list.end(),
                         [&](const ParameterInfo& known) { return known.key == key; }))
          list.push_back(parameter);
      }
    return list;
  }();
  return all;
}

std::vector<std::string> laws_with(std::string_view key) {
  std::vector<std::string> laws;
  for (const MaterialInfo& info : material_catalogue())
    if (info.find(key)) laws.emplace_back(info.name);
  return laws;
}

std::string expectation(const ParameterInfo& parameter) {
  if (parameter.kind == ParameterKind::direction) return "a direction that is not [0, 0, 0]";
  const std::string range = range_text(parameter.range);
  return range.empty() ? "a number" : "a number " + range;
}

namespace {

// Young's modulus that the examples of fields() stand for.
constexpr double kExampleYoung = 1e6;

}  // namespace

std::vector<double> example_numbers(const MaterialInfo& law, double young) {
  std::vector<double> numbers;
  for (const ParameterInfo& parameter : law.parameters)
    numbers.insert(numbers.end(), parameter.example.begin(), parameter.example.begin() + parameter.count());
  scale_stiffness(law, young / kExampleYoung, numbers);
  return numbers;
}

void scale_stiffness(const MaterialInfo& law, double factor, std::span<double> numbers) {
  std::size_t place = 0;
  for (const ParameterInfo& parameter : law.parameters) {
    const auto count = static_cast<std::size_t>(parameter.count());
    if (std::string_view(parameter.unit) == "Pa")
      for (std::size_t k = 0; k < count; ++k) numbers[place + k] *= factor;
    place += count;
  }
}

}  // namespace phiflex
