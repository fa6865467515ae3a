#include "phiflex/record/energy_columns.h"

#include <algorithm>

namespace phiflex {
namespace {

static_assert(std::count(energy_header.begin(), energy_header.end(), ',') + 1 == kEnergyColumns);

}  // namespace

EnergyColumns columns_of(const EnergyRow& row) {
  const auto& [px, py, pz] = row.momentum;
  const auto& [lx, ly, lz] = row.angular_momentum;
  return {static_cast<double>(row.step),
          row.time,
          row.kinetic,
          row.elastic,
          row.gravity,
          row.contact,
          row.total,
          row.external_work,
          row.dissipated,
          row.numerical_loss,
          row.contact_work,
          row.friction,
          row.modified,
          px,
          py,
          pz,
          lx,
          ly,
          lz};
}

EnergyRow row_of(std::span<const double, kEnergyColumns> c, double available) {
  return {static_cast<std::int64_t>(c[0]),
          c[1],
          c[2],
          c[3],
          c[4],
          c[5],
          c[6],
          c[7],
          c[8],
          c[9],
          c[10],
          c[11],
          c[12],
          {c[13], c[14], c[15]},
          {c[16], c[17], c[18]},
          available};
}

}  // namespace phiflex
