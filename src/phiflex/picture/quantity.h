// What the colours of a picture can say: which body or region, or a number at every vertex.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "phiflex/record/field_numbers.h"

namespace phiflex {

enum class ColourBy { body, region, speed, displacement, strain_energy, field };

struct Quantity {
  ColourBy colour_by = ColourBy::body;
  std::string name = "body";  // as in the command: "von-mises", "stress-xx", "stretch", "contact-force"
  std::string unit = {};
  std::string field = {};  // of the scene's `output.fields`, with ColourBy::field
  int component = -1;      // of the field; -1: the length of a vector
  double at_rest = 0;

  bool is_number() const { return colour_by != ColourBy::body && colour_by != ColourBy::region; }
  // Concentrated in few places: the scale ends where nearly all of the values lie.
  bool is_peaked() const { return colour_by == ColourBy::strain_energy || unit == "Pa"; }
};

const std::vector<Quantity>& quantities();
// '_' is as good as '-'. Null when there is none of that name.
const Quantity* find_quantity(std::string_view name);

// The numbers of a field at the vertices; empty when the frame has no such field.
std::vector<double> field_values(const Quantity& quantity, const std::vector<FrameField>& of_points,
                                 std::size_t vertices);

// Ends of a scale of colours.
struct ColourScale {
  double low = 0, high = 1;
  bool two_sided = false;  // the value at rest is in its middle
};

// How far the values of frames go from the value at rest; the ends of their scale follow from it.
class ScaleFinder {
 public:
  explicit ScaleFinder(const Quantity& quantity) : quantity_(quantity) {}
  void add(const std::vector<double>& values);
  // Round numbers. Two-sided where values lie on both sides of the one at rest, by more than a fiftieth of each other.
  ColourScale scale() const;

 private:
  Quantity quantity_;
  double below_ = 0, above_ = 0;
};

}  // namespace phiflex
