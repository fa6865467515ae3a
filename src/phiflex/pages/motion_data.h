// What a viewer's page is told of a motion beside its chunks: the shape, packed, and how far and how fast it went
// (MOTION of docs/motion_format.md).
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "phiflex/mesh/bounds.h"
#include "phiflex/record/motion_reader.h"

namespace phiflex {

// A frame with everything that pages show of it; false: it cannot be read.
bool read_shown_frame(const MotionReader& reader, std::size_t frame, VisibleFrame& out);

// The values that a number of a field took.
struct FieldRange {
  double low = 0, high = 0;  // extremes, with the value at rest
  // The largest over the frames of what 99 % of the vertices do not exceed, as a distance from the value at rest: peaks
  // at corners and edges of holds do not decide the colours of all others.
  double typical = 0;
};

// How far and how fast a motion went, gathered from its frames.
class MotionExtent {
 public:
  // numbers: of the frames' fields, those whose ranges are wanted.
  explicit MotionExtent(const VisibleShape& shape, std::vector<FieldNumber> numbers = {});

  void add(const VisibleFrame& frame);

  double size() const { return size_; }           // m: the longest side of the rest shape's box; > 0
  const Bounds& clip() const { return clip_; }    // nothing farther away than this is worth drawing
  const Bounds& bounds() const { return seen_; }  // of the frames that had not blown up
  double speed() const { return speed_; }
  double displacement() const { return displacement_; }
  double strain_energy() const { return strain_energy_; }
  const std::vector<FieldNumber>& numbers() const { return numbers_; }
  const std::vector<FieldRange>& ranges() const { return ranges_; }

 private:
  std::vector<Point3> rest_;
  double size_ = 1;
  Bounds clip_, seen_;
  double speed_ = 0, displacement_ = 0, strain_energy_ = 0;
  std::vector<FieldNumber> numbers_;
  std::vector<FieldRange> ranges_;  // one for each number
};

// MOTION without chunks and remarks. `times`: of the frames that are shown.
nlohmann::ordered_json motion_data(const VisibleShape& shape, const std::vector<std::string>& bodies,
                                   const MotionExtent& extent, const std::vector<double>& times,
                                   std::size_t frames_in_run);

}  // namespace phiflex
