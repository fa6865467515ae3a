// Every path of a file that a scene names, wherever it stands.
#pragma once

#include <filesystem>

#include "phiflex/scene/fields.h"

namespace phiflex {

template <class T, class F>
void for_each_path(T& value, const F& action);

template <class F>
struct PathVisitor : IgnoresRelations {
  const F& action;
  explicit PathVisitor(const F& action_in) : action(action_in) {}
  template <class T>
  void operator()(const Field&, T& member) {
    for_each_path(member, action);
  }
};

// Calls action(path) for each; it may change them.
template <class T, class F>
void for_each_path(T& value, const F& action) {
  if constexpr (std::same_as<T, std::filesystem::path>) {
    action(value);
  } else if constexpr (is_optional<T>) {
    if (value) for_each_path(*value, action);
  } else if constexpr (is_vector<T>) {
    for (auto& item : value) for_each_path(item, action);
  } else if constexpr (is_variant<T>) {
    std::visit([&](auto& alternative) { for_each_path(alternative, action); }, value);
  } else if constexpr (std::is_class_v<T> && !is_array<T> && !HasNames<T> && !std::same_as<T, std::string>) {
    PathVisitor<F> visitor(action);
    fields(visitor, value);
  }
}

}  // namespace phiflex
