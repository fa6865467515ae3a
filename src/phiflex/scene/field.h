// One description of each struct of the scene: fields(visitor, struct) names every member with its key, unit,
// range and meaning. Visitors (written.h, bind.cpp, describe.cpp) turn it into reading, writing, and the
// Shape from which validation, schema and documentation follow.
//
// A visitor is called as visitor(field, member) and knows
//   exactly_one(keys)   exactly one of these optional keys is given
//   needs(a, b)         key a is given only together with key b
//   needed_for(a, w, b) when key a has the word w, key b is given
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include "phiflex/scene/shape.h"
#include "phiflex/scene/words.h"

namespace phiflex {

struct Field {
  const char* key;
  const char* doc;
  const char* unit = "";
  Range range = {};
  Need need = Need::optional;
  TextRule text_rule = TextRule::any;
  std::size_t min_items = 0;
  std::optional<double> fallback = {};  // the default of a number whose member may be absent
};

// A visitor that does not care for the relations between keys.
struct IgnoresRelations {
  void exactly_one(std::initializer_list<const char*>) {}
  void needs(const char*, const char*) {}
  void needed_for(const char*, const char*, const char*) {}
};

// ---- Kinds of members -------------------------------------------------------------------------------------

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t n>
inline constexpr bool is_array<std::array<T, n>> = true;
template <class T>
inline constexpr bool is_variant = false;
template <class... T>
inline constexpr bool is_variant<std::variant<T...>> = true;

template <class T>
concept HasWords = std::is_enum_v<T> && !std::same_as<T, Switch>;
// A struct whose text is one of its names().
template <class T>
concept HasNames = requires(T t) {
  t.names();
  t.text;
};
template <class T>
concept HasSignature = requires {
  T::signature;
};

// An alternative of a variant that stands for several: its member `kind` holds the word of its signature's key, one of
// kinds().
template <class T>
concept HasKinds = requires(T t) {
  T::signature;
  T::kinds();
  t.kind;
};

// A struct that the file writes as a list of its members in order, as in "box": [low, high].
template <class T>
inline constexpr bool written_as_list = false;

// A shape that several keys share is described once, under this title.
struct Title {
  const char* name = "";
  const char* doc = "";
};
template <class T>
inline constexpr Title title_of{};

// ---- Ranges -----------------------------------------------------------------------------------------------

inline constexpr double no_bound = std::numeric_limits<double>::infinity();
using ranges::not_negative, ranges::poisson_range;

}  // namespace phiflex
