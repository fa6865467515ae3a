// The parts of pages without motion (static_page.h), as the files of src/phiflex/record/report_page/ hold them;
// cmake/embed_text.cmake puts them into the program.
#pragma once

#include <string_view>

namespace phiflex {

extern const std::string_view report_style_css;
extern const std::string_view report_theme_js;     // dark or light
extern const std::string_view report_static_html;  // {{title}}, {{style}}, {{heading}}, {{body}}, {{script}}
extern const std::string_view report_static_css;   // what a static page adds to the style

}  // namespace phiflex
