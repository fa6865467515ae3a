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
//
// Swings are added one after the other, each with
//
//   s(t) = sin(2 pi f (t - t0) + phase) - sin(phase)   for t0 <= t < t1, 0 before, s(t1) after            (5)
//   o <- o + s A,     R <- exp(s [a]) R,     w <- s' a + exp(s [a]) w                                     (6)
//
// In place of keys, o(t) may be a track of shifts at the ends of steps (step_track.h), which its owner may lengthen
// between steps: an obstacle that follows a pointer.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <limits>
#include <memory>
#include <vector>

#include "phiflex/model/step_track.h"

namespace phiflex {

struct PathKnot {
  double time = 0;                                   // s
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();  // m
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();   // of any length but zero
  double angle = 0;                                  // rad, about the axis through the pivot
};

struct PathSwing {
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();        // A, m
  Eigen::Vector3d turn = Eigen::Vector3d::Zero();          // a: axis times angle, rad
  double frequency = 1;                                    // f, Hz
  double phase = 0;                                        // rad
  double from = 0;                                         // t0, s
  double until = std::numeric_limits<double>::infinity();  // t1, s
};

struct PathTrack {
  StepTimes times;
  StepTrack<3> offsets;  // m
};

enum class Side { before, after };  // of a knot
enum class PathForm { linear, smooth };

class Path {
 public:
  Path() = default;  // stays where it is
  // Times ascend strictly and axes have a direction, else std::invalid_argument.
  explicit Path(std::vector<PathKnot> knots, PathForm form = PathForm::linear,
                const Eigen::Vector3d& pivot = Eigen::Vector3d::Zero(), std::vector<PathSwing> swings = {});

  // Shifted along the track, which must have a value.
  explicit Path(std::shared_ptr<const PathTrack> track) : track_(std::move(track)) {}

  bool moves() const;  // some two knots differ, or it swings, or it follows a track
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
  Pose pose_of_knots(double t) const;
  Twist twist_of_knots(double t, Side side) const;

  std::shared_ptr<const PathTrack> track_;  // null: knots
  std::vector<PathKnot> knots_;
  std::vector<PathSwing> swings_;
  std::vector<Eigen::Matrix3d> R_;     // at the knots
  std::vector<Eigen::Vector3d> turn_;  // a_i
  PathForm form_ = PathForm::linear;
  Eigen::Vector3d pivot_ = Eigen::Vector3d::Zero();
};

}  // namespace phiflex
