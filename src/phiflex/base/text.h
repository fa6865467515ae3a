// Text by format strings, compiled once: fmt::format_to and fmt::join compile fmt's formatting of all types of numbers
// again in every file that calls them (fmt 9 declares neither `extern template`; 60 kB of code and 2 s of the compiler
// each time).
#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>

namespace phiflex {

void append_formatted(std::string& text, fmt::string_view format, fmt::format_args values);

// text += fmt::format(format, values...), without a string between.
template <class... Values>
void append(std::string& text, fmt::format_string<Values...> format, Values&&... values) {
  append_formatted(text, format, fmt::make_format_args(values...));
}

// words: a range of what a std::string can append.
template <class Words>
std::string joined(const Words& words, std::string_view separator) {
  std::string text;
  bool first = true;
  for (const auto& word : words) {
    if (!first) text += separator;
    first = false;
    text += word;
  }
  return text;
}

}  // namespace phiflex
