// Positions of named points, a row per step: step,time,<name>_x,<name>_y,<name>_z,...
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

}  // namespace phiflex
