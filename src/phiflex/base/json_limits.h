// JSON text from outside: what is looked at before a parser sees it, and how its faults are told. Parsers and the
// destructors of what they make recurse, so the depth is bounded first.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace phiflex {

inline constexpr std::size_t deepest_json_nesting = 64;

// InputError at the first bracket that is nested deeper. `advice` ends the message.
void require_shallow_json(std::string_view text, const std::string& file, const std::string& advice = "");

// "line 3, column 14" of a byte, both from 1.
std::string place_in_text(std::string_view text, std::size_t byte);

// What nlohmann::json says of a fault, without its prefix, in ASCII, and not longer than a line or two.
std::string json_fault_words(std::string message);

}  // namespace phiflex
