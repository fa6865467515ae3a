// compare.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>

#include "app/exit_codes.h"
#include "app/run_control.h"
#include "app/say.h"
#include "app/verbs.h"
#include "phiflex/record/energy_csv.h"
#include "phiflex/study/compare_report.h"

namespace {

using namespace phiflex;

struct CompareArguments {
  std::string scene, folder, integrators, reference;
  std::vector<std::string> overrides;
  std::vector<double> steps;
  double reference_seconds = 300;
  bool no_frames = false, force = false;
  ControlOptions control;
  Verbosity verbosity;
};

// An error against a reference that is not converged is no more than a guess.
std::string error_words(const std::optional<double>& error, bool converged) {
  return error ? fmt::format("{}{:.3g}", converged ? "" : "~", *error) : "-";
}

void print_table(const Comparison& comparison) {
  say("{:<34}{:>11}{:>10}{:>12}{:>12}{:>11}  {}\n", "run", "ms/step", "seconds", "error [m]", "error [m/s]",
      "lost", "result");
  for (const ComparedRun& run : comparison.runs) {
    const double exchanged = comparison.exchanged_energy;
    say("{:<34}{:>11.3g}{:>10.3g}{:>12}{:>12}{:>11}  {}\n", run.name(), 1e3 * run.summary.seconds_per_step,
        run.seconds, error_words(run.largest_position_error(), comparison.converged),
        error_words(run.largest_velocity_error(), comparison.converged),
        joules(without_rounding(run.summary.energy_worst_loss, exchanged)),
        run.diverged_at > 0 ? fmt::format("{} at step {}", name_of(run.result), run.diverged_at)
                            : std::string(name_of(run.result)));
  }
  if (comparison.exchanged_energy > 0)
    say("the motion never had more than {}\n", joules(comparison.exchanged_energy));
}

int carry_out(const CompareArguments& o) {
  ProgressLine line(ProgressLine::suited_to_stderr());
  CompareOptions options;
  options.integrators = parse_method_variants(o.integrators, "--integrators");
  options.steps = o.steps;
  if (!o.reference.empty()) options.reference = parse_method_variant(o.reference, "--reference");
  options.reference_seconds = o.reference_seconds;
  const std::string name = name_of_scene(o.scene, o.overrides);
  options.folder =
      o.folder.empty() ? std::filesystem::path("out") / (name + "-compare") : std::filesystem::path(o.folder);
  options.existing = o.force ? ExistingFolder::reuse : ExistingFolder::refuse;
  options.frames = o.no_frames ? Frames::none : Frames::written;
  options.control = make_control(o.control, o.verbosity, line);
  options.control.said = nullptr;  // all is said once, at the end
  if (o.verbosity.says(LogLevel::info))
    options.on_message = [&line](const std::string& words) {
      line.clear();
      say(stderr, "{}\n", words);
    };
  catch_signals();
  const Comparison comparison = compare_scene(o.scene, o.overrides, options);
  write_comparison(options.folder, comparison);
  line.clear();
  say_warnings(comparison.messages, o.verbosity);
  if (o.verbosity.json) say_json(to_json(comparison));
  if (o.verbosity.says(LogLevel::info)) {
    print_table(comparison);
    say("reference {} ({}): {}\n", comparison.reference.label(), comparison.reference_reason,
        comparison.convergence);
    say("results: {}\nreport:  {}\n", options.folder.string(), (options.folder / "report.html").string());
  }
  return comparison.status == RunStatus::interrupted ? kInterrupted : kDone;
}

}  // namespace

void add_compare_verb(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand(
      "compare", "One scene with several integrators or steps, against a converged reference");
  verb->footer(
      "Example:  phiflex compare scenes/bar-drop/scene.json --integrators "
      "si,midpoint,newmark:beta=0.3:gamma=0.6 --steps-of 0.01,0.005");
  const auto o = std::make_shared<CompareArguments>();
  verb->add_option("SCENE", o->scene, "The scene file (docs/scene.md)")->required();
  verb->add_option("--integrators", o->integrators,
                   "Separated by commas, each NAME[:key=value]...[:STEP], e.g. si,newmark:beta=0.3,rk4:1e-4")
      ->required();
  verb->add_option("--steps-of", o->steps, "Steps in seconds, separated by commas (default: the scene's)")
      ->delimiter(',')
      ->check(positive_number);
  verb->add_option(
      "--reference", o->reference,
      "METHOD[:key=value]...[:STEP], halved until converged (default: the most accurate applicable)");
  verb->add_option("--reference-seconds", o->reference_seconds,
                   "Begin no reference that would not end in this time, all together (300)")
      ->check(positive_number);
  verb->add_option("-o,--output", o->folder, "Results folder (default: out/<scene name>-compare)");
  verb->add_option("--set", o->overrides, "Change the scene: pointer=value (repeatable)")
      ->allow_extra_args(false);
  verb->add_flag("--no-frames", o->no_frames, "Write no VTU frames: the report then shows no motion");
  verb->add_flag("--force", o->force, "Reuse a results folder that is not empty");
  o->control.add_to(verb, "End each run after this many seconds: a result, reported as such");
  o->verbosity.add_to(verb, "compare.json");
  verb->callback([o, &action] { action = [o] { return carry_out(*o); }; });
}
