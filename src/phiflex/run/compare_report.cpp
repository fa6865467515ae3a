#include "phiflex/run/compare_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/record/csv_table.h"
#include "phiflex/record/line_plot.h"
#include "phiflex/record/static_page.h"

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
            {"numerical_loss_relative", number(relative(run.numerical_loss, comparison))},
            {"numerical_loss_largest_relative", number(relative(run.largest_loss, comparison))}}},
          {"fallbacks", run.summary.fallbacks}};
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
      "relative,"
      "numerical_loss_largest_relative";
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

// ---- The page ---------------------------------------------------------------------------------------------

std::string in_words(const std::optional<double>& value) {
  return value ? fmt::format("{:.3g}", *value) : "-";
}

std::string percent(const std::optional<double>& part) {
  return part ? fmt::format("{:.3g} %", 100 * *part) : "-";
}

PageCell result_cell(const ComparedRun& run) {
  switch (run.result) {
    case ComparedResult::stable:
      return {"stable", CellTone::good};
    case ComparedResult::diverged:
    case ComparedResult::failed:
      return {fmt::format("{} at step {}", name_of(run.result), run.diverged_at), CellTone::bad};
    default:
      return {std::string(name_of(run.result))};
  }
}

// Only the counts that some run has.
std::vector<WorkCount> counts_to_show(const Comparison& comparison) {
  std::vector<WorkCount> shown;
  for (const WorkCount& count : work_counts)
    if (std::any_of(comparison.runs.begin(), comparison.runs.end(),
                    [&](const ComparedRun& run) { return run.summary.work.*count.member != 0; }))
      shown.push_back(count);
  return shown;
}

PageSection runs_section(const Comparison& comparison) {
  PageSection section;
  section.heading = "The runs";
  section.width = PageSection::Width::full;
  section.table.head = {"method",
                        "step [s]",
                        "result",
                        "steps",
                        "ms / step",
                        "seconds",
                        "position error [m]",
                        "velocity error [m/s]",
                        "energy lost",
                        "largest loss"};
  for (const ComparedRun& run : comparison.runs) {
    section.table.rows.push_back({{run.method},
                                  {fmt::format("{}", run.h)},
                                  result_cell(run),
                                  {std::to_string(run.summary.steps)},
                                  {fmt::format("{:.3g}", 1e3 * run.summary.seconds_per_step)},
                                  {fmt::format("{:.3g}", run.seconds)},
                                  {in_words(run.largest_position_error())},
                                  {in_words(run.largest_velocity_error())},
                                  {percent(relative(run.numerical_loss, comparison))},
                                  {percent(relative(run.largest_loss, comparison))}});
  }
  section.note =
      "Errors: the largest distance of a vertex (or of its velocity) from the reference at the common times "
      "the run "
      "reached. Energy lost: the ledger's numerical loss at the end, in parts of the energy that the "
      "reference "
      "exchanges; negative: made up. Seconds: of all steps, without output, as measured once on this "
      "machine.";
  return section;
}

PageSection work_section(const Comparison& comparison) {
  PageSection section;
  section.heading = "Work counted";
  section.width = PageSection::Width::full;
  const std::vector<WorkCount> shown = counts_to_show(comparison);
  section.table.head = {"run"};
  for (const WorkCount& count : shown) {
    std::string name = count.name;
    std::replace(name.begin(), name.end(), '_', ' ');
    section.table.head.push_back(name);
  }
  for (const ComparedRun& run : comparison.runs) {
    std::vector<PageCell> row = {{run.name()}};
    for (const WorkCount& count : shown) row.push_back({std::to_string(run.summary.work.*count.member)});
    section.table.rows.push_back(std::move(row));
  }
  return section;
}

PageSection reference_section(const Comparison& comparison) {
  PageSection section;
  section.heading = "The reference: " + comparison.reference.label();
  section.width = PageSection::Width::full;
  section.table.head = {"step [s]", "run", "seconds", "moved by [m]"};
  for (const ReferenceRun& made : comparison.references)
    section.table.rows.push_back(
        {{fmt::format("{}", made.h)},
         {std::string(name_of(made.status)), made.status == RunStatus::done ? CellTone::good : CellTone::bad},
         {fmt::format("{:.3g}", made.seconds)},
         {in_words(made.change)}});
  section.note = comparison.convergence +
                 ". Moved by: the largest distance of a vertex from where the reference with "
                 "twice the step had it.";
  return section;
}

std::string page_plot(LinePlot plot) {
  plot.width = 720;  // as wide as half of a page: letters keep their size
  return line_plot_svg(plot, PlotColors::of_the_page);
}

// A colour per method and a dash per step, the same in every plot.
std::vector<std::string> methods_of(const Comparison& comparison) {
  std::vector<std::string> methods;
  for (const ComparedRun& run : comparison.runs)
    if (std::find(methods.begin(), methods.end(), run.method) == methods.end()) methods.push_back(run.method);
  return methods;
}

int color_of(const ComparedRun& run, const Comparison& comparison) {
  const std::vector<std::string> methods = methods_of(comparison);
  const auto method = std::find(methods.begin(), methods.end(), run.method) - methods.begin();
  const auto coarser =
      std::count_if(comparison.runs.begin(), comparison.runs.end(),
                    [&](const ComparedRun& other) { return other.method == run.method && other.h > run.h; });
  return static_cast<int>(method % plot_color_count + plot_color_count * coarser);
}

// One curve per method, its runs from coarse to fine.
PageSection work_precision(const Comparison& comparison) {
  LinePlot plot;
  plot.title = "Work and precision";
  plot.x = {"seconds of the time loop", AxisScale::logarithmic, {}, {}};
  plot.y = {"largest position error [m]", AxisScale::logarithmic, {}, {}};
  for (const std::string& method : methods_of(comparison)) {
    std::vector<const ComparedRun*> runs;
    for (const ComparedRun& run : comparison.runs)
      if (run.method == method && run.result == ComparedResult::stable && run.largest_position_error())
        runs.push_back(&run);
    std::sort(runs.begin(), runs.end(),
              [](const ComparedRun* a, const ComparedRun* b) { return a->h > b->h; });
    PlotSeries series{.name = runs.empty() ? method + " (none stable)" : method,
                      .style = SeriesStyle::line_and_dots};
    for (const ComparedRun* run : runs) {
      series.x.push_back(run->seconds);
      series.y.push_back(*run->largest_position_error());
      series.dot_titles.push_back(
          fmt::format("{}: {:.3g} s, {:.3g} m", run->name(), run->seconds, series.y.back()));
    }
    plot.series.push_back(std::move(series));
  }
  return {"Work and precision",
          "Lower left is better. Runs that stayed stable; rest the pointer on a dot to see its step.",
          page_plot(plot),
          {},
          PageSection::Width::half};
}

PageSection errors_over_time(const Comparison& comparison, const std::string& heading,
                             const std::string& unit, const std::vector<double> ComparedRun::*errors) {
  LinePlot plot;
  plot.title = heading;
  plot.x.label = "time [s]";
  plot.y = {"error " + unit, AxisScale::logarithmic, {}, {}};
  double smallest = INFINITY, largest = 0;
  for (const ComparedRun& run : comparison.runs) {
    plot.series.push_back(
        {.name = run.name(), .x = comparison.times, .y = run.*errors, .color = color_of(run, comparison)});
    for (const double error : run.*errors) {
      if (error > 0) smallest = std::min(smallest, error);
      if (run.result == ComparedResult::stable) largest = std::max(largest, error);
    }
  }
  // A run that diverges leaves at the top instead of pressing the others flat.
  if (largest > 0) plot.y.high = 10 * largest;
  if (largest > 0 && smallest < 1e-8 * largest) plot.y.low = 1e-8 * largest;
  return {heading,
          "Largest over all vertices, at the times common to all runs.",
          page_plot(plot),
          {},
          PageSection::Width::half};
}

PageSection losses_over_time(const std::filesystem::path& folder, const Comparison& comparison) {
  LinePlot plot;
  plot.title = "Numerical loss";
  plot.x.label = "time [s]";
  plot.y.label = "numerical loss [% of the energy exchanged]";
  double low = 0, high = 1;
  for (const ComparedRun& run : comparison.runs) {
    const CsvTable ledger = read_csv(RunFolder{folder / run.folder}.energy_csv());
    PlotSeries series{.name = run.name(), .color = color_of(run, comparison)};
    constexpr std::size_t plotted = 600;
    for (std::size_t i = 0; i < ledger.rows(); i += ledger.rows() / plotted + 1) {
      series.x.push_back((*ledger.column("time"))[i]);
      series.y.push_back(100 * relative((*ledger.column("numerical_loss"))[i], comparison).value_or(0));
      if (run.diverged_at > 0) continue;
      low = std::min(low, series.y.back());
      high = std::max(high, series.y.back());
    }
    plot.series.push_back(std::move(series));
  }
  plot.y.low = low - 0.05 * (high - low);
  plot.y.high = high + 0.05 * (high - low);
  return {"What the integrators took",
          "The ledger's numerical loss: first total + external work - dissipated - total. A perfect method "
          "stays at 0.",
          page_plot(plot),
          {},
          PageSection::Width::half};
}

std::string comparison_page(const std::filesystem::path& folder, const Comparison& comparison) {
  StaticPage page;
  page.title = comparison.scene_name + ": comparison";
  page.badge = comparison.status != RunStatus::done ? std::string(name_of(comparison.status))
               : comparison.converged               ? "reference converged"
                                                    : "reference not converged";
  page.badge_tone = comparison.converged ? CellTone::good : CellTone::bad;
  page.lead = "Reference " + comparison.reference.label() + " (" + comparison.reference_reason + "), " +
              comparison.convergence + ".";
  const auto broken = std::count_if(comparison.runs.begin(), comparison.runs.end(),
                                    [](const ComparedRun& run) { return run.diverged_at > 0; });
  page.figures = {
      {{"runs"}, {std::to_string(comparison.runs.size())}},
      {{"diverged or failed"}, {std::to_string(broken), broken > 0 ? CellTone::bad : CellTone::plain}},
      {{"common times"}, {std::to_string(comparison.times.size())}},
      {{"energy exchanged"}, {fmt::format("{:.4g} J", comparison.exchanged_energy)}}};
  if (!comparison.runs.empty()) {
    const RunSummary& first = comparison.runs[0].summary;
    page.figures.push_back({{"degrees of freedom"}, {std::to_string(first.degrees_of_freedom)}});
    page.figures.push_back({{"threads"}, {std::to_string(first.threads)}});
  }
  page.sections = {
      runs_section(comparison),
      work_precision(comparison),
      errors_over_time(comparison, "Position error over time", "[m]", &ComparedRun::position_error),
      losses_over_time(folder, comparison),
      errors_over_time(comparison, "Velocity error over time", "[m/s]", &ComparedRun::velocity_error),
      work_section(comparison),
      reference_section(comparison)};
  page.remarks = comparison.warnings;
  for (const ComparedRun& run : comparison.runs) {
    if (!run.reason.empty()) page.remarks.push_back(run.name() + ": " + run.reason);
    for (const std::string& fallback : run.summary.fallbacks)
      page.remarks.push_back(run.name() + ": " + fallback);
  }
  return static_page_html(page);
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
          {"warnings", comparison.warnings}};
}

void write_comparison(const std::filesystem::path& folder, const Comparison& comparison) {
  write_file_atomically(folder / "compare.csv", runs_csv(comparison));
  write_file_atomically(folder / "errors.csv", errors_csv(comparison));
  write_file_atomically(folder / "report.html", comparison_page(folder, comparison));
  write_file_atomically(folder / "compare.json", to_json(comparison).dump(2) + "\n");
}

void remove_comparison(const std::filesystem::path& folder) {
  for (const char* name : {"compare.json", "compare.csv", "errors.csv", "report.html"}) {
    std::error_code failed;
    std::filesystem::remove(folder / name, failed);
    if (failed) throw FileError((folder / name).string(), "cannot remove: " + failed.message());
  }
}

}  // namespace phiflex
