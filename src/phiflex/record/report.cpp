#include "phiflex/record/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "phiflex/base/files.h"
#include "phiflex/mesh/vtu_data.h"
#include "phiflex/mesh/xml_tags.h"
#include "phiflex/record/csv_table.h"
#include "phiflex/record/page_marks.h"
#include "phiflex/record/report_page.h"
#include "phiflex/record/run_json.h"
#include "phiflex/record/surface_motion.h"

namespace phiflex {
namespace {

using Json = nlohmann::ordered_json;

// More points than a plot has pixels show nothing more.
constexpr std::size_t plotted_rows = 4000;

template <class T>
std::string base64_of(const std::vector<T>& values) {
  return encode_base64({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

// JSON inside a script element: without '<' nothing in it can end the element.
std::string script_safe(const Json& json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char letter : text) {
    if (letter == '<') {
      safe += "\\u003c";
    } else {
      safe.push_back(letter);
    }
  }
  return safe;
}

// Seven digits: more than a plot or its cursor shows.
Json rounded(double value) {
  if (!std::isfinite(value)) return nullptr;
  return std::strtod(fmt::format("{:.7g}", value).c_str(), nullptr);  // std::stod refuses subnormal numbers
}

// At most `plotted_rows` numbers of a column: of each bunch of rows the smallest and the largest, in the
// order they came, so that no oscillation is thinned into another one.
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

Json table_json(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return nullptr;
  const CsvTable table = read_csv(path);
  if (table.rows() == 0) return nullptr;
  Json columns = Json::array();
  for (const std::vector<double>& column : table.columns) columns.push_back(thinned(column));
  return {{"rows", table.rows()}, {"names", table.names}, {"columns", std::move(columns)}};
}

// Positions as 16-bit fractions of the motion's bounds.
Json motion_json(const SurfaceMotion& motion) {
  if (motion.times.empty()) return nullptr;
  std::vector<std::uint16_t> positions;
  positions.reserve(motion.positions.size() * motion.positions[0].size() * 3);
  for (const auto& moment : motion.positions)
    for (const auto& x : moment)
      for (std::size_t k = 0; k < 3; ++k) {
        const double extent = motion.high[k] - motion.low[k];
        const double fraction = extent > 0 ? (x[k] - motion.low[k]) / extent : 0;
        positions.push_back(static_cast<std::uint16_t>(std::lround(std::clamp(fraction, 0.0, 1.0) * 65535)));
      }
  return {{"frames_in_run", motion.frames_in_run},
          {"times", motion.times},
          {"low", motion.low},
          {"high", motion.high},
          {"vertices", motion.positions[0].size()},
          {"triangles", base64_of(motion.triangles)},
          {"springs", base64_of(motion.springs)},
          {"positions", base64_of(positions)}};
}

std::string text_at(const Json& json, const char* pointer, const std::string& otherwise) {
  const Json::json_pointer place(pointer);
  return json.contains(place) && json[place].is_string() ? json[place].get<std::string>() : otherwise;
}

}  // namespace

void write_report(const RunFolder& folder) {
  const Json run = read_run_json(folder.run_json());
  const Json data = {{"run", run},
                     {"folder", std::filesystem::weakly_canonical(folder.root).filename().string()},
                     {"energy", table_json(folder.energy_csv())},
                     {"probes", table_json(folder.probes_csv())},
                     {"motion", motion_json(read_surface_motion(folder))}};
  const std::string script =
      std::string(report_theme_js).append(report_player_js).append(report_plots_js).append(report_page_js);
  const std::pair<std::string_view, std::string> parts[] = {
      {"{{title}}",
       with_entities(text_at(run, "/scene/name", "run") + " - " + text_at(run, "/status", "unknown"))},
      {"{{style}}", std::string(report_style_css)},
      {"{{data}}", script_safe(data)},
      {"{{script}}", script}};
  write_file_atomically(folder.report_html(), with_marks_filled(report_page_html, parts));
}

}  // namespace phiflex
