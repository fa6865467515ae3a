// The motion of a run's surface, read back from its frames and small enough to draw: boundary triangles of
// the tetrahedra and the springs, at no more than so many moments.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "phiflex/mesh/tet_mesh.h"
#include "phiflex/record/run_folder.h"

namespace phiflex {

struct SurfaceMotion {
  std::vector<std::array<int, 3>> triangles;  // outward; indices into each moment's positions
  std::vector<std::array<int, 2>> springs;
  std::vector<double> times;                   // s
  std::vector<std::vector<Point3>> positions;  // [moment][vertex], m
  Point3 low{}, high{};                        // bounds of the whole motion
  long frames_in_run = 0;                      // of which `times` are a subset
};

struct MotionLimits {
  std::size_t moments = 120;
  std::size_t coordinates = 3'000'000;  // over all moments; 2 bytes each once quantized, 8 MB as base64
};

// Evenly chosen frames, first and last among them. Empty when the run has no frames. Frames that cannot be
// read are left out (a run that is still being written).
SurfaceMotion read_surface_motion(const RunFolder& folder, const MotionLimits& limits = {});

}  // namespace phiflex
