// The JSON value of any member of the scene, with every default filled in.
#pragma once

#include "phiflex/scene/fields.h"

namespace phiflex {

template <class T>
Json written(T& value);

struct Writer : IgnoresRelations {
  static constexpr bool writes = true;
  Json& target;  // an object or a list
  explicit Writer(Json& target_in) : target(target_in) {}

  template <class T>
  void operator()(const Field& field, T& member) {
    if constexpr (is_optional<T>) {
      if (member) (*this)(field, *member);
    } else if (target.is_array()) {
      target.push_back(written(member));
    } else {
      target[field.key] = written(member);
    }
  }
};

template <class T>
Json written(T& value) {
  if constexpr (std::is_arithmetic_v<T> || std::same_as<T, std::string>) {
    return value;
  } else if constexpr (std::same_as<T, std::filesystem::path>) {
    return value.string();
  } else if constexpr (std::same_as<T, Switch>) {
    return value == Switch::on;
  } else if constexpr (HasWords<T>) {
    return word(value);
  } else if constexpr (HasNames<T>) {
    return value.text;
  } else if constexpr (is_array<T> || is_vector<T>) {
    Json list = Json::array();
    for (auto& item : value) list.push_back(written(item));
    return list;
  } else if constexpr (is_variant<T>) {
    return std::visit([](auto& alternative) { return written(alternative); }, value);
  } else {
    Json target = written_as_list<T> ? Json::array() : Json::object();
    if constexpr (HasKinds<T>) {
      target[T::signature.key] = value.kind;
    } else if constexpr (HasSignature<T>) {
      if (T::signature.word) target[T::signature.key] = T::signature.word;
    }
    Writer writer(target);
    fields(writer, value);
    return target;
  }
}

}  // namespace phiflex
