// A prescribed rigid motion: keys, between them constant speed of turning and shifting, held before the first
// and after the last. A point that starts at X is at
//
//   x(t) = p + R(t) (X - p) + o(t)                             p: the pivot                               (1)
//   o(t) = o_i + s (o_{i+1} - o_i),    R(t) = exp(s [a_i]) R_i,    R_{i+1} = exp([a_i]) R_i               (2)
//   s = u, or u^2 (3 - 2 u) when smooth,     u = (t - t_i)/(t_{i+1} - t_i),     t_i <= t < t_{i+1}        (3)
//   x'(t) = o' + w x (x - p - o),      o' = s' (o_{i+1} - o_i),   w = s' a_i                              (4)
//
// a_i is the rotation vector from one key to the next: the shorter way round, but between two keys with the
// same axis the difference of their angles, so that a motion may turn more than once. A smooth motion comes to
// rest at every key; any other has two velocities there, and the caller says which it wants.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <vector>

namespace phiflex {

struct PathKnot {
  double time = 0;                                   // s
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();  // m
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();   // of any length but zero
  double angle = 0;                                  // rad, about the axis through the pivot
};

enum class Side { before, after };  // of a knot
enum class PathForm { linear, smooth };

class Path {
 public:
  Path() = default;  // stays where it is
  // Times ascend strictly and axes have a direction, else std::invalid_argument.
  explicit Path(std::vector<PathKnot> knots, PathForm form = PathForm::linear,
                const Eigen::Vector3d& pivot = Eigen::Vector3d::Zero());

  bool moves() const;  // some two knots differ
  Eigen::Vector3d offset(double t) const { return pose(t).offset; }
  Eigen::Vector3d velocity(double t, Side side = Side::after) const { return twist(t, side).velocity; }

  struct Pose {
    Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
    Eigen::Vector3d offset = Eigen::Vector3d::Zero();
    Eigen::Vector3d pivot = Eigen::Vector3d::Zero();
    Eigen::Vector3d place(const Eigen::Vector3d& X) const { return pivot + R * (X - pivot) + offset; }  // (1)
    Eigen::Vector3d start_of(const Eigen::Vector3d& x) const {
      return pivot + R.transpose() * (x - pivot - offset);
    }
  };
  struct Twist {  // (4)
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero(), angular = Eigen::Vector3d::Zero();
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();  // p + o
    Eigen::Vector3d at(const Eigen::Vector3d& x) const { return velocity + angular.cross(x - centre); }
  };
  Pose pose(double t) const;
  Twist twist(double t, Side side = Side::after) const;

 private:
  std::vector<PathKnot> knots_;
  std::vector<Eigen::Matrix3d> R_;     // at the knots
  std::vector<Eigen::Vector3d> turn_;  // a_i
  PathForm form_ = PathForm::linear;
  Eigen::Vector3d pivot_ = Eigen::Vector3d::Zero();
};

}  // namespace phiflex
