#include "phiflex/reproduce/strip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "phiflex/base/errors.h"
#include "phiflex/mesh/bounds.h"
#include "phiflex/picture/figures.h"

namespace phiflex {
namespace {

constexpr int kWidth = 1000, kSamples = 6, kThumbnailWidth = 480, kThumbnailHeight = 270;
constexpr std::size_t kThumbnailRuns = 3;
constexpr double kNear = 3;  // times the room that the good runs take

const Quantity& colour_called(const std::string& word) {
  if (const Quantity* known = find_quantity(word)) return *known;
  throw InputError("", "strip", fmt::format("there is no colour \"{}\"", word));
}

struct Candidate {
  std::string name;
  const RunAccount* account;
  MotionReader motion;
  bool good() const { return account->status.starts_with("done"); }
};

// Where the points that can be drawn lie; nullopt when one cannot.
std::optional<Bounds> room_of(const MotionReader& motion, std::size_t frame) {
  VisibleFrame points;
  motion.read(frame, points);
  if (points.positions.empty() || !std::all_of(points.positions.begin(), points.positions.end(), is_drawable))
    return std::nullopt;
  return bounds_of(points.positions);
}

// The run's frames nearest to evenly spread moments up to `end`, each once.
std::vector<std::size_t> moments_of(const MotionReader& motion, int count, double end) {
  std::vector<std::size_t> frames;
  const double apart = count > 1 ? end / (count - 1) : end;
  for (int i = 0; i < count; ++i) {
    const double time = count > 1 ? apart * i : end;
    std::size_t best = 0;
    for (std::size_t k = 1; k < motion.frames(); ++k)
      if (std::abs(motion.time(k) - time) < std::abs(motion.time(best) - time)) best = k;
    if (std::abs(motion.time(best) - time) > 0.5 * apart && apart > 0) continue;
    if (frames.empty() || frames.back() != best) frames.push_back(best);
  }
  return frames;
}

void add_remark(std::string& remark, const std::string& sentence) {
  remark += (remark.empty() ? "" : " ") + sentence;
}

std::vector<Candidate> candidates(const StripSpec& spec, const Outcome& outcome, std::string& remark) {
  std::vector<Candidate> found;
  for (std::size_t i = 0; i < spec.runs.size(); ++i) {
    const auto run = std::find_if(outcome.runs.begin(), outcome.runs.end(),
                                  [&](const RunAccount& one) { return one.name == spec.runs[i]; });
    if (run == outcome.runs.end() || run->folder.empty()) {
      add_remark(remark, fmt::format("There is no run {}.", spec.runs[i]));
      continue;
    }
    Candidate one{i < spec.names.size() ? spec.names[i] : spec.runs[i], &*run,
                  MotionReader(RunFolder{run->folder})};
    if (one.motion.frames() == 0) {
      add_remark(remark, fmt::format("The run {} has no frames.", spec.runs[i]));
      continue;
    }
    if (!one.good()) one.name += " (" + run->status + ")";
    found.push_back(std::move(one));
  }
  return found;
}

Image draw_last_moments(const std::vector<PictureRun>& runs, SheetOptions options) {
  options.width = kThumbnailWidth;
  options.height = kThumbnailHeight;
  options.text_size = 14;
  RunStages stages;
  Row row;
  for (std::size_t r = 0; r < std::min(runs.size(), kThumbnailRuns); ++r) {
    stages.push_back(std::make_unique<RunStage>(runs[r].folder));
    row.cells.push_back({r, runs[r].frames.back(), runs.size() > 1 ? runs[r].name : ""});
  }
  const std::span<const Row> rows(&row, 1);
  return Sheet(stages, rows, row.cells, options).draw(rows);
}

DrawnStrip drawn(const StripSpec& spec, const Outcome& outcome) {
  DrawnStrip strip;
  const std::vector<Candidate> runs = candidates(spec, outcome, strip.remark);
  double end = 0;
  for (const Candidate& run : runs) end = std::max(end, run.motion.time(run.motion.frames() - 1));

  std::vector<PictureRun> rows;
  for (const Candidate& run : runs)
    rows.push_back({run.name, run.motion.folder(), moments_of(run.motion, std::max(spec.moments, 1), end)});

  // The room of the good runs; where there are none, that of every first frame.
  std::optional<Bounds> room;
  const auto widen = [&room](const std::optional<Bounds>& more) {
    if (more) room = room ? united(*room, *more) : *more;
  };
  for (std::size_t r = 0; r < runs.size(); ++r) {
    widen(room_of(runs[r].motion, 0));
    if (runs[r].good())
      for (const std::size_t frame : rows[r].frames) widen(room_of(runs[r].motion, frame));
  }
  for (std::size_t r = 0; r < runs.size(); ++r) {
    if (runs[r].good() || !room) continue;
    const Point3 middle = 0.5 * (room->low + room->high);
    const double reach = kNear * norm(room->high - middle);
    const std::size_t before = rows[r].frames.size();
    std::erase_if(rows[r].frames, [&](std::size_t frame) {
      const std::optional<Bounds> taken = room_of(runs[r].motion, frame);
      return !taken || norm(taken->low - middle) > reach || norm(taken->high - middle) > reach;
    });
    if (rows[r].frames.size() < before)
      add_remark(strip.remark, fmt::format("Moments of {} that lie far outside are left out.", runs[r].name));
  }
  std::erase_if(rows, [](const PictureRun& row) { return row.frames.empty(); });
  if (rows.empty()) {
    add_remark(strip.remark, "There is nothing to be drawn.");
    return strip;
  }
  SheetOptions sheet;
  sheet.width = kWidth;
  sheet.samples = kSamples;
  sheet.text_size = 15;
  sheet.quantity = colour_called(spec.colour);
  sheet.view.azimuth = spec.azimuth;
  sheet.view.elevation = spec.elevation;
  strip.image = draw_strip(rows, sheet);
  strip.thumbnail = draw_last_moments(rows, sheet);
  return strip;
}

}  // namespace

DrawnStrip draw_outcome_strip(const StripSpec& spec, const Outcome& outcome) {
  try {
    return drawn(spec, outcome);
  } catch (const InputError& error) {
    return {{}, {}, fmt::format("The pictures could not be drawn: {}.", error.what())};
  } catch (const FileError& error) {
    return {{}, {}, fmt::format("The pictures could not be drawn: {}.", error.what())};
  }
}

}  // namespace phiflex
