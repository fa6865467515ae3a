// Error estimate of a sequence of results y_1, y_2, ... in nested M-orthonormal bases, from their coordinates.
//
// With d_k = y_k - y_(k-1), r = <d_k, d_(k-1)>/<d_(k-1), d_(k-1)> (r+ within [0, 0.95]) and q = |d_k|/|d_(k-1)|:
//
//   |y - y_k| ~ |d_k| max( r+/(1 - r+), min(0.8, q) )                                                     (1)
//
// Changes that go on in one direction (r > 0) are a drift, whose sum is far from its end. Changes that turn about
// (r < 0) are the noise of what is unresolved, as large as the error itself. Changes that fall fast leave an error
// smaller by their rate. A single small change may be luck: unless the last three rates q are all below 0.35, half
// of each of the three estimates before counts too. (1) was fitted to the motion of finite element bars, polynomial and
// rational, where it lies within a factor of 3 of the error from the tenth result on.
//
// In the norm (2) of pencil_evaluator.h, the worst group.
#pragma once

#include <array>

#include "phiflex/matfun/growing_matrix.h"
#include "phiflex/matfun/pencil_evaluator.h"

namespace phiflex {

class Convergence {
 public:
  void clear();
  void add(const PencilFunction& f,
           const Eigen::Ref<const Matrix>& C);  // a column of coordinates per row of f
  void finish();                                // the space is exhausted: what is there is exact
  double error() const { return error_; }

 private:
  struct Group {
    double change = 1, turn_before = 1;
    std::array<double, 2> rates_before = {1, 1};
    std::array<double, 3> before = {1, 1, 1};  // the last values of (1)
  };
  double estimate(double change, double projection, double size, Group& group) const;

  int results_ = 0;
  GrowingMatrix C_, difference_, difference_before_;
  std::vector<Group> groups_;
  double error_ = 1;
};

}  // namespace phiflex
