// A comparison's folder, read back, and its page: the runs in step, what was measured, energies, errors. Made from
// the folder's files alone.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "phiflex/pages/viewer_data.h"
#include "phiflex/pages/viewer_page.h"

namespace phiflex {

// So many runs move on a page; tables and plots show all.
constexpr std::size_t most_moving_runs = 6;

struct ComparisonFolder {
  std::string title;
  nlohmann::ordered_json
      comparison;               // compare.json and "errors" (TABLE); null while the comparison is not over
  std::vector<ViewedRun> runs;  // the finest reference last
};

// compare.json, or the runs of a comparison that is still going on.
bool is_comparison_folder(const std::filesystem::path& folder);

// InputError when a file is damaged or names a run outside of the folder; FileError.
ComparisonFolder read_comparison_folder(const std::filesystem::path& folder);

// Writes (or refreshes) report.html.
void write_comparison_page(const std::filesystem::path& folder, std::size_t bytes = default_report_bytes);

}  // namespace phiflex
