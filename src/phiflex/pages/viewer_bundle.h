// The viewer's page as web/ builds it: one classic script and one style sheet, whole, inside the program. The script
// goes last in the body and reads the elements that viewer_page.h writes.
#pragma once

#include <string_view>

namespace phiflex {

extern const std::string_view viewer_js, viewer_css;

}  // namespace phiflex
