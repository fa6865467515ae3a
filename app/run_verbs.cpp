// run, resume, check, report.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "app/exit_codes.h"
#include "app/progress.h"
#include "app/run_control.h"
#include "app/run_request.h"
#include "app/say.h"
#include "app/verbs.h"
#include "phiflex/record/report.h"
#include "phiflex/run/compare_page.h"
#include "phiflex/run/run.h"
#include "phiflex/scene/scene_io.h"

namespace {

using namespace phiflex;

constexpr const char* limit_words = "Stop with a checkpoint after this many seconds (exit code 75)";
constexpr const char* summary_words = "the summary (run.json)";

int exit_code(RunStatus status) {
  switch (status) {
    case RunStatus::done:
      return kDone;
    case RunStatus::failed:
      return kFailed;
    case RunStatus::interrupted:
      return kInterrupted;
    case RunStatus::limit:
      return kLimitReached;
    case RunStatus::running:
      return kInternalError;
  }
  return kInternalError;
}

int finish(const RunSummary& summary, const std::filesystem::path& folder, const Voice& voice) {
  if (voice.json) say_json(to_json(summary));
  if (summary.status == RunStatus::failed) {
    say(stderr, "phiflex: the simulation failed: {}\nEverything up to step {} is in {}.\n", summary.reason,
        summary.steps, folder.string());
  } else if (summary.status != RunStatus::done && voice.says(LogLevel::warning)) {
    say(stderr, "{}; a checkpoint is written. Continue with:  phiflex resume {}\n", summary.reason,
        folder.string());
  }
  if (voice.says(LogLevel::info)) {
    for (const std::string& note : summary.notes) say("note: {}\n", note);
    for (const std::string& fallback : summary.fallbacks) say("note: {}\n", fallback);
    say("{} of {} steps in {} ({:.3g} ms per step)\n", summary.steps, summary.steps_planned,
        duration_words(summary.total_seconds), 1e3 * summary.seconds_per_step);
    say("energy: {:.5g} J at the start, {:.5g} J at the end; numerical loss up to {:.3g} % of the energy "
        "exchanged\n",
        summary.energy_first, summary.energy_last, 100 * summary.energy_largest_relative_change);
    say("results: {}\nreport:  {}\n", folder.string(), (folder / "report.html").string());
  }
  return exit_code(summary.status);
}

void add_run(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("run", "Simulate a scene");
  verb->footer(
      "Example:  phiflex run scenes/bar-drop/scene.json -o out/bar --set integrator.type=midpoint --set "
      "bodies.0.material.young=1e6");
  const auto request = std::make_shared<RunRequest>();
  verb->add_option("SCENE", request->scene, "The scene file (docs/scene.md)")->required();
  request->add_to(verb, "out/<scene name>");
  verb->callback([request, &action] { action = [request] { return carry_out(*request); }; });
}

void add_resume(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand(
      "resume", "Continue a run from its newest complete checkpoint, bit for bit, to its end");
  verb->footer("Example:  phiflex resume out/bar-drop");
  struct Options {
    std::string folder;
    ControlOptions control;
    Voice voice;
  };
  const auto o = std::make_shared<Options>();
  verb->add_option("DIR", o->folder, "The run's results folder")->required();
  o->control.add_to(verb, limit_words);
  o->voice.add_to(verb, summary_words);
  verb->callback([o, &action] {
    action = [o] {
      ProgressLine line(ProgressLine::suited_to_stderr());
      const RunControl control = make_control(o->control, o->voice, line);
      catch_signals();
      const RunSummary summary = resume_run(o->folder, control);
      line.clear();
      return finish(summary, o->folder, o->voice);
    };
  });
}

void add_check(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("check", "Read and validate a scene and its meshes; run nothing");
  verb->footer("Example:  phiflex check scenes/bar-drop/scene.json");
  struct Options {
    std::string scene;
    std::vector<std::string> overrides;
    bool quiet = false;
  };
  const auto o = std::make_shared<Options>();
  verb->add_option("SCENE", o->scene, "The scene file")->required();
  verb->add_option("--set", o->overrides, "Change the scene: pointer=value (repeatable)")
      ->allow_extra_args(false);
  verb->add_flag("--quiet", o->quiet, "Print errors only");
  verb->callback([o, &action] {
    action = [o] {
      std::vector<std::string> warnings;
      const Scene scene = read_scene_with(o->scene, o->overrides, warnings);
      const SceneSizes sizes = check_scene(scene, o->scene, warnings);
      if (o->quiet) return kDone;
      for (const std::string& warning : warnings) say(stderr, "warning: {}\n", warning);
      say("{}: good. {} vertices, {} {}, {} springs, {} degrees of freedom, {} steps of {} s with "
          "{}.\n",
          o->scene, sizes.vertices, sizes.triangles > 0 ? sizes.triangles : sizes.tetrahedra,
          sizes.triangles > 0 ? "triangles" : "tetrahedra", sizes.springs, sizes.degrees_of_freedom,
          step_count(scene.time), scene.time.step, sizes.method);
      if (!sizes.choice.empty()) say("{}.\n", sizes.choice);
      return kDone;
    };
  });
}

void add_report(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("report", "Write or refresh the HTML report of a run or comparison");
  verb->footer("Example:  phiflex report out/bar-drop");
  struct Options {
    std::string folder;
    double megabytes = 1e-6 * default_report_bytes;
  };
  const auto o = std::make_shared<Options>();
  verb->add_option("DIR", o->folder, "Results folder of a run or comparison")->required();
  verb->add_option("--max-megabytes", o->megabytes,
                   "Leave frames out of a page that would be larger (24); `phiflex view` shows all")
      ->check(positive_number);
  verb->callback([o, &action] {
    action = [o] {
      const auto bytes = static_cast<std::size_t>(1e6 * std::min(o->megabytes, 2000.0));
      if (!std::filesystem::exists(RunFolder{o->folder}.run_json()) && is_comparison_folder(o->folder)) {
        write_comparison_page(o->folder, bytes);
        say("{}\n", RunFolder{o->folder}.report_html().string());
        return kDone;
      }
      const RunFolder run = open_run_folder(o->folder);
      write_report(run, bytes);
      say("{}\n", run.report_html().string());
      return kDone;
    };
  });
}

}  // namespace

void RunRequest::add_to(CLI::App* verb, const std::string& default_folder) {
  verb->add_option("-o,--output", folder, "Results folder (default: " + default_folder + ")");
  verb->add_option("--set", overrides,
                   "Change the scene: pointer=value, e.g. integrator.type=be (repeatable)")
      ->allow_extra_args(false);
  verb->add_option("--steps", steps, "Make this many steps instead of the scene's")->check(positive_count);
  verb->add_option("--checkpoint-every", checkpoint_every,
                   "Steps between checkpoints (default: 100, and after 30 s without one)")
      ->check(positive_count);
  verb->add_flag("--no-frames", no_frames, "Write no VTU frames");
  verb->add_flag("--force", force,
                 "Reuse a results folder that is not empty: an earlier run's files in it are replaced");
  control.add_to(verb, limit_words);
  voice.add_to(verb, summary_words);
}

int carry_out(const RunRequest& request) {
  std::vector<std::string> warnings;
  const Scene scene = read_scene_with(request.scene, request.overrides, warnings);
  RunOptions options;
  options.folder = request.folder.empty() ? std::filesystem::path("out") / scene.name
                                          : std::filesystem::path(request.folder);
  options.existing = request.force ? ExistingFolder::reuse : ExistingFolder::refuse;
  if (request.steps > 0) options.steps = request.steps;
  options.frames = request.no_frames ? Frames::none : Frames::written;
  options.checkpoint_every = request.checkpoint_every;
  ProgressLine line(ProgressLine::suited_to_stderr());
  options.control = make_control(request.control, request.voice, line);
  catch_signals();
  const RunSummary summary = run_scene(scene, request.scene, warnings, options);
  line.clear();
  return finish(summary, options.folder, request.voice);
}

void add_run_verbs(CLI::App& app, Action& action) {
  add_run(app, action);
  add_resume(app, action);
  add_check(app, action);
  add_report(app, action);
}
