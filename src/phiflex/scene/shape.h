// The shape of a scene file as data: what value may stand where, with units, ranges, defaults and
// documentation.
//
// scene_shape() is made from the fields() of scene/fields.h. Validation, the JSON schema and the
// documentation table are plain functions of it, so they cannot disagree.
#pragma once

#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace phiflex {

using Json = nlohmann::ordered_json;  // what we write, in the order of the fields

enum class Bound { inclusive, exclusive };

struct Range {
  double low = -std::numeric_limits<double>::infinity();
  Bound at_low = Bound::inclusive;
  double high = std::numeric_limits<double>::infinity();
  Bound at_high = Bound::inclusive;
  bool contains(double value) const {
    return (at_low == Bound::inclusive ? value >= low : value > low) &&
           (at_high == Bound::inclusive ? value <= high : value < high);
  }
};

enum class Need { optional, required };

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

  Range range;                           // number, integer
  std::string unit;                      // number
  TextRule text_rule = TextRule::any;    // text
  std::vector<std::string> words;        // word: those allowed
  std::vector<std::string> later_words;  // word: those of a later version
  std::size_t min_items = 0;             // list
  std::optional<std::size_t> items;      // list: exactly so many
  std::vector<Shape> parts;              // list: one; choice: the alternatives

  // object; also tuple, a list whose items are these keys in order
  std::vector<Key> keys;
  std::vector<std::vector<std::string>> exactly_one;       // of each group of keys
  std::vector<std::pair<std::string, std::string>> needs;  // the first key only with the second
  std::vector<std::string> later_keys;                     // keys of a later version: refused
  std::string signature_key, signature_word;               // how a choice recognises this object
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
std::string range_text(const Range& range);

}  // namespace phiflex
