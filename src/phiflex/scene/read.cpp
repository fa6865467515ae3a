// Text to Scene: parse, apply overrides, hold against the shape, fill the structs, hold against the rules;
// every problem of every stage is reported together.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "phiflex/base/files.h"
#include "phiflex/scene/check.h"
#include "phiflex/scene/fields.h"
#include "phiflex/scene/file_paths.h"
#include "phiflex/scene/json_text.h"
#include "phiflex/scene/overrides.h"
#include "phiflex/scene/rules.h"
#include "phiflex/scene/scene_io.h"
#include "phiflex/scene/short_forms.h"

namespace phiflex {

using nlohmann::json;

namespace {

// Fills a Scene from JSON that has the scene's shape. What does not have the right shape is left at its default, so
// that the rest can still be examined; check_shape() has reported it.
template <class T>
void read_value(const json& value, T& member);

bool is_text(const json& value, const char* text) {
  return value.is_string() && value.get_ref<const std::string&>() == text;
}

struct ValueReader : IgnoresRelations {
  const json& source;  // an object or a list
  std::size_t position = 0;
  explicit ValueReader(const json& source_in) : source(source_in) {}

  template <class T>
  void operator()(const Field& field, T& member) {
    if (source.is_array()) {
      if (position < source.size()) read_value(source[position++], member);
    } else if (const auto item = source.find(field.key); item != source.end()) {
      read_value(*item, member);
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
void read_alternative(const json& value, std::variant<Alternatives...>& member) {
  ((is_for<Alternatives>(value) && (read_value(value, member.template emplace<Alternatives>()), true)) ||
   ...);
}

template <class T>
void read_value(const json& value, T& member) {
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
    read_value(value, member.emplace());
  } else if constexpr (is_vector<T>) {
    member.resize(value.is_array() ? value.size() : 0);
    for (std::size_t i = 0; i < member.size(); ++i) read_value(value[i], member[i]);
  } else if constexpr (is_array<T>) {
    if (!value.is_array() || value.size() != member.size()) return;
    for (std::size_t i = 0; i < member.size(); ++i) read_value(value[i], member[i]);
  } else if constexpr (is_variant<T>) {
    read_alternative(value, member);
  } else if (value.is_object() || value.is_array()) {
    if constexpr (HasKinds<T>) member.kind = value[T::signature.key].template get<std::string>();
    ValueReader reader(value);
    fields(reader, member);
  }
}

// "scenes/bar drop.scene.json" names the scene "bar drop".
std::string name_from(const std::filesystem::path& file) {
  std::filesystem::path stem = file.stem();
  if (stem.extension() == ".scene") stem = stem.stem();
  std::string name = stem.string().substr(0, longest_name);
  std::replace_if(name.begin(), name.end(), std::not_fn(may_stand_in_name), '_');
  return name.empty() || name == "." || name == ".." ? "scene" : name;
}

// Problems in what an override has set are the override's, not the file's.
void attribute(const std::vector<Override>& overrides, const std::string& file,
               std::vector<Problem>& problems) {
  for (Problem& problem : problems) {
    problem.file = file;
    for (const Override& override : overrides) {
      if (is_within(problem.place, override.place)) problem.file = "--set " + override.text;
    }
  }
}

void append_unused_keys(const json& root, const std::string& type,
                        const std::vector<MethodWords>& integrators, std::vector<Problem>& warnings) {
  const auto uses = [](const MethodWords& method, const std::string& key) {
    return std::find(method.keys.begin(), method.keys.end(), key) != method.keys.end();
  };
  const auto chosen = std::find_if(integrators.begin(), integrators.end(),
                                   [&](const MethodWords& m) { return m.name == type; });
  if (chosen == integrators.end() || !root.contains("integrator")) return;
  for (const auto& item : root["integrator"].items()) {
    if (item.key() == "type" || uses(*chosen, item.key())) continue;
    std::string users;
    for (const MethodWords& method : integrators) {
      if (uses(method, item.key())) users += fmt::format("{}\"{}\"", users.empty() ? "" : ", ", method.name);
    }
    warnings.push_back(
        {"", pointer_to("/integrator", item.key()),
         fmt::format("not used by \"{}\" ({})", type,
                     users.empty() ? "nor by any other method of this version" : "but by " + users)});
  }
}

}  // namespace

Scene parse_scene(const std::string& text, const std::filesystem::path& file, const ReadOptions& options,
                  std::vector<Problem>& warnings) {
  Findings findings;
  json root = parse_json(text, file.string(), findings);
  std::vector<Problem> problems;
  std::vector<Override> overrides;
  // Overrides may refer to the long form, and be short themselves.
  expand_short_forms(options.integrators, root);
  for (const std::string& one : root.is_object() ? options.overrides : std::vector<std::string>{}) {
    for (Override& applied : apply_overrides({one}, root, problems)) overrides.push_back(std::move(applied));
    expand_short_forms(options.integrators, root);
  }

  Scene scene;
  check_shape(root, scene_shape(), findings);
  if (!findings.full()) {
    read_value(root, scene);
    check_rules(scene, options, findings);
  }
  std::vector<Problem> found = findings.problems();
  attribute(overrides, file.string(), found);
  problems.insert(problems.end(), found.begin(), found.end());
  if (findings.full()) {
    problems.push_back(
        {file.string(), "", fmt::format("only the first {} problems are listed", Findings::limit)});
  }
  if (!problems.empty()) throw InputError(std::move(problems));

  for (BodySpec& body : scene.bodies)
    if (body.material) complete(*body.material);
  if (scene.name.empty()) scene.name = name_from(file);
  const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
  // Files are named relative to the scene's folder, wherever a scene names one.
  for_each_path(scene, [&](std::filesystem::path& path) { path = (folder / path).lexically_normal(); });
  std::vector<Problem> unused;
  append_unused_keys(root, scene.integrator.type, options.integrators, unused);
  attribute(overrides, file.string(), unused);
  warnings.insert(warnings.end(), unused.begin(), unused.end());
  return scene;
}

Scene read_scene(const std::filesystem::path& file, const ReadOptions& options,
                 std::vector<Problem>& warnings) {
  return parse_scene(read_file(file, largest_scene), file, options, warnings);
}

void require_valid(const Scene& scene, const std::string& file, const ReadOptions& options) {
  Findings findings;
  check_shape(nlohmann::json(to_json(scene)), scene_shape(), findings);
  if (!findings.full()) check_rules(scene, options, findings);
  std::vector<Problem> problems = findings.problems();
  for (Problem& problem : problems) problem.file = file;
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace phiflex
