// A two-state force for any mechanical system: the force averaged along the chord from q to q+ = q + h w by
// three Gauss points g_i with weights b_i,
//
//   f_em = sum_i b_i f(t + g_i h, q + g_i h w, w)                                                         (1)
//
// (the averaged vector field: McLachlan, Quispel, Robidoux: Geometric integration using discrete gradients,
// 1999). Energies that are polynomials up to degree six along the chord are kept exactly, others to
// O(h^7). Its linearization is taken in the middle: K and D of the system there, exact for quadratic
// energies. Torques are not kept: a system with vertices has a two-state force of its own.
//
// The dial, with the stiffness K0 of the rest shape (q = 0) in place of the rest tensor:
//
//   f_em -= chi K0 (dq - ratio dq_before),   dq = h w,   memory: dq,   energy chi/2 dq'K0 dq              (2)
#pragma once

#include <memory>
#include <optional>

#include "phiflex/system/mechanical_system.h"

namespace phiflex {

class ChordForce final : public TwoStateForce {
 public:
  explicit ChordForce(const MechanicalSystem& system);  // which must outlive it

  void begin(const State& now, double h, const Dial& dial) override;
  void force(const Vector& w, Vector& f) override;
  void linearize(const Vector& w, Definiteness definiteness) override;
  const SparseMatrix& K() const override { return K_; }
  const SparseMatrix* D() const override { return current_->D(); }
  StepWork work(const Vector& w) override;
  Index memory_size() const override { return system_.dofs(); }
  void strain_change(const Vector& w, Vector& memory) override { memory = h_ * w; }
  double dial_energy(double chi, const Vector& memory) override;

 private:
  const SparseMatrix& rest_stiffness();
  void place(double g, const Vector& w);  // at_ on the chord

  const MechanicalSystem& system_;
  std::unique_ptr<AssembledTangent> exact_, projected_;  // the second only when it is needed
  AssembledTangent* current_;
  SparseMatrix K_;
  std::optional<SparseMatrix> K0_;  // only with the dial
  const State* now_ = nullptr;
  double h_ = 0;
  Dial dial_;
  State at_;
  Vector part_, product_;
};

// The system's own two-state force, or that along the chord.
std::unique_ptr<TwoStateForce> make_two_state_force(const MechanicalSystem& system);

}  // namespace phiflex
