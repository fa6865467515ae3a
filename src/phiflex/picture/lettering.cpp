#include "phiflex/picture/lettering.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

namespace phiflex {
namespace {

// Units: a tenth of the size. The baseline is y = 0, capitals reach 7, small letters 5, tails -2.
// A path is a list of points "x y x y ..." and arcs "o cx cy rx ry from to" (degrees, anticlockwise when `to` is
// larger), joined by lines; ";" begins another.
struct Glyph {
  char character;
  double width;
  const char* paths;
};

constexpr Glyph glyphs[] = {
    {' ', 2.2, ""},
    {'0', 4, "o 2 3.5 2 3.5 0 360"},
    {'1', 4, "0.5 5.4 2.2 7 2.2 0"},
    {'2', 4, "o 2 5.1 1.9 1.9 165 -38 0.1 0 4 0"},
    {'3', 4, "o 1.9 5.3 1.7 1.7 150 -90 o 1.9 1.8 2 1.8 90 -150"},
    {'4', 4, "3 0 3 7 -0.1 2 4.2 2"},
    {'5', 4, "3.6 7 0.6 7 0.4 3.9 o 1.9 2.25 2.05 2.25 125 -148"},
    {'6', 4, "o 2 2.2 2 2.2 0 360; o 3.9 2.3 3.9 4.75 180 105"},
    {'7', 4, "0 7 4 7 1.3 0"},
    {'8', 4, "o 2 5.3 1.7 1.7 0 360; o 2 1.8 2 1.8 0 360"},
    {'9', 4, "o 2 4.8 2 2.2 0 360; o 0.1 4.7 3.9 4.75 0 -75"},
    {'a', 4, "o 2 2.5 2 2.5 0 360; 4 5 4 0"},
    {'b', 4, "0 7 0 0; o 2 2.5 2 2.5 0 360"},
    {'c', 3.7, "o 2.2 2.5 2.2 2.5 48 312"},
    {'d', 4, "4 7 4 0; o 2 2.5 2 2.5 0 360"},
    {'e', 4, "0.1 2.6 4 2.6 o 2 2.5 2 2.5 2 312"},
    {'f', 2.3, "o 2.4 5.6 1.4 1.4 75 180 1 0; 0 5 2.3 5"},
    {'g', 4, "4 5 4 -0.2 o 2 -0.2 2 1.8 0 -150; o 2 2.5 2 2.5 0 360"},
    {'h', 3.8, "0 7 0 0; o 1.9 2.9 1.9 2.1 180 0 3.8 0"},
    {'i', 0.6, "0.3 5 0.3 0; 0.3 6.85 0.3 6.9"},
    {'j', 1.2, "0.9 5 0.9 -0.8 o -0.2 -0.8 1.1 1.2 0 -80; 0.9 6.85 0.9 6.9"},
    {'k', 3.6, "0 7 0 0; 3.4 5 0 1.7; 1.3 2.9 3.7 0"},
    {'l', 0.6, "0.3 7 0.3 0"},
    {'m', 6.4, "0 5 0 0; o 1.6 3.2 1.6 1.8 180 0 3.2 0; o 4.8 3.2 1.6 1.8 180 0 6.4 0"},
    {'n', 3.8, "0 5 0 0; o 1.9 2.9 1.9 2.1 180 0 3.8 0"},
    {'o', 4.2, "o 2.1 2.5 2.1 2.5 0 360"},
    {'p', 4, "0 5 0 -2; o 2 2.5 2 2.5 0 360"},
    {'q', 4, "4 5 4 -2; o 2 2.5 2 2.5 0 360"},
    {'r', 2.3, "0 5 0 0; o 2.1 2.8 2.1 2.2 180 80"},
    {'s', 3.4, "o 1.7 3.7 1.5 1.3 32 270 o 1.7 1.2 1.7 1.2 90 -145"},
    {'t', 2.4, "1 6.6 1 1.3 o 2.3 1.3 1.3 1.3 180 285; 0 5 2.4 5"},
    {'u', 3.8, "0 5 0 2.1 o 1.9 2.1 1.9 2.1 180 360; 3.8 5 3.8 0"},
    {'v', 4, "0 5 2 0 4 5"},
    {'w', 6, "0 5 1.5 0 3 5 4.5 0 6 5"},
    {'x', 3.7, "0 5 3.7 0; 3.7 5 0 0"},
    {'y', 4, "0 5 2.05 0.1; 4 5 1.6 -1.1 o 0.3 -0.6 1.4 1.4 -20 -85"},
    {'z', 3.6, "0 5 3.6 5 0 0 3.6 0"},
    {'A', 4.8, "0 0 2.4 7 4.8 0; 0.85 2.4 3.95 2.4"},
    {'B', 4.4, "0 0 0 7 2.3 7 o 2.3 5.3 1.7 1.7 90 -90 0 3.6; 2.3 3.6 o 2.4 1.8 2 1.8 90 -90 0 0"},
    {'C', 5, "o 2.9 3.5 2.9 3.5 48 312"},
    {'D', 4.8, "0 0 0 7 1.6 7 o 1.6 3.5 3.2 3.5 90 -90 0 0"},
    {'E', 4, "4 7 0 7 0 0 4 0; 0 3.7 3.4 3.7"},
    {'F', 3.8, "3.9 7 0 7 0 0; 0 3.6 3.3 3.6"},
    {'G', 5.6, "o 2.9 3.5 2.9 3.5 48 335 5.5 3.2 3.3 3.2"},
    {'H', 4.6, "0 7 0 0; 4.6 7 4.6 0; 0 3.6 4.6 3.6"},
    {'I', 0.6, "0.3 7 0.3 0"},
    {'J', 3, "3 7 3 2 o 1.5 2 1.5 2 0 -165"},
    {'K', 4.4, "0 7 0 0; 4.3 7 0 2.6; 1.6 4.2 4.5 0"},
    {'L', 3.7, "0 7 0 0 3.7 0"},
    {'M', 5.8, "0 0 0 7 2.9 1.5 5.8 7 5.8 0"},
    {'N', 4.6, "0 0 0 7 4.6 0 4.6 7"},
    {'O', 6.2, "o 3.1 3.5 3.1 3.5 0 360"},
    {'P', 4.2, "0 0 0 7 2.3 7 o 2.3 5.1 1.9 1.9 90 -90 0 3.2"},
    {'Q', 6.2, "o 3.1 3.5 3.1 3.5 0 360; 3.9 1.6 6 -0.5"},
    {'R', 4.4, "0 0 0 7 2.3 7 o 2.3 5.1 1.9 1.9 90 -90 0 3.2; 2.2 3.2 4.4 0"},
    {'S', 4.4, "o 2.2 5.2 2 1.8 36 270 o 2.2 1.7 2.2 1.7 90 -148"},
    {'T', 4.8, "0 7 4.8 7; 2.4 7 2.4 0"},
    {'U', 4.6, "0 7 0 2.3 o 2.3 2.3 2.3 2.3 180 360 4.6 7"},
    {'V', 4.8, "0 7 2.4 0 4.8 7"},
    {'W', 7.6, "0 7 1.9 0 3.8 7 5.7 0 7.6 7"},
    {'X', 4.5, "0 7 4.5 0; 4.5 7 0 0"},
    {'Y', 4.6, "0 7 2.3 3.4 4.6 7; 2.3 3.4 2.3 0"},
    {'Z', 4.4, "0 7 4.4 7 0 0 4.4 0"},
    {'.', 0.6, "0.3 0.05 0.3 0.1"},
    {',', 0.8, "0.5 0.1 0.1 -1.2"},
    {':', 0.6, "0.3 0.05 0.3 0.1; 0.3 4.1 0.3 4.15"},
    {';', 0.8, "0.5 0.1 0.1 -1.2; 0.5 4.1 0.5 4.15"},
    {'!', 0.6, "0.3 7 0.3 2; 0.3 0.05 0.3 0.1"},
    {'?', 3.4, "o 1.7 5.3 1.7 1.7 170 -50 1.7 3 1.7 2; 1.7 0.05 1.7 0.1"},
    {'-', 2.4, "0 2.7 2.4 2.7"},
    {'+', 3.8, "0 3 3.8 3; 1.9 4.9 1.9 1.1"},
    {'=', 3.6, "0 4 3.6 4; 0 2 3.6 2"},
    {'*', 3, "1.5 6.8 1.5 3.8; 0.2 6.05 2.8 4.55; 0.2 4.55 2.8 6.05"},
    {'/', 2.8, "0 -0.8 2.8 7.4"},
    {'\\', 2.8, "0 7.4 2.8 -0.8"},
    {'|', 0.6, "0.3 7.6 0.3 -1.6"},
    {'_', 4, "0 -0.8 4 -0.8"},
    {'~', 3.8, "o 1 2.7 1 0.8 170 0 o 2.8 2.7 0.9 0.8 180 360"},
    {'^', 3, "0.1 4.8 1.5 7 2.9 4.8"},
    {'(', 1.4, "o 2.4 2.7 2.3 5 125 235"},
    {')', 1.4, "o -1 2.7 2.3 5 55 -55"},
    {'[', 1.6, "1.6 7.4 0.2 7.4 0.2 -1.4 1.6 -1.4"},
    {']', 1.6, "0 7.4 1.4 7.4 1.4 -1.4 0 -1.4"},
    {'{', 1.8, "1.8 7.4 0.9 6.9 0.9 3.6 0.1 3 0.9 2.4 0.9 -0.9 1.8 -1.4"},
    {'}', 1.8, "0 7.4 0.9 6.9 0.9 3.6 1.7 3 0.9 2.4 0.9 -0.9 0 -1.4"},
    {'<', 3.4, "3.4 5 0 3 3.4 1"},
    {'>', 3.4, "0 5 3.4 3 0 1"},
    {'%', 6, "0.8 0 5.2 7; o 1.3 5.6 1.3 1.4 0 360; o 4.7 1.4 1.3 1.4 0 360"},
    {'#', 4.6, "1.2 0.4 2 6.6; 2.8 0.4 3.6 6.6; 0.2 4.6 4.6 4.6; 0 2.4 4.4 2.4"},
    {'&', 5, "5 0 1 4.9 o 1.9 5.6 1.2 1.4 210 -40 1 3.4 o 1.8 1.9 1.8 1.9 115 290 o 1.8 3 2.8 3 290 350"},
    {'$', 4, "o 2 4.9 1.8 1.4 36 270 o 2 2.1 2 1.4 90 -148; 2 7.4 2 -0.4"},
    {'@', 6.4, "o 3.2 2.6 1.4 1.6 0 360; 4.6 4.2 4.6 2 o 5.3 2 0.8 1 180 330 o 3.2 2.7 3.1 3.6 -12 310"},
    {'\'', 0.6, "0.3 7 0.3 5.2"},
    {'"', 1.8, "0.3 7 0.3 5.2; 1.5 7 1.5 5.2"},
    {'`', 1.2, "0 7 1 5.6"},
};
// For what the font does not have.
constexpr Glyph unknown{'?', 3.6, "0 0 0 7 3.6 7 3.6 0 0 0"};

constexpr double gap = 1.35;     // between glyphs
constexpr double raised = 0.68;  // size of a raised character

const Glyph& glyph_of(char character) {
  for (const Glyph& glyph : glyphs)
    if (glyph.character == character) return glyph;
  return unknown;
}

struct Segment {
  double ax, ay, bx, by;
  double distance(double x, double y) const {
    const double dx = bx - ax, dy = by - ay, length2 = dx * dx + dy * dy;
    const double s = length2 > 0 ? std::clamp(((x - ax) * dx + (y - ay) * dy) / length2, 0.0, 1.0) : 0.0;
    return std::hypot(x - ax - s * dx, y - ay - s * dy);
  }
};

std::vector<Segment> segments_of(const Glyph& glyph) {
  std::vector<Segment> segments;
  std::istringstream all(glyph.paths);
  for (std::string path; std::getline(all, path, ';');) {
    std::istringstream in(path);
    bool first = true;
    double px = 0, py = 0;
    const auto line_to = [&](double x, double y) {
      if (!first) segments.push_back({px, py, x, y});
      first = false;
      px = x;
      py = y;
    };
    for (std::string word; in >> word;) {
      if (word != "o") {
        double y = 0;
        in >> y;
        line_to(std::stod(word), y);
        continue;
      }
      double cx, cy, rx, ry, from, to;
      in >> cx >> cy >> rx >> ry >> from >> to;
      const int pieces = std::max(2, static_cast<int>(std::abs(to - from) / 12));
      for (int i = 0; i <= pieces; ++i) {
        const double angle = (from + (to - from) * i / pieces) * std::numbers::pi / 180;
        line_to(cx + rx * std::cos(angle), cy + ry * std::sin(angle));
      }
    }
  }
  return segments;
}

// Calls visit(glyph, x, y, scale) for every glyph, and gives the width; all in units.
template <class Visit>
double lay_out(std::string_view text, const Visit& visit) {
  double x = 0, y = 0, scale = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '^' && i + 1 < text.size()) {
      y = 3.4;
      scale = raised;
      continue;
    }
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0x80 && byte < 0xc0) continue;  // UTF-8: one box for a character of several bytes
    const Glyph& glyph = glyph_of(text[i]);
    visit(glyph, x, y, scale);
    x += scale * (glyph.width + gap);
    y = 0;
    scale = 1;
  }
  return std::max(0.0, x - gap);
}

void draw_glyph(const Glyph& glyph, double x, double baseline, double scale, const Pen& pen, Image& image) {
  std::vector<Segment> segments = segments_of(glyph);
  if (segments.empty()) return;                                       // a space
  const double radius = std::max(0.55, 0.5 * pen.weight * pen.size);  // thinner lines only fade
  double left = std::numeric_limits<double>::max(), right = -left, top = left, bottom = -left;
  for (Segment& s : segments) {
    s = {x + scale * s.ax, baseline - scale * s.ay, x + scale * s.bx, baseline - scale * s.by};
    left = std::min({left, s.ax, s.bx});
    right = std::max({right, s.ax, s.bx});
    top = std::min({top, s.ay, s.by});
    bottom = std::max({bottom, s.ay, s.by});
  }
  const double reach = radius + 1;
  for (int j = static_cast<int>(std::floor(top - reach)); j <= bottom + reach; ++j)
    for (int i = static_cast<int>(std::floor(left - reach)); i <= right + reach; ++i) {
      double distance = reach;
      for (const Segment& s : segments) distance = std::min(distance, s.distance(i + 0.5, j + 0.5));
      const double coverage = std::clamp(radius + 0.5 - distance, 0.0, 1.0);
      if (coverage > 0) image.blend(i, j, opaque(pen.colour, coverage));
    }
}

}  // namespace

double text_width(std::string_view text, double size) {
  return 0.1 * size * lay_out(text, [](const Glyph&, double, double, double) {});
}

void draw_text(std::string_view text, double x, double baseline, Align align, const Pen& pen, Image& image) {
  const double unit = 0.1 * pen.size, width = text_width(text, pen.size);
  const double start = align == Align::left ? x : align == Align::right ? x - width : x - 0.5 * width;
  lay_out(text, [&](const Glyph& glyph, double gx, double gy, double scale) {
    draw_glyph(glyph, start + unit * gx, baseline - unit * gy, unit * scale, pen, image);
  });
}

}  // namespace phiflex
