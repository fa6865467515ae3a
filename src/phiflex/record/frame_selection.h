// Which frames of a run a user means.
#pragma once

#include <string_view>
#include <vector>

#include "phiflex/record/motion_reader.h"

namespace phiflex {

// "0,50,100", "10-20", "0-100:10" (every tenth), "last", "all", and lists of these with commas. InputError names
// the frames that there are.
std::vector<std::size_t> select_frames(std::string_view text, const MotionReader& motion);

// Those nearest to some times (s), given as "0,0.5,1".
std::vector<std::size_t> select_times(std::string_view text, const MotionReader& motion);

// `count` of them, evenly from the first to the last; all when there are fewer.
std::vector<std::size_t> spread_frames(std::size_t count, const MotionReader& motion);

}  // namespace phiflex
