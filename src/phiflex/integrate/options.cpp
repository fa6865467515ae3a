#include "phiflex/integrate/options.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace phiflex {
namespace {

std::string text_of(const OptionValue& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const std::int64_t* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const double* number = std::get_if<double>(&value)) return fmt::format("{:g}", *number);
  if (const std::string* text = std::get_if<std::string>(&value)) return fmt::format("\"{}\"", *text);
  return "an evaluator with settings";
}

std::string expectation_of(const Option& option) {
  const std::string range = range_text(option.range);
  std::string words;
  for (const std::string& one : option.words)
    words += fmt::format("{}\"{}\"", words.empty() ? "" : ", ", one);
  switch (option.kind) {
    case OptionKind::flag:
      return "true or false";
    case OptionKind::integer:
      return range.empty() ? "an integer" : "an integer " + range;
    case OptionKind::number:
      return range.empty() ? "a number" : "a number " + range;
    case OptionKind::word:
      return "one of " + words;
    case OptionKind::evaluator:
      break;
  }
  return "the name of an evaluator, or one with settings";
}

}  // namespace

void Option::check(const OptionValue& value) const {
  const std::int64_t* integer = std::get_if<std::int64_t>(&value);
  const double* real = std::get_if<double>(&value);
  const std::string* text = std::get_if<std::string>(&value);
  const double number = integer ? static_cast<double>(*integer) : real ? *real : 0;
  const bool in_range = (integer || real) && std::isfinite(number) && range.contains(number);
  bool good = false;
  switch (kind) {
    case OptionKind::flag:
      good = std::holds_alternative<bool>(value);
      break;
    case OptionKind::integer:
      good = in_range && std::abs(number) < 2147483648.0 && number == std::floor(number);
      break;
    case OptionKind::number:
      good = in_range;
      break;
    case OptionKind::word:
      for (const std::string& one : words) good = good || (text && one == *text);
      break;
    case OptionKind::evaluator:
      good = text || std::holds_alternative<EvaluatorSettings>(value);
  }
  if (!good) refuse(value);
}

void Option::refuse(const OptionValue& value) const {
  throw std::invalid_argument(
      fmt::format("integrator option \"{}\": {}; expected {}", key, text_of(value), expectation_of(*this)));
}

}  // namespace phiflex
