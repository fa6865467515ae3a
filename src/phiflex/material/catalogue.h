// The material laws, by name. A new law is one header that meets material.h and one line in Laws.
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "phiflex/material/arap.h"
#include "phiflex/material/corotated.h"
#include "phiflex/material/linear.h"
#include "phiflex/material/neo_hookean.h"
#include "phiflex/material/neo_hookean_isochoric.h"
#include "phiflex/material/spline.h"
#include "phiflex/material/stable_neo_hookean.h"
#include "phiflex/material/stvk.h"

namespace phiflex {

using Laws = std::tuple<Linear,               //
                        Corotated,            //
                        Arap,                 //
                        Stvk,                 //
                        NeoHookean,           //
                        NeoHookeanIsochoric,  //
                        StableNeoHookean,     //
                        Spline>;

struct MaterialInfo {
  std::string_view name;
  std::string_view summary;
  std::string_view citation;  // keys of docs/references.bib
  bool needs_positive_J;      // an inverted element is outside the law's domain
};

// A law as a value, so that it can be passed to a function.
template <ElasticLaw L>
struct LawTag {
  using Law = L;
};

inline constexpr auto material_catalogue = []<std::size_t... I>(std::index_sequence<I...>) {
  return std::array{MaterialInfo{std::tuple_element_t<I, Laws>::name, std::tuple_element_t<I, Laws>::summary,
                                 std::tuple_element_t<I, Laws>::citation,
                                 std::tuple_element_t<I, Laws>::needs_positive_J}...};
}
(std::make_index_sequence<std::tuple_size_v<Laws>>{});

// Calls f(LawTag<Law>) for the law of that name and returns what it returns (the same type for all laws).
// std::invalid_argument when there is none: names from a user are checked against the catalogue before.
template <std::size_t I = 0, class F>
auto with_material(std::string_view name, F&& f)
    -> std::invoke_result_t<F, LawTag<std::tuple_element_t<0, Laws>>> {
  if constexpr (I == std::tuple_size_v<Laws>) {
    throw std::invalid_argument("no material is called " + std::string(name));
  } else {
    using Law = std::tuple_element_t<I, Laws>;
    if (name == Law::name) return std::forward<F>(f)(LawTag<Law>{});
    return with_material<I + 1>(name, std::forward<F>(f));
  }
}

}  // namespace phiflex
