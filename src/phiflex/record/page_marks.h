// Pages with marks such as {{title}}, to be filled.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace phiflex {

// In one pass, so that nothing inserted is itself searched for marks. A mark without its part stays.
std::string with_marks_filled(std::string_view page,
                              std::span<const std::pair<std::string_view, std::string>> parts);

}  // namespace phiflex
