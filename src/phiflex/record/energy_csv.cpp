#include "phiflex/record/energy_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "phiflex/record/energy_columns.h"
#include "phiflex/record/energy_words.h"

namespace phiflex {

void EnergyCsv::write(const EnergyRow& row) {
  const EnergyColumns columns = columns_of(row);
  table_.write_row(row.step, std::span(columns).subspan(1));
}

void EnergySummary::add(const EnergyRow& row) {
  if (!any_) {
    first_ = row.total;
    initial_elastic_ = row.elastic;
    any_ = true;
  }
  last_ = row.total;
  largest_kinetic_ = std::max(largest_kinetic_, row.kinetic);
  if (!(std::abs(row.numerical_loss) <= std::abs(worst_loss_))) worst_loss_ = row.numerical_loss;
  available_ = row.available;
  contact_work_ = row.contact_work;
  friction_ = row.friction;
}

double EnergySummary::largest_loss() const {
  return std::abs(worst_loss_);
}

double EnergySummary::exchanged() const {
  return std::max(std::min(largest_kinetic_, available_), initial_elastic_);
}

double EnergySummary::largest_relative_change() const {
  return exchanged() > 0 ? largest_loss() / exchanged() : 0;  // (3)
}

std::string loss_words(double loss, double exchanged) {
  loss = without_rounding(loss, exchanged);
  return fmt::format("{} {}; the motion never had more than {}", loss < 0 ? "added" : "took",
                     joules(std::abs(loss)), joules(exchanged));
}

void EnergySummary::save(ArchiveWriter& archive) const {
  archive.put(std::int64_t{any_});
  for (const double value :
       {first_, last_, initial_elastic_, largest_kinetic_, worst_loss_, available_, contact_work_, friction_})
    archive.put(value);
}

void EnergySummary::load(ArchiveReader& archive) {
  any_ = archive.get_integer() != 0;
  for (double* value : {&first_, &last_, &initial_elastic_, &largest_kinetic_, &worst_loss_, &available_,
                        &contact_work_, &friction_})
    *value = archive.get_double();
}

}  // namespace phiflex
