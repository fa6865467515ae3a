#include "phiflex/model/energy_watch.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace phiflex {
namespace {

constexpr double kStill = 1e-10;  // of the extent, in a step
constexpr double kRounding = 100 * std::numeric_limits<double>::epsilon();

double without_gravity(const Energies& energies) {
  return std::abs(energies.kinetic) + std::abs(energies.elastic) + std::abs(energies.contact);
}

double energy_of_stillness(const DeformableModel& model, double h) {
  const double speed = kStill * model.extent() / h;
  return 0.5 * model.total_mass() * speed * speed;
}

double elastic_energy(const DeformableModel& model, const Vector& x) {
  double energy = 0;
  for (const TermPointer& term : model.terms())
    if (term->account() == PotentialTerm::Account::elastic) energy += term->energy(x);
  return sum(model.team(), energy);
}

// W" / 2 of (4), by a central difference; 0 where it is not a finite number.
double energy_of_dilation(const DeformableModel& model) {
  constexpr double factor = 0.01;
  const Vector& rest = model.description().rest;
  const double second = elastic_energy(model, (1 + factor) * rest) +
                        elastic_energy(model, (1 - factor) * rest) - 2 * elastic_energy(model, rest);
  const double energy = std::abs(second) / (2 * factor * factor);
  return std::isfinite(energy) ? energy : 0;
}

// (4)
double energy_of_rounding(const DeformableModel& model, const LedgerRow& first, double h) {
  const double terms = kRounding * (energy_of_dilation(model) + std::abs(first.energies.gravity));
  return std::max(energy_of_stillness(model, h), terms);
}

}  // namespace

EnergyWatch::EnergyWatch(const DeformableModel& model, const LedgerRow& first, double h)
    : floor_(energy_of_rounding(model, first, h)),
      first_(without_gravity(first.energies)),
      gravity_(first.energies.gravity) {}

double EnergyWatch::available() const {
  return std::max(first_ + fell_ + came_in_, floor_);  // (1)
}

void EnergyWatch::add(std::int64_t step, const LedgerRow& row) {
  fell_ = std::max(fell_, gravity_ - row.energies.gravity);
  came_in_ = std::max(came_in_, row.external_work);
  const double energy = without_gravity(row.energies);
  gain_ = row.numerical_loss < 0 ? -row.numerical_loss / available() : 0;  // (2)
  times_ = energy > 0 ? energy / available() : 0;                          // (3)
  if (!(gain_ >= kWarning))
    began_ = 0;
  else if (began_ == 0)
    began_ = step;
}

void EnergyWatch::save(ArchiveWriter& out) const {
  for (const double number : {first_, gravity_, fell_, came_in_, gain_, times_}) out.put(number);
  out.put(began_);
}

void EnergyWatch::load(ArchiveReader& in) {
  for (double* number : {&first_, &gravity_, &fell_, &came_in_, &gain_, &times_}) *number = in.get_double();
  began_ = in.get_integer();
}

}  // namespace phiflex
