// A run as stages: the bodies coloured by what they are or do, springs as tubes, the scene's obstacles and floor. All
// of it is turned so that the y axis is up (upright_turn).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "phiflex/picture/crease_normals.h"
#include "phiflex/picture/obstacles.h"
#include "phiflex/picture/quantity.h"
#include "phiflex/picture/stage.h"
#include "phiflex/record/motion_reader.h"

namespace phiflex {

// False for what a run that diverged leaves behind: such points are not drawn.
bool is_drawable(const Point3& x);

// How a run is shown; the same for every frame of a picture.
struct Look {
  Quantity quantity{};
  ColourScale scale{};  // of the numbers
  std::optional<double> ground;
  double tube_radius = 0;  // m
  double least_width = 0;  // m: what is thinner and long (hair) gets a tube of this width
  Point3 middle{};
  double radius = 1;  // m, of the whole motion
  Point3 eye{};       // of the camera
};

class RunStage {
 public:
  // InputError when the run has no frames; it says how to get them.
  explicit RunStage(RunFolder folder);
  const MotionReader& motion() const { return motion_; }
  // A frame with turned positions. InputError when it is damaged; FileError.
  void read(std::size_t number, VisibleFrame& frame, FrameParts parts) const;
  const DrawnObstacles& obstacles() const { return obstacles_; }
  const std::vector<std::string>& bodies() const { return bodies_; }
  std::vector<int> regions() const;  // ascending, each once
  double typical_spring() const;     // median rest length, m; 0 when there are none
  std::string unit_of(const Quantity& quantity) const;

  // Of a frame that read() gave: one number for each vertex; empty for kinds. InputError when the frames lack the
  // quantity's field.
  std::vector<double> numbers(const VisibleFrame& frame, const Quantity& quantity) const;
  Stage at(const VisibleFrame& frame, const Look& look) const;

 private:
  MotionReader motion_;
  Eigen::Matrix3d turn_;
  std::vector<Point3> rest_;  // turned
  CreaseNormals normals_;
  DrawnObstacles obstacles_;
  std::vector<std::string> bodies_;
  bool solid_ = true;  // it has tetrahedra
};

}  // namespace phiflex
