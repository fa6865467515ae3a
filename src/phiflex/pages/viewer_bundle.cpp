#include "phiflex/pages/viewer_bundle.h"

// The assembler copies the files in: most of a megabyte would be slow to compile, and too long, as a literal.
// PHIFLEX_WEB_DIR comes from cmake/web.cmake.
__asm__(
    ".section .rodata\n"
    "phiflex_viewer_js_begin: .incbin \"" PHIFLEX_WEB_DIR
    "/viewer.js\"\n"
    "phiflex_viewer_js_end:\n"
    "phiflex_viewer_css_begin: .incbin \"" PHIFLEX_WEB_DIR
    "/viewer.css\"\n"
    "phiflex_viewer_css_end:\n"
    ".previous\n");

extern "C" const char phiflex_viewer_js_begin[], phiflex_viewer_js_end[];
extern "C" const char phiflex_viewer_css_begin[], phiflex_viewer_css_end[];

namespace phiflex {

const std::string_view viewer_js(phiflex_viewer_js_begin, phiflex_viewer_js_end);
const std::string_view viewer_css(phiflex_viewer_css_begin, phiflex_viewer_css_end);

}  // namespace phiflex
