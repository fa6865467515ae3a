// Where a scene of the gallery starts, for the page from which one is opened.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace phiflex {

// Builds the scene. InputError and FileError as of reading and building it.
nlohmann::ordered_json gallery_card(const std::filesystem::path& file);

}  // namespace phiflex
