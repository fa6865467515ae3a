// A run folder's tables and summary as a viewer's page gets them (TABLE and RUN of docs/motion_format.md).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "phiflex/record/csv_table.h"
#include "phiflex/record/run_folder.h"

namespace phiflex {

enum class RunRole { compared, reference };
enum class MotionIs { shown, left_out };

// A run that a page shows.
struct ViewedRun {
  RunFolder folder;
  std::string name;   // "siere@0.01"; empty: the scene's
  std::string place;  // of the folder, as the page shows it
  RunRole role = RunRole::compared;
  MotionIs motion = MotionIs::shown;
};

// TABLE: at most a few thousand rows, of each bunch of rows the smallest and the largest, so that no oscillation
// is thinned into another one. Null when there are no rows.
nlohmann::ordered_json table_data(const CsvTable& table);

// RUN with "motion" null and no remarks. InputError when run.json or a table is damaged; FileError.
nlohmann::ordered_json run_data(const ViewedRun& run);

// Of the bodies of the scene in run.json (RUN's "run").
std::vector<std::string> body_names(const nlohmann::ordered_json& summary);

}  // namespace phiflex
