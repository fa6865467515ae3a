#include "phiflex/record/frame_selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "phiflex/base/errors.h"
#include "phiflex/base/scanner.h"

namespace phiflex {
namespace {

std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t comma = text.find(',');
    parts.push_back(text.substr(0, comma));
    if (comma == text.npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

class Selection {
 public:
  explicit Selection(const MotionReader& motion) : motion_(motion) {}

  void add(std::string_view part) {
    const std::int64_t last = static_cast<std::int64_t>(motion_.frames()) - 1;
    if (part == "last") return add(last, last, 1, part);
    if (part == "all") return add(0, last, 1, part);
    std::int64_t from = 0, to = 0, every = 1;
    const std::size_t colon = part.find(':'), dash = part.find('-', 1);
    const std::string_view range = part.substr(0, colon);
    bool good = colon == part.npos || (parse_integer(part.substr(colon + 1), every) && every > 0);
    if (dash < range.size()) {
      const std::string_view end = range.substr(dash + 1);
      to = last;
      good = good && parse_integer(range.substr(0, dash), from) && (end == "last" || parse_integer(end, to));
    } else {
      good = good && parse_integer(range, from) && colon == part.npos;
      to = from;
    }
    if (!good)
      problems_.push_back({"", "--frames",
                           fmt::format("'{}' is not a frame; expected numbers such as 0,50,100, ranges such "
                                       "as 0-100 or 0-100:10, 'last' or 'all'",
                                       part)});
    else
      add(from, to, every, part);
  }

  std::vector<std::size_t> finish() {
    if (!problems_.empty()) throw InputError(std::move(problems_));
    return std::move(frames_);
  }

 private:
  void add(std::int64_t from, std::int64_t to, std::int64_t every, std::string_view part) {
    const std::int64_t last = static_cast<std::int64_t>(motion_.frames()) - 1;
    if (from < 0 || to > last || from > to) {
      problems_.push_back({motion_.folder().root.string(), "--frames",
                           last < 0
                               ? std::string("the run has no frames")
                               : fmt::format("there is no frame {}; the run has frames 0 to {} (0 to {:g} s)",
                                             part, last, motion_.time(static_cast<std::size_t>(last)))});
      return;
    }
    for (std::int64_t f = from; f <= to; f += every) frames_.push_back(static_cast<std::size_t>(f));
  }

  const MotionReader& motion_;
  std::vector<std::size_t> frames_;
  std::vector<Problem> problems_;
};

}  // namespace

std::vector<std::size_t> select_frames(std::string_view text, const MotionReader& motion) {
  Selection selection(motion);
  for (const std::string_view part : parts_of(text)) selection.add(part);
  return selection.finish();
}

std::vector<std::size_t> select_times(std::string_view text, const MotionReader& motion) {
  std::vector<std::size_t> frames;
  std::vector<Problem> problems;
  for (const std::string_view part : parts_of(text)) {
    double time = 0;
    if (!parse_real(part, time) || !std::isfinite(time)) {
      problems.push_back(
          {"", "--times", fmt::format("'{}' is not a time; expected seconds such as 0,0.5,1", part)});
      continue;
    }
    if (motion.frames() == 0) continue;
    const double first = motion.time(0), last = motion.time(motion.frames() - 1);
    // Half a frame beyond the ends is rounding.
    const double slack =
        motion.frames() > 1 ? 0.5 * (last - first) / static_cast<double>(motion.frames() - 1) : 1e-9;
    if (time < first - slack || time > last + slack) {
      problems.push_back(
          {motion.folder().root.string(), "--times",
           fmt::format("there is no frame at {} s; the run's are from {:g} to {:g} s", part, first, last)});
      continue;
    }
    std::size_t best = 0;
    for (std::size_t f = 1; f < motion.frames(); ++f)
      if (std::abs(motion.time(f) - time) < std::abs(motion.time(best) - time)) best = f;
    frames.push_back(best);
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return frames;
}

std::vector<std::size_t> spread_frames(std::size_t count, const MotionReader& motion) {
  std::vector<std::size_t> frames;
  count = std::min(count, motion.frames());
  for (std::size_t i = 0; i < count; ++i)
    frames.push_back(count == 1 ? 0 : i * (motion.frames() - 1) / (count - 1));
  return frames;
}

}  // namespace phiflex
