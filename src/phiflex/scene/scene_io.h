// Reading and writing scenes, and what can be said about the scene file in general.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "phiflex/base/errors.h"

namespace phiflex {

struct Scene;  // scene.h

// A method of the caller's catalogue and the integrator keys it reads (beside "type").
struct MethodWords {
  std::string name;
  std::vector<std::string> keys;
  std::vector<std::string> aliases = {};  // other names of it
};

struct ReadOptions {
  std::vector<std::string> overrides;        // path=value, see scene/overrides.h
  std::vector<MethodWords> integrators;      // empty: any name is accepted, no key is reported as unused
  std::vector<std::string> evaluators = {};  // empty: any name is accepted
};

// Throws a FileError when the file cannot be read, an InputError with every problem when it is not a good
// scene. Appends to `warnings` what is accepted but has no effect. Paths in the result are absolute.
Scene read_scene(const std::filesystem::path& file, const ReadOptions& options,
                 std::vector<Problem>& warnings);

// The same for a text; `file` names it in messages, and paths in the scene are relative to its folder.
Scene parse_scene(const std::string& text, const std::filesystem::path& file, const ReadOptions& options,
                  std::vector<Problem>& warnings);

// The checks of parse_scene for a scene that was filled or changed in code: an InputError with every problem, in
// the same sentences and with the places that the values would have in a file. `file` names the scene in messages.
void require_valid(const Scene& scene, const std::string& file, const ReadOptions& options = {});

// The scene with every default filled in; reading it gives an equal scene.
nlohmann::ordered_json to_json(const Scene& scene);

// One number for all that the scene says, defaults filled in, but the places of its files: 16 digits that differ when
// any value does. A scene that was written and read again has the same.
std::string scene_hash(const Scene& scene);

// JSON Schema (draft 2020-12) of the scene file. With `integrators`, those names only.
nlohmann::ordered_json json_schema(const std::vector<std::string>& integrators = {});

// The documentation of the scene file, docs/scene.md.
std::string scene_documentation();

}  // namespace phiflex
