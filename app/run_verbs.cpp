// run, settle, resume, check, report.

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/exit_codes.h"
#include "app/progress.h"
#include "app/run_control.h"
#include "app/run_exit_code.h"
#include "app/run_request.h"
#include "app/say.h"
#include "app/verbs.h"
#include "phiflex/base/errors.h"
#include "phiflex/pages/viewer_page.h"
#include "phiflex/record/energy_csv.h"
#include "phiflex/run/run.h"
#include "phiflex/scene/scene.h"
#include "phiflex/scene/scene_io.h"
#include "phiflex/study/compare_page.h"
#include "phiflex/study/method_variant.h"

namespace {

using namespace phiflex;

constexpr const char* limit_words = "Stop with a checkpoint after this many seconds (exit code 75)";
constexpr const char* summary_words = "the summary (run.json)";

std::string counted(std::int64_t count, const char* things) {
  return count > 0 ? fmt::format("{} {}, ", count, things) : "";
}

// What is run, with what, where to, and how to watch it.
void announce(const RunSummary& plan, const RunFolder& folder) {
  say("{}: {} vertices, {}{}{} degrees of freedom; {} steps of {:.6g} s with {}\n",
      plan.scene.value("name", std::string("scene")), plan.vertices,
      counted(plan.elements, plan.triangles > 0 ? "triangles" : "tetrahedra"),
      counted(plan.springs, "springs"), plan.degrees_of_freedom, plan.steps_planned, plan.h, plan.method);
  for (const std::string& note : plan.messages.notes()) say("note: {}\n", note);
  say("results go to {}; watch with:  phiflex view {}\n", folder.root.string(), folder.root.string());
  std::fflush(stdout);
}

// Whether a body of the scene, as run.json has it, is damped or relaxes.
bool has_damping(const nlohmann::ordered_json& scene) {
  const auto relaxes = [](const nlohmann::ordered_json& of) {
    return of.contains("material") && !of["material"].value("prony", nlohmann::ordered_json::array()).empty();
  };
  for (const auto& body : scene.value("bodies", nlohmann::ordered_json::array())) {
    if (relaxes(body)) return true;
    for (const auto& region : body.value("regions", nlohmann::ordered_json::array()))
      if (relaxes(region)) return true;
    for (const auto& value : body.value("damping", nlohmann::ordered_json::object()))
      if (value.is_number() && value.get<double>() > 0) return true;
  }
  return false;
}

// What came in and went out beside the method's own loss, where there was any: "friction took 1.17 J; ".
std::string other_energies(const RunSummary& summary) {
  const double exchanged = std::max(summary.energy_exchanged, summary.energy_available);
  std::string words;
  const auto add = [&](const char* who, double gave) {
    gave = without_rounding(gave, exchanged);
    if (gave != 0)
      words += fmt::format("{} {} {}; ", who, gave > 0 ? "gave" : "took", joules(std::abs(gave)));
  };
  add("forces and motions from outside", summary.external_work);
  // Contacts take what does not rebound (contact/rest_dial.h) into the same account.
  add(has_damping(summary.scene) ? "damping" : "contacts that did not rebound", -summary.dissipated);
  add("friction", -summary.friction);
  add("projected contacts", summary.contact_work);
  return words;
}

int finish(const RunSummary& summary, const std::filesystem::path& folder, const Verbosity& verbosity) {
  if (verbosity.json) say_json(to_json(summary));
  if (summary.status == RunStatus::failed) {
    say(stderr, "phiflex: the simulation failed: {}\nEverything up to step {} is in {}.\n", summary.reason,
        summary.steps, folder.string());
  } else if (summary.status != RunStatus::done && verbosity.says(LogLevel::warning)) {
    if (summary.checkpoints > 0)
      say(stderr, "{}; a checkpoint is written. Continue with:  phiflex resume {}\n", summary.reason,
          folder.string());
    else
      say(stderr, "{}\n", summary.reason);
  }
  if (verbosity.says(LogLevel::info)) {
    for (const std::string& fallback : fallbacks(summary)) say("note: {}\n", fallback);
    if (summary.steps_planned == 0 && summary.settled && summary.status == RunStatus::done)
      say("equilibrium under {:.4g} % of the loads after {} iterations in {}: {:.3g} N are left, {:.1e} of "
          "the forces at the start; coordinates moved by up to {:.4g} m\n",
          100 * summary.settled->reached, summary.settled->iterations, duration_words(summary.total_seconds),
          summary.settled->force, summary.settled->residual, summary.settled->moved);
    if (summary.steps_planned > 0) {
      say("{} of {} steps in {} ({:.3g} ms per step)\n", summary.steps, summary.steps_planned,
          duration_words(summary.total_seconds), 1e3 * summary.seconds_per_step);
      const auto rounded = [&](double energy) {
        return without_rounding(energy, std::max(summary.energy_exchanged, summary.energy_available));
      };
      say("energy: {:.5g} J at the start, {:.5g} J at the end; {}{} {}\n", rounded(summary.energy_first),
          rounded(summary.energy_last), other_energies(summary), summary.method,
          loss_words(summary.energy_worst_loss, summary.energy_exchanged));
    }
    say("results: {}\nreport:  {}\n", folder.string(), (folder / "report.html").string());
  }
  return exit_code(summary.status);
}

// --set device=..., which is the scene's key.
void add_device(CLI::App* verb, std::string& device) {
  verb->add_option("--device", device,
                   "Where steps are computed instead of where the scene says: cpu, or cuda, an NVIDIA card "
                   "(docs/gpu.md)")
      ->check(CLI::IsMember({"cpu", "cuda"}));
}

// What changes the scene, for `run` and `check`.
void add_changes(CLI::App* verb, RunRequest& request) {
  verb->add_option("--set", request.overrides,
                   "Change the scene: pointer=value, e.g. integrator.type=be (repeatable)")
      ->allow_extra_args(false);
  verb->add_option("-i,--integrator", request.integrator,
                   "Method instead of the scene's: NAME[:key=value...], e.g. em:dissipation=0.5 (`phiflex "
                   "list integrators`)");
  verb->add_option("--step", request.step, "Length of a step in s instead of the scene's")
      ->check(positive_number);
  verb->add_option("--end", request.end, "End in s instead of the scene's")->check(positive_number);
  add_device(verb, request.device);
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

void add_settle(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand(
      "settle",
      "Find the static equilibrium of a scene under its loads at t = 0: one frame, reactions, energies");
  verb->footer("Example:  phiflex settle scenes/bar-drop/scene.json -o out/bar-at-rest");
  const auto request = std::make_shared<RunRequest>();
  request->settle_only = true;
  verb->add_option("SCENE", request->scene, "The scene file (docs/scene.md)")->required();
  verb->add_option("-o,--output", request->folder, "Results folder (default: out/<scene name>-settled)");
  verb->add_option("--set", request->overrides, "Change the scene: pointer=value (repeatable)")
      ->allow_extra_args(false);
  verb->add_flag("--force", request->force,
                 "Reuse a results folder that is not empty: an earlier run's files in it are replaced");
  request->control.add_to(verb, limit_words);
  request->verbosity.add_to(verb, summary_words);
  verb->callback([request, &action] { action = [request] { return carry_out(*request); }; });
}

void add_resume(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand(
      "resume", "Continue a run from its newest complete checkpoint, bit for bit, to its end");
  verb->footer("Example:  phiflex resume out/bar-drop");
  struct Options {
    std::string folder;
    ControlOptions control;
    Verbosity verbosity;
  };
  const auto o = std::make_shared<Options>();
  verb->add_option("DIR", o->folder, "The run's results folder")->required();
  o->control.add_to(verb, limit_words);
  o->verbosity.add_to(verb, summary_words);
  verb->callback([o, &action] {
    action = [o] {
      ProgressLine line(ProgressLine::suited_to_stderr());
      RunControl control = make_control(o->control, o->verbosity, line);
      if (o->verbosity.says(LogLevel::info)) control.announced = announce;
      catch_signals();
      const RunSummary summary = resume_run(o->folder, control);
      line.clear();
      return finish(summary, o->folder, o->verbosity);
    };
  });
}

std::string size_words(double bytes) {
  if (bytes < 1e6) return fmt::format("{:.0f} kB", std::max(1.0, bytes / 1e3));
  return bytes < 1e9 ? fmt::format("{:.3g} MB", bytes / 1e6) : fmt::format("{:.3g} GB", bytes / 1e9);
}

// Steps that were not timed may be divided: to be expected where a body folds under its weight, and where something
// touches that did not before. What they may cost then, in words; empty: nothing of the kind is to be expected.
std::string dearer_later(const ScenePhysics& physics) {
  const auto folds = [](const BodyPhysics& body) {
    return body.sag && *body.sag > 0.5 * *std::max_element(body.extent.begin(), body.extent.end());
  };
  if (physics.timed_steps >= physics.steps) return {};
  if (std::any_of(physics.bodies.begin(), physics.bodies.end(), folds))
    return ", and a hundred times that where folded elements divide the steps";
  if (physics.contact_is_ahead)
    return ", and up to a hundred times that while bodies touch, which they hardly do so far";
  return {};
}

nlohmann::ordered_json check_json(const SceneCheck& check, const Messages& messages) {
  const auto number = [](const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
  };
  nlohmann::ordered_json json = {{"problems", nlohmann::ordered_json::array()},
                                 {"warnings", messages.warnings()}};
  json["bodies"] = nlohmann::ordered_json::array();
  for (const BodyPhysics& body : check.physics.bodies)
    json["bodies"].push_back({{"name", body.name},
                              {"extent", body.extent},
                              {"mass", body.mass},
                              {"vertices", body.vertices},
                              {"held", body.held},
                              {"held_where", body.held > 0 ? nlohmann::ordered_json(body.held_where)
                                                           : nlohmann::ordered_json(nullptr)},
                              {"lowest_frequency", number(body.lowest_frequency)},
                              {"sag", number(body.sag)}});
  json["steps"] = check.physics.steps;
  json["method"] = check.sizes.method;
  json["expected_seconds"] = check.physics.expected_seconds;
  json["timed_steps"] = check.physics.timed_steps;
  json["expected_is_least"] = !dearer_later(check.physics).empty();
  json["expected_bytes"] = check.physics.expected_bytes;
  return json;
}

void say_check(const std::string& file, const Scene& scene, const SceneCheck& check,
               const Messages& messages) {
  const SceneSizes& sizes = check.sizes;
  for (const std::string& warning : messages.warnings()) say(stderr, "warning: {}\n", warning);
  say("{}: good. {} vertices, {} {}, {} springs, {} degrees of freedom, {} steps of {} s with {}.\n", file,
      sizes.vertices, sizes.triangles > 0 ? sizes.triangles : sizes.tetrahedra,
      sizes.triangles > 0 ? "triangles" : "tetrahedra", sizes.springs, sizes.degrees_of_freedom,
      step_count(scene.time), scene.time.step, sizes.method);
  if (!sizes.choice.empty()) say("{}.\n", sizes.choice);
  for (const std::string& contact : sizes.contacts) say("contact {}.\n", contact);
  for (const std::string& note : messages.notes()) say("note: {}.\n", note);
  const auto& [gx, gy, gz] = scene.gravity;
  for (const BodyPhysics& body : check.physics.bodies)
    say("{}.\n", describe(body, scene.time.step, std::hypot(gx, gy, gz)));
  const bool partly = check.physics.timed_steps < check.physics.steps;
  const std::string basis =
      partly && check.physics.timed_steps > 0
          ? (check.physics.timed_steps == 1
                 ? std::string(" if its steps go on like the first")
                 : fmt::format(" if its steps go on like the first {}", check.physics.timed_steps))
          : "";
  const std::string later = dearer_later(check.physics);
  say("The run will take {} {}{}{}, its frames {}.\n", later.empty() ? "about" : "at least",
      duration_words(check.physics.expected_seconds), basis, later, size_words(check.physics.expected_bytes));
}

void add_check(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand(
      "check", "Read and validate a scene and its meshes, and say what it is in physical terms");
  verb->footer("Example:  phiflex check scenes/bar-drop/scene.json");
  struct Options {
    RunRequest request;  // of it, what changes the scene
    bool quiet = false, json = false;
  };
  const auto o = std::make_shared<Options>();
  verb->add_option("SCENE", o->request.scene, "The scene file")->required();
  add_changes(verb, o->request);
  verb->add_flag("--json", o->json, "Print what was found on stdout as JSON, and nothing else");
  verb->add_flag("--quiet", o->quiet, "Print errors only");
  verb->callback([o, &action] {
    action = [o] {
      Messages messages;
      const auto say_problems = [&](const std::vector<std::string>& problems) {
        say_json(nlohmann::ordered_json{{"problems", problems}, {"warnings", messages.warnings()}});
      };
      try {
        const std::string& file = o->request.scene;
        const Scene scene = read_scene_with(file, o->request.all_overrides(), messages);
        const SceneCheck check = examine_scene(scene, file, messages);
        if (o->json)
          say_json(check_json(check, messages));
        else if (!o->quiet)
          say_check(file, scene, check, messages);
      } catch (const InputError& error) {
        if (!o->json) throw;
        std::vector<std::string> problems;
        for (const Problem& problem : error.problems()) problems.push_back(problem.text());
        say_problems(problems);
        return kBadInput;
      } catch (const FileError& error) {
        if (!o->json) throw;
        say_problems({error.what()});
        return kCannotReadWrite;
      }
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
  add_changes(verb, *this);
  verb->add_option("--steps", steps, "Make this many steps instead of the scene's")->check(positive_count);
  verb->add_option("--checkpoint-every", checkpoint_every,
                   "Steps between checkpoints (default: 100, and after 30 s without one)")
      ->check(positive_count);
  verb->add_flag("--no-frames", no_frames, "Write no VTU frames");
  verb->add_flag("--force", force,
                 "Reuse a results folder that is not empty: an earlier run's files in it are replaced");
  control.add_to(verb, limit_words);
  verbosity.add_to(verb, summary_words);
}

std::vector<std::string> RunRequest::all_overrides() const {
  std::vector<std::string> all = overrides;
  if (!integrator.empty()) {
    const MethodVariant variant = parse_method_variant(integrator, "--integrator");
    if (variant.step)
      throw InputError("--integrator", "", "a step is given with --step; expected NAME[:key=value...]");
    for (std::string& setting : overrides_of(variant)) all.push_back(std::move(setting));
  }
  if (!step.empty()) all.push_back("time.step=" + step);
  if (!end.empty()) all.push_back("time.end=" + end);
  if (!device.empty()) all.push_back("device=" + device);
  return all;
}

int carry_out(const RunRequest& request) {
  Messages messages;
  const Scene scene = read_scene_with(request.scene, request.all_overrides(), messages);
  RunOptions options;
  options.folder = request.folder.empty()
                       ? std::filesystem::path("out") / (scene.name + (request.settle_only ? "-settled" : ""))
                       : std::filesystem::path(request.folder);
  options.existing = request.force ? ExistingFolder::reuse : ExistingFolder::refuse;
  if (request.steps > 0) options.steps = request.steps;
  if (request.settle_only) options.steps = 0;
  options.settle = request.settle_only;
  options.doubts = true;
  options.frames = request.no_frames ? Frames::none : Frames::written;
  options.checkpoint_every = request.checkpoint_every;
  ProgressLine line(ProgressLine::suited_to_stderr());
  options.control = make_control(request.control, request.verbosity, line);
  if (request.verbosity.says(LogLevel::info) && !request.settle_only) options.control.announced = announce;
  catch_signals();
  const RunSummary summary = run_scene(scene, request.scene, messages, options);
  line.clear();
  return finish(summary, options.folder, request.verbosity);
}

void add_run_verbs(CLI::App& app, Action& action) {
  add_run(app, action);
  add_settle(app, action);
  add_resume(app, action);
  add_check(app, action);
  add_report(app, action);
}
