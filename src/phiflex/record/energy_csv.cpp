#include "phiflex/record/energy_csv.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace phiflex {

void EnergyCsv::write(const EnergyRow& row) {
  const auto& [px, py, pz] = row.momentum;
  const auto& [lx, ly, lz] = row.angular_momentum;
  const std::array numbers{row.time,
                           row.kinetic,
                           row.elastic,
                           row.gravity,
                           row.contact,
                           row.total,
                           row.external_work,
                           row.dissipated,
                           row.numerical_loss,
                           row.modified,
                           px,
                           py,
                           pz,
                           lx,
                           ly,
                           lz};
  table_.write_row(row.step, numbers);
}

void EnergySummary::add(const EnergyRow& row) {
  if (!any_) {
    first_ = row.total;
    initial_elastic_ = row.elastic;
    any_ = true;
  }
  last_ = row.total;
  largest_kinetic_ = std::max(largest_kinetic_, row.kinetic);
  largest_loss_ = std::max(largest_loss_, std::abs(row.numerical_loss));
  available_ = row.available;
}

double EnergySummary::largest_relative_change() const {
  const double exchanged = std::max(std::min(largest_kinetic_, available_), initial_elastic_);  // (3)
  return exchanged > 0 ? largest_loss_ / exchanged : 0;
}

void EnergySummary::save(ArchiveWriter& archive) const {
  archive.put(std::int64_t{any_});
  for (const double value : {first_, last_, initial_elastic_, largest_kinetic_, largest_loss_, available_})
    archive.put(value);
}

void EnergySummary::load(ArchiveReader& archive) {
  any_ = archive.get_integer() != 0;
  for (double* value : {&first_, &last_, &initial_elastic_, &largest_kinetic_, &largest_loss_, &available_})
    *value = archive.get_double();
}

}  // namespace phiflex
