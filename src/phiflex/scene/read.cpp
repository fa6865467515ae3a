// Text to Scene: parse, apply overrides, hold against the shape, fill the structs, hold against the rules;
// every problem of every stage is reported together.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "phiflex/base/files.h"
#include "phiflex/scene/bind.h"
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
    bind_scene(root, scene);
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

}  // namespace phiflex
