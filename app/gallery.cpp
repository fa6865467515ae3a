#include "app/gallery.h"

#include <cstdlib>

#include "phiflex/base/data_folder.h"

std::filesystem::path gallery_folder() {
  if (const char* given = std::getenv("PHIFLEX_SCENES")) return given;
  const std::vector<std::filesystem::path> found = phiflex::data_folders("scenes");
  return found.empty() ? std::filesystem::path() : found.front();
}
