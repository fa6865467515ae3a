#include "phiflex/record/probes_csv.h"

#include <stdexcept>

namespace phiflex {
std::string probes_header(const std::vector<std::string>& names) {
  std::string header = "step,time";
  for (const std::string& name : names)
    for (const char* axis : {"_x", "_y", "_z"}) header += "," + csv_field(name + axis);
  return header;
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

}  // namespace phiflex
