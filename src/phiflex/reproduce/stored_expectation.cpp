#include "phiflex/reproduce/stored_expectation.h"

#include <fmt/format.h>

#include <cmath>

#include "phiflex/base/errors.h"
#include "phiflex/record/json_file.h"

namespace phiflex {
namespace {

using Json = nlohmann::ordered_json;

// The place after the JSON text (a string, a number, an object ...) that begins at `at`; `text` is known to be valid.
std::size_t end_of_value(const std::string& text, std::size_t at) {
  int depth = 0;
  bool quoted = false;
  for (; at < text.size(); ++at) {
    const char letter = text[at];
    if (quoted) {
      if (letter == '\\') ++at;
      if (letter == '"') quoted = false;
    } else if (letter == '"') {
      quoted = true;
    } else if (letter == '{' || letter == '[') {
      ++depth;
    } else if (letter == '}' || letter == ']') {
      if (depth == 0) return at;
      --depth;
    } else if (letter == ',' && depth == 0) {
      return at;
    }
  }
  return at;
}

struct Range {
  std::size_t begin = std::string::npos, end = std::string::npos;
};

// Where the value of a key of the outermost object stands.
Range value_of_key(const std::string& text, const std::string& key) {
  std::size_t at = text.find('{') + 1;
  while (at < text.size() && text[at] != '}') {
    const std::size_t quote = text.find('"', at), colon = text.find(':', text.find('"', quote + 1));
    if (quote == std::string::npos || colon == std::string::npos) break;
    const std::size_t begin = text.find_first_not_of(" \t\r\n", colon + 1), end = end_of_value(text, begin);
    const bool found = text.compare(quote + 1, key.size() + 1, key + '"') == 0;
    if (found) return {begin, text.find_last_not_of(" \t\r\n", end - 1) + 1};
    at = text[end] == ',' ? end + 1 : end;
  }
  return {};
}

// In one line: { "a": 1, "b": [1, 2] }
std::string in_line(const Json& json) {
  std::string text;
  if (json.is_object()) {
    for (const auto& [key, value] : json.items())
      text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", Json(key).dump(), in_line(value));
    return text.empty() ? "{}" : "{ " + text + " }";
  }
  if (json.is_array()) {
    for (const Json& value : json) text += (text.empty() ? "" : ", ") + in_line(value);
    return "[" + text + "]";
  }
  return json.dump();
}

// Two digits: the rest is the machine's mood.
double rounded(double seconds) {
  if (!(seconds > 0)) return 0;
  const double unit = std::pow(10, std::floor(std::log10(seconds)) - 1);
  return std::stod(fmt::format("{:.6g}", std::round(seconds / unit) * unit));
}

// The variant's object, which may be missing.
Json variant_of(const std::string& text, const std::string& key) {
  const Json whole = parse_json_text(text, "experiment.json");
  if (!whole.is_object()) throw InputError("experiment.json", "", "it is no JSON object");
  return whole.contains(key) && whole[key].is_object() ? whole[key] : Json::object();
}

std::string with_variant(const std::string& text, const std::string& key, const Json& variant) {
  std::string changed = text;
  const Range place = value_of_key(text, key);
  if (place.begin != std::string::npos)
    return changed.replace(place.begin, place.end - place.begin, in_line(variant));
  return changed.insert(text.find('{') + 1, fmt::format("\n  \"{}\": {},", key, in_line(variant)));
}

}  // namespace

std::string with_expectation(const std::string& text, const Outcome& outcome) {
  const std::string key(name_of(outcome.variant));
  Json variant = variant_of(text, key);
  for (const char* old : {"estimated_seconds", "estimate", "machine", "date"}) variant.erase(old);
  variant["expect"] = name_of(outcome.verdict);
  variant["seconds"] = rounded(outcome.seconds);
  if (outcome.variant == Variant::full) {
    variant["seconds"] = rounded(outcome.processor_seconds);
    variant["machine"] = outcome.machine;
    variant["date"] = outcome.date;
  }
  return with_variant(text, key, variant);
}

std::string with_estimate(const std::string& text, Variant which, const CostEstimate& estimate) {
  const std::string key(name_of(which));
  Json variant = variant_of(text, key);
  if (variant.contains("seconds")) return text;
  variant["estimated_seconds"] = rounded(estimate.seconds);
  variant["estimate"] = estimate.how;
  variant["machine"] = estimate.machine;
  variant["date"] = estimate.date;
  return with_variant(text, key, variant);
}

}  // namespace phiflex
