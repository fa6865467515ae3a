// Forces on chosen vertices, during an active time and with a strength that may change: uniform accelerations, point
// and region forces.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "phiflex/model/load.h"
#include "phiflex/model/modulation.h"

namespace phiflex {

class NodalLoad : public Load {
 public:
  // forces: three numbers for each of the vertices, N.
  NodalLoad(std::vector<int> vertices, Vector forces, ActiveTime active, Modulation modulation = {});

  void add_force(const Motion& at, Vector& f) const override;
  void add_force_rate(const Motion& at, Vector& g) const override;

  const std::vector<int>& vertices() const { return vertices_; }
  const Vector& forces() const { return forces_; }
  const ActiveTime& active() const { return active_; }
  const Modulation& modulation() const { return modulation_; }
  // Of the forces at a time, and its derivative.
  double factor(double t) const { return active_.covers(t) ? modulation_.at(t) : 0; }
  double rate(double t) const { return active_.covers(t) ? modulation_.rate(t) : 0; }

 private:
  std::vector<int> vertices_;
  Vector forces_;
  ActiveTime active_;
  Modulation modulation_;
};

// weight_i times `per_weight` on vertex vertices[i]: an acceleration with masses as weights, a force density
// with vertex volumes, a force on each vertex with ones.
std::shared_ptr<const Load> make_proportional_load(std::span<const int> vertices,
                                                   std::span<const double> weights,
                                                   const Eigen::Vector3d& per_weight, ActiveTime active,
                                                   Modulation modulation = {});

// A total force shared in proportion to the weights (masses, so that a region is pushed as one).
std::shared_ptr<const Load> make_shared_load(std::span<const int> vertices, std::span<const double> weights,
                                             const Eigen::Vector3d& total, ActiveTime active,
                                             Modulation modulation = {});

}  // namespace phiflex
