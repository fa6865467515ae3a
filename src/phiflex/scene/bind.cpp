#include "phiflex/scene/bind.h"

#include <algorithm>
#include <cmath>

#include "phiflex/scene/fields.h"

namespace phiflex {

using nlohmann::json;

namespace {

template <class T>
void bind(const json& value, T& member);

bool is_text(const json& value, const char* text) {
  return value.is_string() && value.get_ref<const std::string&>() == text;
}

struct Binder : IgnoresRelations {
  const json& source;  // an object or a list
  std::size_t position = 0;
  explicit Binder(const json& source_in) : source(source_in) {}

  template <class T>
  void operator()(const Field& field, T& member) {
    if (source.is_array()) {
      if (position < source.size()) bind(source[position++], member);
    } else if (const auto item = source.find(field.key); item != source.end()) {
      bind(*item, member);
    }
  }
};

template <class T>
bool is_for(const json& value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return value.is_number();
  } else if constexpr (std::same_as<T, std::string> || HasWords<T>) {
    return value.is_string();
  } else if constexpr (is_vector<T>) {
    return value.is_array();
  } else if constexpr (HasKinds<T>) {
    const std::vector<std::string> kinds = T::kinds();
    return value.is_object() && value.contains(T::signature.key) &&
           std::any_of(kinds.begin(), kinds.end(), [&](const std::string& kind) {
             return is_text(value[T::signature.key], kind.c_str());
           });
  } else {
    constexpr Signature signature = T::signature;
    return value.is_object() && value.contains(signature.key) &&
           (!signature.word || is_text(value[signature.key], signature.word));
  }
}

template <class... Alternatives>
void bind_alternative(const json& value, std::variant<Alternatives...>& member) {
  ((is_for<Alternatives>(value) && (bind(value, member.template emplace<Alternatives>()), true)) || ...);
}

template <class T>
void bind(const json& value, T& member) {
  if constexpr (std::floating_point<T>) {
    if (value.is_number()) member = value.get<double>();
  } else if constexpr (std::integral<T>) {
    const double number = value.is_number() ? value.get<double>() : 0;
    if (std::abs(number) <= 9007199254740992.0) member = static_cast<T>(number);
  } else if constexpr (std::same_as<T, std::string> || std::same_as<T, std::filesystem::path>) {
    if (value.is_string()) member = value.get_ref<const std::string&>();
  } else if constexpr (std::same_as<T, Switch>) {
    if (value.is_boolean()) member = value.get<bool>() ? Switch::on : Switch::off;
  } else if constexpr (HasWords<T>) {
    for (const auto& [candidate, text] : Words<T>::all) {
      if (is_text(value, text)) member = candidate;
    }
  } else if constexpr (HasNames<T>) {
    for (const std::string& name : member.names())
      if (is_text(value, name.c_str())) member.text = name;
  } else if constexpr (is_optional<T>) {
    bind(value, member.emplace());
  } else if constexpr (is_vector<T>) {
    member.resize(value.is_array() ? value.size() : 0);
    for (std::size_t i = 0; i < member.size(); ++i) bind(value[i], member[i]);
  } else if constexpr (is_array<T>) {
    if (!value.is_array() || value.size() != member.size()) return;
    for (std::size_t i = 0; i < member.size(); ++i) bind(value[i], member[i]);
  } else if constexpr (is_variant<T>) {
    bind_alternative(value, member);
  } else if (value.is_object() || value.is_array()) {
    if constexpr (HasKinds<T>) member.kind = value[T::signature.key].template get<std::string>();
    Binder binder(value);
    fields(binder, member);
  }
}

}  // namespace

void bind_scene(const json& value, Scene& scene) {
  bind(value, scene);
}

}  // namespace phiflex
