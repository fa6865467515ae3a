// The viewer's page as web/ builds it: one classic script and one style sheet, whole, inside the program.
#pragma once

#include <string_view>

namespace phiflex {

extern const std::string_view
    viewer_js;  // goes last in the body; reads the elements that viewer_page.h names
extern const std::string_view viewer_css;

}  // namespace phiflex
