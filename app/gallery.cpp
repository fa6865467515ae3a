#include "app/gallery.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "phiflex/base/errors.h"

// Of the running program: in the source folder when it is in its build folder, else where the package installs it.
std::filesystem::path gallery_folder() {
  if (const char* given = std::getenv("PHIFLEX_SCENES")) return given;
  std::error_code failed;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed).parent_path();
  if (failed) return {};
  for (const char* place : {"../scenes", "../share/phiflex/scenes"})
    if (std::filesystem::is_directory(program / place, failed)) return (program / place).lexically_normal();
  return {};
}

std::vector<GalleryScene> gallery_scenes() {
  std::vector<GalleryScene> scenes;
  const std::filesystem::path folder = gallery_folder();
  if (folder.empty()) return scenes;
  std::error_code failed;
  const std::filesystem::directory_iterator items(folder, failed);
  if (failed) throw phiflex::FileError(folder.string(), "cannot list the gallery: " + failed.message());
  for (const auto& item : items) {
    const std::filesystem::path scene = item.path() / "scene.json";
    if (!std::filesystem::exists(scene)) continue;
    std::ifstream readme(item.path() / "README.md");
    std::string line;
    std::getline(readme, line);
    const std::size_t text = line.find_first_not_of("# ");
    scenes.push_back(
        {item.path().filename().string(), text == std::string::npos ? "" : line.substr(text), scene});
  }
  std::sort(scenes.begin(), scenes.end(),
            [](const GalleryScene& a, const GalleryScene& b) { return a.name < b.name; });
  return scenes;
}
