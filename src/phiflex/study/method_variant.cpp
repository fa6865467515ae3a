#include "phiflex/study/method_variant.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <cmath>

#include "phiflex/base/errors.h"
#include "phiflex/integrate/catalogue.h"
#include "phiflex/run/choose_method.h"
#include "phiflex/run/run.h"
#include "phiflex/scene/scene.h"

namespace phiflex {
namespace {

std::vector<std::string> pieces(const std::string& text, char separator) {
  std::vector<std::string> found(1);
  for (const char letter : text) {
    if (letter == separator) {
      found.emplace_back();
    } else {
      found.back() += letter;
    }
  }
  return found;
}

std::optional<double> positive_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return std::isfinite(value) && value > 0 ? std::optional(value) : std::nullopt;
}

std::string known_names() {
  std::string names;
  for (const MethodWords& method : method_words()) names += (names.empty() ? "" : ", ") + method.name;
  return names;
}

bool is_known(const std::string& name) {
  return name == kAutoMethod || find_integrator(name) != nullptr;
}

}  // namespace

std::string MethodVariant::label() const {
  std::string text = name;
  for (const std::string& setting : settings) text += ":" + setting;
  return text;
}

MethodVariant parse_method_variant(const std::string& text, const std::string& given) {
  const std::vector<std::string> words = pieces(text, ':');
  MethodVariant variant{words[0], {}, {}};
  if (!is_known(variant.name))
    throw InputError(given, "",
                     fmt::format("\"{}\" is not an integrator of this version; expected one of {}",
                                 variant.name, known_names()));
  if (const MethodEntry* entry = find_integrator(variant.name)) variant.name = entry->info->name;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::size_t equals = words[i].find('=');
    if (equals != std::string::npos && equals > 0) {
      variant.settings.push_back(words[i]);
    } else if (const std::optional<double> step = positive_number(words[i]); step && i + 1 == words.size()) {
      variant.step = step;
    } else {
      throw InputError(given, "",
                       fmt::format("\"{}\" in \"{}\" is neither key=value nor, at the end, a step in seconds "
                                   "> 0",
                                   words[i], text));
    }
  }
  return variant;
}

std::vector<MethodVariant> parse_method_variants(const std::string& text, const std::string& given) {
  std::vector<MethodVariant> variants;
  std::vector<Problem> problems;
  for (const std::string& word : pieces(text, ',')) {
    try {
      variants.push_back(parse_method_variant(word, given));
    } catch (const InputError& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return variants;
}

std::vector<std::string> overrides_of(const MethodVariant& variant) {
  std::vector<std::string> overrides = {"integrator.type=" + variant.name};
  for (const std::string& setting : variant.settings) overrides.push_back("integrator." + setting);
  return overrides;
}

IntegratorSpec integrator_of(const MethodVariant& variant) {
  // The smallest scene there is; only its integrator is looked at.
  static const std::string scene = R"({ "phiflex": 1, "name": "oscillator", "time": { "step": 1, "end": 1 },
    "bodies": [ { "name": "spring", "springs": { "generate": "rope", "from": [0, 0, 0], "to": [1, 0, 0],
      "segments": 1, "stiffness": 1, "linear_density": 1 } } ] })";
  std::vector<Problem> unused;
  return parse_scene(scene, variant.label(), read_options(overrides_of(variant)), unused).integrator;
}

}  // namespace phiflex
