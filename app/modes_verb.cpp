// modes.
#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/exit_codes.h"
#include "app/run_control.h"
#include "app/say.h"
#include "app/verbs.h"
#include "phiflex/scene/scene.h"
#include "phiflex/study/mode_comparison_report.h"
#include "phiflex/study/modes_run.h"

namespace {

using namespace phiflex;
using Json = nlohmann::ordered_json;

const char* name_of_status(ModesStatus status) {
  switch (status) {
    case ModesStatus::ok:
      return "done";
    case ModesStatus::not_converged:
      return "not converged";
    case ModesStatus::not_positive_definite:
    case ModesStatus::not_finite:
      break;
  }
  return "failed";
}

Json to_json(const ModesSummary& summary, const std::filesystem::path& folder) {
  Json modes = Json::array();
  for (const NaturalMode& mode : summary.modes)
    modes.push_back({{"lambda", mode.lambda},
                     {"omega", mode.omega},
                     {"frequency_hz", mode.frequency},
                     {"residual", mode.residual},
                     {"kind", name_of(mode.kind)}});
  return {{"status", name_of_status(summary.status)},
          {"folder", folder.string()},
          {"vertices", summary.vertices},
          {"degrees_of_freedom", summary.degrees_of_freedom},
          {"seconds", summary.seconds},
          {"factorizations", summary.work.factorizations},
          {"solves", summary.work.solves},
          {"stiffness_products", summary.work.stiffness_products},
          {"notes", summary.messages.notes()},
          {"modes", modes}};
}

void print_table(const ModesSummary& summary) {
  say("{:>5} {:>14} {:>14} {:>14} {:>9}\n", "mode", "lambda [1/s2]", "omega [1/s]", "f [Hz]", "residual");
  for (std::size_t i = 0; i < summary.modes.size(); ++i) {
    const NaturalMode& mode = summary.modes[i];
    say("{:>5} {:>14.7g} ", i + 1, mode.lambda);
    if (mode.kind == ModeKind::elastic)
      say("{:>14.7g} {:>14.7g}", mode.omega, mode.frequency);
    else
      say("{:>14} {:>14}", "-", name_of(mode.kind));
    say(" {:>9.1e}\n", mode.residual);
  }
}

int finish(const ModesSummary& summary, const std::filesystem::path& folder, const Verbosity& verbosity) {
  say_warnings(summary.messages, verbosity);
  if (verbosity.json) say_json(to_json(summary, folder));
  if (summary.modes.empty()) {
    say(stderr, "phiflex: no modes: the stiffness at rest {}\n",
        summary.status == ModesStatus::not_finite ? "is not finite" : "cannot be factorized");
    return kFailed;
  }
  if (summary.status != ModesStatus::ok)
    say(stderr, "phiflex: not all modes have converged; see their residuals\n");
  const auto unstable = std::count_if(summary.modes.begin(), summary.modes.end(),
                                      [](const NaturalMode& m) { return m.kind == ModeKind::unstable; });
  if (unstable > 0 && verbosity.says(LogLevel::warning))
    say(stderr,
        "warning: the rest shape is unstable: {} of the modes have a negative lambda; the fastest grows like "
        "exp({:.4g} t)\n",
        unstable, std::sqrt(-summary.modes[0].lambda));
  if (verbosity.says(LogLevel::info)) {
    for (const std::string& note : summary.messages.notes()) say("{}\n", note);
    print_table(summary);
    say("{} degrees of freedom, {:.3g} s\nresults: {}\n", summary.degrees_of_freedom, summary.seconds,
        folder.string());
  }
  return summary.status == ModesStatus::ok ? kDone : kFailed;
}

Json to_json(const ModeComparisonSummary& summary, const std::filesystem::path& folder) {
  Json modes = Json::array();
  for (const ComparedMode& mode : summary.modes)
    modes.push_back({{"lambda_coarse", mode.coarse},
                     {"lambda_fine", mode.fine},
                     {"ratio", mode.ratio},
                     {"fine_mode", mode.partner + 1},
                     {"match", mode.match}});
  return {{"status", "done"},
          {"folder", folder.string()},
          {"degrees_of_freedom", {{"coarse", summary.coarse_dofs}, {"fine", summary.fine_dofs}}},
          {"seconds", summary.seconds},
          {"rigid_modes", summary.rigid},
          {"matched", summary.matched},
          {"acceptable", summary.acceptable},
          {"modes", modes}};
}

int finish(const ModeComparisonSummary& summary, const std::filesystem::path& folder,
           const Verbosity& verbosity) {
  say_warnings(summary.messages, verbosity);
  if (verbosity.json) say_json(to_json(summary, folder));
  if (!verbosity.says(LogLevel::info)) return kDone;
  say("{:>5} {:>16} {:>16} {:>9} {:>10} {:>7}\n", "mode", "lambda coarse", "lambda fine", "ratio",
      "fine mode", "match");
  for (std::size_t i = 0; i < summary.modes.size(); ++i) {
    const ComparedMode& mode = summary.modes[i];
    say("{:>5} {:>16.7g} {:>16.7g} {:>9.4f} {:>10} {:>7.2f}\n", i + 1, mode.coarse, mode.fine, mode.ratio,
        mode.partner + 1, mode.match);
  }
  say("{} of {} modes match: EigenFit {}\n", summary.matched, summary.modes.size(),
      summary.acceptable ? "can correct the coarse mesh" : "would be switched off");
  say("{} degrees of freedom against {}, {:.3g} s\nresults: {}\npage:    {}\n", summary.coarse_dofs,
      summary.fine_dofs, summary.seconds, folder.string(), (folder / "compared_modes.html").string());
  return kDone;
}

// FINE as a change of the scene's coarsening; empty for a scene file.
std::string coarsening_of(const std::string& fine) {
  if (fine.ends_with(".json")) return "";
  Json coarsening = {{"type", "eigenfit"}};
  if (fine.starts_with("refine:")) {
    const std::string times = fine.substr(7);
    const bool number = !times.empty() && times.find_first_not_of("0123456789") == std::string::npos;
    coarsening["fine"]["refine"] = number && times.size() < 9 ? Json(std::stol(times)) : Json(times);
  } else {
    coarsening["fine"]["mesh"]["file"] = std::filesystem::absolute(fine).string();
  }
  return "coarsening=" + coarsening.dump();
}

}  // namespace

void add_modes_verb(CLI::App& app, Action& action) {
  CLI::App* verb =
      app.add_subcommand("modes", "Natural frequencies and mode shapes of a scene's bodies at rest");
  verb->footer("Example:  phiflex modes scenes/bar-drop/scene.json --count 12 -o out/bar-modes");
  struct Options {
    std::string scene, folder, fine;
    std::vector<std::string> overrides;
    std::int64_t count = 10;
    int threads = 0;
    bool force = false;
    Verbosity verbosity;
  };
  const auto o = std::make_shared<Options>();
  verb->add_option("SCENE", o->scene, "The scene file (docs/scene.md)")->required();
  verb->add_option("--count", o->count, "How many modes, from the lowest on (default: 10)")
      ->check(positive_count);
  verb->add_option("-o,--output", o->folder, "Results folder (default: out/<scene name>-modes)");
  verb->add_option("--set", o->overrides,
                   "Change the scene: pointer=value, e.g. bodies.0.material.young=1e6 (repeatable)")
      ->allow_extra_args(false);
  verb->add_option("--compare-with", o->fine,
                   "A finer mesh: how stiff is the scene's? A mesh file, refine:N (every tetrahedron divided "
                   "into eight, N times), or a scene file with the same bodies");
  verb->add_flag("--force", o->force,
                 "Reuse a results folder that is not empty: earlier modes in it are replaced");
  verb->add_option("--threads", o->threads, "Threads (default: all cores)")->check(CLI::Range(1, 1024));
  o->verbosity.add_to(verb, "the modes");
  verb->callback([o, &action] {
    action = [o] {
      ModesRunOptions options;
      Messages messages;
      const std::string coarsening = o->fine.empty() ? "" : coarsening_of(o->fine);
      std::vector<std::string> overrides = o->overrides;
      if (!coarsening.empty()) overrides.insert(overrides.begin(), coarsening);
      const Scene scene = read_scene_with(o->scene, overrides, messages);
      say_warnings(messages, o->verbosity);
      options.count = o->count;
      options.folder = o->folder.empty() ? std::filesystem::path("out") / (scene.name + "-modes")
                                         : std::filesystem::path(o->folder);
      options.existing = o->force ? ExistingFolder::reuse : ExistingFolder::refuse;
      options.threads = o->threads;
      if (!o->fine.empty()) {
        if (!coarsening.empty())
          return finish(run_mode_comparison(scene, o->scene, options), options.folder, o->verbosity);
        const Scene fine = read_scene_with(o->fine, o->overrides, messages);
        return finish(run_mode_comparison(scene, o->scene, fine, o->fine, options), options.folder,
                      o->verbosity);
      }
      return finish(run_modes(scene, o->scene, options), options.folder, o->verbosity);
    };
  });
}
