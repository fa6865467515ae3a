// What an experiment's texts and values become once names have values: "=expression" is evaluated, {expressions} in texts are
// filled in, repetitions are spelt out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "phiflex/reproduce/experiment.h"
#include "phiflex/reproduce/expression.h"

namespace phiflex {

class Substitution {
 public:
  // `functions` must outlive it.
  explicit Substitution(const Functions& functions) : functions_(functions) {}

  Value value_from(const nlohmann::json& json, const Names& names) const;
  // Texts with their {expressions} filled in; one that is nothing but an expression becomes its value.
  nlohmann::json filled_json(const nlohmann::json& json, const Names& names) const;
  double number_or(const nlohmann::json& json, const Names& names, double otherwise) const;
  void add_overrides(const Overrides& from, const Names& names, std::vector<std::string>& to) const;

  // Calls `each` for every combination, the last name fastest.
  template <class Each>
  void repeat(const Repetition& repetition, const Names& names, const Each& each,
              std::size_t depth = 0) const {
    if (depth == repetition.size()) {
      each(names);
      return;
    }
    Names inner = names;
    const Value over = value_from(repetition[depth].second, names);
    const ValueList entries = over.is_list() ? over.list() : ValueList{over};
    for (const Value& one : entries) {
      inner[repetition[depth].first] = one;
      repeat(repetition, inner, each, depth + 1);
    }
  }

 private:
  const Functions& functions_;
};

}  // namespace phiflex
