// Where the command prints: everything that is not JSON goes through say(), so that no name or path steers the terminal
// (base/printable.h).
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

// What cannot be written to stderr is lost; std::system_error when it is another stream.
void say_text(std::FILE* stream, std::string_view text);

template <class... T>
void say(std::FILE* stream, fmt::format_string<T...> words, T&&... values) {
  say_text(stream, fmt::format(words, std::forward<T>(values)...));
}
template <class... T>
void say(fmt::format_string<T...> words, T&&... values) {
  say_text(stdout, fmt::format(words, std::forward<T>(values)...));
}

// On stdout. JSON writes control characters as escapes by itself; bytes that are no UTF-8 are replaced.
void say_json(const nlohmann::ordered_json& json, int indent = 2);

// Back to the beginning of the terminal's line, which is cleared.
void clear_line(std::FILE* stream);
