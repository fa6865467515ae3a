// A prescribed motion: linear between its knots, held before the first and after the last.
//
//   offset(t) = o_i + (t - t_i) (o_{i+1} - o_i)/(t_{i+1} - t_i),     t_i <= t < t_{i+1}.                  (1)
//
// Its velocity is piecewise constant; at a knot it has two values, and the caller says which it wants.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace phiflex {

struct PathKnot {
  double time = 0;                                   // s
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();  // m
};

enum class Side { before, after };  // of a knot

class Path {
 public:
  Path() = default;                            // stays where it is
  explicit Path(std::vector<PathKnot> knots);  // times ascend strictly, else std::invalid_argument

  bool moves() const;  // some two knots differ in their offset
  Eigen::Vector3d offset(double t) const;
  Eigen::Vector3d velocity(double t, Side side = Side::after) const;

 private:
  std::vector<PathKnot> knots_;
};

}  // namespace phiflex
