// Compares a run's energy with the available energy A: that of the start, what gravity gave and the external work. With
// the rows of the ledger (energy_ledger.h), T = |kinetic| + |elastic| + |contact|, G the energy of gravity and W the
// external work:
//
//   A_n = T_0 + max_{k<=n} (G_0 - G_k)+ + max_{k<=n} W_k+        available energy                                 (1)
//   g_n = -numerical_loss_n / A_n                                relative gain without a source                    (2)
//   t_n = T_n / A_n                                              at most 1 for an exact integrator                 (3)
//
// From g_n = 1/10 on a run warns. A motion that diverges has t_n far above 1. Neither is measured by the run's own
// kinetic energy, which diverges with it. Energies of a body at rest are rounding errors, so A_n is at least
//
//   A_min = max(m v^2 / 2, 100 eps (W" / 2 + |G_0|)),   v = 1e-10 extent / h                                       (4)
//
// m: the mass, W": the second derivative of the elastic energy by the factor by which all vertices are dilated from
// their rest shape. A law of order W" evaluates to a few eps W" at rest (stable Neo-Hookean: mu (|F|^2 - 3) / 2).
#pragma once

#include <cstdint>

#include "phiflex/base/archive.h"
#include "phiflex/model/energy_ledger.h"

namespace phiflex {

class EnergyWatch {
 public:
  static constexpr double kWarning = 0.1;  // of (2)

  // first: the ledger's row 0. h: the step, s.
  EnergyWatch(const DeformableModel& model, const LedgerRow& first, double h);

  void add(std::int64_t step, const LedgerRow& row);
  double available() const;                          // A_n, J
  double gain() const { return gain_; }              // g_n
  double times_available() const { return times_; }  // t_n
  // The first step of those up to the latest that all have g >= kWarning; 0: the latest has not.
  std::int64_t began() const { return began_; }

  void save(ArchiveWriter& out) const;
  void load(ArchiveReader& in);

 private:
  double floor_;            // (4), J
  double first_, gravity_;  // T_0, G_0
  double fell_ = 0, came_in_ = 0;
  double gain_ = 0, times_ = 0;
  std::int64_t began_ = 0;
};

}  // namespace phiflex
