#include "phiflex/record/strip_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/mesh/vec3.h"

namespace phiflex {
namespace {

constexpr double margin = 10, caption = 26;  // pixels

// A parallel projection: right, up, towards the viewer.
class View {
 public:
  View(double azimuth, double elevation, const Point3& center) : center_(center) {
    const double yaw = azimuth * std::numbers::pi / 180, pitch = elevation * std::numbers::pi / 180;
    right_ = {std::cos(yaw), 0, -std::sin(yaw)};
    const Point3 level{std::sin(yaw), 0, std::cos(yaw)};
    up_ = std::cos(pitch) * Point3{0, 1, 0} - std::sin(pitch) * level;
    towards_ = std::sin(pitch) * Point3{0, 1, 0} + std::cos(pitch) * level;
  }
  Point3 operator()(const Point3& x) const {
    const Point3 d = x - center_;
    return {dot(d, right_), dot(d, up_), dot(d, towards_)};
  }

 private:
  Point3 center_, right_, up_, towards_;
};

struct Bounds {
  double left = 0, right = 0, bottom = 0, top = 0;
  void include(const Point3& p) {
    left = std::min(left, p[0]);
    right = std::max(right, p[0]);
    bottom = std::min(bottom, p[1]);
    top = std::max(top, p[1]);
  }
};

// Diffuse light from above the viewer's left shoulder; one of 24 shades, so that
// equal neighbours share a path.
std::string shade(const Point3& a, const Point3& b, const Point3& c) {
  const Point3 normal = cross(b - a, c - a);
  const double lit = dot(normal, {-0.38, 0.74, 0.55}) / std::max(norm(normal), 1e-300);
  const double light = std::round(24 * std::clamp(0.32 + 0.68 * lit, 0.0, 1.0)) / 24;
  const auto channel = [&](double dark, double bright) {
    return static_cast<int>(std::lround(dark + light * (bright - dark)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", channel(12, 150), channel(64, 214), channel(98, 244));
}

// One moment, painted back to front. `place` maps camera coordinates to pixels.
template <class Place>
void draw_moment(const SurfaceMotion& motion, const std::vector<Point3>& points, const Place& place,
                 std::string& svg) {
  const auto at = [&](int vertex) -> const Point3& { return points[static_cast<std::size_t>(vertex)]; };
  const auto depth = [&](const std::array<int, 3>& t) { return at(t[0])[2] + at(t[1])[2] + at(t[2])[2]; };
  std::vector<std::array<int, 3>> order;
  for (const auto& t : motion.triangles)
    if (cross(at(t[1]) - at(t[0]), at(t[2]) - at(t[0]))[2] > 0) order.push_back(t);  // seen from outside
  std::stable_sort(order.begin(), order.end(),
                   [&](const auto& s, const auto& t) { return depth(s) < depth(t); });

  const auto out = std::back_inserter(svg);
  std::string color;
  for (const auto& t : order) {
    const std::string next = shade(at(t[0]), at(t[1]), at(t[2]));
    if (next != color) {
      if (!color.empty()) svg += "\"/>\n";
      color = next;
      fmt::format_to(out, "<path fill=\"{0}\" stroke=\"{0}\" d=\"", color);
    }
    const auto [ax, ay] = place(at(t[0]));
    const auto [bx, by] = place(at(t[1]));
    const auto [cx, cy] = place(at(t[2]));
    fmt::format_to(out, "M{:.1f} {:.1f}L{:.1f} {:.1f} {:.1f} {:.1f}Z", ax, ay, bx, by, cx, cy);
  }
  if (!color.empty()) svg += "\"/>\n";
  if (motion.springs.empty()) return;
  svg += "<path fill=\"none\" stroke=\"#2b86ad\" stroke-width=\"1.4\" d=\"";
  for (const auto& [a, b] : motion.springs) {
    const auto [ax, ay] = place(at(a));
    const auto [bx, by] = place(at(b));
    fmt::format_to(out, "M{:.1f} {:.1f}L{:.1f} {:.1f}", ax, ay, bx, by);
  }
  svg += "\"/>\n";
}

}  // namespace

std::string strip_svg(const SurfaceMotion& motion, const StripOptions& options) {
  std::vector<std::size_t> candidates;
  for (std::size_t i = 0; i < motion.times.size(); ++i)
    if (motion.times[i] >= options.from && motion.times[i] <= options.until) candidates.push_back(i);
  if (candidates.empty()) throw InputError("", "", "there is no motion to draw: no frames at those times");
  const View view(options.azimuth, options.elevation, 0.5 * (motion.low + motion.high));
  const std::size_t moments =
      std::min(static_cast<std::size_t>(std::max(1, options.moments)), candidates.size());
  std::vector<std::size_t> chosen(moments);
  std::vector<std::vector<Point3>> points(moments);
  Bounds bounds;
  for (std::size_t m = 0; m < moments; ++m) {
    chosen[m] = candidates[moments == 1 ? 0 : m * (candidates.size() - 1) / (moments - 1)];
    for (const auto& x : motion.positions[chosen[m]]) bounds.include(points[m].emplace_back(view(x)));
  }
  const double tall = std::max(bounds.top - bounds.bottom, 1e-12);
  const double wide = std::max(bounds.right - bounds.left, 1e-12);
  // A long body lying flat would make a very wide strip: no moment is wider than its height and a half.
  const double scale = std::min(options.height / tall, 1.5 * options.height / wide);
  const double cell = wide * scale + 2 * margin, height = tall * scale + 2 * margin;

  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" font-family=\"sans-serif\" font-size=\"13\">\n"
      "<g stroke-width=\"0.6\" stroke-linejoin=\"round\">\n",
      cell * static_cast<double>(moments), height + caption);
  for (std::size_t m = 0; m < moments; ++m) {
    const double left = cell * static_cast<double>(m) + margin;
    const auto place = [&](const Point3& p) {
      return std::pair{left + (p[0] - bounds.left) * scale, margin + (bounds.top - p[1]) * scale};
    };
    draw_moment(motion, points[m], place, svg);
  }
  svg += "</g>\n<g fill=\"#7a858f\" text-anchor=\"middle\">\n";
  for (std::size_t m = 0; m < moments; ++m)
    fmt::format_to(std::back_inserter(svg), "<text x=\"{:.1f}\" y=\"{:.1f}\">{:.2f} s</text>\n",
                   cell * (static_cast<double>(m) + 0.5), height + caption - 9, motion.times[chosen[m]]);
  return svg + "</g>\n</svg>\n";
}

void write_strip_svg(const std::filesystem::path& path, const SurfaceMotion& motion,
                     const StripOptions& options) {
  write_file_atomically(path, strip_svg(motion, options));
}

}  // namespace phiflex
