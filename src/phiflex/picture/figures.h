// The two things users ask for: a strip of moments, and a film.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "phiflex/picture/sheet.h"

namespace phiflex {

struct PictureRun {
  std::string name;
  RunFolder folder;
  std::vector<std::size_t> frames;  // to be shown
};

// One row for each run, with its name when there are several.
Image draw_strip(const std::vector<PictureRun>& runs, const SheetOptions& options);

struct FilmOptions {
  double frames_per_second = 30;
  double speed = 1;  // seconds of motion in a second of film
};
using FilmProgress = std::function<void(std::size_t done, std::size_t total)>;

// The runs side by side, in step: at every moment of the film the frame nearest in time, from the first of a run's
// frames to its last. 16:9 where the options have no height. What `progress` throws ends it, and nothing is left
// behind.
void write_film(const std::filesystem::path& file, const std::vector<PictureRun>& runs,
                const SheetOptions& options, const FilmOptions& film, const FilmProgress& progress = {});

}  // namespace phiflex
