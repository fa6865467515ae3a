#include "phiflex/picture/image.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace phiflex {
namespace {

// The transfer function of sRGB (IEC 61966-2-1).
double decoded(double srgb) {
  return srgb <= 0.04045 ? srgb / 12.92 : std::pow((srgb + 0.055) / 1.055, 2.4);
}

// The linear value at which byte b + 1 begins to be nearer than b: a search in it is exact and needs no power.
const std::array<float, 255>& thresholds() {
  static const std::array<float, 255> table = [] {
    std::array<float, 255> t{};
    for (std::size_t b = 0; b < t.size(); ++b)
      t[b] = static_cast<float>(decoded((static_cast<double>(b) + 0.5) / 255));
    return t;
  }();
  return table;
}

}  // namespace

Colour from_srgb(std::uint32_t hex) {
  const auto channel = [&](int shift) { return decoded(((hex >> shift) & 255u) / 255.0); };
  return {channel(16), channel(8), channel(0)};
}

std::uint8_t to_srgb(double linear) {
  const auto& table = thresholds();
  const auto next = std::upper_bound(table.begin(), table.end(), static_cast<float>(linear));
  return static_cast<std::uint8_t>(next - table.begin());
}

void Image::blend(int x, int y, const Pixel& top) {
  if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
  Pixel& p = at(x, y);
  const float left = 1 - top.alpha;
  p = {top.red + left * p.red, top.green + left * p.green, top.blue + left * p.blue,
       top.alpha + left * p.alpha};
}

void Image::blend(int left, int top, const Image& over) {
  for (int y = 0; y < over.height(); ++y)
    for (int x = 0; x < over.width(); ++x) blend(left + x, top + y, over.at(x, y));
}

Pixel opaque(const Colour& colour, double coverage) {
  return {static_cast<float>(colour[0] * coverage), static_cast<float>(colour[1] * coverage),
          static_cast<float>(colour[2] * coverage), static_cast<float>(coverage)};
}

std::string to_srgb_bytes(const Image& image, Channels channels) {
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(image.width()) * static_cast<std::size_t>(image.height()) *
                (channels == Channels::rgb ? 3 : 4));
  const auto put = [&](std::uint8_t byte) { bytes.push_back(static_cast<char>(byte)); };
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) {
      const Pixel& p = image.at(x, y);
      const double scale = channels == Channels::rgb || p.alpha <= 0 ? 1 : 1 / p.alpha;
      put(to_srgb(scale * p.red));
      put(to_srgb(scale * p.green));
      put(to_srgb(scale * p.blue));
      if (channels == Channels::rgba)
        put(static_cast<std::uint8_t>(std::lround(255 * std::clamp(p.alpha, 0.0f, 1.0f))));
    }
  return bytes;
}

}  // namespace phiflex
