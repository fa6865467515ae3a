// Tables of named things, a row per step (docs/run_folder.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "phiflex/mesh/tet_mesh.h"
#include "phiflex/record/csv_table.h"

namespace phiflex {

// A name with a comma, a quote or a line break is quoted as RFC 4180 says.
std::string probes_header(const std::vector<std::string>& names);
std::string reactions_header(const std::vector<std::string>& names);

// Positions of named points: step,time,<name>_x,<name>_y,<name>_z,...
class ProbesCsv {
 public:
  ProbesCsv(const std::filesystem::path& path, const std::vector<std::string>& names);
  ProbesCsv(const std::filesystem::path& path, const std::vector<std::string>& names,
            std::int64_t last_step);  // resumed
  // One position per name, in the order of the names.
  void write(std::int64_t step, double time, std::span<const Point3> positions);
  void flush() { table_.flush(); }
  void sync() { table_.sync(); }

 private:
  CsvWriter table_;
  std::size_t probes_;
  std::vector<double> numbers_;
};

// Forces and torques that constraints and obstacles exert on the bodies:
// step,time,NAME.fx,NAME.fy,NAME.fz,NAME.tx,NAME.ty,NAME.tz,...  in N and N m.
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
