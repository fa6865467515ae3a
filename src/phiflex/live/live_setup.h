// What `phiflex live` is started with.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "phiflex/run/run.h"

namespace phiflex {

struct GalleryEntry {
  std::string name, line;      // what it shows, in a sentence
  std::filesystem::path file;  // its scene
};

struct LiveSetup {
  std::string scene_file;                // empty: begin with the gallery
  std::vector<std::string> overrides;    // of every scene that is opened
  std::vector<std::string> integrators;  // NAME[:key=value...]; empty: `si` and the scene's own
  std::vector<GalleryEntry> gallery;
  std::filesystem::path output;  // recordings and saved scenes; empty: out/live-SCENE
  RunControl control;            // threads, deterministic, finished (the report)
  bool paused = false;
};

}  // namespace phiflex
