#include "phiflex/pages/viewer_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "phiflex/record/json_file.h"
#include "phiflex/record/run_json.h"

namespace phiflex {
namespace {

using Json = nlohmann::ordered_json;

// More points than a plot has pixels show nothing more.
constexpr std::size_t plotted_rows = 4000;

// Seven digits: more than a plot or its cursor shows.
Json rounded(double value) {
  if (!std::isfinite(value)) return nullptr;
  return std::strtod(fmt::format("{:.7g}", value).c_str(), nullptr);  // std::stod refuses subnormal numbers
}

// In the order they came.
Json thinned(const std::vector<double>& column) {
  Json values = Json::array();
  const std::size_t bunch = 2 * ((column.size() + plotted_rows - 1) / plotted_rows);
  if (bunch <= 2) {
    for (const double value : column) values.push_back(rounded(value));
    return values;
  }
  for (std::size_t start = 0; start < column.size(); start += bunch) {
    const auto first = column.begin() + static_cast<std::ptrdiff_t>(start);
    const auto last = column.begin() + static_cast<std::ptrdiff_t>(std::min(column.size(), start + bunch));
    const auto [low, high] = std::minmax_element(first, last);
    values.push_back(rounded(*std::min(low, high)));
    values.push_back(rounded(*std::max(low, high)));
  }
  return values;
}

Json table_of(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::exists(path, error) ? table_data(read_csv(path)) : Json(nullptr);
}

}  // namespace

Json table_data(const CsvTable& table) {
  if (table.rows() == 0) return nullptr;
  Json columns = Json::array();
  for (const std::vector<double>& column : table.columns) columns.push_back(thinned(column));
  return {{"rows", table.rows()}, {"names", table.names}, {"columns", std::move(columns)}};
}

Json run_data(const ViewedRun& run) {
  const Json summary = read_run_json(run.folder.run_json());
  return {{"name", run.name.empty() ? text_at(summary, "/scene/name", run.place) : run.name},
          {"folder", run.place},
          {"reference", run.role == RunRole::reference},
          {"run", summary},
          {"energy", table_of(run.folder.energy_csv())},
          {"probes", table_of(run.folder.probes_csv())},
          {"reactions", table_of(run.folder.reactions_csv())},
          {"motion", nullptr},
          {"remarks", Json::array()}};
}

std::vector<std::string> body_names(const Json& summary) {
  std::vector<std::string> names;
  const Json::json_pointer bodies("/scene/bodies");
  if (!summary.contains(bodies) || !summary[bodies].is_array()) return names;
  for (const Json& body : summary[bodies])
    names.push_back(text_at(body, "/name", fmt::format("body {}", names.size() + 1)));
  return names;
}

}  // namespace phiflex
