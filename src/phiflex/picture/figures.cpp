#include "phiflex/picture/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "phiflex/base/errors.h"
#include "phiflex/picture/film.h"

namespace phiflex {
namespace {

constexpr double kMostPictures = 100'000;

RunStages open_stages(const std::vector<PictureRun>& runs) {
  RunStages stages;
  for (const PictureRun& run : runs) stages.push_back(std::make_unique<RunStage>(run.folder));
  return stages;
}

// "0.5 s": as many digits as tell the moments apart.
std::string time_words(double time, double least_difference) {
  const int digits =
      std::clamp(static_cast<int>(std::ceil(-std::log10(std::max(least_difference, 1e-9)) - 1e-9)), 0, 9);
  return fmt::format("{:.{}f} s", std::abs(time) < 1e-12 ? 0.0 : time, digits);
}

// The frame among those to be shown that is nearest in time; the earlier of two.
std::size_t nearest_frame(const MotionReader& motion, const std::vector<std::size_t>& frames, double time) {
  return *std::min_element(frames.begin(), frames.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(motion.time(a) - time) < std::abs(motion.time(b) - time);
  });
}

}  // namespace

Image draw_strip(const std::vector<PictureRun>& runs, const SheetOptions& options) {
  const RunStages stages = open_stages(runs);
  double apart = 1;
  for (std::size_t r = 0; r < runs.size(); ++r)
    for (std::size_t i = 1; i < runs[r].frames.size(); ++i)
      apart = std::min(apart, std::abs(stages[r]->motion().time(runs[r].frames[i]) -
                                       stages[r]->motion().time(runs[r].frames[i - 1])));
  std::vector<Row> rows;
  std::vector<Cell> cells;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    Row& row = rows.emplace_back();
    if (runs.size() > 1) row.heading = runs[r].name;
    for (const std::size_t frame : runs[r].frames)
      row.cells.push_back({r, frame, time_words(stages[r]->motion().time(frame), 0.1 * apart)});
    cells.insert(cells.end(), row.cells.begin(), row.cells.end());
  }
  return Sheet(stages, rows, cells, options).draw(rows);
}

void write_film(const std::filesystem::path& file, const std::vector<PictureRun>& runs,
                const SheetOptions& options, const FilmOptions& film_options, const FilmProgress& progress) {
  const RunStages stages = open_stages(runs);
  double first = INFINITY, last = -INFINITY;
  for (std::size_t r = 0; r < runs.size(); ++r)
    for (const std::size_t frame : runs[r].frames) {
      first = std::min(first, stages[r]->motion().time(frame));
      last = std::max(last, stages[r]->motion().time(frame));
    }
  const double step = film_options.speed / film_options.frames_per_second;
  if (!((last - first) / step < kMostPictures))
    throw InputError(
        file.string(), "",
        fmt::format("at this speed the film would have {:.3g} pictures; at most {:.0f} are drawn",
                    (last - first) / step, kMostPictures));
  const auto count = static_cast<std::size_t>(std::floor((last - first) / step + 1e-9)) + 1;

  const auto row_at = [&](std::size_t k) {
    Row row;
    for (std::size_t r = 0; r < runs.size(); ++r) {
      const std::size_t frame =
          nearest_frame(stages[r]->motion(), runs[r].frames, first + static_cast<double>(k) * step);
      const std::string when = time_words(stages[r]->motion().time(frame), 0.01);
      row.cells.push_back({r, frame, runs.size() > 1 ? runs[r].name + "   " + when : when});
    }
    return row;
  };
  std::vector<Cell> cells;
  std::vector<Row> film_rows;
  for (std::size_t k = 0; k < count; ++k) {
    film_rows.push_back(row_at(k));
    cells.insert(cells.end(), film_rows.back().cells.begin(), film_rows.back().cells.end());
  }
  const auto frame_of_cell = [](const Cell& c) { return std::pair(c.run, c.frame); };
  std::sort(cells.begin(), cells.end(),
            [&](const Cell& a, const Cell& b) { return frame_of_cell(a) < frame_of_cell(b); });
  cells.erase(std::unique(cells.begin(), cells.end(),
                          [&](const Cell& a, const Cell& b) { return frame_of_cell(a) == frame_of_cell(b); }),
              cells.end());

  SheetOptions screen = options;  // even heights, as encoders want them
  if (screen.height == 0) screen.height = 2 * static_cast<int>(std::lround(screen.width * 9 / 32.0));
  const Sheet sheet(stages, std::span(&film_rows.front(), 1), cells, screen);
  Film film(file, sheet.width() + sheet.width() % 2, sheet.height() + sheet.height() % 2,
            film_options.frames_per_second);
  Image page(sheet.width() + sheet.width() % 2, sheet.height() + sheet.height() % 2, Pixel{1, 1, 1, 1});
  for (std::size_t k = 0; k < count; ++k) {
    const bool same = k > 0 && std::equal(film_rows[k].cells.begin(), film_rows[k].cells.end(),
                                          film_rows[k - 1].cells.begin(), [&](const Cell& a, const Cell& b) {
                                            return frame_of_cell(a) == frame_of_cell(b);
                                          });
    if (!same) page.blend(0, 0, sheet.draw(std::span(&film_rows[k], 1)));
    film.add(page);
    if (progress) progress(k + 1, count);
  }
  film.finish();
}

}  // namespace phiflex
