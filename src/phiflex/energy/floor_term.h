// A penalty floor under the plane y = height (y is up): with the depth d_v = max(0, height - y_v),
//
//   W(x) = sum_v k/2 d_v^2,     f_v = k d_v e_y,     K_vv = k e_y e_y' where d_v > 0                      (1)
//
// k is a stiffness per vertex [N/m]: a finer mesh has more vertices on the floor and meets a stiffer one.
#pragma once

#include <vector>

#include "phiflex/energy/potential_term.h"

namespace phiflex {

class FloorTerm final : public PotentialTerm {
 public:
  static constexpr int kUp = 1;  // y
  // vertices: how many the model has; every one of them meets the floor. height [m], stiffness [N/m].
  FloorTerm(int vertices, double height, double stiffness);

  Account account() const override { return Account::contact; }
  double energy(const Vector& x) const override;
  void add_force(const Vector& x, Vector& f) const override;
  void add_stiffness_product(const Vector& x, const Vector& dx, Vector& y) const override;
  void add_couplings(std::vector<Coupling>&) const override {}
  std::unique_ptr<StiffnessAssembler> make_assembler(const FreeVertices& free,
                                                     const SparsityPattern& pattern) const override;
  std::unique_ptr<TwoStateTerm> make_two_state(const FreeVertices& free,
                                               const SparsityPattern& pattern) const override;
  void add_untouched_stiffness(Vector& k) const override { k.array() += stiffness_; }
  // d_v of (1); positive under the floor, else 0.
  double depth(const Vector& x, int vertex) const;
  double stiffness() const { return stiffness_; }
  double height() const { return height_; }

 private:
  int vertices_;
  double height_, stiffness_;
};

}  // namespace phiflex
