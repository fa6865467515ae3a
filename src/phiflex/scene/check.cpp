#include "phiflex/scene/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "phiflex/base/text.h"
#include "phiflex/scene/nearest.h"

namespace phiflex {

using nlohmann::json;
using Kind = Shape::Kind;

// ---- What is expected, in words ---------------------------------------------------------------------------

namespace {

std::string number_text(const char* noun, const Shape& shape) {
  if (shape.range.low == shape.range.high) return range_text(shape.range);
  const std::string range = range_text(shape.range);
  const std::string unit = shape.unit.empty() ? "" : " in " + shape.unit;
  return noun + (range.empty() ? "" : " " + range) + unit;
}

std::string list_text(const Shape& shape) {
  const Shape& item = shape.parts.front();
  std::string items = "items";
  if (item.kind == Kind::number) items = number_text("numbers", item);
  if (item.kind == Kind::integer) items = number_text("whole numbers", item);
  if (item.kind == Kind::word) items = "words out of " + quoted_list(item.words);
  if (item.kind == Kind::object || item.kind == Kind::choice) items = "objects";
  if (shape.items) return fmt::format("a list of {} {}", *shape.items, items);
  if (shape.min_items == 0) return "a list of " + items;
  return fmt::format("a list of at least {} {}", shape.min_items, items);
}

std::string object_text(const Shape& shape) {
  if (!shape.signature_word.empty()) {
    return fmt::format("{{ \"{}\": \"{}\", ... }}", shape.signature_key, shape.signature_word);
  }
  if (!shape.signature_key.empty()) return fmt::format("{{ \"{}\": ... }}", shape.signature_key);
  return "an object { ... }";
}

std::vector<std::string> key_names(const Shape& object) {
  std::vector<std::string> names;
  for (const Key& key : object.keys) names.push_back(key.name);
  return names;
}

}  // namespace

std::string expectation(const Shape& shape) {
  switch (shape.kind) {
    case Kind::number:
      return number_text("a number", shape);
    case Kind::integer:
      return number_text("a whole number", shape);
    case Kind::text:
      return shape.text_rule == TextRule::any
                 ? "a text that is not empty"
                 : "a name of 1 to 100 characters, without / \\ , \" and control characters, not . or ..";
    case Kind::file:
      return "the path of a file";
    case Kind::flag:
      return "true or false";
    case Kind::word:
      return (shape.words.size() == 1 ? "" : "one of ") + quoted_list(shape.words);
    case Kind::list:
      return list_text(shape);
    case Kind::tuple:
      return fmt::format("a list [{}]", joined(key_names(shape), ", "));
    case Kind::object:
      return object_text(shape);
    case Kind::choice: {
      std::string text;
      for (const Shape& part : shape.parts) text += (text.empty() ? "" : " or ") + expectation(part);
      return text;
    }
  }
  return "";
}

// ---- Findings and pointers --------------------------------------------------------------------------------

void Findings::add(const std::string& pointer, std::string message) {
  if (full()) return;
  mark(pointer);
  problems_.push_back({"", pointer.empty() ? "/" : pointer, std::move(message)});
}

bool is_within(const std::string& inner, const std::string& outer) {
  return inner.starts_with(outer) && (inner.size() == outer.size() || inner[outer.size()] == '/');
}

bool Findings::sound(const std::string& pointer) const {
  return std::none_of(bad_.begin(), bad_.end(), [&](const std::string& bad) {
    return is_within(pointer, bad) || is_within(bad, pointer);
  });
}

std::string pointer_to(const std::string& pointer, const std::string& key) {
  std::string text = pointer + '/';
  for (char c : key) {
    if (c == '~') {
      text += "~0";
    } else if (c == '/') {
      text += "~1";
    } else {
      text += c;
    }
  }
  return text;
}

std::string shown(const json& value) {
  constexpr std::size_t longest = 60;
  // Containers are cut by count first, so that showing a large one costs nothing.
  if (value.is_array() && value.size() > longest) return fmt::format("a list of {} items", value.size());
  if (value.is_object() && value.size() > longest) return fmt::format("an object of {} keys", value.size());
  std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  return text;
}

// ---- Checking ---------------------------------------------------------------------------------------------

namespace {

// What stands in a text of a scene file must also be able to stand in a file name, a CSV heading, a C string.
bool obeys(const std::string& text, TextRule rule) {
  if (text.empty() || text.find('\0') != std::string::npos) return false;
  if (rule == TextRule::any) return true;
  const auto characters = std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; });
  return static_cast<std::size_t>(characters) <= longest_name && text != "." && text != ".." &&
         std::all_of(text.begin(), text.end(), may_stand_in_name);
}

bool is_whole(const json& value) {
  constexpr double exact = 9007199254740992.0;  // 2^53: beyond it a double does not name one whole number
  if (!value.is_number()) return false;
  const double number = value.get<double>();
  return std::abs(number) <= exact && number == std::floor(number);
}

class Checker {
 public:
  explicit Checker(Findings& findings) : findings_(findings) {}

  void check(const json& value, const Shape& shape, const std::string& pointer) {
    if (findings_.full()) return;
    switch (shape.kind) {
      case Kind::number:
        return require(value.is_number() && std::isfinite(value.get<double>()) &&
                           shape.range.contains(value.get<double>()),
                       value, shape, pointer);
      case Kind::integer:
        return require(is_whole(value) && shape.range.contains(value.get<double>()), value, shape, pointer);
      case Kind::text:
        return require(value.is_string() && obeys(value.get_ref<const std::string&>(), shape.text_rule),
                       value, shape, pointer);
      case Kind::file:
        return require(value.is_string() && obeys(value.get_ref<const std::string&>(), TextRule::any), value,
                       shape, pointer);
      case Kind::flag:
        return require(value.is_boolean(), value, shape, pointer);
      case Kind::word:
        return check_word(value, shape, pointer);
      case Kind::list:
        return check_list(value, shape, pointer);
      case Kind::tuple:
        return check_tuple(value, shape, pointer);
      case Kind::object:
        return check_object(value, shape, pointer);
      case Kind::choice:
        return check_choice(value, shape, pointer);
    }
  }

 private:
  void require(bool good, const json& value, const Shape& shape, const std::string& pointer) {
    if (!good) {
      findings_.add(pointer, fmt::format("{} is not allowed; expected {}", shown(value), expectation(shape)));
    }
  }

  void check_word(const json& value, const Shape& shape, const std::string& pointer) {
    if (!value.is_string()) return require(false, value, shape, pointer);
    const std::string& text = value.get_ref<const std::string&>();
    if (std::find(shape.words.begin(), shape.words.end(), text) != shape.words.end()) return;
    findings_.add(pointer, fmt::format("{} is not known; expected {}{}", shown(value), expectation(shape),
                                       did_you_mean(text, shape.words)));
  }

  void check_list(const json& value, const Shape& shape, const std::string& pointer) {
    const bool good =
        value.is_array() && value.size() >= shape.min_items && (!shape.items || value.size() == *shape.items);
    if (!good) return require(false, value, shape, pointer);
    for (std::size_t i = 0; i < value.size(); ++i) {
      check(value[i], shape.parts.front(), fmt::format("{}/{}", pointer, i));
    }
  }

  void check_tuple(const json& value, const Shape& shape, const std::string& pointer) {
    if (!value.is_array() || value.size() != shape.keys.size()) return require(false, value, shape, pointer);
    for (std::size_t i = 0; i < value.size(); ++i) {
      check(value[i], shape.keys[i].shape, fmt::format("{}/{}", pointer, i));
    }
  }

  void check_object(const json& value, const Shape& shape, const std::string& pointer) {
    if (!value.is_object()) return require(false, value, shape, pointer);
    for (const auto& [name, item] : value.items()) check_key(name, item, shape, pointer);
    for (const Key& key : shape.keys) {
      if (key.need == Need::required && !value.contains(key.name)) {
        findings_.add(pointer_to(pointer, key.name),
                      fmt::format("missing; expected {}: {}", expectation(key.shape), key.doc));
      }
    }
    check_relations(value, shape, pointer);
  }

  void check_key(const std::string& name, const json& item, const Shape& shape, const std::string& pointer) {
    if (findings_.full()) return;
    const std::string place = pointer_to(pointer, name);
    const auto key =
        std::find_if(shape.keys.begin(), shape.keys.end(), [&](const Key& k) { return k.name == name; });
    if (key != shape.keys.end()) return check(item, key->shape, place);
    const std::vector<std::string> known = key_names(shape);
    findings_.add(place,
                  fmt::format("unknown key{} Known here: {}",
                              nearest(name, known) ? did_you_mean(name, known) : ".", quoted_list(known)));
  }

  void check_relations(const json& value, const Shape& shape, const std::string& pointer) {
    for (const std::vector<std::string>& group : shape.exactly_one) {
      std::vector<std::string> given;
      for (const std::string& name : group) {
        if (value.contains(name)) given.push_back(name);
      }
      if (given.empty()) {
        findings_.add(pointer, fmt::format("missing; expected one of the keys {}", quoted_list(group)));
      } else if (given.size() > 1) {
        findings_.add(pointer,
                      fmt::format("the keys {} exclude each other; give only one", quoted_list(given)));
      }
    }
    for (const Shape::NeededFor& need : shape.needed_for) {
      const auto word = value.find(need.key);
      if (word == value.end() || *word != need.word || value.contains(need.other)) continue;
      const auto key = std::find_if(shape.keys.begin(), shape.keys.end(),
                                    [&](const Key& k) { return k.name == need.other; });
      findings_.add(pointer_to(pointer, need.other),
                    fmt::format("missing; expected {}: {}", expectation(key->shape), key->doc));
    }
    for (const auto& [name, other] : shape.needs) {
      if (value.contains(name) && !value.contains(other)) {
        const auto key = std::find_if(shape.keys.begin(), shape.keys.end(),
                                      [&, &wanted = other](const Key& k) { return k.name == wanted; });
        findings_.add(pointer_to(pointer, other),
                      fmt::format("missing; \"{}\" needs it: {}", name, key->doc));
      }
    }
  }

  // Alternatives are scalars, words or lists, told apart by their type, or objects, told apart by their signature.
  void check_choice(const json& value, const Shape& shape, const std::string& pointer) {
    for (const Shape& part : shape.parts) {
      const bool fits = (part.kind == Kind::number && value.is_number()) ||
                        (part.kind == Kind::integer && value.is_number()) ||
                        (part.kind == Kind::text && value.is_string()) ||
                        (part.kind == Kind::word && value.is_string()) ||
                        (part.kind == Kind::list && value.is_array());
      if (fits) return check(value, part, pointer);
    }
    if (!value.is_object()) return require(false, value, shape, pointer);
    if (const Shape* part = recognise(value, shape, pointer)) check_object(value, *part, pointer);
  }

  // The alternative whose signature the object shows; null, with the reason found, when it shows none.
  const Shape* recognise(const json& value, const Shape& shape, const std::string& pointer) {
    std::vector<std::string> signatures, given;
    for (const Shape& part : shape.parts) {
      const std::string& key = part.signature_key;
      if (key.empty() || std::find(signatures.begin(), signatures.end(), key) != signatures.end()) continue;
      signatures.push_back(key);
      if (value.contains(key)) given.push_back(key);
    }
    if (given.empty()) {
      std::string hint;
      for (const auto& item : value.items()) {
        if (hint.empty()) hint = did_you_mean(item.key(), signatures);
      }
      findings_.add(pointer, fmt::format("{} has none of the keys that say what it is: {}{}", shown(value),
                                         quoted_list(signatures), hint));
      return nullptr;
    }
    if (given.size() > 1) {
      findings_.add(pointer,
                    fmt::format("the keys {} exclude each other; give only one", quoted_list(given)));
      return nullptr;
    }
    Shape tag;
    tag.kind = Kind::word;
    for (const Shape& part : shape.parts) {
      if (part.signature_key != given.front()) continue;
      if (part.signature_word.empty() || value[given.front()] == part.signature_word) return &part;
      tag.words.push_back(part.signature_word);
    }
    findings_.mark(pointer);
    check_word(value[given.front()], tag, pointer_to(pointer, given.front()));
    return nullptr;
  }

  Findings& findings_;
};

}  // namespace

void check_shape(const json& value, const Shape& shape, Findings& findings) {
  Checker(findings).check(value, shape, "");
}

}  // namespace phiflex
