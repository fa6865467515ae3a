#include "phiflex/mesh/generator_catalogue.h"

#include <fmt/format.h>

#include <cmath>

#include "phiflex/base/errors.h"
#include "phiflex/base/text.h"
#include "phiflex/mesh/generator_names.h"

namespace phiflex {

#define PHIFLEX_DECLARE_GENERATOR(name) Generator name##_generator();
PHIFLEX_GENERATORS(PHIFLEX_DECLARE_GENERATOR)
#undef PHIFLEX_DECLARE_GENERATOR

namespace {

// More would not fit the memory of today's machines.
constexpr double kMostElements = 2e8;

std::string expected_text(const GeneratorParameter& parameter) {
  const std::string range = range_text(parameter.range), unit = parameter.unit;
  return (parameter.whole ? "a whole number" : "a number") + (range.empty() ? "" : " " + range) +
         (unit.empty() ? "" : " in " + unit);
}

void check_argument(const GeneratorParameter& parameter, const std::vector<double>& values,
                    const std::string& file, std::vector<Problem>& problems) {
  if (values.size() != parameter.fallback.size())
    problems.push_back(
        {file, parameter.key,
         fmt::format("{} numbers given; {} needed", values.size(), parameter.fallback.size())});
  for (const double value : values)
    if (const std::string fault = value_fault(parameter, value); !fault.empty())
      problems.push_back({file, parameter.key, fault});
}

void check_arguments(const Generator& generator, const GeneratorArguments& arguments,
                     const std::string& file) {
  std::vector<Problem> problems;
  std::vector<std::string> keys;
  for (const GeneratorParameter& parameter : generator.parameters) {
    keys.emplace_back(parameter.key);
    if (const auto given = arguments.find(parameter.key); given != arguments.end())
      check_argument(parameter, given->second, file, problems);
  }
  for (const auto& [key, values] : arguments)
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      problems.push_back(
          {file, key,
           fmt::format("{} has no such parameter; allowed: {}", generator.name, joined(keys, ", "))});
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace

const std::vector<Generator>& generator_catalogue() {
#define ENTRY(name) name##_generator(),
  static const std::vector<Generator> catalogue = {PHIFLEX_GENERATORS(ENTRY)};
#undef ENTRY
  return catalogue;
}

const Generator* find_generator(const std::string& name) {
  for (const Generator& generator : generator_catalogue())
    if (generator.name == name) return &generator;
  return nullptr;
}

std::string value_fault(const GeneratorParameter& parameter, double value) {
  const bool fits = std::isfinite(value) && parameter.range.contains(value) &&
                    (!parameter.whole || (value == std::floor(value) && value <= 1e9));
  return fits ? "" : fmt::format("is {}; expected {}", value, expected_text(parameter));
}

AnyMesh generate_any_mesh(const std::string& name, const GeneratorArguments& arguments,
                          const std::string& file) {
  const Generator* generator = find_generator(name);
  if (!generator) {
    std::vector<std::string> names;
    for (const Generator& known : generator_catalogue()) names.push_back(known.name);
    throw InputError(file, "generate",
                     fmt::format("'{}' is no generator; allowed: {}", name, joined(names, ", ")));
  }
  check_arguments(*generator, arguments, file);
  if (const double count = generator->count(arguments); count > kMostElements)
    throw InputError(file, "generate",
                     fmt::format("would make {:.3g} {}; at most {:.0e} allowed", count,
                                 generator->flat ? "triangles" : "tetrahedra", kMostElements));
  if (const auto fault = generator->fault(arguments)) throw InputError(file, fault->key, fault->message);
  try {
    return generator->generate(arguments);
  } catch (const std::invalid_argument& refusal) {
    throw InputError(file, "generate", refusal.what());
  }
}

TetMesh generate_mesh(const std::string& name, const GeneratorArguments& arguments, const std::string& file) {
  AnyMesh mesh = generate_any_mesh(name, arguments, file);
  if (TetMesh* tets = std::get_if<TetMesh>(&mesh)) return std::move(*tets);
  throw InputError(file, "", "the mesh is flat; expected tetrahedra");
}

SurfaceMesh generate_triangles(const std::string& name, const GeneratorArguments& arguments,
                               const std::string& file) {
  AnyMesh mesh = generate_any_mesh(name, arguments, file);
  if (SurfaceMesh* triangles = std::get_if<SurfaceMesh>(&mesh)) return std::move(*triangles);
  throw InputError(file, "", "the mesh has tetrahedra; expected triangles in a plane");
}

}  // namespace phiflex
