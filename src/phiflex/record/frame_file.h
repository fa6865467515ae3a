// A frame of a run read back: the VTU file that FrameWriter wrote (frames.h), and nothing more general
// (mesh_formats.h reads any VTU file as a mesh).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "phiflex/mesh/tet_mesh.h"
#include "phiflex/mesh/vtu_writer.h"

namespace phiflex {

// Which arrays to decode: cells do not change from frame to frame, and not every reader wants the fields of
// `output.fields`; motion_and_fields reads those of the points.
enum class FrameParts { all, motion_only, motion_and_fields };

struct FrameField {
  std::string name;
  int components = 1;
  std::vector<double> values;
};

struct FrameFile {
  std::vector<Point3> points;                         // deformed positions, m
  std::vector<Point3> displacement;                   // m
  std::vector<Point3> velocity;                       // m/s
  std::vector<double> strain_energy_density;          // per cell
  VtuCells cells;                                     // empty unless all is read
  std::vector<int> region, body;                      // per cell; the same
  std::vector<FrameField> point_fields, cell_fields;  // further arrays; those of cells only when all is read
};

// InputError when the file is none of ours or is damaged; FileError when it cannot be read.
FrameFile read_frame_file(const std::filesystem::path& path, FrameParts parts = FrameParts::all);

}  // namespace phiflex
