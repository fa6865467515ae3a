// The energy-momentum force of a DeformableModel (system/two_state_force.h). With dx the change of all
// vertices' positions along the step, free ones by h w, moved ones by their path, and v_x = dx/h,
//
//   f_em = terms(x, x + dx) + loads(t + h/2, x + dx/2, v_x) - alpha M w        on the free vertices       (1)
//
// (without the loads of friction: obstacles have it in their discrete gradient, energy/obstacle_term.h),
// where each term's force is its discrete gradient (energy/two_state_term.h). A body's stiffness damping beta
// K* enters as Kelvin and Voigt's with eta = beta, which no rotation feels: for small motion about rest it is
// beta K(rest) v. Then, exactly when M (w - v) = h/2 f_em,
//
//   dT + dW = external - dissipated - friction - what the dial takes                                      (2)
//   external   = dq'loads - sum over moved vertices of dx.(the terms' force) + that of movers of obstacles (3)
//   dissipated = h w'alpha M w + the terms' Kelvin-Voigt damping, and what contacts do not give back      (4)
//
// (the loads on moved vertices are borne by their mover). Free bodies, for the correction of momenta, are the
// sets of vertices that terms connect, without a held one; those that touch each other in a step are corrected as one.
#pragma once

#include <memory>
#include <vector>

#include "phiflex/energy/limits_ways.h"
#include "phiflex/energy/two_state_term.h"
#include "phiflex/model/deformable_model.h"
#include "phiflex/model/free_bodies.h"
#include "phiflex/system/holds_back.h"

namespace phiflex {

class DeformableTwoState final : public TwoStateForce, public HoldsBack {
 public:
  explicit DeformableTwoState(const DeformableModel& model);  // which must outlive it

  void begin(const State& now, double h, const Dial& dial) override;
  double room() const override { return room_; }
  bool hold_back(const Vector* from, Vector& w) override;
  void force(const Vector& w, Vector& f) override;
  void linearize(const Vector& w, Definiteness definiteness) override;
  const SparseMatrix& K() const override { return K_; }
  const SparseMatrix* D() const override { return D_.get(); }

  const StencilBlocks* blocks() override;
  StepWork work(const Vector& w) override;
  bool has_contact_forces() const override { return any(model_.team(), has_penalties_ || !blocks_.empty()); }
  bool is_inside_out() const override;
  void correct_momenta(Vector& w) override;
  ElementRates rates(const State& at) override;
  double approach_rate(const State& at, double h) override;

  Index memory_size() const override { return memory_size_; }
  void strain_change(const Vector& w, Vector& memory) override;
  double dial_energy(double chi, const Vector& memory) override;

 private:
  struct Part {
    std::unique_ptr<TwoStateTerm> term;
    double eta;
    bool has_ways;     // contact, with free ways
    LimitsWays* ways;  // the term, if it is one; null: it is not
    Index first_memory, first_element;
  };

  void add_part(const PotentialTerm& term, double eta);
  void remember_room();
  void add_potentials(Vector& f);  // of dx_
  void spread(const Vector& w);    // dx_, v_ and x_mid_ of a mean velocity
  // dx_ stays within the room of the step: contacts have no forces, and need not be asked for them. So it may be on one
  // rank and not on another.
  bool stays_free() const { return room_ > 0 && largest_ <= room_; }
  Motion middle() const { return {now_->t + 0.5 * h_, x_mid_, v_}; }
  void add_loads(Vector& f) const;
  void add_mass_damping(const Vector& w, Vector& f);

  const DeformableModel& model_;
  std::vector<Part> parts_;
  std::vector<CarriedTwoState> carried_;
  Index memory_size_ = 0, elements_ = 0;
  std::vector<std::unique_ptr<DragAssembler>> drags_;
  std::vector<std::unique_ptr<LoadStiffness>> load_stiffness_;
  SparseMatrix K_;
  StencilBlocks blocks_;        // of the latest blocks()
  bool has_penalties_ = false;  // contacts whose stiffness is in the pattern
  std::unique_ptr<SparseMatrix> D_, D_constant_;
  FreeBodies free_bodies_;

  const State* now_ = nullptr;
  double h_ = 0, room_ = 0;
  // Nothing is touched as long as no coordinate of q changes from clear_q_ by more than clear_, m; 0: not known.
  double clear_ = 0;
  Vector clear_q_;
  double largest_ = 0;           // coordinate of dx_, but for moved vertices, m
  bool free_in_force_ = false;   // stays_free() in the latest force
  Vector x_;                     // all vertices at the start of the step
  Vector moved_dx_;              // the change of moved vertices, else 0
  Vector dx_, v_, x_mid_, f_;    // over all vertices
  Vector from_;                  // over all vertices, of hold_back()
  std::vector<double> part_;     // of each vertex
  Vector free_, residual_, dw_;  // over the free ones
  std::vector<double> spin_, strain_;
};

}  // namespace phiflex
