// The energy ledger, a row per step:
//
//   total          = kinetic + elastic + gravity + contact                                             (1)
//   numerical_loss = total(0) + external_work + contact_work - dissipated - friction - total            (2)
//
// A perfect integrator shows a numerical loss of 0; what the method itself takes shows as positive, what it
// adds as negative. contact_work: of projections and impulses on the bodies, positive where they gave energy;
// friction: what friction took. All in joules. Behind these columns: E*, the energy that a method with a damping dial
// never lets rise (for others the total), and the momenta of the free vertices, in kg m/s and, about the
// origin, kg m^2/s.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "phiflex/base/archive.h"
#include "phiflex/record/csv_table.h"

namespace phiflex {

struct EnergyRow {
  std::int64_t step = 0;
  double time = 0;  // s
  double kinetic = 0, elastic = 0, gravity = 0, contact = 0, total = 0;
  double external_work = 0, dissipated = 0, numerical_loss = 0;  // since the start
  double contact_work = 0, friction = 0;                         // since the start
  double modified = 0;                                           // E*
  std::array<double, 3> momentum{}, angular_momentum{};
  // Available energy so far (model/energy_watch.h), J; for the summary, not a column.
  double available = std::numeric_limits<double>::infinity();
};

inline constexpr std::string_view energy_header =
    "step,time,kinetic,elastic,gravity,contact,total,external_work,dissipated,numerical_loss,contact_work,"
    "friction,modified_energy,"
    "momentum_x,momentum_y,momentum_z,angular_momentum_x,angular_momentum_y,angular_momentum_z";

// A row as numbers, in the order of the header, and back. available: of the row; it has no column.
inline constexpr std::size_t kEnergyColumns = 19;
using EnergyColumns = std::array<double, kEnergyColumns>;
EnergyColumns columns_of(const EnergyRow& row);
EnergyRow row_of(std::span<const double, kEnergyColumns> columns, double available);

class EnergyCsv {
 public:
  explicit EnergyCsv(const std::filesystem::path& path) : table_(path, energy_header) {}
  EnergyCsv(const std::filesystem::path& path, std::int64_t last_step)  // resumed
      : table_(path, energy_header, last_step) {}
  void write(const EnergyRow& row);
  void flush() { table_.flush(); }
  void sync() { table_.sync(); }

 private:
  CsvWriter table_;
};

// What run.json says of the ledger, kept row by row.
//
//   largest_relative_change = max |numerical_loss| / max(min(largest kinetic, available), initial elastic)   (3)
//
// The kinetic energy of a motion that diverges has no source, so it counts up to the available energy only.
class EnergySummary {
 public:
  void add(const EnergyRow& row);
  double first() const { return first_; }  // total energy of the first row, J
  double last() const { return last_; }
  double largest_loss() const;                           // |numerical_loss|, J
  double worst_loss() const { return worst_loss_; }      // the same with its sign: the one farthest from 0
  double exchanged() const;                              // the denominator of (3), J
  double available() const { return available_; }        // of the last row, J
  double contact_work() const { return contact_work_; }  // of the last row, J
  double friction() const { return friction_; }
  double largest_relative_change() const;  // (3); 0 when nothing ever had energy to lose

  void save(ArchiveWriter& archive) const;
  void load(ArchiveReader& archive);

 private:
  bool any_ = false;
  double first_ = 0, last_ = 0, initial_elastic_ = 0, largest_kinetic_ = 0, worst_loss_ = 0, available_ = 0;
  double contact_work_ = 0, friction_ = 0;
};

// Energies in words, the same on the console, in reports and in comparisons (web/src/words.ts).
//
// With three digits and the prefix that leaves 1 to 999 before the unit: "64.5 mJ".
std::string joules(double energy);
// 0 for what is rounding: below 1e-12 of the energy that the motion exchanged.
double without_rounding(double loss, double exchanged);
// A loss (positive) or gain beside the energy that the motion exchanged, J: "took 1.17 J; the motion never
// had more than 990 mJ".
std::string loss_words(double loss, double exchanged);

}  // namespace phiflex
