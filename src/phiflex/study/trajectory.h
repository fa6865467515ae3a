// Where all vertices were at chosen times: what runs with different steps are compared by.
#pragma once

#include <vector>

#include "phiflex/run/simulation.h"

namespace phiflex {

// The times after 0 that are whole numbers of every step (s), up to the end: those of the coarsest step where the
// others divide it. At most `limit`, evenly thinned; the end is always among them.
std::vector<double> common_times(const std::vector<double>& steps, double end, std::size_t limit);

class Trajectory {
 public:
  explicit Trajectory(std::vector<double> times) : times_(std::move(times)) {}

  void observe(const Simulation& simulation);  // after every step
  const std::vector<double>& times() const { return times_; }
  std::size_t reached() const { return x_.size(); }  // how many of the times

  // Of all vertices at a reached time: positions [m], velocities [m/s].
  const Vector& x(std::size_t time) const { return x_[time]; }
  const Vector& v(std::size_t time) const { return v_[time]; }

 private:
  std::vector<double> times_;
  std::vector<Vector> x_, v_;
};

// The largest distance of a vertex (or its velocity) at a time that both have reached.
double position_distance(const Trajectory& a, const Trajectory& b, std::size_t time);
double velocity_distance(const Trajectory& a, const Trajectory& b, std::size_t time);

}  // namespace phiflex
