// JSON text from a user: every fault is named by line and column, and no text can exhaust the stack or take long.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "phiflex/scene/check.h"

namespace phiflex {

inline constexpr std::size_t largest_scene = std::size_t{64} << 20;  // bytes

// Throws an InputError with line and column when the text is not JSON, is nested too deeply, or holds a
// number beyond the range of a double. A key that an object has twice is a finding.
nlohmann::json parse_json(const std::string& text, const std::string& file, Findings& findings);

}  // namespace phiflex
