// Settings of methods. What a method can be told is a struct beside it, described once by fields():
//
//   struct NewmarkOptions {
//     double beta = 0.25, gamma = 0.5;
//   };
//   template <class V>
//   void fields(V& v, NewmarkOptions& o) {
//     v({.key = "beta", .doc = "weight of the new acceleration in the position", .range = ...}, o.beta);
//     v({.key = "gamma", ...}, o.gamma);
//   }
//
// A member is a bool, an int, a double, an enumeration with Words (base/described.h), or an EvaluatorChoice. Scene
// keys, their checks, schema and documentation follow from it. A key of several methods means the same in all of them:
// kind, range and default are equal (shared_options.h has such descriptions). IntegratorOptions holds values by their
// keys; a method reads its struct from it, and what is not there has the struct's default.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "phiflex/base/described.h"
#include "phiflex/matfun/mechanical_phi_options.h"

namespace phiflex {

struct OptionInfo {
  const char* key;
  const char* doc;
  const char* unit = "";
  Range range = {};
  bool in_scenes = true;  // false: only programs can set it
};

// An evaluator of matrix functions with its own settings; a name alone takes the defaults.
struct EvaluatorSettings {
  static constexpr Signature signature{"type"};
  std::string type = "auto";
  std::optional<std::int64_t> m = {};    // basis vectors, of those that have a first or fixed number
  std::optional<double> tolerance = {};  // relative; for expv Expokit's own, absolute and per second
  std::int64_t largest_basis = 60;       // vectors of the state's size
  BasisProduct inner_product = BasisProduct::step_norm;
  bool operator==(const EvaluatorSettings&) const = default;
};
using EvaluatorChoice = std::variant<std::string, EvaluatorSettings>;

template <>
struct Words<BasisProduct> {
  static constexpr std::pair<BasisProduct, const char*> all[] = {{BasisProduct::step_norm, "step"},
                                                                 {BasisProduct::energy, "energy"}};
};

template <class V>
void fields(V& v, EvaluatorSettings& s) {
  v({.key = "type", .doc = "name of the evaluator, or `auto`", .need = Need::required}, s.type);
  v({.key = "m",
     .doc = "vectors of a Krylov basis: all of them for `expv` (30 when left out), the first try for `phipm` "
            "and "
            "`kiops`",
     .range = {.low = 2, .high = 1000}},
    s.m);
  v({.key = "tolerance",
     .doc = "relative error in place of the method's `tolerance`; for `expv` Expokit's own, absolute and per "
            "second",
     .range = tolerance_range},
    s.tolerance);
  v({.key = "largest_basis",
     .doc = "most vectors of the state's size held at once; a longer way is cut into substeps",
     .range = {.low = 4, .high = 10000}},
    s.largest_basis);
  v({.key = "inner_product",
     .doc = "of the bases of general evaluators: that of the step's error norm, or the energy"},
    s.inner_product);
}

// A word of an enumeration is a text, as the name of an evaluator is.
using OptionValue = std::variant<bool, std::int64_t, double, std::string, EvaluatorSettings>;
enum class OptionKind { flag, integer, number, word, evaluator };

// An option as data.
struct Option : OptionInfo {
  OptionKind kind;
  OptionValue fallback;            // the default
  std::vector<std::string> words;  // those allowed, of a word
  // std::invalid_argument when the option may not have that value.
  void check(const OptionValue& value) const;
  [[noreturn]] void refuse(const OptionValue& value) const;
};

namespace options_detail {

template <class T>
constexpr OptionKind kind_of() {
  if (std::same_as<T, bool>) return OptionKind::flag;
  if (std::integral<T>) return OptionKind::integer;
  if (std::floating_point<T>) return OptionKind::number;
  return std::is_enum_v<T> ? OptionKind::word : OptionKind::evaluator;
}

template <class T>
OptionValue to_value(const T& member) {
  constexpr OptionKind kind = kind_of<T>();
  if constexpr (kind == OptionKind::word) {
    return word(member);
  } else if constexpr (kind == OptionKind::integer) {
    return std::int64_t{member};
  } else if constexpr (kind == OptionKind::evaluator) {
    return std::visit([](const auto& choice) { return OptionValue(choice); }, member);
  } else {
    return member;
  }
}

// Of a value that was checked.
template <class T>
void from_value(const OptionValue& value, T& member) {
  constexpr OptionKind kind = kind_of<T>();
  if constexpr (kind == OptionKind::word) {
    for (const auto& entry : Words<T>::all)
      if (std::get<std::string>(value) == entry.second) member = entry.first;
  } else if constexpr (kind == OptionKind::flag) {
    member = std::get<bool>(value);
  } else if constexpr (kind == OptionKind::evaluator) {
    if (const std::string* name = std::get_if<std::string>(&value)) {
      member = *name;
    } else {
      member = std::get<EvaluatorSettings>(value);
    }
  } else {
    const std::int64_t* integer = std::get_if<std::int64_t>(&value);
    member = integer ? static_cast<T>(*integer) : static_cast<T>(std::get<double>(value));
  }
}

template <class T>
Option described(const OptionInfo& info, const T& member) {
  Option option{info, kind_of<T>(), to_value(member), {}};
  if constexpr (std::is_enum_v<T>)
    for (const auto& entry : Words<T>::all) option.words.emplace_back(entry.second);
  return option;
}

struct Collector {
  std::vector<Option>& list;
  template <class T>
  void operator()(const OptionInfo& info, T& member) {
    list.push_back(described(info, member));
  }
};

}  // namespace options_detail

// The options of a method whose struct is Options.
template <class Options>
std::vector<Option> described_options() {
  std::vector<Option> list;
  options_detail::Collector collector{list};
  Options defaults;
  fields(collector, defaults);
  return list;
}

class IntegratorOptions {
 public:
  using Values = std::map<std::string, OptionValue, std::less<>>;
  IntegratorOptions() = default;
  // {{"newton_tolerance", 1e-10}, {"refactor", "always"}}
  IntegratorOptions(std::initializer_list<Values::value_type> values) : values_(values) {}

  IntegratorOptions& set(std::string_view key, OptionValue value) {
    values_.insert_or_assign(std::string(key), std::move(value));
    return *this;
  }
  template <class Enum>
  requires std::is_enum_v<Enum> IntegratorOptions& set(std::string_view key, Enum value) {
    return set(key, OptionValue(word(value)));
  }
  void erase(std::string_view key) {
    if (const auto found = values_.find(key); found != values_.end()) values_.erase(found);
  }
  const OptionValue* find(std::string_view key) const {  // null: the default
    const auto found = values_.find(key);
    return found == values_.end() ? nullptr : &found->second;
  }
  const Values& values() const { return values_; }

  // A method's struct. std::invalid_argument names the first value that its option may not have.
  template <class Options>
  Options read() const {
    Options options;
    Reader reader{*this};
    fields(reader, options);
    return options;
  }
  bool operator==(const IntegratorOptions&) const = default;

 private:
  struct Reader {
    const IntegratorOptions& source;
    template <class T>
    void operator()(const OptionInfo& info, T& member) {
      const OptionValue* value = source.find(info.key);
      if (!value) return;
      options_detail::described(info, member).check(*value);
      options_detail::from_value(*value, member);
    }
  };

  Values values_;
};

}  // namespace phiflex
