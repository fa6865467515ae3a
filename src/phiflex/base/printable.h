// Text that came from outside (keys, names, paths), as it may be shown on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace phiflex {

enum class LineBreaks { escaped, kept };

// Characters that steer a terminal or turn the direction of writing, and bytes that are no UTF-8, become visible:
// "\x1b", "\u202e". All others stay as they are. With `kept`, line breaks and tabs stay too.
std::string printable(std::string_view text, LineBreaks breaks = LineBreaks::escaped);

}  // namespace phiflex
