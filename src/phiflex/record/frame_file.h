// A frame of a run read back: the VTU file that FrameWriter wrote (frames.h), and nothing more general
// (mesh_formats.h reads any VTU file as a mesh).
#pragma once

#include <filesystem>
#include <vector>

#include "phiflex/mesh/tet_mesh.h"
#include "phiflex/mesh/vtu_writer.h"

namespace phiflex {

// Which arrays to decode: cells do not change from frame to frame.
enum class FrameParts { all, motion_only };

struct FrameFile {
  std::vector<Point3> points;                 // deformed positions, m
  std::vector<Point3> displacement;           // m
  std::vector<Point3> velocity;               // m/s
  std::vector<double> strain_energy_density;  // per cell
  VtuCells cells;                             // empty with motion_only
  std::vector<int> region, body;              // per cell; empty with motion_only
};

// InputError when the file is none of ours or is damaged; FileError when it cannot be read.
FrameFile read_frame_file(const std::filesystem::path& path, FrameParts parts = FrameParts::all);

}  // namespace phiflex
