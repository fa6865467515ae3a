// The scenes that come with the program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

// $PHIFLEX_SCENES, else scenes/ beside the build folder or where the package installs it; empty when there is none.
std::filesystem::path gallery_folder();

struct GalleryScene {
  std::string name, line;  // line: the heading of its README
  std::filesystem::path file;
};
// By name; empty when there is no gallery. FileError when it cannot be listed.
std::vector<GalleryScene> gallery_scenes();
