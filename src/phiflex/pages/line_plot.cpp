#include "phiflex/pages/line_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "phiflex/base/text.h"
#include "phiflex/mesh/xml_tags.h"

namespace phiflex {
namespace {

constexpr double left = 76, top = 14, bottom = 50, legend_gap = 18, legend_width = 196;  // pixels
constexpr double line_height = 17, sample_width = 26;
constexpr std::size_t legend_letters = 22;  // that fit beside the sample
constexpr double rounding = 1e-9;  // of the larger end: what is narrower has no digits to label ticks with
constexpr int most_ticks = 200;

constexpr std::string_view light_colors =
    "--plot-ground: #ffffff; --plot-ink: #1c2229; --plot-muted: #66707b; --plot-grid: #e6e7e3; --plot-0: "
    "#0b6c8e; --plot-1: #d0641b; --plot-2: #3a8a51; --plot-3: #b23a6f; --plot-4: #7357bd; --plot-5: #9a7b0c; "
    "--plot-6: #c4353b; --plot-7: #4b5a68; --plot-8: #12857f; --plot-9: #8c5a2b; --plot-10: #5f7f1a; "
    "--plot-11: #3a53b8;";
constexpr std::string_view dark_colors =
    "--plot-ground: #191f26; --plot-ink: #e7eaee; --plot-muted: #93a0ad; --plot-grid: #2b343e; --plot-0: "
    "#62c4e8; --plot-1: #f2a054; --plot-2: #71c98c; --plot-3: #ee86b4; --plot-4: #b39af0; --plot-5: #e3c05a; "
    "--plot-6: #ff7d7d; --plot-7: #a9b8c6; --plot-8: #55c8c1; --plot-9: #d3a273; --plot-10: #b5d06a; "
    "--plot-11: #8fa8ff;";

// A picture of its own follows the reader's setting, on a ground of its own.
std::string own_style() {
  return fmt::format(
      "<style>\nsvg {{ {} }}\n@media (prefers-color-scheme: dark) {{ svg {{ {} }} }}\n</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"var(--plot-ground)\"/>\n",
      light_colors, dark_colors);
}

struct Tick {
  double value;
  bool labelled;
};

// From data to pixels along one direction.
class Axis {
 public:
  Axis(const PlotAxis& axis, double low, double high, double from, double to)
      : log_(axis.scale == AxisScale::logarithmic), low_(low), high_(high), from_(from), to_(to) {}

  bool shows(double value) const { return std::isfinite(value) && (!log_ || value > 0); }
  // Far outside, the pixel is held near the frame, so that every number in the file stays short.
  double operator()(double value) const {
    const double fraction = (along(value) - along(low_)) / (along(high_) - along(low_));
    return from_ + std::clamp(fraction, -2.0, 3.0) * (to_ - from_);
  }
  std::vector<Tick> ticks() const { return log_ ? logarithmic_ticks() : linear_ticks(); }

 private:
  double along(double value) const { return log_ ? std::log10(value) : value; }

  std::vector<Tick> linear_ticks() const {
    const double wanted = std::max(3.0, std::abs(to_ - from_) / 50);
    const double raw = (high_ - low_) / wanted, power = std::pow(10, std::floor(std::log10(raw)));
    double step = 10 * power;
    for (const double factor : {5., 2., 1.})
      if (factor * power >= raw) step = factor * power;
    std::vector<Tick> ticks;
    const double slack = 1e-9 * (high_ - low_);
    const double first = std::ceil((low_ - slack) / step);
    for (int k = 0; k <= most_ticks && (first + k) * step <= high_ + slack; ++k)
      ticks.push_back({(first + k) * step, true});
    return ticks;
  }
  // Every decade, labelled as far as there is room; 2 and 5 between where there are few.
  std::vector<Tick> logarithmic_ticks() const {
    const double decades = std::log10(high_ / low_);
    const int every = std::max(1, static_cast<int>(std::ceil(decades / (std::abs(to_ - from_) / 45))));
    std::vector<Tick> ticks;
    for (int k = static_cast<int>(std::floor(std::log10(low_))); std::pow(10, k) <= high_ * (1 + 1e-9); ++k)
      for (const int factor : {1, 2, 3, 4, 5, 6, 7, 8, 9}) {
        const double value = factor * std::pow(10, k);
        if (value < low_ * (1 - 1e-9) || value > high_ * (1 + 1e-9)) continue;
        if (factor > 1 && decades > 6) continue;
        const bool labelled = factor == 1 ? k % every == 0 : (factor == 2 || factor == 5) && decades < 2.2;
        ticks.push_back({value, labelled});
      }
    return ticks;
  }

  bool log_;
  double low_, high_, from_, to_;
};

std::string tick_text(double value) {
  if (std::abs(value) < 1e-12) return "0";
  const double size = std::abs(value);
  return size >= 1e5 || size < 1e-3 ? fmt::format("{:.3g}", value) : fmt::format("{:.6g}", value);
}

struct Extent {
  double low, high;
};

// Values that differ by rounding alone, or not at all.
bool is_rounding(double low, double high) {
  return high - low <= std::max(rounding * std::max(std::abs(low), std::abs(high)), 1e-300);
}
void widen(double& low, double& high) {
  low -= std::max(0.5, std::abs(low) / 10), high += std::max(0.5, std::abs(high) / 10);
}

Extent extent_of(const PlotAxis& axis, const std::vector<PlotSeries>& series,
                 const std::vector<double> PlotSeries::*values) {
  const bool log = axis.scale == AxisScale::logarithmic;
  double low = INFINITY, high = -INFINITY;
  for (const PlotSeries& one : series)
    for (const double value : one.*values) {
      if (!std::isfinite(value) || (log && value <= 0)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  if (low > high) low = log ? 0.1 : 0, high = 1;
  if (log) {
    if (high / low < 2) low /= 1.5, high *= 1.5;
    const double margin = std::pow(high / low, 0.03);
    low /= margin, high *= margin;
  } else {
    if (is_rounding(low, high)) widen(low, high);
    const double margin = 0.04 * (high - low);
    low -= margin, high += margin;
  }
  if (axis.low) low = *axis.low;
  if (axis.high) high = *axis.high;
  // A range given at one end only may leave the data outside.
  if (!(low < high))
    (axis.low ? high : low) = log ? (axis.low ? 10 * low : high / 10) : (axis.low ? low + 1 : high - 1);
  if (!log && is_rounding(low, high)) widen(low, high);
  return {low, high};
}

// The legend's name in lines of bounded length, broken after blanks and colons.
std::vector<std::string> wrapped(const std::string& text) {
  std::vector<std::string> lines(1);
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(" :"), rest.size() - 1) + 1;
    if (!lines.back().empty() && lines.back().size() + end > legend_letters + 1) lines.emplace_back();
    lines.back().append(rest.substr(0, end));
    rest.remove_prefix(end);
  }
  return lines;
}

// A shape for each series, so that colour is not the only difference.
std::string dot(int shape, double x, double y) {
  switch (shape % 4) {
    case 0:
      return fmt::format("M{:.1f} {:.1f}m-3.6 0a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0 -7.2 0Z", x, y);
    case 1:
      return fmt::format("M{:.1f} {:.1f}m-3.3 -3.3h6.6v6.6h-6.6Z", x, y);
    case 2:
      return fmt::format("M{:.1f} {:.1f}m0 -4.4l4.2 7.4h-8.4Z", x, y);
    default:
      return fmt::format("M{:.1f} {:.1f}m0 -4.6l4.6 4.6l-4.6 4.6l-4.6 -4.6Z", x, y);
  }
}

// How a series is told from the others.
struct Look {
  int color, shape;
  std::string_view dash;

  Look(const PlotSeries& series, int number)
      : color(series.color.value_or(number) % plot_color_count), shape(series.color.value_or(number)) {
    static constexpr std::array<std::string_view, 3> dashes = {"", "8 4", "2 3"};
    const int round = series.color.value_or(number) / plot_color_count;
    dash =
        series.style == SeriesStyle::dashed ? "5 4" : dashes[static_cast<std::size_t>(round) % dashes.size()];
  }
  std::string stroke() const {
    return fmt::format("stroke=\"var(--plot-{})\"{}", color,
                       dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash));
  }
};

bool has_line(SeriesStyle style) {
  return style != SeriesStyle::dots;
}
bool has_dots(SeriesStyle style) {
  return style == SeriesStyle::dots || style == SeriesStyle::line_and_dots;
}

void draw_axes(const LinePlot& plot, const Axis& x, const Axis& y, double right, double low,
               std::string& svg) {
  svg += "<g stroke=\"var(--plot-grid)\" stroke-width=\"1\">\n";
  for (const Tick& tick : x.ticks())
    append(svg, "<path d=\"M{0:.1f} {1:.1f}V{2:.1f}\"{3}/>\n", x(tick.value), top, low,
           tick.labelled ? "" : " stroke-opacity=\"0.5\"");
  for (const Tick& tick : y.ticks())
    append(svg, "<path d=\"M{0:.1f} {1:.1f}H{2:.1f}\"{3}/>\n", left, y(tick.value), right,
           tick.labelled ? "" : " stroke-opacity=\"0.5\"");
  svg += "</g>\n";
  append(svg,
         "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" "
         "stroke=\"var(--plot-muted)\" stroke-opacity=\"0.7\"/>\n<g fill=\"var(--plot-muted)\">\n",
         left, top, right - left, low - top);
  for (const Tick& tick : x.ticks())
    if (tick.labelled)
      append(svg, "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", x(tick.value),
             low + 18, tick_text(tick.value));
  for (const Tick& tick : y.ticks())
    if (tick.labelled)
      append(svg, "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", left - 8,
             y(tick.value) + 4, tick_text(tick.value));
  append(svg,
         "</g>\n<g fill=\"var(--plot-ink)\" text-anchor=\"middle\">\n<text x=\"{:.1f}\" "
         "y=\"{:.1f}\">{}</text>\n<text transform=\"translate(16 {:.1f}) rotate(-90)\">{}</text>\n</g>\n",
         (left + right) / 2, low + 40, with_entities(plot.x.label), (top + low) / 2,
         with_entities(plot.y.label));
}

void draw_series(const PlotSeries& series, const Look& look, const Axis& x, const Axis& y, std::string& svg) {
  const std::size_t count = std::min(series.x.size(), series.y.size());
  const auto shown = [&](std::size_t i) { return x.shows(series.x[i]) && y.shows(series.y[i]); };
  if (has_line(series.style)) {
    append(svg, "<path fill=\"none\" {} stroke-width=\"2\" stroke-linejoin=\"round\" d=\"", look.stroke());
    bool drawing = false;
    for (std::size_t i = 0; i < count; ++i) {
      if (shown(i)) append(svg, "{}{:.1f} {:.1f}", drawing ? "L" : "M", x(series.x[i]), y(series.y[i]));
      drawing = shown(i);
    }
    append(svg, "\"><title>{}</title></path>\n", with_entities(series.name));
  }
  if (!has_dots(series.style)) return;
  for (std::size_t i = 0; i < count; ++i) {
    if (!shown(i)) continue;
    const std::string words = fmt::format("{}: {:.4g}, {:.4g}", series.name, series.x[i], series.y[i]);
    append(svg, "<path fill=\"var(--plot-{})\" d=\"{}\"><title>{}</title></path>\n", look.color,
           dot(look.shape, x(series.x[i]), y(series.y[i])), with_entities(words));
  }
}

}  // namespace

std::string line_plot_svg(const LinePlot& plot) {
  std::vector<std::vector<std::string>> names;
  double legend_height = 0;
  for (const PlotSeries& series : plot.series) {
    names.push_back(wrapped(series.name));
    if (!series.name.empty()) legend_height += line_height * static_cast<double>(names.back().size()) + 3;
  }
  const double width = plot.width, height = std::max<double>(plot.height, top + legend_height + 12);
  const double right = width - (legend_height > 0 ? legend_gap + legend_width : 16), low = height - bottom;
  const Extent wide = extent_of(plot.x, plot.series, &PlotSeries::x);
  const Extent tall = extent_of(plot.y, plot.series, &PlotSeries::y);
  const Axis x(plot.x, wide.low, wide.high, left, right), y(plot.y, tall.low, tall.high, low, top);

  // Several drawings on one page need clip paths of their own.
  const std::string clip = fmt::format("clip-{:.0f}-{:.0f}-{:.0f}-{:.0f}", left, top, right, low);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" font-family=\"system-ui, 'Segoe UI', 'Noto Sans', "
      "'DejaVu Sans', sans-serif\" font-size=\"12.5\">\n<title>{2}</title>\n",
      width, height, with_entities(plot.title));
  svg += own_style();
  draw_axes(plot, x, y, right, low, svg);
  append(svg,
         "<clipPath id=\"{}\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
         "height=\"{:.1f}\"/></clipPath>\n<g clip-path=\"url(#{})\">\n",
         clip, left, top, right - left, low - top, clip);
  int number = 0;
  std::vector<Look> looks;
  for (const PlotSeries& series : plot.series) {
    looks.emplace_back(series, number);
    if (!series.color) ++number;
  }
  for (std::size_t i = plot.series.size(); i-- > 0;) draw_series(plot.series[i], looks[i], x, y, svg);
  svg += "</g>\n<g fill=\"var(--plot-ink)\">\n";
  double at = top + 9;
  const double sample = right + legend_gap;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const PlotSeries& series = plot.series[i];
    if (series.name.empty()) continue;
    if (has_line(series.style))
      append(svg, "<path {} stroke-width=\"2.5\" d=\"M{:.1f} {:.1f}h{:.0f}\"/>\n", looks[i].stroke(), sample,
             at, sample_width);
    if (has_dots(series.style))
      append(svg, "<path fill=\"var(--plot-{})\" d=\"{}\"/>\n", looks[i].color,
             dot(looks[i].shape, sample + sample_width / 2, at));
    for (const std::string& line : names[i]) {
      append(svg, "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", sample + sample_width + 8, at + 4,
             with_entities(line));
      at += line_height;
    }
    at += 3;
  }
  return svg + "</g>\n</svg>\n";
}

}  // namespace phiflex
