// sweep.
#include <memory>
#include <string>
#include <vector>

#include "app/exit_codes.h"
#include "app/run_control.h"
#include "app/say.h"
#include "app/verbs.h"
#include "phiflex/study/sweep.h"

namespace {

using namespace phiflex;

struct SweepArguments {
  std::string scene, folder;
  std::vector<std::string> overrides, variations, measures;
  bool force = false;
  ControlOptions control;
  Verbosity verbosity;
};

int carry_out_sweep(const SweepArguments& o) {
  ProgressLine line(ProgressLine::Style::none);
  SweepOptions options;
  for (const std::string& text : o.variations) options.variations.push_back(parse_variation(text));
  for (const std::string& text : o.measures) options.measures.push_back(parse_measure(text));
  const std::string name = name_of_scene(o.scene, o.overrides);
  options.folder =
      o.folder.empty() ? std::filesystem::path("out") / (name + "-sweep") : std::filesystem::path(o.folder);
  options.existing = o.force ? ExistingFolder::reuse : ExistingFolder::refuse;
  options.control = make_control(o.control, o.verbosity, line);
  options.control.said = nullptr;  // a line for each run says how it went
  options.control.progress = nullptr;
  options.control.finished = nullptr;
  if (o.verbosity.says(LogLevel::info))
    options.on_message = [](const std::string& words) { say(stderr, "{}\n", words); };
  catch_signals();
  const std::vector<SweepPoint> points = sweep_scene(o.scene, o.overrides, options);
  std::size_t failed = 0, stopped = 0;
  for (const SweepPoint& point : points) {
    failed += point.status == RunStatus::failed;
    stopped += point.status == RunStatus::interrupted;
  }
  if (o.verbosity.json) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const SweepPoint& point : points) {
      nlohmann::ordered_json row;
      for (std::size_t v = 0; v < point.values.size(); ++v)
        row[options.variations[v].pointer] = point.values[v];
      for (std::size_t m = 0; m < point.measured.size(); ++m)
        row[options.measures[m].text] = point.measured[m];
      row["status"] = name_of(point.status);
      row["seconds"] = point.seconds;
      if (!point.reason.empty()) row["reason"] = point.reason;
      json.push_back(std::move(row));
    }
    say_json(json);
  }
  if (o.verbosity.says(LogLevel::info))
    say("{} runs, {} of them failed\nresults: {}\nreport:  {}\n", points.size(), failed,
        (options.folder / "sweep.csv").string(), (options.folder / "report.html").string());
  return stopped > 0 ? kInterrupted : kDone;
}

}  // namespace

void add_sweep_verb(CLI::App& app, Action& action) {
  CLI::App* verb =
      app.add_subcommand("sweep", "Run a scene with some of its values varied: one table, one page");
  verb->footer(
      "Example:  phiflex sweep scenes/bar-drop/scene.json --vary bodies.bar.material.young=1e5..1e7:5:log "
      "--measure min:tip.y");
  const auto o = std::make_shared<SweepArguments>();
  verb->add_option("SCENE", o->scene, "The scene file (docs/scene.md)")->required();
  verb->add_option("--vary", o->variations, "POINTER=a..b:n[:log] or POINTER=v1,v2,... (repeatable)")
      ->required()
      ->allow_extra_args(false);
  verb->add_option("--measure", o->measures,
                   "max:, min:, mean:, first: or last: and PROBE.y or a column of energy.csv, measures.csv "
                   "or reactions.csv (repeatable)")
      ->required()
      ->allow_extra_args(false);
  verb->add_option("-o,--output", o->folder, "Results folder (default: out/<scene name>-sweep)");
  verb->add_option("--set", o->overrides, "Change the scene: pointer=value (repeatable)")
      ->allow_extra_args(false);
  verb->add_flag("--force", o->force, "Reuse a results folder that is not empty");
  o->control.add_to(verb, "Stop each run after this many seconds");
  o->verbosity.add_to(verb, "the table");
  verb->callback([o, &action] { action = [o] { return carry_out_sweep(*o); }; });
}
