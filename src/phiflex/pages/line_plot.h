// Curves in a coordinate system as one SVG, made without any library: linear or logarithmic axes, a legend
// beside the drawing, light and dark. What cannot be drawn (not a number, or not positive on a logarithmic
// axis) leaves a gap; what lies outside a given range is cut off at the frame.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace phiflex {

enum class AxisScale { linear, logarithmic };

struct PlotAxis {
  std::string label;
  AxisScale scale = AxisScale::linear;
  std::optional<double> low, high;  // absent: as the data ask
};

enum class SeriesStyle { line, dashed, dots, line_and_dots };

inline constexpr int plot_color_count = 12;

struct PlotSeries {
  std::string name;  // in the legend; empty: not there
  std::vector<double> x = {}, y = {};
  SeriesStyle style = SeriesStyle::line;
  std::optional<int> color = {};  // absent: the next one; plot_color_count higher: another dash
};

struct LinePlot {
  std::string title;  // for readers that do not see the picture; not drawn
  PlotAxis x, y;
  std::vector<PlotSeries> series;
  int width = 900, height = 440;  // pixels; a long legend makes the picture taller
};

// The picture follows the reader's light or dark setting by itself, on a ground of its own.
std::string line_plot_svg(const LinePlot& plot);

}  // namespace phiflex
