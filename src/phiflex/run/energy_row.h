// The row of the ledger for where a simulation is.
#pragma once

#include "phiflex/record/energy_csv.h"
#include "phiflex/run/simulation.h"

namespace phiflex {

EnergyRow energy_row(const Simulation& simulation);

}  // namespace phiflex
