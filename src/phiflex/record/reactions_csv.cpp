#include "phiflex/record/reactions_csv.h"

namespace phiflex {

std::string reactions_header(const std::vector<std::string>& names) {
  std::string header = "step,time";
  for (const std::string& name : names)
    for (const char* component : {".fx", ".fy", ".fz", ".tx", ".ty", ".tz"})
      header += "," + csv_field(name + component);
  return header;
}

void ReactionsCsv::write(std::int64_t step, double time, std::span<const double> wrenches) {
  numbers_.assign(1, time);
  numbers_.insert(numbers_.end(), wrenches.begin(), wrenches.end());
  table_.write_row(step, numbers_);
}

}  // namespace phiflex
