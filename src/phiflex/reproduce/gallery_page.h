// The page over all experiments.
#pragma once

#include <string>
#include <vector>

#include "phiflex/reproduce/pages.h"

namespace phiflex {

struct Thumbnail {
  std::string bytes, type;  // "image/png"; empty: there is none
};

struct GalleryEntry {
  const Experiment* experiment = nullptr;
  std::optional<StoredVerdict> stored;
  Thumbnail thumbnail;
  std::vector<ComparedNumber> table;  // some rows, where there is no thumbnail
};

std::string gallery_page(const std::vector<GalleryEntry>& entries);

}  // namespace phiflex
