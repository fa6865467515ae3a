// What a comparison leaves in its folder beside the runs:
//
//   compare.json   everything but the errors over time
//   compare.csv    a row per run
//   errors.csv     run,time,position_error,velocity_error at the common times
//   report.html    one self-contained page: the runs moving in step, the table, errors and energies (compare_page.h)
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "phiflex/study/compare.h"

namespace phiflex {

nlohmann::ordered_json to_json(const Comparison& comparison);

// `folder`: where the runs lie.
void write_comparison(const std::filesystem::path& folder, const Comparison& comparison);
// The files of an earlier comparison, not its runs.
void remove_comparison(const std::filesystem::path& folder);

}  // namespace phiflex
