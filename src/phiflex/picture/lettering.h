// Words in a picture: a stroke font of our own, so that a picture needs no font of the system. Glyphs are
// lines and arcs of a round pen; `^` raises the character after it.
#pragma once

#include <string_view>

#include "phiflex/picture/image.h"

namespace phiflex {

struct Pen {
  double size = 16;  // height of a capital letter is 0.7 of it, pixels
  Colour colour{};
  double weight = 0.075;  // of the pen over the size
};

enum class Align { left, centre, right };

double text_width(std::string_view text, double size);

// `x` is the left end, the middle or the right end of the text, `baseline` the line it stands on, in pixels from
// the picture's top left corner.
void draw_text(std::string_view text, double x, double baseline, Align align, const Pen& pen, Image& image);

}  // namespace phiflex
