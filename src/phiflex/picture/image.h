// A picture in memory. Light is linear until it leaves: blending and averaging are right only there; to_srgb
// is the last step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "phiflex/mesh/vec3.h"

namespace phiflex {

using Colour = Point3;  // red, green, blue: linear light, 0..1

Colour from_srgb(std::uint32_t hex);  // 0xRRGGBB
std::uint8_t to_srgb(double linear);  // rounded, clamped to 0..255

struct Pixel {
  float red = 0, green = 0, blue = 0, alpha = 0;  // the colours already multiplied by alpha
};

class Image {
 public:
  Image(int width, int height, Pixel fill = {})
      : width_(width),
        height_(height),
        pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), fill) {}
  int width() const { return width_; }
  int height() const { return height_; }
  Pixel& at(int x, int y) { return pixels_[index(x, y)]; }  // (0, 0): top left
  const Pixel& at(int x, int y) const { return pixels_[index(x, y)]; }

  // Puts `top` over what is there; outside of the picture nothing happens.
  void blend(int x, int y, const Pixel& top);
  void blend(int left, int top, const Image& over);

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
  }
  int width_, height_;
  std::vector<Pixel> pixels_;
};

Pixel opaque(const Colour& colour, double coverage = 1);

enum class Channels { rgb, rgba };

// 8 bits a channel, row by row from the top; alpha as PNG wants it, not multiplied in.
std::string to_srgb_bytes(const Image& image, Channels channels);

// A PNG file's bytes: RGB when every pixel is opaque, else RGBA.
std::string encode_png(const Image& image);

}  // namespace phiflex
