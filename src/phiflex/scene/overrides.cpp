#include "phiflex/scene/overrides.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "phiflex/scene/check.h"
#include "phiflex/scene/json_text.h"

namespace phiflex {

using nlohmann::json;

namespace {

struct NotApplicable {
  std::string place, reason;
};

std::vector<std::string> tokens_of(const std::string& path) {
  const bool is_pointer = path.starts_with('/');
  std::vector<std::string> tokens(1);
  for (std::size_t i = is_pointer ? 1 : 0; i < path.size(); ++i) {
    if (path[i] == (is_pointer ? '/' : '.')) {
      tokens.emplace_back();
    } else if (is_pointer && path[i] == '~' && i + 1 < path.size()) {
      tokens.back() += path[++i] == '1' ? '/' : '~';
    } else {
      tokens.back() += path[i];
    }
  }
  if (std::any_of(tokens.begin(), tokens.end(), [](const std::string& token) { return token.empty(); })) {
    throw NotApplicable{"", fmt::format("\"{}\" is not a path such as bodies.0.material.young", path)};
  }
  return tokens;
}

std::optional<std::size_t> index_of(const std::string& token) {
  std::size_t index = 0;
  const char* end = token.data() + token.size();
  const auto [last, error] = std::from_chars(token.data(), end, index);
  return error == std::errc() && last == end ? std::optional(index) : std::nullopt;
}

bool is_utf8(const std::string& text) {
  try {
    (void)json(text).dump();
    return true;
  } catch (const json::type_error&) {
    return false;
  }
}

json value_of(const std::string& text) {
  Findings repeated_keys;
  try {
    json value = parse_json(text, "", repeated_keys);
    if (!repeated_keys.problems().empty()) {
      throw NotApplicable{"", fmt::format("{} has a key twice", shown(value))};
    }
    return value;
  } catch (const InputError&) {
    if (!is_utf8(text)) throw NotApplicable{"", "the value is not valid UTF-8"};
    return text;
  }
}

// The item of that name, or of that number, counted from 0; null when there is none.
json* find_item(json& list, const std::string& token) {
  for (json& item : list)
    if (item.is_object() && item.contains("name") && item["name"] == token) return &item;
  const std::optional<std::size_t> index = index_of(token);
  return index && *index < list.size() ? &list[*index] : nullptr;
}

std::string names_in(const json& list) {
  std::string names;
  for (const json& item : list)
    if (item.is_object() && item.contains("name") && item["name"].is_string())
      names += fmt::format("{}\"{}\"", names.empty() ? ", named " : ", ", item["name"].get<std::string>());
  return names;
}

// Walks down to the place, creating objects on the way, and returns the topmost pointer that is new.
std::string assign(const std::vector<std::string>& tokens, json value, json& scene) {
  json* node = &scene;
  std::string pointer, created;
  for (std::size_t depth = 0; depth < tokens.size(); ++depth) {
    const std::string& token = tokens[depth];
    if (node->is_array()) {
      json* item = find_item(*node, token);
      if (!item) {
        throw NotApplicable{pointer,
                            fmt::format("has {} item{}, counted from 0{}; there is no \"{}\"", node->size(),
                                        node->size() == 1 ? "" : "s", names_in(*node), token)};
      }
      pointer = pointer_to(pointer, std::to_string(item - &(*node)[0]));
      node = item;
      continue;
    } else if (node->is_object()) {
      const bool is_new = !node->contains(token);
      const bool goes_on = depth + 1 < tokens.size();
      if (is_new && goes_on && index_of(tokens[depth + 1])) {
        throw NotApplicable{pointer_to(pointer, token),
                            fmt::format("is not in the scene, so it has no item {}", tokens[depth + 1])};
      }
      node = &(*node)[token];
      if (is_new && goes_on) *node = json::object();
      if (is_new && created.empty()) created = pointer_to(pointer, token);
    } else {
      throw NotApplicable{pointer, fmt::format("holds {}, which has no keys", shown(*node))};
    }
    pointer = pointer_to(pointer, token);
  }
  *node = std::move(value);
  return created.empty() ? pointer : created;
}

}  // namespace

std::vector<Override> apply_overrides(const std::vector<std::string>& overrides, json& scene,
                                      std::vector<Problem>& problems) {
  std::vector<Override> applied;
  for (const std::string& text : overrides) {
    try {
      const std::size_t equals = text.find('=');
      if (equals == std::string::npos) throw NotApplicable{"", "expected path=value"};
      std::string place = assign(tokens_of(text.substr(0, equals)), value_of(text.substr(equals + 1)), scene);
      applied.push_back({text, std::move(place)});
    } catch (const NotApplicable& reason) {
      problems.push_back({"--set " + text, reason.place, reason.reason});
    }
  }
  return applied;
}

}  // namespace phiflex
