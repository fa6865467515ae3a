#include "phiflex/record/json_file.h"

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/base/json_limits.h"

namespace phiflex {

nlohmann::ordered_json parse_json_text(const std::string& text, const std::string& file) {
  require_shallow_json(text, file);
  try {
    return nlohmann::ordered_json::parse(text);
  } catch (const nlohmann::ordered_json::parse_error& error) {
    throw InputError(file, place_in_text(text, error.byte > 0 ? error.byte - 1 : 0),
                     "malformed JSON: " + json_fault_words(error.what()));
  } catch (const nlohmann::ordered_json::exception& error) {  // a number beyond the range of a double
    throw InputError(file, "", "malformed JSON: " + json_fault_words(error.what()));
  }
}

nlohmann::ordered_json read_json_file(const std::filesystem::path& path) {
  return parse_json_text(read_file(path), path.string());
}

std::string text_at(const nlohmann::ordered_json& json, const char* pointer, const std::string& otherwise) {
  const nlohmann::ordered_json::json_pointer place(pointer);
  return json.contains(place) && json[place].is_string() ? json[place].get<std::string>() : otherwise;
}

}  // namespace phiflex
