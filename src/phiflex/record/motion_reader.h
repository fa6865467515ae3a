// The motion of a run as a viewer, a renderer or an exporter wants it: the visible part of all bodies (boundary
// triangles of tetrahedra, surfaces of cloths, springs as lines), and any frame of it by number. Works on runs
// that are still being written; memory does not grow with the number of frames.
#pragma once

#include <string_view>
#include <vector>

#include "phiflex/record/field_numbers.h"
#include "phiflex/record/frame_file.h"
#include "phiflex/record/frames.h"
#include "phiflex/record/run_folder.h"
#include "phiflex/record/visible_shape.h"

namespace phiflex {

// One number or point for each vertex of the shape.
struct VisibleFrame {
  double time = 0;                    // s
  std::vector<Point3> positions;      // m
  std::vector<Point3> velocities;     // m/s
  std::vector<double> strain_energy;  // mean density of the vertex's cells, J/m^3 (springs: J/m)
  std::vector<FrameField> fields;     // what else the frames hold of vertices; empty unless asked for
  // Null when there is no field of that name.
  const FrameField* field(std::string_view name) const;
};

class MotionReader {
 public:
  // Frames that cannot be read now (none there, no permission, damaged) make an empty shape.
  explicit MotionReader(RunFolder folder);

  const VisibleShape& shape() const { return visible_.shape; }
  std::size_t frames() const { return entries_.size(); }
  double time(std::size_t frame) const { return entries_.at(frame).time; }
  const RunFolder& folder() const { return folder_; }
  // What the frames hold of vertices beside their motion, as the first frame says.
  const std::vector<FieldNumber>& numbers() const { return numbers_; }

  // Looks for frames that were written meanwhile. True when there are more, or others, than before.
  bool refresh();

  // InputError when the file is damaged or has other vertices than the first frame; FileError.
  // parts: motion_only or motion_and_fields.
  void read(std::size_t frame, VisibleFrame& out, FrameParts parts = FrameParts::motion_only) const;

 private:
  void find_shape();

  RunFolder folder_;
  std::vector<FrameEntry> entries_;
  std::size_t points_ = 0, cells_ = 0;  // of the first frame
  VisibleCells visible_;
  std::vector<FieldNumber> numbers_;
};

}  // namespace phiflex
