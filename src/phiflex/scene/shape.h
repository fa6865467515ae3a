// The shape of a scene file as data: what value may stand where, with units, ranges, defaults and
// documentation.
//
// scene_shape() is made from the fields() of scene/fields.h. Validation, the JSON schema and the
// documentation table are plain functions of it, so they cannot disagree.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "phiflex/base/described.h"

namespace phiflex {

using Json = nlohmann::ordered_json;  // what we write, in the order of the fields

// What a text may hold. A name becomes part of file names and of CSV headings: 1 to 100 characters (of UTF-8)
// that all may stand in a name, and not . or ..
enum class TextRule { any, name };
inline constexpr std::size_t longest_name = 100;
inline bool may_stand_in_name(char c) {
  return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f && c != '/' && c != '\\' && c != ',' && c != '"';
}

struct Key;

struct Shape {
  enum class Kind { number, integer, text, file, flag, word, list, tuple, object, choice };
  Kind kind = Kind::object;
  std::string title, title_doc;  // of a shape that is used in several places; empty otherwise

  Range range;                         // number, integer
  std::string unit;                    // number
  TextRule text_rule = TextRule::any;  // text
  std::vector<std::string> words;      // word: those allowed
  std::size_t min_items = 0;           // list
  std::optional<std::size_t> items;    // list: exactly so many
  std::vector<Shape> parts;            // list: one; choice: the alternatives

  // object; also tuple, a list whose items are these keys in order
  std::vector<Key> keys;
  std::vector<std::vector<std::string>> exactly_one;       // of each group of keys
  std::vector<std::pair<std::string, std::string>> needs;  // the first key only with the second
  struct NeededFor {
    std::string key, word, other;
  };
  std::vector<NeededFor> needed_for;          // key `other`, where `key` has that word
  std::string signature_key, signature_word;  // how a choice recognises this object
};

struct Key {
  std::string name;
  Shape shape;
  Need need = Need::optional;
  std::string doc;
  std::optional<Json> fallback;  // the default, where there is one
};

const Shape& scene_shape();

// "a number > 0 in Pa", "one of "lumped", "consistent"", ...
std::string expectation(const Shape& shape);

}  // namespace phiflex
