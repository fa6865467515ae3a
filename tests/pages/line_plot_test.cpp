// Plots and pages: that data land where the axes say, and that names are text.
#include "phiflex/pages/line_plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>

namespace phiflex {
namespace {

LinePlot plot_of(PlotSeries series) {
  LinePlot plot;
  plot.x = {"x", AxisScale::logarithmic, 0.01, 100};
  plot.y = {"y", AxisScale::linear, 0, 2};
  plot.series = {std::move(series)};
  return plot;
}

std::string path_of_first_series(const std::string& svg) {
  std::smatch found;
  EXPECT_TRUE(std::regex_search(svg, found, std::regex("stroke-linejoin=\"round\" d=\"([^\"]*)\"")));
  return found[1];
}

// Left, right, top, bottom of the frame.
std::array<double, 4> frame_of(const std::string& svg) {
  std::smatch found;
  EXPECT_TRUE(std::regex_search(
      svg, found,
      std::regex(
          "<rect x=\"([\\d.]+)\" y=\"([\\d.]+)\" width=\"([\\d.]+)\" height=\"([\\d.]+)\" fill=\"none\"")));
  const double left = std::stod(found[1]), top = std::stod(found[2]);
  return {left, left + std::stod(found[3]), top, top + std::stod(found[4])};
}

TEST(LinePlot, PutsPointsWhereLogarithmicAndLinearAxesSay) {
  const std::string svg = line_plot_svg(plot_of({.name = "a", .x = {0.01, 1, 100}, .y = {0, 1, 2}}));
  const auto [left, right, top, bottom] = frame_of(svg);
  double x[3], y[3];
  ASSERT_EQ(std::sscanf(path_of_first_series(svg).c_str(), "M%lf %lfL%lf %lfL%lf %lf", &x[0], &y[0], &x[1],
                        &y[1], &x[2], &y[2]),
            6);
  const double digit = 0.11;  // one decimal is written
  EXPECT_NEAR(x[0], left, digit);
  EXPECT_NEAR(x[1], (left + right) / 2, digit);  // 1 is the middle of 0.01 and 100
  EXPECT_NEAR(x[2], right, digit);
  EXPECT_NEAR(y[0], bottom, digit);
  EXPECT_NEAR(y[1], (top + bottom) / 2, digit);
  EXPECT_NEAR(y[2], top, digit);
}

TEST(LinePlot, LeavesAGapWhereThereIsNothingToDraw) {
  const std::string svg =
      line_plot_svg(plot_of({.name = "a", .x = {0.1, 1, -1, 10, 20}, .y = {1, NAN, 1, 1, 1}}));
  const std::string path = path_of_first_series(svg);
  EXPECT_EQ(std::count(path.begin(), path.end(), 'M'), 2);
  EXPECT_EQ(std::count(path.begin(), path.end(), 'L'), 1);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(LinePlot, KeepsNumbersShortFarOutsideTheFrame) {
  const std::string svg = line_plot_svg(plot_of({.name = "a", .x = {0.1, 1}, .y = {1, 1e300}}));
  EXPECT_LT(path_of_first_series(svg).size(), 40U);
}

TEST(LinePlot, DrawsNothingButAxesWithoutData) {
  LinePlot empty;
  empty.x.scale = AxisScale::logarithmic;
  empty.series = {{.name = "none"}};
  const std::string svg = line_plot_svg(empty);
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

// Ticks a rounding apart have no number of their own: counting on from one to the next never ended.
TEST(LinePlot, ValuesThatDifferByRoundingAloneAreDrawnAsOne) {
  const std::vector<std::vector<double>> all = {{1, 1 + 2e-16},
                                                {0, 5e-324},
                                                {2.4525000000000006, 2.452500000000001},
                                                {-1e300, -1e300},
                                                {1e16, 1e16 + 2}};
  for (const std::vector<double>& values : all) {
    LinePlot plot;
    plot.series = {{.name = "a", .x = {1, 2}, .y = values}};
    const std::string svg = line_plot_svg(plot);
    EXPECT_LT(svg.size(), 20000U) << values[0];
    EXPECT_EQ(svg.find("nan"), std::string::npos) << values[0];
    EXPECT_NE(path_of_first_series(svg).find('L'), std::string::npos) << values[0];
    plot.y = {"y", AxisScale::linear, values[0], values[1]};
    EXPECT_LT(line_plot_svg(plot).size(), 20000U) << values[0];
  }
}

TEST(LinePlot, NamesAreTextNotMarkup) {
  const std::string svg = line_plot_svg(plot_of({.name = "<b>&\"", .x = {1}, .y = {1}}));
  EXPECT_EQ(svg.find("<b>"), std::string::npos);
  EXPECT_NE(svg.find("&lt;b&gt;&amp;"), std::string::npos);
}

TEST(LinePlot, FollowsTheReadersSetting) {
  const LinePlot plot = plot_of({.name = "a", .x = {1}, .y = {1}});
  EXPECT_NE(line_plot_svg(plot).find("prefers-color-scheme: dark"), std::string::npos);
}

}  // namespace
}  // namespace phiflex
