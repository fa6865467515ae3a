#include "phiflex/reproduce/substitution.h"

namespace phiflex {

Value Substitution::value_from(const nlohmann::json& json, const Names& names) const {
  if (json.is_string() && json.get<std::string>().starts_with("="))
    return evaluate(json.get<std::string>().substr(1), names, functions_);
  return value_of(json);
}

nlohmann::json Substitution::filled_json(const nlohmann::json& json, const Names& names) const {
  if (json.is_string()) {
    const std::string text = json.get<std::string>();
    if (text.size() > 2 && text.front() == '{' && text.find('}') == text.size() - 1)
      return evaluate(text.substr(1, text.size() - 2), names, functions_).json();
    return filled(text, names, functions_);
  }
  if (json.is_array() || json.is_object()) {
    nlohmann::json result = json;
    for (auto& [key, value] : result.items()) value = filled_json(value, names);
    return result;
  }
  return json;
}

double Substitution::number_or(const nlohmann::json& json, const Names& names, double otherwise) const {
  if (json.is_null()) return otherwise;
  const nlohmann::json value = filled_json(json, names);
  if (!value.is_number()) throw ExpressionError("expected a number, not " + value.dump());
  return value.get<double>();
}

void Substitution::add_overrides(const Overrides& from, const Names& names,
                                 std::vector<std::string>& to) const {
  for (const auto& [place, value] : from)
    to.push_back(filled(place, names, functions_) + "=" + filled_json(value, names).dump());
}

}  // namespace phiflex
