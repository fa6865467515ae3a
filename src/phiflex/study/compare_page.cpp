#include "phiflex/study/compare_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/pages/viewer_page.h"
#include "phiflex/record/json_file.h"
#include "phiflex/record/run_json.h"
#include "phiflex/run/version.h"

namespace phiflex {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* page_name = "report.html";

// errors.csv has a row per run and time; the page wants a column per run, on one axis of times.
CsvTable by_time(const LabeledCsvTable& errors) {
  CsvTable table;
  const std::vector<double>* times = errors.numbers.column("time");
  if (!times) return table;
  std::map<double, std::size_t> row_of;
  for (const double time : *times) row_of.emplace(time, 0);
  table.names = {"time"};
  std::vector<double>& axis = table.columns.emplace_back();
  for (auto& [time, row] : row_of) {
    row = axis.size();
    axis.push_back(time);
  }
  for (const char* name : {"position_error", "velocity_error"}) {
    const std::vector<double>* values = errors.numbers.column(name);
    if (!values) continue;
    for (std::size_t i = 0; i < errors.labels.size(); ++i) {
      const std::string column = errors.labels[i] + " " + name;
      const auto found = std::find(table.names.begin(), table.names.end(), column);
      const auto at = static_cast<std::size_t>(found - table.names.begin());
      if (found == table.names.end()) {
        table.names.push_back(column);
        table.columns.emplace_back(row_of.size(), std::nan(""));
      }
      table.columns[at][row_of.at((*times)[i])] = (*values)[i];
    }
  }
  return table;
}

Json errors_data(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder / "errors.csv", error)) return nullptr;
  return table_data(by_time(read_labeled_csv(folder / "errors.csv")));
}

// The folder of a run that compare.json names; it must lie within the comparison's.
ViewedRun named_run(const fs::path& folder, const Json& entry, const std::string& name, RunRole role) {
  const std::string place = text_at(entry, "/folder", "");
  const fs::path path = fs::path(place).lexically_normal();
  if (place.empty() || path.is_absolute() || *path.begin() == "..")
    throw InputError((folder / "compare.json").string(), "/runs",
                     fmt::format("\"{}\" is no folder of this comparison", place));
  return {.folder = {folder / path}, .name = name, .place = place, .role = role};
}

std::vector<ViewedRun> finished_runs(const fs::path& folder, const Json& comparison) {
  std::vector<ViewedRun> runs;
  if (comparison.contains("runs"))
    for (const Json& entry : comparison["runs"])
      runs.push_back(named_run(folder, entry, text_at(entry, "/run", ""), RunRole::compared));
  const Json::json_pointer references("/reference/runs");
  std::optional<ViewedRun> finest;
  if (comparison.contains(references))
    for (const Json& entry : comparison[references])
      if (text_at(entry, "/status", "") == "done")
        finest = named_run(folder, entry, fs::path(text_at(entry, "/folder", "")).filename().string(),
                           RunRole::reference);
  if (finest) runs.push_back(*finest);
  return runs;
}

// Those that have begun, in alphabetical order.
std::vector<ViewedRun> runs_so_far(const fs::path& folder) {
  std::vector<ViewedRun> runs;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / "runs", error)) {
    const std::string name = entry.path().filename().string();
    if (fs::exists(RunFolder{entry.path()}.run_json(), error))
      runs.push_back({.folder = {entry.path()}, .name = name, .place = "runs/" + name});
  }
  std::sort(runs.begin(), runs.end(), [](const ViewedRun& a, const ViewedRun& b) { return a.name < b.name; });
  return runs;
}

}  // namespace

bool is_comparison_folder(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "compare.json", error) || !runs_so_far(folder).empty();
}

ComparisonFolder read_comparison_folder(const fs::path& folder) {
  ComparisonFolder read;
  std::error_code error;
  if (fs::exists(folder / "compare.json", error)) {
    read.comparison = read_run_json(folder / "compare.json");
    read.runs = finished_runs(folder, read.comparison);
    read.title = text_at(read.comparison, "/scene", "comparison");
    read.comparison["errors"] = errors_data(folder);
  } else {
    read.runs = runs_so_far(folder);
    read.title = fs::weakly_canonical(folder).filename().string();
  }
  std::size_t moving = 0;
  for (ViewedRun& run : read.runs)
    if (run.role == RunRole::compared && ++moving > most_moving_runs) run.motion = MotionIs::left_out;
  return read;
}

void write_comparison_page(const fs::path& folder, std::size_t bytes) {
  ComparisonFolder read = read_comparison_folder(folder);
  ViewerPage page;
  page.title = read.title + ": comparison";
  page.data = page_data("compare", read.title, fmt::format("phiflex {}", version()));
  page.data["comparison"] = std::move(read.comparison);
  embed_runs(read.runs, bytes, page);
  for (std::size_t i = 0; i < read.runs.size(); ++i)
    if (read.runs[i].motion == MotionIs::left_out)
      page.data["runs"][i]["remarks"].push_back(
          fmt::format("Six runs move on this page; see this one with:  phiflex view {}",
                      read.runs[i].folder.root.string()));
  write_file_atomically(folder / page_name, viewer_page_html(page, PageHome::file));
}

}  // namespace phiflex
