// The generators as a table: adding one is a shape, a function and an entry here.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "phiflex/base/errors.h"
#include "phiflex/mesh/figure_shapes.h"
#include "phiflex/mesh/generators.h"

namespace phiflex {
namespace {

using Kind = GeneratorParameter::Kind;

// More would not fit the memory of today's machines.
constexpr double kMostTets = 2e8;

struct Entry {
  GeneratorInfo info;
  std::function<double(const GeneratorArguments&)>
      count;  // tetrahedra it will make; about as many, for a lattice
  std::function<TetMesh(const GeneratorArguments&)> generate;
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

HelixShape helix_shape(const GeneratorArguments& a) {
  return {real(a, "coil_radius"), real(a, "height"),      real(a, "turns"),
          real(a, "rope_radius"), whole(a, "resolution"), whole(a, "cells_along")};
}
HoneycombShape honeycomb_shape(const GeneratorArguments& a) {
  return {{whole(a, "cells", 0), whole(a, "cells", 1)},
          real(a, "side"),
          real(a, "wall"),
          real(a, "thickness"),
          whole(a, "divisions"),
          whole(a, "layers")};
}

// The bodies that a lattice fills.
Entry figure_entry(const FigureShape& figure) {
  return {{figure.name,
           figure.description,
           {{"size", "greatest extent [m]", {figure.size}, Kind::positive},
            {"cells",
             "cubes of the lattice along it; thin parts get thicker where it is coarse",
             {double(figure.cells)},
             Kind::count}}},
          [fill = figure.fill](const GeneratorArguments& a) { return fill * std::pow(real(a, "cells"), 3); },
          [name = std::string(figure.name)](const GeneratorArguments& a) {
            return generate_figure(name, real(a, "size"), whole(a, "cells"));
          }};
}

std::vector<Entry> make_entries() {
  const HelixShape helix;
  const HoneycombShape honeycomb;
  const SpheroidShape spheroid;
  std::vector<Entry> table = {
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
       [](const GeneratorArguments& a) { return generate_cylinder(cylinder_shape(a)); }},
      {{"helix",
        "a rope coiled around the y axis from y = 0, 18 resolution^2 cells_along tetrahedra",
        {{"coil_radius",
          "distance of the rope's axis from the coil's [m]",
          {helix.coil_radius},
          Kind::positive},
         {"height", "rise of the rope's axis [m]", {helix.height}, Kind::not_negative},
         {"turns", "how often it goes round", {helix.turns}, Kind::positive},
         {"rope_radius", "radius of the rope [m]", {helix.rope_radius}, Kind::positive},
         {"resolution", "rings from the rope's axis to its surface", {double(helix.resolution)}, Kind::count},
         {"cells_along", "slices along the rope", {double(helix.cells_along)}, Kind::count}}},
       [](const GeneratorArguments& a) {
         return 18 * std::pow(real(a, "resolution"), 2) * real(a, "cells_along");
       },
       [](const GeneratorArguments& a) { return generate_helix(helix_shape(a)); }},
      {{"honeycomb",
        "a sheet of hexagonal holes over the x-y plane from z = 0, 36 divisions layers tetrahedra per cell",
        {{"cells",
          "cells along x and y",
          {double(honeycomb.cells[0]), double(honeycomb.cells[1])},
          Kind::count},
         {"side", "side of a cell, between the middles of walls [m]", {honeycomb.side}, Kind::positive},
         {"wall", "thickness of a wall between two holes [m]", {honeycomb.wall}, Kind::positive},
         {"thickness", "thickness of the sheet [m]", {honeycomb.thickness}, Kind::positive},
         {"divisions", "parts along the side of a cell", {double(honeycomb.divisions)}, Kind::count},
         {"layers", "layers across the sheet", {double(honeycomb.layers)}, Kind::count}}},
       [](const GeneratorArguments& a) {
         return 36 * a.at("cells")[0] * a.at("cells")[1] * real(a, "divisions") * real(a, "layers");
       },
       [](const GeneratorArguments& a) { return generate_honeycomb(honeycomb_shape(a)); }},
      {{"spheroid",
        "an ellipsoid around the origin, filled by a lattice",
        {{"radii",
          "half axes along x, y, z [m]",
          {spheroid.radii.begin(), spheroid.radii.end()},
          Kind::positive},
         {"cells",
          "cubes of the lattice along the greatest diameter, at least 2",
          {double(spheroid.cells)},
          Kind::count}}},
       [](const GeneratorArguments& a) {
         const auto& r = a.at("radii");
         return 6.3 * r[0] * r[1] * r[2] *
                std::pow(real(a, "cells") / *std::max_element(r.begin(), r.end()), 3);
       },
       [](const GeneratorArguments& a) {
         const auto& r = a.at("radii");
         return generate_spheroid({{r[0], r[1], r[2]}, whole(a, "cells")});
       }}};
  for (const FigureShape& figure : figure_shapes()) table.push_back(figure_entry(figure));
  return table;
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> table = make_entries();
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
