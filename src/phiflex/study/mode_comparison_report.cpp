#include "phiflex/study/mode_comparison_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <system_error>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/base/work.h"
#include "phiflex/mesh/xml_tags.h"
#include "phiflex/pages/line_plot.h"
#include "phiflex/record/csv_table.h"
#include "phiflex/run/coarsening.h"
#include "phiflex/run/mode_comparison.h"
#include "phiflex/scene/scene.h"

namespace phiflex {
namespace {

namespace fs = std::filesystem;

Scene with_consistent_mass(Scene scene) {
  for (BodySpec& body : scene.bodies)
    if (body.mesh) body.mass = MassKind::consistent;
  return scene;
}

void make_report_folder(const fs::path& folder, ExistingFolder existing) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) throw FileError(folder.string(), "cannot make the folder: " + failed.message());
  if (existing == ExistingFolder::refuse && !fs::is_empty(folder, failed)) throw FolderNotEmpty(folder);
}

std::string csv_text(const ModeComparisonSummary& summary) {
  std::string text = "mode,lambda_coarse,lambda_fine,ratio,fine_mode,match\n";
  for (std::size_t i = 0; i < summary.modes.size(); ++i) {
    const ComparedMode& mode = summary.modes[i];
    text += std::to_string(i + 1);
    for (const double number : {mode.coarse, mode.fine, mode.ratio, double(mode.partner + 1), mode.match}) {
      text += ',';
      append_number(text, number);
    }
    text += '\n';
  }
  return text;
}

LinePlot plot_of(const ModeComparisonSummary& summary) {
  LinePlot plot;
  plot.title = "Ratio of the eigenvalues, fine over coarse, and how well the modes match";
  plot.x.label = "mode";
  plot.y.label = "ratio of eigenvalues; match";
  plot.y.low = 0;
  PlotSeries ratio{.name = "lambda fine / lambda coarse", .style = SeriesStyle::line_and_dots};
  PlotSeries match{.name = "match of the shapes", .style = SeriesStyle::dots};
  PlotSeries limit{.name = "least match", .style = SeriesStyle::dashed};
  for (std::size_t i = 0; i < summary.modes.size(); ++i) {
    ratio.x.push_back(double(i + 1));
    ratio.y.push_back(summary.modes[i].ratio);
    match.y.push_back(summary.modes[i].match);
    limit.y.push_back(kModeMatch);
  }
  match.x = limit.x = ratio.x;
  plot.series = {ratio, match, limit};
  return plot;
}

std::string page_of(const ModeComparisonSummary& summary, const std::string& name, const std::string& svg) {
  std::string rows;
  for (std::size_t i = 0; i < summary.modes.size(); ++i) {
    const ComparedMode& mode = summary.modes[i];
    rows += fmt::format("<tr><td>{}<td>{:.6g}<td>{:.6g}<td>{:.4f}<td>{}<td>{:.2f}</tr>\n", i + 1, mode.coarse,
                        mode.fine, mode.ratio, mode.partner + 1, mode.match);
  }
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{0}: modes on two meshes</title>\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<style>body{{font:16px system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 "
      "1rem}}td,th{{padding:.2rem "
      ".8rem;text-align:right;font-variant-numeric:tabular-nums}}svg{{max-width:100%}}</style>\n"
      "<h1>{0}: modes on two meshes</h1>\n<p>{1} degrees of freedom against {2}, consistent mass, at rest. "
      "{3} of {4} modes match: EigenFit {5}.</p>\n{6}\n"
      "<table><tr><th>mode<th>lambda coarse [1/s&sup2;]<th>lambda fine<th>ratio<th>fine "
      "mode<th>match</tr>\n{7}</table></html>\n",
      with_entities(name), summary.coarse_dofs, summary.fine_dofs, summary.matched, summary.modes.size(),
      summary.acceptable ? "can correct this mesh" : "would be switched off", svg, rows);
}

ModeComparisonSummary compare_and_write(const SceneModel& coarse, const Assembly& fine,
                                        const std::string& name, const ModesRunOptions& options) {
  const ModeComparison comparison =
      in_file(coarse.scene_file(), "", [&] { return compare_modes(coarse, fine, 0, options.count); });
  make_report_folder(options.folder, options.existing);
  ModeComparisonSummary summary;
  summary.rigid = comparison.coarse.rigid;
  summary.matched = comparison.matched;
  summary.acceptable = comparison.acceptable();
  summary.coarse_dofs = comparison.coarse.modes.U.rows();
  summary.fine_dofs = comparison.fine.modes.U.rows();
  for (Index i = 0; i < comparison.ratios.size(); ++i) {
    const Index p = comparison.partner[std::size_t(i)];
    ComparedMode mode{.coarse = comparison.coarse.modes.lambda[comparison.coarse.rigid + i],
                      .ratio = comparison.ratios[i],
                      .partner = p};
    mode.fine = mode.ratio * mode.coarse;
    if (p >= 0) mode.match = std::abs(comparison.G(i, p));
    summary.modes.push_back(mode);
  }
  const std::string svg = line_plot_svg(plot_of(summary));
  write_file_atomically(options.folder / "compared_modes.csv", csv_text(summary));
  write_file_atomically(options.folder / "compared_modes.svg", svg);
  write_file_atomically(options.folder / "compared_modes.html", page_of(summary, name, svg));
  summary.messages = coarse.messages();
  return summary;
}

template <class Compare>
ModeComparisonSummary timed(const ModesRunOptions& options, const Compare& compare) {
  RunControl control;
  control.threads = options.threads;
  use_threads(control);
  double seconds = 0;
  ModeComparisonSummary summary;
  {
    const PhaseTimer timer(seconds);
    summary = compare();
  }
  summary.seconds = seconds;
  return summary;
}

}  // namespace

ModeComparisonSummary run_mode_comparison(const Scene& coarse, const std::string& coarse_file,
                                          const Scene& fine, const std::string& fine_file,
                                          const ModesRunOptions& options) {
  return timed(options, [&] {
    const SceneModel coarse_world = build_scene(with_consistent_mass(coarse), coarse_file, BodyChange{});
    const SceneModel fine_world = build_scene(with_consistent_mass(fine), fine_file, BodyChange{});
    const auto same = [](const Body& a, const Body& b) {
      return a.name == b.name && a.kind.index() == b.kind.index();
    };
    if (!std::equal(coarse_world.bodies().begin(), coarse_world.bodies().end(), fine_world.bodies().begin(),
                    fine_world.bodies().end(), same))
      throw InputError(fine_file, "/bodies",
                       "are not those of " + coarse_file + ": the same bodies are compared");
    return compare_and_write(coarse_world, fine_world, coarse.name, options);
  });
}

ModeComparisonSummary run_mode_comparison(const Scene& scene, const std::string& scene_file,
                                          const ModesRunOptions& options) {
  return timed(options, [&] {
    const SceneModel world = build_scene(with_consistent_mass(scene), scene_file);
    if (!world.fine()) throw InputError(scene_file, "/coarsening", "names no finer mesh to compare with");
    return compare_and_write(world, *world.fine(), scene.name, options);
  });
}

}  // namespace phiflex
