// Motions small enough to go into a page that opens from disk. When they are too large, the components of tensors are
// left out first, then the positions get coarser, then only every second, third, ... frame is kept; never more than
// 3000 are.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "phiflex/record/motion_reader.h"

namespace phiflex {

// A motion that is to be embedded; frames come one at a time.
struct MotionSource {
  const VisibleShape* shape = nullptr;
  std::vector<std::string> bodies;                                 // names
  std::vector<double> times;                                       // s, of all frames
  std::function<bool(std::size_t frame, VisibleFrame& out)> read;  // false: this frame cannot be read
  std::string all_frames;                 // how to see them all, in words; for the note of those left out
  std::vector<FieldNumber> numbers = {};  // of the frames' fields
};

// Of a run folder; the reader must outlive it.
MotionSource motion_source(const MotionReader& reader, std::vector<std::string> bodies);

struct EmbeddedMotion {
  nlohmann::ordered_json header;    // MOTION; null when nothing can be shown
  std::vector<std::string> chunks;  // compressed
  std::string remark;               // why nothing is shown, or what could not be read; else empty
};

// `limit`: bytes of all chunks together. All motions keep the same of their frames, so that those which have
// frames at common times stay in step. Reads and encodes no more than a few times what fits.
std::vector<EmbeddedMotion> embed_motions(std::span<const MotionSource> motions, std::size_t limit);

}  // namespace phiflex
