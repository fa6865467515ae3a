#include "phiflex/record/named_tables.h"

#include <initializer_list>
#include <stdexcept>

namespace phiflex {
namespace {

std::string header_of(const std::vector<std::string>& names, std::initializer_list<const char*> columns) {
  std::string header = "step,time";
  for (const std::string& name : names)
    for (const char* column : columns) header += "," + csv_field(name + column);
  return header;
}

}  // namespace

std::string probes_header(const std::vector<std::string>& names) {
  return header_of(names, {"_x", "_y", "_z"});
}
std::string reactions_header(const std::vector<std::string>& names) {
  return header_of(names, {".fx", ".fy", ".fz", ".tx", ".ty", ".tz"});
}

ProbesCsv::ProbesCsv(const std::filesystem::path& path, const std::vector<std::string>& names)
    : table_(path, probes_header(names)), probes_(names.size()) {}

ProbesCsv::ProbesCsv(const std::filesystem::path& path, const std::vector<std::string>& names,
                     std::int64_t last_step)
    : table_(path, probes_header(names), last_step), probes_(names.size()) {}

void ProbesCsv::write(std::int64_t step, double time, std::span<const Point3> positions) {
  if (positions.size() != probes_) throw std::invalid_argument("ProbesCsv::write: one position per probe");
  numbers_.assign(1, time);
  for (const Point3& position : positions) numbers_.insert(numbers_.end(), position.begin(), position.end());
  table_.write_row(step, numbers_);
}

void ReactionsCsv::write(std::int64_t step, double time, std::span<const double> wrenches) {
  numbers_.assign(1, time);
  numbers_.insert(numbers_.end(), wrenches.begin(), wrenches.end());
  table_.write_row(step, numbers_);
}

}  // namespace phiflex
