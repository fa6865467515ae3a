// Some frames of a visible motion in few bytes: what a viewer's page gets (docs/motion_format.md). All of it in
// zlib's format, little endian:
//
//   u32 magic "PFM1" | u32 frames F | u32 vertices n | u32 fields m | f64 low[3], high[3] | f64 speed_max, energy_max
//   positions         per frame the low bytes, then the high bytes, of 3 n codes: all x, all y, all z
//   speeds, energies  F n bytes each
//   m times           f64 rest, below, above, zero | F n bytes
//
// A coordinate is x = low + p (high - low)/65535 with p a number of 16 bits, coded as its difference r from what
// the frames before it let expect, with arithmetic modulo 65536:
//
//   frame 0     r_i = p_i - p_(i-1)       from the vertex before (p_(-1) = 0)                                 (1)
//   frame 1     r = p - p'                from the frame before                                               (2)
//   frame >= 2  r = p - (2 p' - p'')      from an even motion                                                 (3)
//   code        (r << 1) ^ (r >> 15)      with r in -32768 .. 32767: small differences, small codes           (4)
//
// Speed and strain energy density are s = round(255 sqrt(v/v_max)), modulo 256 as in (1) and (2). A number of a field
// has roots to both sides of its value at rest, which is the code `zero`, exactly:
//
//   v = rest + above ((s - zero)/(255 - zero))^2,  s >= zero;   v = rest - below ((zero - s)/zero)^2,  s < zero   (5)
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "phiflex/mesh/bounds.h"
#include "phiflex/mesh/zlib_bytes.h"
#include "phiflex/record/motion_reader.h"

namespace phiflex {

// Frames are added, then encoded together. Keeps 32 bytes per vertex and frame, and 4 for each number of a field.
class MotionChunk {
 public:
  // Positions outside of `clip` (a motion that diverges) are moved to its border, those that are no numbers to
  // its low corner. numbers: of the frames' fields, those that are kept.
  MotionChunk(std::size_t vertices, const Bounds& clip, std::vector<FieldNumber> numbers = {})
      : vertices_(vertices), clip_(clip), numbers_(std::move(numbers)), fields_(numbers_.size()) {}

  // std::invalid_argument when the frame has another number of vertices.
  void add(const VisibleFrame& frame);
  std::size_t frames() const { return positions_.size(); }
  void clear();

  // Coordinates are kept to half of `finest` (m), or to half a 65535th of the chunk's extent where that is more.
  std::string encode(double finest, ZlibEffort effort) const;

 private:
  std::size_t vertices_;
  Bounds clip_;
  std::vector<std::vector<Point3>> positions_;  // [frame][vertex]
  std::vector<std::vector<float>> speeds_, energies_;
  std::vector<FieldNumber> numbers_;
  std::vector<std::vector<std::vector<float>>> fields_;  // [number][frame][vertex]
};

}  // namespace phiflex
