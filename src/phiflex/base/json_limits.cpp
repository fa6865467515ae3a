#include "phiflex/base/json_limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "phiflex/base/errors.h"

namespace phiflex {

std::string place_in_text(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t last = before.rfind('\n');
  return fmt::format("line {}, column {}", line, before.size() - (last == before.npos ? 0 : last + 1) + 1);
}

void require_shallow_json(std::string_view text, const std::string& file, const std::string& advice) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > deepest_json_nesting)
        throw InputError(file, place_in_text(text, i),
                         fmt::format("nested more than {} levels deep{}", deepest_json_nesting, advice));
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
    }
  }
}

std::string json_fault_words(std::string message) {
  constexpr std::size_t longest = 240;
  for (const char* prefix : {"] ", "column "}) {
    const std::size_t found = message.find(prefix);
    if (found != std::string::npos) message = message.substr(found + std::string(prefix).size());
  }
  const std::size_t colon = message.find(": ");
  if (!message.empty() && message[0] >= '0' && message[0] <= '9' && colon != std::string::npos)
    message = message.substr(colon + 2);
  std::replace_if(
      message.begin(), message.end(), [](char c) { return c < 0x20 || c == 0x7f; }, '?');
  if (message.size() > longest) message = message.substr(0, longest) + "...";
  return message;
}

}  // namespace phiflex
