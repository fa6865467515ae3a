// The documentation of the scene file: a section with a table for every object of the Shape.
#include <fmt/format.h>

#include <algorithm>

#include "phiflex/scene/scene_io.h"
#include "phiflex/scene/shape.h"

namespace phiflex {
namespace {

using Kind = Shape::Kind;

constexpr const char* introduction = R"(# The scene file

*This page is generated from the code (`scene_documentation()`); a test keeps it up to date.*

A scene is one JSON file: what moves, what holds and pushes it, and how time advances. All numbers are in SI units,
angles in degrees; paths are relative to the scene file; a key that is not listed here is an error, but for `comment`
and `$schema`, which may stand in any object and are ignored. `"integrator": "em"` is short for `{ "type": "em" }`. The smallest
complete scene is

```json
{
  "time": { "step": 0.01, "end": 2 },
  "gravity": [0, -9.81, 0],
  "bodies": [ {
    "name": "bar",
    "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [8, 2, 2] },
    "material": { "type": "neo-hookean", "young": 1e6, "poisson": 0.45, "density": 1000 } } ],
  "constraints": [ { "type": "fix", "body": "bar", "where": { "box": [[0, 0, 0], [0, 0.1, 0.1]] } } ]
}
```

`phiflex check SCENE` reads a scene, its meshes included, and lists what is wrong with it; `phiflex schema`
prints the JSON schema for editors. Any value can be changed on the command line by its path, with the names of bodies
and other named items, or counting from 0 in lists: `phiflex run bar.json --set bodies.bar.material.young=1e7 --set
probes.0.at=[0,0,0]`. What is set is JSON, or a text
where it is not JSON, and is validated like the file.

Selections and probes refer to rest coordinates after `transform`; bounds are inclusive. In the tables a value written
**required** has no default; "-" means that nothing is there unless it is given.
)";

// The object or choice of objects that a value leads to, if it deserves a section of its own.
const Shape* subject(const Shape& shape) {
  if (shape.kind == Kind::list) return subject(shape.parts.front());
  if (shape.kind == Kind::object) return &shape;
  const bool all_objects =
      shape.kind == Kind::choice && std::all_of(shape.parts.begin(), shape.parts.end(),
                                                [](const Shape& part) { return part.kind == Kind::object; });
  return all_objects ? &shape : nullptr;
}

struct Section {
  std::string path;  // of keys, or the title of a shape that several keys share; empty for the scene itself
  std::string doc;
  const Shape* shape;
};

std::string path_of(const Key& key, const Shape& shape, const std::string& parent) {
  if (!shape.title.empty()) return shape.title;
  return parent.empty() ? key.name : parent + "." + key.name;
}

std::string value_text(const Key& key, const std::string& parent) {
  const Shape* next = subject(key.shape);
  if (!next) return expectation(key.shape);
  const std::string path = path_of(key, *next, parent);
  std::string anchor = path;
  std::erase(anchor, '.');
  return fmt::format("{}: [{}](#{})", key.shape.kind == Kind::list ? "a list of objects" : "an object", path,
                     anchor);
}

std::string default_text(const Key& key, const Shape& object) {
  if (key.need == Need::required) return "**required**";
  for (const Shape::NeededFor& need : object.needed_for)
    if (need.other == key.name) return fmt::format("**required** by each `{}` that has it", need.key);
  if (!key.fallback) return "-";
  if (key.fallback->is_object()) return "see there";
  return fmt::format("`{}`", key.fallback->dump());
}

std::string table_head() {
  return "\n| key | value | default | meaning |\n| --- | --- | --- | --- |\n";
}

std::string table_rows(const Shape& object, const std::string& path) {
  std::string rows;
  for (const Key& key : object.keys) {
    if (key.name == object.signature_key && !object.signature_word.empty()) continue;
    rows += fmt::format("| `{}` | {} | {} | {} |\n", key.name, value_text(key, path),
                        default_text(key, object), key.doc);
  }
  return rows;
}

std::string tables(const Section& section) {
  const Shape& shape = *section.shape;
  if (shape.kind == Kind::object) return table_head() + table_rows(shape, section.path);
  const auto has_word = [](const Shape& part) { return !part.signature_word.empty(); };
  std::string text;
  if (std::none_of(shape.parts.begin(), shape.parts.end(), has_word)) {
    text = "\nExactly one of these keys is given.\n" + table_head();
    for (const Shape& part : shape.parts) text += table_rows(part, section.path);
    return text;
  }
  for (const Shape& part : shape.parts) {
    const std::string word = has_word(part) ? fmt::format(": \"{}\"", part.signature_word) : "";
    text += fmt::format("\nWith `\"{}\"{}`:\n{}{}", part.signature_key, word, table_head(),
                        table_rows(part, section.path));
  }
  return text;
}

// The sections that a section's tables refer to.
std::vector<Section> next_sections(const Section& section) {
  std::vector<Section> next;
  const auto follow = [&](const Shape& object) {
    for (const Key& key : object.keys) {
      if (const Shape* shape = subject(key.shape))
        next.push_back(
            {path_of(key, *shape, section.path), shape->title.empty() ? key.doc : shape->title_doc, shape});
    }
  };
  if (section.shape->kind == Kind::object) follow(*section.shape);
  for (const Shape& part : section.shape->parts) follow(part);
  return next;
}

std::string sentence(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text + ".";
}

}  // namespace

std::string scene_documentation() {
  std::string text = introduction;
  std::vector<Section> sections = {{"", "the keys of the file", &scene_shape()}};
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const Section section = sections[i];
    text += fmt::format("\n## {}\n\n{}\n{}", section.path.empty() ? "The scene" : section.path,
                        sentence(section.doc), tables(section));
    auto place = i + 1;  // depth first: a section's own follow it
    for (Section& next : next_sections(section)) {
      const bool known = std::any_of(sections.begin(), sections.end(),
                                     [&](const Section& s) { return s.path == next.path; });
      if (!known) sections.insert(sections.begin() + static_cast<std::ptrdiff_t>(place++), std::move(next));
    }
  }
  return text;
}

}  // namespace phiflex
