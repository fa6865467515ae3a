// The assembled tangent of a DeformableModel (see system/tangent.h):
//
//   K = sum of the stiffness of terms, carried obstacles and loads, exact or projected; of contacts projected (1)
//   D = alpha M + beta K* + drag of the loads;  K* exact; that of friction between bodies beside it        (2)
//   g = -K_fc u_c' + df/dt of carried obstacles and loads,   u_c' the velocities of moved vertices, K_fc exact (3)
//
// Left out, being no symmetric matrix or a third derivative of W: the change with positions (and so with time
// near moved vertices) of loads without a stiffness (load.h), such as wind, and of the damping by a current stiffness.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "phiflex/model/deformable_model.h"

namespace phiflex {

// What of the terms' stiffness K holds: all, or the stiff part alone (energy/potential_term.h). D and g are
// whole in either case.
enum class ImplicitPart { all, stiff };

class DeformableTangent : public AssembledTangent {
 public:
  DeformableTangent(const DeformableModel& model, Definiteness definiteness,
                    ImplicitPart part = ImplicitPart::all);

  void update(const State& at) override;
  const SparseMatrix& K() const override { return K_; }
  const SparseMatrix* D() const override { return D_ ? D_.get() : nullptr; }
  const StencilBlocks* blocks() const override { return model_.has_contacts() ? &blocks_ : nullptr; }
  const StencilBlocks* drag_blocks() const override { return rubs_.empty() ? nullptr : &drag_blocks_; }
  void load_rate(Vector& g) const override;
  std::optional<Rayleigh> rayleigh() const override { return rayleigh_; }

  // Gives K away without a copy, and takes another of the same pattern for it; until the next update() K() is that.
  void exchange_K(SparseMatrix& K) { std::swap(K_, K); }

 private:
  // Terms that are damped by their current stiffness with the same beta (0: not damped that way).
  struct Group {
    double beta;
    std::vector<std::unique_ptr<StiffnessAssembler>> whole;  // of K*, and of K unless `stiff` is there
    std::vector<std::unique_ptr<StiffnessAssembler>> stiff;  // of K, when it is the stiff part alone
  };

  const DeformableModel& model_;
  Definiteness definiteness_;
  std::vector<Group> groups_;
  std::vector<std::unique_ptr<DragAssembler>> drags_;
  std::vector<std::unique_ptr<LoadStiffness>> load_stiffness_;
  std::vector<const Load*> rubs_;  // those with blocks
  SparseMatrix K_;
  StencilBlocks blocks_, drag_blocks_;
  std::unique_ptr<SparseMatrix> D_, D_constant_;
  std::unique_ptr<SparseMatrix> S_;  // exact stiffness of a damped group
  std::optional<Rayleigh> rayleigh_;
  double t_ = 0;
  Vector x_, v_;  // all vertices at the state of the latest update
};

}  // namespace phiflex
