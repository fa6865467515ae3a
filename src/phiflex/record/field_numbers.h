// The fields of frames (docs/run_folder.md) as numbers that pictures can show: a name, a unit and the value at rest for
// each component of each field of the vertices.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "phiflex/record/frame_file.h"

namespace phiflex {

// What is known of a field, wherever it is written or shown.
struct FieldDescription {
  std::string name;                     // as in the scene's `output.fields`
  std::vector<std::string> components;  // "" for a number
  std::string unit;                     // empty: a ratio
  double at_rest = 0;
};
const std::vector<FieldDescription>& field_descriptions();
// Null when no such field is known.
const FieldDescription* find_field_description(std::string_view name);

struct FieldNumber {
  std::string name;   // "von_mises", "stress_xx", "contact_force_x"
  std::string array;  // of the frames' point data: "vertex_stress"
  int component = 0;
  std::string unit;
  double at_rest = 0;
};
// In the order of the arrays. An array of the frames that is not described counts its components from 1, without unit.
std::vector<FieldNumber> field_numbers(const std::vector<FrameField>& of_points);

// One number for each vertex, from a frame's fields; `at_rest` where the frame lacks the array or where it is not a
// number.
std::vector<double> numbers_of(const FieldNumber& number, const std::vector<FrameField>& of_points,
                               std::size_t vertices);

}  // namespace phiflex
