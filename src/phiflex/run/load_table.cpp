#include "phiflex/run/load_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "phiflex/base/errors.h"
#include "phiflex/record/csv_table.h"

namespace phiflex {
namespace {

constexpr const char* kLoadColumns =
    "time, and some of ax,ay,az (m/s^2), fx,fy,fz (N), bx,by,bz (N/m^3), between commas";

}  // namespace

std::vector<LoadColumn> read_load_table(const std::filesystem::path& path) {
  using Measure = VertexLoad::Measure;
  const CsvTable table = read_csv(path, UnendedLine::read);
  const auto fail = [&](std::size_t line, const std::string& message) {
    throw InputError(path.string(), fmt::format("line {}", line), message);
  };
  const std::vector<double>* times = table.column("time");
  if (!times) fail(1, fmt::format("has no column \"time\"; expected {}", kLoadColumns));
  if (times->empty()) fail(1, "has no row; expected the load for at least one time");
  for (std::size_t row = 0; row < times->size(); ++row)
    if (!std::isfinite((*times)[row]) || (row > 0 && (*times)[row] <= (*times)[row - 1]))
      fail(row + 2, "expected times that ascend from row to row");
  std::vector<LoadColumn> load;
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    const std::string& name = table.names[c];
    if (std::count(table.names.begin(), table.names.end(), name) > 1)
      fail(1, fmt::format("\"{}\" is there twice", name));
    if (name == "time" || name == "step") continue;
    const std::size_t kind =
        name.size() == 2 ? std::string_view("afb").find(name[0]) : std::string_view::npos;
    const std::size_t axis =
        name.size() == 2 ? std::string_view("xyz").find(name[1]) : std::string_view::npos;
    if (kind == std::string_view::npos || axis == std::string_view::npos)
      fail(1, fmt::format("\"{}\" is no column of a load; expected {}", name, kLoadColumns));
    constexpr std::array kMeasures = {Measure::acceleration, Measure::shared_by_mass, Measure::per_volume};
    LoadColumn column{kMeasures[kind], Eigen::Vector3d::Unit(Index(axis)), {}};
    for (std::size_t row = 0; row < times->size(); ++row) {
      const double value = table.columns[c][row];
      if (!std::isfinite(value)) fail(row + 2, fmt::format("{} is not finite", name));
      column.strength.profile.push_back({(*times)[row], value});
    }
    load.push_back(std::move(column));
  }
  if (load.empty()) fail(1, fmt::format("gives no load; expected {}", kLoadColumns));
  return load;
}

}  // namespace phiflex
