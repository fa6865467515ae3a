// Generators of meshes by name. What a generator can be told is a struct beside it, described once by fields():
//
//   struct HoneycombShape {
//     std::array<int, 2> cells = {7, 6};
//     double side = 11.5;  // [m]
//   };
//   template <class V>
//   void fields(V& v, HoneycombShape& s) {
//     v({.key = "cells", .doc = "number of cells along x and y", .range = at_least_one}, s.cells);
//     v({.key = "side", .doc = "side of a cell", .unit = "m", .range = ranges::positive}, s.side);
//   }
//
// A member is a double, an int, or an array of two or three of them. A new generator is one file and one line in
// generator_names.h. Scene keys, their checks, schema and documentation, `mesh generate` and `list generators` follow.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "phiflex/base/described.h"
#include "phiflex/mesh/mesh_io.h"
#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

struct ShapeKey {
  const char* key;
  const char* doc;
  const char* unit = "";
  Range range = {};
  Need need = Need::optional;  // required: a scene must give it; elsewhere the struct's default holds
};

// A member of a shape as data.
struct GeneratorParameter : ShapeKey {
  bool whole;                    // whole numbers
  bool list;                     // an array; otherwise a single number
  std::vector<double> fallback;  // the default; as many numbers as the parameter has
};

// Parameters by their keys; a single number is a list of one. What is not there has its default.
using GeneratorArguments = std::map<std::string, std::vector<double>>;

// What does not fit the other parameters.
struct ShapeFault {
  std::string key, message;
};

struct Generator {
  std::string name, summary;
  bool flat;     // triangles in the plane z = 0; otherwise tetrahedra
  bool handles;  // the body's surface has handles, or may have: V - E + F is not 2
  std::vector<GeneratorParameter> parameters;
  // Elements it will make; about as many, for a lattice. Any arguments of the right length.
  std::function<double(const GeneratorArguments&)> count;
  // Of arguments in their ranges.
  std::function<std::optional<ShapeFault>(const GeneratorArguments&)> fault;
  std::function<AnyMesh(const GeneratorArguments&)> generate;
};

const std::vector<Generator>& generator_catalogue();
const Generator* find_generator(const std::string& name);  // null when there is none

// Generates by name. An InputError lists every unknown name, unknown parameter, wrong length and value out of range;
// a problem's place is the parameter's name, its file is `file`. generate_mesh is for tetrahedra, generate_triangles
// for flat meshes; the other kind is an InputError.
AnyMesh generate_any_mesh(const std::string& name, const GeneratorArguments& arguments,
                          const std::string& file = "");
TetMesh generate_mesh(const std::string& name, const GeneratorArguments& arguments,
                      const std::string& file = "");
SurfaceMesh generate_triangles(const std::string& name, const GeneratorArguments& arguments,
                               const std::string& file = "");

// ---- For generators -----------------------------------------------------------------------------------------

namespace generator_detail {

template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t n>
inline constexpr bool is_array<std::array<T, n>> = true;

template <class Number>
Number to_number(double value) {
  if constexpr (std::integral<Number>) {
    // A scene may ask for more than an int holds; count() is beyond the limit then.
    return static_cast<Number>(std::clamp(value, double(std::numeric_limits<Number>::min()),
                                          double(std::numeric_limits<Number>::max())));
  } else {
    return value;
  }
}

template <class T>
std::vector<double> to_numbers(const T& member) {
  if constexpr (is_array<T>) {
    return {member.begin(), member.end()};
  } else {
    return {static_cast<double>(member)};
  }
}

struct Collector {
  std::vector<GeneratorParameter>& list;
  template <class T>
  void operator()(const ShapeKey& key, T& member) {
    bool whole = std::integral<T>;
    if constexpr (is_array<T>) whole = std::integral<typename T::value_type>;
    list.push_back({key, whole, is_array<T>, to_numbers(member)});
  }
};

struct Reader {
  const GeneratorArguments& source;
  template <class T>
  void operator()(const ShapeKey& key, T& member) {
    const auto given = source.find(key.key);
    if (given == source.end()) return;
    if constexpr (is_array<T>) {
      for (std::size_t i = 0; i < member.size(); ++i)
        member[i] = to_number<typename T::value_type>(given->second.at(i));
    } else {
      member = to_number<T>(given->second.at(0));
    }
  }
};

}  // namespace generator_detail

// "is -2; expected a number > 0 in m", or nothing.
std::string value_fault(const GeneratorParameter& parameter, double value);

template <class Shape>
std::vector<GeneratorParameter> shape_parameters(Shape shape) {
  std::vector<GeneratorParameter> list;
  generator_detail::Collector collector{list};
  fields(collector, shape);
  return list;
}

// std::invalid_argument names the first member that is out of its range.
template <class Shape>
void require_in_range(const Shape& shape) {
  for (const GeneratorParameter& parameter : shape_parameters(shape))
    for (const double value : parameter.fallback)
      if (const std::string fault = value_fault(parameter, value); !fault.empty())
        throw std::invalid_argument(parameter.key + (" " + fault));
}
inline void require_none(const std::optional<ShapeFault>& fault) {
  if (fault) throw std::invalid_argument(fault->key + ": " + fault->message);
}

template <class Shape, class Mesh = TetMesh>
struct GeneratorOf {
  const char* name;
  const char* summary;
  std::function<double(const Shape&)> count;
  std::function<Mesh(const Shape&)> generate;
  std::function<std::optional<ShapeFault>(const Shape&)> fault = {};
  Shape defaults = {};
  bool handles = false;
};

template <class Shape, class Mesh>
Generator make_generator(GeneratorOf<Shape, Mesh> of) {
  const auto read = [defaults = of.defaults](const GeneratorArguments& arguments) {
    Shape shape = defaults;
    generator_detail::Reader reader{arguments};
    fields(reader, shape);
    return shape;
  };
  const auto fault = [read, of](const GeneratorArguments& arguments) {
    return of.fault ? of.fault(read(arguments)) : std::nullopt;
  };
  return {.name = of.name,
          .summary = of.summary,
          .flat = std::same_as<Mesh, SurfaceMesh>,
          .handles = of.handles,
          .parameters = shape_parameters(of.defaults),
          .count = [read, of](const GeneratorArguments& arguments) { return of.count(read(arguments)); },
          .fault = fault,
          .generate = [read, of](const GeneratorArguments& arguments) -> AnyMesh {
            return of.generate(read(arguments));
          }};
}

}  // namespace phiflex
