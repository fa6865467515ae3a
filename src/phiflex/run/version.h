// The engine's version and what it was built with.
#pragma once

#include <string>

namespace phiflex {

std::string version();        // "0.1.0"
std::string build_summary();  // compiler, architecture, libraries: one line

}  // namespace phiflex
