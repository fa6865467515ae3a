// The recorded motion of some vertices: where each is at every recorded time, linear in between.
//
//   x_i(t) = p_i^n + (t - t_n)/(t_{n+1} - t_n) (p_i^{n+1} - p_i^n),      t_n <= t < t_{n+1}               (1)
//
// held before the first and after the last time.
#pragma once

#include <vector>

#include "phiflex/linalg/vector.h"
#include "phiflex/model/path.h"

namespace phiflex {

class RecordedMotion {
 public:
  // positions: for each time three numbers for every vertex, m. Times ascend strictly; sizes that do not fit
  // are a std::invalid_argument.
  RecordedMotion(std::vector<double> times, std::vector<Vector> positions);

  double first() const { return times_.front(); }  // s
  double last() const { return times_.back(); }
  Eigen::Vector3d position(std::size_t vertex, double t) const;
  Eigen::Vector3d velocity(std::size_t vertex, double t, Side side = Side::after) const;

 private:
  std::vector<double> times_;
  std::vector<Vector> positions_;
};

}  // namespace phiflex
