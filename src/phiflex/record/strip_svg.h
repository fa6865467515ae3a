// A picture of a motion for a page that does not move: the surface at several moments, side by side, as SVG.
#pragma once

#include <filesystem>
#include <string>

#include "phiflex/record/surface_motion.h"

namespace phiflex {

struct StripOptions {
  double from = 0, until = 1e300;  // s, of the motion
  int moments = 6;
  int height = 260;       // pixels of the drawing
  double azimuth = 25;    // degrees about the vertical (y), 0: looking along -z
  double elevation = 15;  // degrees
};

// InputError when the motion is empty.
std::string strip_svg(const SurfaceMotion& motion, const StripOptions& options = {});
void write_strip_svg(const std::filesystem::path& path, const SurfaceMotion& motion,
                     const StripOptions& options = {});

}  // namespace phiflex
