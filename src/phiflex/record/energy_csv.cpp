#include "phiflex/record/energy_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace phiflex {
namespace {

static_assert(std::count(energy_header.begin(), energy_header.end(), ',') + 1 == kEnergyColumns);

// The columns between the step and the momenta.
constexpr double EnergyRow::*kNumbers[] = {
    &EnergyRow::time,           &EnergyRow::kinetic,      &EnergyRow::elastic,       &EnergyRow::gravity,
    &EnergyRow::contact,        &EnergyRow::total,        &EnergyRow::external_work, &EnergyRow::dissipated,
    &EnergyRow::numerical_loss, &EnergyRow::contact_work, &EnergyRow::friction,      &EnergyRow::modified};

}  // namespace

EnergyColumns columns_of(const EnergyRow& row) {
  EnergyColumns columns;
  double* next = columns.data();
  *next++ = static_cast<double>(row.step);
  for (const auto number : kNumbers) *next++ = row.*number;
  next = std::copy(row.momentum.begin(), row.momentum.end(), next);
  std::copy(row.angular_momentum.begin(), row.angular_momentum.end(), next);
  return columns;
}

EnergyRow row_of(std::span<const double, kEnergyColumns> columns, double available) {
  EnergyRow row;
  const double* next = columns.data();
  row.step = static_cast<std::int64_t>(*next++);
  for (const auto number : kNumbers) row.*number = *next++;
  std::copy_n(next, 3, row.momentum.begin());
  std::copy_n(next + 3, 3, row.angular_momentum.begin());
  row.available = available;
  return row;
}

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

std::string joules(double energy) {
  struct Prefix {
    double factor;
    const char* letter;
  };
  constexpr Prefix kPrefixes[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "\u00b5"}};
  if (energy == 0 || !std::isfinite(energy)) return fmt::format("{:.3g} J", energy);
  for (const Prefix& prefix : kPrefixes)
    if (std::abs(energy) >= prefix.factor)
      return fmt::format("{:.3g} {}J", energy / prefix.factor, prefix.letter);
  return fmt::format("{:.3g} nJ", energy / 1e-9);
}

double without_rounding(double loss, double exchanged) {
  return std::abs(loss) <= 1e-12 * exchanged ? 0 : loss;
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
