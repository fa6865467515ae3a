// Grips: springs from patches of vertices to points that a hand moves. A patch has vertices i with weights w_i,
// sum w_i = 1, and offsets o_i from its point, as they were when it was taken hold of. With the point p(t) and the
// strength k(t), both given at the ends of steps (step_track.h),
//
//   f_i = k w_i (p + o_i - x_i),      K_ii = -df_i/dx_i = k w_i 1                                          (1)
//   df_i/dt at fixed x = k' w_i (p + o_i - x_i) + k w_i p'                                                 (2)
//
// The sum of the forces is k (p - x_g), x_g = sum w_i (x_i - o_i): a spring of the stiffness k to the point. K is
// diagonal, so that no pattern of a matrix depends on which vertices are held. k is 0 at both ends of a grip: forces do
// not jump. The work of a grip is external.
//
// The table may grow between steps: the owner of a model that is being stepped adds the values of the next end before
// each step. It must not change during one.
#pragma once

#include <memory>
#include <vector>

#include "phiflex/model/load.h"
#include "phiflex/model/step_track.h"

namespace phiflex {

struct Grip {
  std::vector<int> vertices;             // of the model
  std::vector<double> weights;           // of each
  std::vector<Eigen::Vector3d> offsets;  // of each, m
  StepTrack<4> track;                    // p (m), k (N/m)
};

struct GripTable {
  StepTimes times;
  std::vector<Grip> grips;
};

class GripLoad : public Load {
 public:
  explicit GripLoad(std::shared_ptr<const GripTable> table) : table_(std::move(table)) {}

  void add_force(const Motion& at, Vector& f) const override;
  void add_force_rate(const Motion& at, Vector& g) const override;
  std::unique_ptr<LoadStiffness> make_stiffness(const FreeVertices& free,
                                                const SparsityPattern& pattern) const override;
  void add_stiffness_product(const Motion& at, const Vector& dx, Vector& y) const override;

  const GripTable& table() const { return *table_; }

 private:
  std::shared_ptr<const GripTable> table_;
};

}  // namespace phiflex
