// Folders that come with the program: the gallery (scenes/) and the papers' experiments (experiments/).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace phiflex {

// Where a folder of this name lies for the running program, the nearest first: in the source folder, when the program
// is in its build folder; where the package installs it. Only folders that exist.
std::vector<std::filesystem::path> data_folders(const std::string& name);

}  // namespace phiflex
