// A load over time in a table (CSV), which the force "table" of a scene names: a heading, then one row for every time,
// ascending; linear in between, constant before the first row and after the last. Columns, in any order:
//
//   time         s
//   ax, ay, az   acceleration of every selected vertex, m/s^2
//   fx, fy, fz   total force on the selected vertices, shared in proportion to mass, N
//   bx, by, bz   force per rest volume, N/m^3
//
// One column beside `time` at least; those that are not there are 0. A column "step" is left alone.
#pragma once

#include <filesystem>
#include <vector>

#include "phiflex/build/model_builder.h"

namespace phiflex {

// A component of a load: a unit direction, and its value over time as the load's strength.
struct LoadColumn {
  VertexLoad::Measure measure = VertexLoad::Measure::acceleration;
  Eigen::Vector3d direction = Eigen::Vector3d::Zero();
  Modulation strength;
};

// InputError names the line; FileError.
std::vector<LoadColumn> read_load_table(const std::filesystem::path& path);

}  // namespace phiflex
