#include "phiflex/run/energy_row.h"

namespace phiflex {

EnergyRow energy_row(const Simulation& simulation) {
  const LedgerRow& ledger = simulation.ledger();
  const State& now = simulation.state();
  const Momenta momenta = simulation.model().momenta(now);
  const auto triple = [](const Eigen::Vector3d& x) { return std::array{x[0], x[1], x[2]}; };
  return {simulation.step(),
          now.t,
          ledger.energies.kinetic,
          ledger.energies.elastic,
          ledger.energies.gravity,
          ledger.energies.contact,
          ledger.total(),
          ledger.external_work,
          ledger.dissipated,
          ledger.numerical_loss,
          ledger.contact_work,
          ledger.friction,
          simulation.modified_energy(),
          triple(momenta.linear),
          triple(momenta.angular),
          simulation.available_energy()};
}

}  // namespace phiflex
