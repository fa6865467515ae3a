#include "phiflex/study/compare_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/record/csv_table.h"
#include "phiflex/study/compare_page.h"

namespace phiflex {
namespace {

using Json = nlohmann::ordered_json;

Json number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

std::optional<double> last(const std::vector<double>& errors) {
  return errors.empty() ? std::nullopt : std::optional(errors.back());
}

// In parts of the energy that is exchanged; absent when nothing is.
std::optional<double> relative(double loss, const Comparison& comparison) {
  if (!(comparison.exchanged_energy > 0)) return std::nullopt;
  return loss / comparison.exchanged_energy;
}

Json run_json(const ComparedRun& run, const Comparison& comparison) {
  Json counts = Json::object();
  for (const WorkCount& count : work_counts) counts[count.name] = run.summary.work.*count.member;
  Json phases = Json::object();
  for (const WorkPhase& phase : work_phases) phases[phase.name] = run.summary.work.*phase.seconds;
  phases["total"] = run.seconds;
  phases["per_step"] = run.summary.seconds_per_step;
  return {{"run", run.name()},
          {"method", run.method},
          {"h", run.h},
          {"folder", run.folder},
          {"result", name_of(run.result)},
          {"reason", run.reason},
          {"diverged_at_step", run.diverged_at > 0 ? Json(run.diverged_at) : Json(nullptr)},
          {"steps", run.summary.steps},
          {"steps_planned", run.summary.steps_planned},
          {"seconds", phases},
          {"counts", counts},
          {"errors",
           {{"position_largest", number(run.largest_position_error())},
            {"velocity_largest", number(run.largest_velocity_error())},
            {"position_last", number(last(run.position_error))},
            {"velocity_last", number(last(run.velocity_error))},
            {"times", run.position_error.size()}}},
          {"energy",
           {{"first", run.summary.energy_first},
            {"last", run.summary.energy_last},
            {"numerical_loss", run.numerical_loss},
            {"worst_loss", number(run.summary.energy_worst_loss)},
            {"numerical_loss_relative", number(relative(run.numerical_loss, comparison))},
            {"numerical_loss_largest_relative", number(relative(run.largest_loss, comparison))}}},
          {"fallbacks", fallbacks(run.summary)}};
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) quoted += letter == '"' ? "\"\"" : std::string(1, letter);
  return quoted + '"';
}

void append(std::string& row, const std::optional<double>& value) {
  row += ',';
  if (value) append_number(row, *value);
}

std::string runs_csv(const Comparison& comparison) {
  std::string text =
      "run,method,h,result,diverged_at_step,steps,seconds,seconds_per_step,position_error,velocity_error,"
      "position_error_last,velocity_error_last,energy_first,energy_last,numerical_loss,numerical_loss_"
      "relative,numerical_loss_largest_relative";
  for (const WorkCount& count : work_counts) text += fmt::format(",{}", count.name);
  text += '\n';
  for (const ComparedRun& run : comparison.runs) {
    text += csv_field(run.name()) + ',' + csv_field(run.method);
    append(text, run.h);
    text += fmt::format(",{},{},{}", name_of(run.result),
                        run.diverged_at > 0 ? std::to_string(run.diverged_at) : "", run.summary.steps);
    for (const std::optional<double>& value :
         {std::optional(run.seconds), std::optional(run.summary.seconds_per_step),
          run.largest_position_error(), run.largest_velocity_error(), last(run.position_error),
          last(run.velocity_error), std::optional(run.summary.energy_first),
          std::optional(run.summary.energy_last), std::optional(run.numerical_loss),
          relative(run.numerical_loss, comparison), relative(run.largest_loss, comparison)})
      append(text, value);
    for (const WorkCount& count : work_counts) text += fmt::format(",{}", run.summary.work.*count.member);
    text += '\n';
  }
  return text;
}

std::string errors_csv(const Comparison& comparison) {
  std::string text = "run,time,position_error,velocity_error\n";
  for (const ComparedRun& run : comparison.runs)
    for (std::size_t k = 0; k < run.position_error.size(); ++k) {
      text += csv_field(run.name());
      for (const double value : {comparison.times[k], run.position_error[k], run.velocity_error[k]})
        append(text, value);
      text += '\n';
    }
  return text;
}

}  // namespace

nlohmann::ordered_json to_json(const Comparison& comparison) {
  Json runs = Json::array(), references = Json::array();
  for (const ComparedRun& run : comparison.runs) runs.push_back(run_json(run, comparison));
  for (const ReferenceRun& made : comparison.references)
    references.push_back({{"h", made.h},
                          {"folder", made.folder},
                          {"status", name_of(made.status)},
                          {"change", number(made.change)},
                          {"seconds", made.seconds}});
  return {{"scene", comparison.scene_name},
          {"scene_file", comparison.scene_file},
          {"status", name_of(comparison.status)},
          {"reference",
           {{"method", comparison.reference.label()},
            {"chosen", comparison.reference_reason},
            {"converged", comparison.converged},
            {"convergence", comparison.convergence},
            {"runs", references}}},
          {"exchanged_energy", comparison.exchanged_energy},
          {"times", comparison.times.size()},
          {"runs", runs},
          {"warnings", comparison.messages.warnings()}};
}

void write_comparison(const std::filesystem::path& folder, const Comparison& comparison) {
  write_file_atomically(folder / "compare.csv", runs_csv(comparison));
  write_file_atomically(folder / "errors.csv", errors_csv(comparison));
  write_file_atomically(folder / "compare.json", to_json(comparison).dump(2) + "\n");
  write_comparison_page(folder);
}

void remove_comparison(const std::filesystem::path& folder) {
  for (const char* name : {"compare.json", "compare.csv", "errors.csv", "report.html"}) {
    std::error_code failed;
    std::filesystem::remove(folder / name, failed);
    if (failed) throw FileError((folder / name).string(), "cannot remove: " + failed.message());
  }
}

}  // namespace phiflex
