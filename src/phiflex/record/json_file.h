// A JSON file that this program or another one wrote, read without trust in it.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace phiflex {

// InputError, with line and column, when the text is not JSON, is nested too deeply (base/json_limits.h) or holds a
// number beyond the range of a double. `file` names it in messages.
nlohmann::ordered_json parse_json_text(const std::string& text, const std::string& file);

// The same for a file; FileError when it cannot be read.
nlohmann::ordered_json read_json_file(const std::filesystem::path& path);

// The text at a JSON pointer; `otherwise` when there is none, or something else.
std::string text_at(const nlohmann::ordered_json& json, const char* pointer, const std::string& otherwise);

}  // namespace phiflex
