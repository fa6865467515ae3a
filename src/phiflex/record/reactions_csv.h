// Forces and torques that constraints and obstacles exert on the bodies, a row per step:
// step,time,NAME.fx,NAME.fy,NAME.fz,NAME.tx,NAME.ty,NAME.tz,...  in N and N m.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "phiflex/record/csv_table.h"

namespace phiflex {

std::string reactions_header(const std::vector<std::string>& names);

class ReactionsCsv {
 public:
  ReactionsCsv(const std::filesystem::path& path, const std::vector<std::string>& names)
      : table_(path, reactions_header(names)) {}
  ReactionsCsv(const std::filesystem::path& path, const std::vector<std::string>& names,
               std::int64_t last_step)
      : table_(path, reactions_header(names), last_step) {}  // resumed

  // Six numbers for each name, in the order of the names.
  void write(std::int64_t step, double time, std::span<const double> wrenches);
  void sync() { table_.sync(); }

 private:
  CsvWriter table_;
  std::vector<double> numbers_;
};

}  // namespace phiflex
