#include "phiflex/base/printable.h"

#include <fmt/format.h>

#include <cstdint>

namespace phiflex {
namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  // 0: what is there is no UTF-8
};

// The first character of a text that is not empty.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || length > text.size()) return {};
  std::uint32_t code = lead & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fu);
  }
  const bool overlong = code < (length == 3 ? 0x800u : length == 4 ? 0x10000u : 0x80u);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return overlong || surrogate || code > 0x10ffff ? Character{} : Character{code, length};
}

// Control characters, and the marks that turn or hide text.
bool steers(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x061c ||
         (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

}  // namespace

std::string printable(std::string_view text, LineBreaks breaks) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character next = first_character(text);
    const std::size_t bytes = next.bytes == 0 ? 1 : next.bytes;
    const bool is_break = next.code == '\n' || next.code == '\t';
    if (next.bytes == 0 ||
        (steers(next.code) && next.code < 0x80 && !(is_break && breaks == LineBreaks::kept)))
      out += next.code == '\n'   ? "\\n"
             : next.code == '\t' ? "\\t"
                                 : fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    else if (steers(next.code) && !is_break)
      out += fmt::format("\\u{:04x}", next.code);
    else
      out += text.substr(0, bytes);
    text.remove_prefix(bytes);
  }
  return out;
}

}  // namespace phiflex
