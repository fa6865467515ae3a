// The keys of time and method (field.h).
#pragma once

#include "phiflex/integrate/catalogue.h"
#include "phiflex/scene/field.h"
#include "phiflex/scene/method_spec.h"

namespace phiflex {

template <class V>
void fields(V& v, TimeSpec& s) {
  v({.key = "step",
     .doc = "length h of a time step",
     .unit = "s",
     .range = ranges::positive,
     .need = Need::required},
    s.step);
  v({.key = "end",
     .doc = "end of the simulation, a whole number of steps after its start",
     .unit = "s",
     .range = ranges::positive,
     .need = Need::required},
    s.end);
  v({.key = "start",
     .doc = "time of the initial state; absent: 0. Forces, constraints and obstacles that change with time "
            "are then what they are at that time, for runs that go on from a stored state",
     .unit = "s",
     .range = not_negative},
    s.start);
}

// A word of an option.
struct OptionWord {
  std::string text;
  const std::vector<std::string>* words;
  const std::vector<std::string>& names() const { return *words; }
};

// The options of methods in the order of files, and so of scene_hash(). Those that are not listed follow in the order
// of the catalogue, and are written only where they differ from their defaults.
struct MethodKey {
  Option option;
  bool always_written;
};
std::vector<MethodKey> method_keys();

// A scene that was filled in code may hold a value of another type: std::invalid_argument.
template <class T>
T held(const Option& option, const OptionValue& value) {
  if (const T* same = std::get_if<T>(&value)) return *same;
  if constexpr (std::floating_point<T>)
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<T>(*integer);
  option.refuse(value);
}

// The value of an option as a Member, which visitors know, and back.
template <class Member, class V, class Convert>
OptionValue visited(V& v, const Option& option, Member member, Convert convert) {
  v({.key = option.key, .doc = option.doc, .unit = option.unit, .range = option.range}, member);
  return convert(member);
}

template <class V>
OptionValue visited(V& v, const Option& option, const OptionValue& value) {
  const auto same = [](const auto& member) { return OptionValue(member); };
  switch (option.kind) {
    case OptionKind::flag:
      return visited(v, option, held<bool>(option, value) ? Switch::on : Switch::off,
                     [](Switch member) { return OptionValue(member == Switch::on); });
    case OptionKind::integer:
      return visited(v, option, held<std::int64_t>(option, value), same);
    case OptionKind::number:
      return visited(v, option, held<double>(option, value), same);
    case OptionKind::word:
      return visited(v, option, OptionWord{held<std::string>(option, value), &option.words},
                     [](const OptionWord& member) { return OptionValue(member.text); });
    case OptionKind::evaluator:
      break;
  }
  const auto* name = std::get_if<std::string>(&value);
  return visited(v, option,
                 name ? EvaluatorChoice(*name) : EvaluatorChoice(held<EvaluatorSettings>(option, value)),
                 [](const EvaluatorChoice& member) { return options_detail::to_value(member); });
}

template <class V>
void fields(V& v, IntegratorSpec& s) {
  v({.key = "type", .doc = "name of the method; `phiflex list integrators` shows them"}, s.type);
  for (const MethodKey& key : method_keys()) {
    const Option& option = key.option;
    const OptionValue* given = s.options.find(option.key);
    if constexpr (requires { V::writes; })
      if (!key.always_written && !given) continue;
    const OptionValue value = visited(v, option, given ? *given : option.fallback);
    if (value == option.fallback) {
      s.options.erase(option.key);
    } else {
      s.options.set(option.key, value);
    }
  }
}

}  // namespace phiflex
