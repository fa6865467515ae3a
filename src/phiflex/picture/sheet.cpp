#include "phiflex/picture/sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "phiflex/base/errors.h"
#include "phiflex/mesh/bounds.h"
#include "phiflex/picture/lettering.h"
#include "phiflex/picture/palette.h"

namespace phiflex {
namespace {

constexpr double kMargin = 0.05;  // of a cell, round the motion
const Colour kInk = from_srgb(0x3a434d), kFaintInk = from_srgb(0x66717d);

std::vector<Point3> drawable_points(std::vector<Point3> points) {
  std::erase_if(points, [](const Point3& x) { return !is_drawable(x); });
  return points;
}

}  // namespace

Sheet::Sheet(const RunStages& runs, std::span<const Row> layout, std::span<const Cell> cells,
             const SheetOptions& options)
    : runs_(runs), options_(options) {
  look_.quantity = options.quantity;
  survey(cells);
  lay_out(layout);
  place_tubes();
}

void Sheet::read_frame(const RunStage& run, std::size_t number, VisibleFrame& frame) const {
  run.read(
      number, frame,
      look_.quantity.colour_by == ColourBy::field ? FrameParts::motion_and_fields : FrameParts::motion_only);
}

void Sheet::survey(std::span<const Cell> cells) {
  double lowest = INFINITY;
  ScaleFinder finder(look_.quantity);
  VisibleFrame frame;
  std::vector<std::pair<const RunStage*, double>> moments;
  for (const Cell& cell : cells) {
    const RunStage& run = *runs_.at(cell.run);
    read_frame(run, cell.frame, frame);
    const std::vector<Point3> points = drawable_points(frame.positions);
    extremes_.add(points);
    for (const Point3& x : points) lowest = std::min(lowest, x[1]);
    finder.add(run.numbers(frame, look_.quantity));
    moments.emplace_back(&run, frame.time);
  }
  look_.scale = finder.scale();
  if (options_.low) look_.scale.low = *options_.low;
  if (options_.high) look_.scale.high = *options_.high;

  const auto measure = [&] {
    if (extremes_.points().empty()) return;
    const Bounds bounds = bounds_of(extremes_.points());
    look_.middle = 0.5 * (bounds.low + bounds.high);
    look_.radius = std::max(0.5 * norm(bounds.high - bounds.low), 1e-12);
  };
  measure();
  // DrawnObstacles are to be seen as well, unless they would dwarf the bodies.
  const Point3 middle = look_.middle;
  const double limit = 3 * look_.radius;
  for (const auto& [run, time] : moments)
    for (const DrawnObstacle& obstacle : run->obstacles().solids) {
      const Surface surface = obstacle.at(time);
      const bool near = std::all_of(surface.vertices.begin(), surface.vertices.end(),
                                    [&](const Point3& x) { return norm(x - middle) < limit; });
      if (near) extremes_.add(surface.vertices);
    }
  measure();

  if (options_.ground == Ground::never) return;
  for (const auto& run : runs_)
    if (const auto floor = run->obstacles().floor)
      look_.ground = std::min(*floor, look_.ground.value_or(*floor));
  // A little lower than it is: what lies on it would flicker.
  if (look_.ground) *look_.ground -= 2e-3 * look_.radius;
  if (options_.ground == Ground::always && !look_.ground) look_.ground = std::isfinite(lowest) ? lowest : 0;
}

std::vector<Sheet::Kind> Sheet::kinds() const {
  std::vector<Kind> kinds;
  const RunStage& first = *runs_.front();
  if (look_.quantity.colour_by == ColourBy::body) {
    for (std::size_t b = 0; b < first.bodies().size(); ++b)
      kinds.push_back(
          {first.bodies()[b].empty() ? fmt::format("body {}", b) : first.bodies()[b], colour_of_kind(b)});
  } else if (look_.quantity.colour_by == ColourBy::region) {
    const std::vector<int> regions = first.regions();
    for (std::size_t r = 0; r < regions.size(); ++r)
      kinds.push_back({fmt::format("region {}", regions[r]), colour_of_kind(r)});
  }
  if (kinds.size() < 2 || kinds.size() > 8) kinds.clear();
  return kinds;
}

void Sheet::lay_out(std::span<const Row> rows) {
  std::size_t columns = 1;
  bool headed = false, captioned = false;
  for (const Row& row : rows) {
    columns = std::max(columns, row.cells.size());
    headed = headed || !row.heading.empty();
    for (const Cell& cell : row.cells) captioned = captioned || !cell.caption.empty();
  }
  width_ = options_.width;
  text_ = options_.text_size > 0 ? options_.text_size : std::clamp(width_ / 70.0, 11.0, 40.0);
  if (options_.lettering == Lettering::shown) {
    heading_ = headed ? std::round(1.9 * text_) : 0;
    caption_ = captioned ? std::round(1.7 * text_) : 0;
    legend_ = look_.quantity.is_number() || !kinds().empty() ? std::round(2.2 * text_) : 0;
  }
  const auto rows_count = static_cast<double>(std::max<std::size_t>(1, rows.size()));
  const double words = rows_count * (heading_ + caption_) + legend_;
  cell_width_ = static_cast<int>(width_ / static_cast<double>(columns));
  if (options_.height > 0) {
    height_ = options_.height;
    cell_height_ = static_cast<int>((height_ - words) / rows_count);
  } else {
    const double aspect = std::clamp(Camera::best_aspect(options_.view, extremes_.points()), 0.4, 3.5);
    cell_height_ = static_cast<int>(std::lround(cell_width_ / aspect));
    height_ = static_cast<int>(std::lround(rows_count * cell_height_ + words));
  }
  if (cell_width_ < 8 || cell_height_ < 8)
    throw InputError(
        "", "",
        fmt::format("a sheet of {} x {} pixels leaves {} x {} for each of {} x {} pictures; at least "
                    "8 x 8 are needed",
                    width_, height_, cell_width_, std::max(cell_height_, 0), columns, rows.size()));
  View view = options_.view;
  view.zoom *= 1 - 2 * kMargin;
  camera_.emplace(view, extremes_.points(), static_cast<double>(cell_width_) / cell_height_);
  look_.eye = camera_->place();
}

void Sheet::place_tubes() {
  double spring = 0;
  for (const auto& run : runs_) spring = std::max(spring, run->typical_spring());
  look_.tube_radius = options_.tube_radius > 0
                          ? options_.tube_radius
                          : std::clamp(0.12 * spring, 0.0015 * look_.radius, 0.006 * look_.radius);
  // Thinner than this they would break up between the samples.
  const double pixels = camera_->size_of_unit(cell_height_, look_.middle);
  look_.least_width = 1.4 / pixels;
  look_.tube_radius = std::max(look_.tube_radius, 0.5 * look_.least_width);
}

Image Sheet::draw_cell(const Cell& cell) const {
  const RunStage& run = *runs_.at(cell.run);
  VisibleFrame frame;
  read_frame(run, cell.frame, frame);
  return render(run.at(frame, look_), *camera_,
                {.width = cell_width_,
                 .height = cell_height_,
                 .samples = options_.samples,
                 .background = options_.background});
}

Image Sheet::draw(std::span<const Row> rows) const {
  Image sheet(width_, height_, options_.background == Background::white ? Pixel{1, 1, 1, 1} : Pixel{});
  double top = 0;
  for (const Row& row : rows) {
    if (heading_ > 0)
      draw_text(row.heading, 0.6 * text_, top + heading_ - 0.5 * text_, Align::left,
                {.size = 1.1 * text_, .colour = kInk, .weight = 0.095}, sheet);
    top += heading_;
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      const int left = static_cast<int>(c) * cell_width_;
      sheet.blend(left, static_cast<int>(top), draw_cell(row.cells[c]));
      if (caption_ > 0)
        draw_text(row.cells[c].caption, left + 0.5 * cell_width_, top + cell_height_ + caption_ - 0.6 * text_,
                  Align::centre, {.size = text_, .colour = kFaintInk}, sheet);
    }
    top += cell_height_ + caption_;
  }
  if (legend_ > 0) draw_legend(sheet);
  return sheet;
}

void Sheet::draw_legend(Image& sheet) const {
  const double baseline = height_ - 0.75 * text_;
  if (look_.quantity.is_number()) {
    draw_scale(sheet, 0.5 * width_, baseline);
    return;
  }
  const std::vector<Kind> all = kinds();
  const double swatch = 0.75 * text_, gap = 0.5 * text_, between = 1.6 * text_;
  double total = -between;
  for (const Kind& kind : all) total += swatch + gap + text_width(kind.name, text_) + between;
  double x = 0.5 * (width_ - total);
  for (const Kind& kind : all) {
    for (int j = static_cast<int>(baseline - swatch); j < static_cast<int>(baseline); ++j)
      for (int i = static_cast<int>(x); i < static_cast<int>(x + swatch); ++i)
        sheet.blend(i, j, opaque(kind.colour));
    draw_text(kind.name, x + swatch + gap, baseline, Align::left, {.size = text_, .colour = kFaintInk},
              sheet);
    x += swatch + gap + text_width(kind.name, text_) + between;
  }
}

void Sheet::draw_scale(Image& sheet, double middle_x, double baseline) const {
  const Pen pen{.size = text_, .colour = kFaintInk};
  const double bar = 12 * text_, gap = 0.6 * text_;
  const int left = static_cast<int>(middle_x - 0.5 * bar), right = static_cast<int>(middle_x + 0.5 * bar);
  for (int i = left; i < right; ++i) {
    const Colour colour =
        colour_of_number((i + 0.5 - left) / (right - left), look_.scale.two_sided ? Sides::two : Sides::one);
    for (int j = static_cast<int>(baseline - 0.75 * text_); j < static_cast<int>(baseline); ++j)
      sheet.blend(i, j, opaque(colour));
  }
  std::string name = look_.quantity.name;
  std::replace(name.begin(), name.end(), '-', ' ');
  const std::string unit = runs_.front()->unit_of(look_.quantity);
  draw_text(fmt::format("{}   {:.4g}", name, look_.scale.low), left - gap, baseline, Align::right, pen,
            sheet);
  draw_text(fmt::format("{:.4g} {}", look_.scale.high, unit), right + gap, baseline, Align::left, pen, sheet);
}

}  // namespace phiflex
