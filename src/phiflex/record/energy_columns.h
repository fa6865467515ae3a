// A row of the ledger as numbers, in the order of energy_header, and back.
#pragma once

#include <array>
#include <span>

#include "phiflex/record/energy_csv.h"

namespace phiflex {

inline constexpr std::size_t kEnergyColumns = 19;
using EnergyColumns = std::array<double, kEnergyColumns>;

EnergyColumns columns_of(const EnergyRow& row);
// available: of the row, J; it has no column.
EnergyRow row_of(std::span<const double, kEnergyColumns> columns, double available);

}  // namespace phiflex
