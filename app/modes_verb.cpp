// modes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/exit_codes.h"
#include "app/run_control.h"
#include "app/verbs.h"
#include "phiflex/run/modes_run.h"

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
          {"modes", modes}};
}

void print_table(const ModesSummary& summary) {
  fmt::print("{:>5} {:>14} {:>14} {:>14} {:>9}\n", "mode", "lambda [1/s2]", "omega [1/s]", "f [Hz]",
             "residual");
  for (std::size_t i = 0; i < summary.modes.size(); ++i) {
    const NaturalMode& mode = summary.modes[i];
    fmt::print("{:>5} {:>14.7g} ", i + 1, mode.lambda);
    if (mode.kind == ModeKind::elastic)
      fmt::print("{:>14.7g} {:>14.7g}", mode.omega, mode.frequency);
    else
      fmt::print("{:>14} {:>14}", "-", name_of(mode.kind));
    fmt::print(" {:>9.1e}\n", mode.residual);
  }
}

int finish(const ModesSummary& summary, const std::filesystem::path& folder, const Voice& voice) {
  say_warnings(summary.warnings, voice);
  if (voice.json) fmt::print("{}\n", to_json(summary, folder).dump(2));
  if (summary.modes.empty()) {
    fmt::print(stderr, "phiflex: no modes: the stiffness at rest {}\n",
               summary.status == ModesStatus::not_finite ? "is not finite" : "cannot be factorized");
    return kFailed;
  }
  if (summary.status != ModesStatus::ok)
    fmt::print(stderr, "phiflex: not all modes have converged; see their residuals\n");
  const auto unstable = std::count_if(summary.modes.begin(), summary.modes.end(),
                                      [](const NaturalMode& m) { return m.kind == ModeKind::unstable; });
  if (unstable > 0 && voice.says(LogLevel::warning))
    fmt::print(
        stderr,
        "warning: the rest shape is unstable: {} of the modes have a negative lambda; the fastest grows "
        "like exp({:.4g} t)\n",
        unstable, std::sqrt(-summary.modes[0].lambda));
  if (voice.says(LogLevel::info)) {
    print_table(summary);
    fmt::print("{} degrees of freedom, {:.3g} s\nresults: {}\n", summary.degrees_of_freedom, summary.seconds,
               folder.string());
  }
  return summary.status == ModesStatus::ok ? kDone : kFailed;
}

}  // namespace

void add_modes_verb(CLI::App& app, Action& action) {
  CLI::App* verb =
      app.add_subcommand("modes", "Natural frequencies and mode shapes of a scene's bodies at rest");
  verb->footer("Example:  phiflex modes scenes/bar-drop/scene.json --count 12 -o out/bar-modes");
  struct Options {
    std::string scene, folder;
    std::vector<std::string> overrides;
    std::int64_t count = 10;
    int threads = 0;
    bool force = false;
    Voice voice;
  };
  const auto o = std::make_shared<Options>();
  verb->add_option("SCENE", o->scene, "The scene file (docs/scene.md)")->required();
  verb->add_option("--count", o->count, "How many modes, from the lowest on (default: 10)")
      ->check(positive_count);
  verb->add_option("-o,--output", o->folder, "Results folder (default: out/<scene name>-modes)");
  verb->add_option("--set", o->overrides,
                   "Change the scene: pointer=value, e.g. bodies.0.material.young=1e6 (repeatable)")
      ->allow_extra_args(false);
  verb->add_flag("--force", o->force,
                 "Reuse a results folder that is not empty: earlier modes in it are replaced");
  verb->add_option("--threads", o->threads, "Threads (default: all cores)")->check(CLI::Range(1, 1024));
  o->voice.add_to(verb, "the modes");
  verb->callback([o, &action] {
    action = [o] {
      ModesRunOptions options;
      std::vector<std::string> warnings;
      const Scene scene = read_scene_with(o->scene, o->overrides, warnings);
      say_warnings(warnings, o->voice);
      options.count = o->count;
      options.folder = o->folder.empty() ? std::filesystem::path("out") / (scene.name + "-modes")
                                         : std::filesystem::path(o->folder);
      options.existing = o->force ? ExistingFolder::reuse : ExistingFolder::refuse;
      options.threads = o->threads;
      return finish(run_modes(scene, o->scene, options), options.folder, o->voice);
    };
  });
}
