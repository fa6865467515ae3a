// The generators as a table: adding one is a shape, a function and an entry here.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "phiflex/base/errors.h"
#include "phiflex/mesh/generators.h"

namespace phiflex {
namespace {

using Kind = GeneratorParameter::Kind;

// More would not fit the memory of today's machines.
constexpr double kMostTets = 2e8;

struct Entry {
  GeneratorInfo info;
  double (*count)(const GeneratorArguments&);  // tetrahedra it will make
  TetMesh (*generate)(const GeneratorArguments&);
};

int whole(const GeneratorArguments& arguments, const char* name, std::size_t i = 0) {
  return static_cast<int>(arguments.at(name)[i]);
}
double real(const GeneratorArguments& arguments, const char* name) {
  return arguments.at(name)[0];
}

BoxShape box_shape(const GeneratorArguments& a) {
  const auto& size = a.at("size");
  return {{size[0], size[1], size[2]}, {whole(a, "cells", 0), whole(a, "cells", 1), whole(a, "cells", 2)}};
}
BallShape ball_shape(const GeneratorArguments& a) {
  return {real(a, "radius"), whole(a, "resolution"), real(a, "shell")};
}
CylinderShape cylinder_shape(const GeneratorArguments& a) {
  return {real(a, "radius"), real(a, "length"), whole(a, "resolution"), whole(a, "cells_along")};
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> table = {
      {{"box",
        "a block from the origin to `size`, six tetrahedra per cell",
        {{"size", "edge lengths along x, y, z [m]", {1, 1, 1}, Kind::positive},
         {"cells", "cells along x, y, z", {4, 4, 4}, Kind::count}}},
       [](const GeneratorArguments& a) {
         const auto& cells = a.at("cells");
         return 6 * cells[0] * cells[1] * cells[2];
       },
       [](const GeneratorArguments& a) { return generate_box(box_shape(a)); }},
      {{"ball",
        "a ball around the origin, 20 resolution^3 tetrahedra; with a shell region (tag 1) when `shell` is "
        "given",
        {{"radius", "radius [m]", {1}, Kind::positive},
         {"resolution", "layers from the centre to the surface", {6}, Kind::count},
         {"shell",
          "thickness of the shell region [m], less than the radius; 0: none",
          {0},
          Kind::not_negative}}},
       [](const GeneratorArguments& a) { return 20 * std::pow(real(a, "resolution"), 3); },
       [](const GeneratorArguments& a) { return generate_ball(ball_shape(a)); }},
      {{"cylinder",
        "a cylinder along x from x = 0, around y = z = 0, 18 resolution^2 cells_along tetrahedra",
        {{"radius", "radius [m]", {0.5}, Kind::positive},
         {"length", "length [m]", {2}, Kind::positive},
         {"resolution", "rings from the axis to the surface", {3}, Kind::count},
         {"cells_along", "slices along the axis; 0: as long as a ring is wide", {0}, Kind::count_or_zero}}},
       [](const GeneratorArguments& a) {
         const double rings = real(a, "resolution"), cells = real(a, "cells_along");
         const double along = cells > 0 ? cells : std::ceil(real(a, "length") * rings / real(a, "radius"));
         return 18 * rings * rings * along;
       },
       [](const GeneratorArguments& a) { return generate_cylinder(cylinder_shape(a)); }}};
  return table;
}

bool allows(Kind kind, double value) {
  const bool is_whole = value == std::floor(value) && value <= 1e9;
  switch (kind) {
    case Kind::positive:
      return value > 0 && std::isfinite(value);
    case Kind::not_negative:
      return value >= 0 && std::isfinite(value);
    case Kind::count:
      return value >= 1 && is_whole;
    default:
      return value >= 0 && is_whole;
  }
}

const char* words(Kind kind) {
  switch (kind) {
    case Kind::positive:
      return "a positive number";
    case Kind::not_negative:
      return "a number of at least 0";
    case Kind::count:
      return "a whole number of at least 1";
    default:
      return "a whole number of at least 0";
  }
}

template <class Items>
std::string names_of(const Items& items) {
  std::vector<std::string> names;
  names.reserve(items.size());
  for (const auto& item : items) names.push_back(item.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

void check_argument(const GeneratorParameter& parameter, const std::vector<double>& values,
                    const std::string& file, std::vector<Problem>& problems) {
  if (values.size() != parameter.default_value.size())
    problems.push_back(
        {file, parameter.name,
         fmt::format("{} numbers given; {} needed", values.size(), parameter.default_value.size())});
  for (const double value : values)
    if (!allows(parameter.kind, value))
      problems.push_back(
          {file, parameter.name, fmt::format("is {}; allowed: {}", value, words(parameter.kind))});
}

}  // namespace

const std::vector<GeneratorInfo>& generator_catalogue() {
  static const std::vector<GeneratorInfo> catalogue = [] {
    std::vector<GeneratorInfo> infos;
    for (const Entry& entry : entries()) infos.push_back(entry.info);
    return infos;
  }();
  return catalogue;
}

TetMesh generate_mesh(const std::string& name, const GeneratorArguments& arguments, const std::string& file) {
  const Entry* entry = nullptr;
  for (const Entry& candidate : entries())
    if (candidate.info.name == name) entry = &candidate;
  if (entry == nullptr)
    throw InputError(file, "generate",
                     fmt::format("'{}' is no generator; allowed: {}", name, names_of(generator_catalogue())));

  std::vector<Problem> problems;
  GeneratorArguments complete;
  for (const GeneratorParameter& parameter : entry->info.parameters) {
    const auto given = arguments.find(parameter.name);
    complete[parameter.name] = given == arguments.end() ? parameter.default_value : given->second;
    check_argument(parameter, complete[parameter.name], file, problems);
  }
  for (const auto& [key, values] : arguments)
    if (complete.find(key) == complete.end())
      problems.push_back(
          {file, key,
           fmt::format("{} has no such parameter; allowed: {}", name, names_of(entry->info.parameters))});
  if (!problems.empty()) throw InputError(std::move(problems));

  if (const double count = entry->count(complete); count > kMostTets)
    throw InputError(file, "generate",
                     fmt::format("would make {:.3g} tetrahedra; at most {:.0e} allowed", count, kMostTets));
  try {
    return entry->generate(complete);
  } catch (const std::invalid_argument& refusal) {
    throw InputError(file, "generate", refusal.what());  // parameters that do not go together
  }
}

}  // namespace phiflex
