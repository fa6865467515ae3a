// The energy ledger: what came in, what damping took, and what the integrator lost.
//
// Per step from x, t to x+, t+h with dx = x+ - x over all vertices (held ones too):
//
//   external_work += dx.(e + e+)/2 + h (P + P+)/2 + sum over moved vertices of dx.y                       (1)
//   dissipated    += dx.y + dq'alpha M dq/h + D, y = beta (K* + K*+)/2 dx / h                             (2)
//   or, where the method says at which points it took the damping force (step_report.h),
//   dissipated    += dx.y + dq'z,     y = sum weight beta K*(x_p) v_p,   z = sum weight alpha M v_p       (6)
//   y = before z_y + after z_y+,   z_y+ = kept z_y + that sum, z likewise, of methods that carry forces     (7)
//   numerical_loss = total(0) + external_work + contact_work - dissipated - friction - total              (3)
//
// e: the loads on free vertices; on moved ones what their mover does against the potentials,
// -f_c (DeformableModel::external_forces). D: what viscoelastic branches dissipated (energy/prony_term.h, (4)). P: the
// power of the movers of penalty obstacles. The last sum of (1) is what movers do against the damping; the loads on
// moved vertices are borne by the mover and cancel. Of friction (load.h), with its forces r on the vertices and the
// power P_r of the movers of what rubs,
//
//   external_work += h (P_r + P_r+)/2,     friction += h (P_r + P_r+)/2 - dx.(r + r+)/2                   (5)
//
// and r is not part of e: at a resting obstacle friction is no external work. Both quadratures have order two, so that
// an exact trajectory has a loss of O(h^2). Drag of the wind is a load: its work, of either sign, is in (1).
//
// Where contacts change the state at the end of a step (step_filter.h), with the work W_o of moving obstacles,
//
//   external_work += W_o,   friction += F,   contact_work += C - min(C+, L+),
//   C = (total after - total before) - W_o + F                                                            (4)
//
// F: what friction took; L: the change of the loss (3) in the step itself. So contacts are no loss of the integrator.
// What they give back of what the method lost in the same step is neither: a body that rests falls a little in every
// step of `be`, which loses half of that energy, and is put back. More than that contacts do not give
// (projection_filter.h).
//
// `kinetic` counts free vertices. Where a constraint is released, the kinetic energy jumps by that of the
// released vertices: their mover gave it to them, and it is booked as external work.
#pragma once

#include <algorithm>
#include <optional>

#include "phiflex/base/archive.h"
#include "phiflex/model/deformable_model.h"
#include "phiflex/model/step_filter.h"
#include "phiflex/system/step_report.h"

namespace phiflex {

struct LedgerRow {  // J
  Energies energies;
  double external_work = 0, dissipated = 0, numerical_loss = 0;
  double contact_work = 0;  // of projections and impulses on the bodies; positive: they gave energy
  double friction = 0;      // taken by friction
  double total() const { return energies.total(); }
};

class EnergyLedger {
 public:
  // Row 0.
  EnergyLedger(const DeformableModel& model, const State& at);

  const LedgerRow& row() const { return row_; }  // at the latest state
  // A step of the model was made, from the latest state to this one. What the method knows exactly of its work
  // takes the place of (1) and (2) without D, and (6) that of the damping in (2). relaxed: D, J. known: the energies of
  // `next`, where they were summed elsewhere (on a device).
  void advance(const DeformableModel& model, const State& now, const State& next,
               const StepReport& report = {}, double relaxed = 0,
               const std::optional<Energies>& known = std::nullopt);
  // Of the friction of the latest advance(), by its ends: what movers of obstacles and vertices spent on it, J.
  double friction_of_movers() const { return friction_of_movers_; }
  // L+ of (4), of the latest advance(), J.
  double lost_in_step() const { return std::max(0., row_.numerical_loss - before_.numerical_loss); }
  // Contacts changed the latest state to this one.
  void filter(const DeformableModel& model, const State& at, const FilterReport& report);
  // Takes the latest advance() back, and the filter() that followed it.
  void undo();
  // The latest state, seen by the model that takes over (constraints were released).
  void change_model(const DeformableModel& model, const State& at);

  void save(ArchiveWriter& out) const;
  // Goes on from a saved ledger; `at` is the state at which it was saved.
  void load(ArchiveReader& in, const DeformableModel& model, const State& at);

 private:
  friend class LedgerMeter;
  void look(const DeformableModel& model, const State& at,
            const std::optional<Energies>& known = std::nullopt);
  void add_quadratures(const DeformableModel& model, const State& now, const State& next,
                       const StepReport& report);
  // y_ and alpha_dq_: what damping resists with.
  void add_average_damping(const DeformableModel& model, const State& now, const State& next);
  void add_mass_damping(const DeformableModel& model);  // of alpha_dq_
  void add_damping_at(const DeformableModel& model, const DampingPoint& point);
  // (7); y_ and alpha_dq_ hold the sum. False: z is not known, they are zero.
  bool add_memory(const DeformableModel& model, const State& now, const DampingMemory& memory);
  void close();

  double first_total_ = 0;
  struct CarriedDamping {
    bool known = false;
    Vector y, alpha_dq;
  };
  CarriedDamping carried_, carried_now_;  // z of (7), as x_ and x_now_ below
  LedgerRow row_, before_;                // at the latest state, and at the one before
  bool rubs_ = false;                     // something may
  double friction_of_movers_ = 0;
  double mover_power_ = 0, mover_power_now_ = 0;  // P_r at these two states
  Vector x_, e_, r_;                              // at the latest state, all vertices
  Vector x_now_, e_now_, r_now_, v_, dx_, y_, z_, dq_, alpha_dq_, mass_dq_, x_point_,
      v_point_;  // working memory
};

// (1), (2) and (5) of parts of a step, for methods that know where those end.
class LedgerMeter final : public WorkMeter {
 public:
  explicit LedgerMeter(const DeformableModel& model) : model_(model) {}  // which must outlive it
  StepWork between(const State& from, const State& to) override;
  double spent_by_movers() const override { return ledger_ ? ledger_->friction_of_movers() : 0; }

 private:
  bool ends_in(const State& from) const;

  const DeformableModel& model_;
  std::optional<EnergyLedger> ledger_;
  State end_;  // its latest state
};

}  // namespace phiflex
