// What every rule of a scene needs: the scene, what this version knows, and where to tell what is wrong.
#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "phiflex/scene/check.h"
#include "phiflex/scene/scene.h"
#include "phiflex/scene/scene_io.h"

namespace phiflex {

struct RuleContext {
  RuleContext(const Scene& scene, const ReadOptions& known, Findings& findings);

  // Adds a problem unless something about these places is wrong already.
  void add(const std::string& pointer, std::string message,
           std::initializer_list<std::string> relies_on = {});
  // function(entry, pointer) for the entries of the scene's list `key`, until there are problems enough.
  template <class List, class Function>
  void each(const char* key, const List& list, Function function) {
    for (std::size_t i = 0; i < list.size() && !findings.full(); ++i)
      function(list[i], fmt::format("/{}/{}", key, i));
  }
  void check_body_name(const std::string& name, const std::string& pointer);

  const Scene& scene;
  const ReadOptions& known;
  Findings& findings;
  std::vector<std::string> body_names;
  std::map<std::string, const BodySpec*> bodies;
  bool names_are_known;
};

inline bool is_zero(const Triple& vector) {
  return vector == Triple{};
}

}  // namespace phiflex
