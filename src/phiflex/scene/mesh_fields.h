// The keys of meshes (field.h).
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "phiflex/scene/field.h"
#include "phiflex/scene/mesh_spec.h"

namespace phiflex {

template <>
inline constexpr Title title_of<MeshSpec>{"mesh", "tetrahedra, from a file or made by a generator"};

template <class V>
void fields(V& v, FileMesh& s) {
  v({.key = "file",
     .doc = "a tetrahedral mesh: MSH, VTK, VTU, MEDIT `.mesh`, TetGen `.node`, Vega `.veg`; for plane "
            "elements triangles in a plane z = const: OBJ, OFF, PLY, STL, ...; a closed surface is filled "
            "with tetrahedra; relative to the scene file",
     .need = Need::required},
    s.file);
  v({.key = "cells",
     .doc = "of a closed surface: so many cubes of the lattice that fills it along its longest side",
     .range = {.low = 2, .high = 400}},
    s.cells);
}

// The parameters of its generator. std::invalid_argument when a scene that was filled in code names no generator or has
// numbers of another length.
const std::vector<GeneratorParameter>& parameters_of(const GeneratedMesh& mesh);

// The numbers of a parameter as a Member, which visitors know, and back.
template <class Member, class V>
void visit_numbers(V& v, const GeneratorParameter& parameter, std::vector<double>& numbers) {
  Member member{};
  const auto copy = [](const auto& from, auto& to) {
    for (std::size_t i = 0; i < from.size(); ++i)
      to[i] = static_cast<std::remove_cvref_t<decltype(to[i])>>(from[i]);
  };
  const Field field{.key = parameter.key,
                    .doc = parameter.doc,
                    .unit = parameter.unit,
                    .range = parameter.range,
                    .need = parameter.need};
  if constexpr (is_array<Member>) {
    copy(numbers, member);
    v(field, member);
    copy(member, numbers);
  } else {
    member = static_cast<Member>(numbers[0]);
    v(field, member);
    numbers[0] = static_cast<double>(member);
  }
}

template <class Number, class V>
void visit_numbers_of(V& v, const GeneratorParameter& parameter, std::vector<double>& numbers) {
  if (!parameter.list) return visit_numbers<Number>(v, parameter, numbers);
  if (numbers.size() == 2) return visit_numbers<std::array<Number, 2>>(v, parameter, numbers);
  visit_numbers<std::array<Number, 3>>(v, parameter, numbers);
}

template <class V>
void fields(V& v, GeneratedMesh& s) {
  for (const GeneratorParameter& parameter : parameters_of(s)) {
    std::vector<double>& numbers = s.arguments.try_emplace(parameter.key, parameter.fallback).first->second;
    if (parameter.whole) {
      visit_numbers_of<std::int64_t>(v, parameter, numbers);
    } else {
      visit_numbers_of<double>(v, parameter, numbers);
    }
  }
}

}  // namespace phiflex
