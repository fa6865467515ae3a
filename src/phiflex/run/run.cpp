#include "phiflex/run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include "phiflex/base/interruption.h"
#include "phiflex/base/parallel.h"
#include "phiflex/base/unavailable.h"
#include "phiflex/integrate/catalogue.h"
#include "phiflex/integrate/stable_step.h"
#include "phiflex/linalg/cholesky.h"
#include "phiflex/matfun/catalogue.h"
#include "phiflex/record/checkpoint.h"
#include "phiflex/record/folder_lock.h"
#include "phiflex/run/checkpoint_pieces.h"
#include "phiflex/run/choose_method.h"
#include "phiflex/run/embedded_surface.h"
#include "phiflex/run/ranks_note.h"
#include "phiflex/run/run_journal.h"
#include "phiflex/scene/scene.h"

namespace phiflex {
namespace {

using Clock = std::chrono::steady_clock;

// What the explicit alternative costs; empty for methods that are explicit, among them the alternative itself.
std::string explicit_cost(const Simulation& simulation) {
  if (simulation.method().conditionally_stable || simulation.model().dofs() == 0 ||
      simulation.method().auto_role == AutoRole::explicit_step)
    return "";
  const double n = explicit_substeps(simulation.model(), simulation.state(), simulation.h());
  return fmt::format("for comparison: verlet, explicit, takes about {:.0f} force evaluations per step here",
                     n);
}

// The time loop of a run.
class Run {
 public:
  Run(const RunFolder& folder, const FolderLock& lock, const Scene& scene, const SceneModel& world,
      Simulation simulation, Frames frames, std::int64_t checkpoint_every, const RunControl& control)
      : control_(control),
        simulation_(std::move(simulation)),
        journal_(folder, lock, scene, world, simulation_, frames, checkpoint_every, control) {}

  RunSummary& summary() { return journal_.summary(); }
  void settle_first() { settles_ = true; }

  // From the initial state, or from what load() has read, to the end. Whatever ends it early, run.json says why if it
  // still can, and the last checkpoint stays.
  RunSummary carry_out() {
    try {
      if (!journal_.started()) {
        if (settles_) settle();
        journal_.start();
      }
      return make_steps();
    } catch (const FileError& error) {
      journal_.leave_failed(error.what());
      throw;
    } catch (const InputError& error) {
      journal_.leave_failed(error.what());
      throw;
    } catch (const Unavailable& error) {
      journal_.leave_failed(error.what());
      throw;
    } catch (const std::bad_alloc&) {
      journal_.leave_failed("out of memory");
      throw;
    } catch (const std::exception& error) {
      journal_.leave_failed(fmt::format("internal error: {}", error.what()));
      throw;
    } catch (...) {
      journal_.leave_failed("internal error");
      throw;
    }
  }

  void load(const Checkpoint& checkpoint, const RunPiece& piece) {
    load_simulation(checkpoint, simulation_);
    journal_.load(checkpoint, piece);
  }

 private:
  void settle() {
    EquilibriumReport report;
    limit_start_ = control_.limit_clock ? control_.limit_clock() : 0;
    const PollForInterruption polled(&Run::poll);
    stepping_ = this;
    step_start_ = Clock::now();
    const Clock::time_point start = step_start_;
    try {
      const Interruptible scope;
      report = simulation_.settle();
      stepping_ = nullptr;
    } catch (const StepWasLeft&) {  // somewhere on the way to the equilibrium: nothing to go on from
      stepping_ = nullptr;
      journal_.settled(seconds_since(start));
      journal_.end(is_stopped() ? RunStatus::interrupted : RunStatus::limit,
                   (is_stopped() ? std::string("interrupted")
                                 : fmt::format("the limit of {:.6g} s was reached", control_.max_seconds)) +
                       " before the equilibrium was found");
      return;
    }
    journal_.settled(seconds_since(start));
    summary().settled = {report.iterations, report.residual, report.force, report.moved, report.reached};
    if (report.status != StepStatus::ok) {
      journal_.end(RunStatus::failed, simulation_.failure());
      return;
    }
    summary().messages.note(
        fmt::format("settled in {} iterations: forces down to {:.3g} N, {:.1e} of those at the start; "
                    "coordinates moved by up to {:.3g} m",
                    report.iterations, report.force, report.residual, report.moved));
  }

  RunSummary make_steps() {
    journal_.announce();
    limit_start_ = control_.limit_clock ? control_.limit_clock() : 0;
    const PollForInterruption polled(&Run::poll);
    while (summary().status == RunStatus::running && simulation_.step() < simulation_.steps()) {
      journal_.step_begins();
      stepping_ = this;
      step_start_ = Clock::now();
      StepStatus status = StepStatus::ok;
      try {
        status = simulation_.advance();
      } catch (const StepWasLeft&) {
        stepping_ = nullptr;
        leave_step();
        break;
      }
      stepping_ = nullptr;
      const double seconds = seconds_since(step_start_);
      if (status != StepStatus::ok) {
        journal_.take_messages();
        journal_.end(RunStatus::failed, simulation_.failure());
        break;
      }
      journal_.step_made(seconds);
      if (is_stopped()) {
        journal_.end(RunStatus::interrupted, fmt::format("interrupted after step {}", simulation_.step()));
      } else if (simulation_.step() < simulation_.steps() && is_over_limit()) {
        journal_.end(RunStatus::limit, fmt::format("the limit of {:.6g} s was reached after step {}",
                                                   control_.max_seconds, simulation_.step()));
      }
      journal_.checkpoint_if_due();
    }
    if (summary().status == RunStatus::running) journal_.end(RunStatus::done, "");
    return journal_.finish();
  }

  // -- A step may take minutes. When the run is to end it has a second more; then it is left, and what it did is
  // dropped. A method may have renewed a kept factorization by then, so that not this state is stored but the one that
  // the journal kept before the step: a resumed run repeats its bits.
  struct StepWasLeft {};
  static constexpr double kSecondsToEnd = 1;

  bool is_stopped() const { return control_.stop && control_.stop->load(); }
  double seconds_over_limit() const {
    return (control_.limit_clock ? control_.limit_clock() - limit_start_ : journal_.seconds()) -
           control_.max_seconds;
  }
  bool is_over_limit() const { return seconds_over_limit() > 0; }
  static void poll() {
    if (Run* run = stepping_) run->leave_step_if_due();
  }
  void leave_step_if_due() {
    if (seconds_since(step_start_) < kSecondsToEnd || (!is_stopped() && !is_over_limit())) return;
    if (seconds_over_limit() > kSecondsToEnd) throw StepWasLeft();
    if (!asked_to_end_) asked_to_end_ = Clock::now();
    if (seconds_since(*asked_to_end_) > kSecondsToEnd) throw StepWasLeft();
  }
  void leave_step() {
    journal_.checkpoint_before_step();
    const std::string where =
        fmt::format("inside step {}, which is not made; `phiflex resume` goes on after step {}",
                    simulation_.step() + 1, journal_.last_checkpoint_step());
    if (is_stopped())
      journal_.end(RunStatus::interrupted, "interrupted " + where);
    else
      journal_.end(RunStatus::limit,
                   fmt::format("the limit of {:.6g} s was reached {}", control_.max_seconds, where));
  }

  const RunControl& control_;
  Simulation simulation_;
  RunJournal journal_;
  bool settles_ = false;
  double limit_start_ = 0;
  Clock::time_point step_start_;
  std::optional<Clock::time_point> asked_to_end_;
  inline static thread_local Run* stepping_ = nullptr;
};

}  // namespace

int use_threads(const RunControl& control) {
  const int threads = control.threads > 0
                          ? control.threads
                          : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  set_thread_count(threads);
  set_blas_threads(control.deterministic ? 1 : threads);
  return threads;
}

std::vector<MethodWords> method_words() {
  std::vector<MethodWords> words;
  const auto add = [&](const MethodEntry& entry) {
    words.push_back({std::string(entry.info->name), option_keys(entry)});
  };
  for (const MethodEntry& entry : integrator_catalogue()) add(entry);
  for (const MethodEntry* entry : registered_integrators()) add(*entry);
  for (const MethodAlias& known : integrator_aliases())
    for (MethodWords& method : words)
      if (method.name == known.name) method.aliases.emplace_back(known.alias);
  // `auto` hands its options to every method that it may take.
  std::vector<std::string> keys;
  for (const MethodEntry& entry : integrator_catalogue()) {
    if (entry.info->auto_role == AutoRole::none) continue;
    for (std::string& key : option_keys(entry))
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(std::move(key));
  }
  words.push_back({kAutoMethod, std::move(keys)});
  return words;
}

ReadOptions read_options(std::vector<std::string> overrides) {
  ReadOptions options{std::move(overrides), method_words(), {kAutoMethod}};
  for (const EvaluatorEntry& entry : evaluator_catalogue()) options.evaluators.emplace_back(entry.info->name);
  return options;
}

namespace {

SceneSizes sizes_of(const SceneModel& world, const Simulation& simulation, Messages& messages) {
  messages.add(world.messages());
  const MethodChoice& choice = simulation.choice();
  messages.warn(method_warnings(choice.spec, simulation.system()));
  const EigenFit* eigenfit = simulation.eigenfit();
  if (eigenfit && eigenfit->correction.is_off())
    messages.warn("eigenfit is switched off: " + eigenfit->correction.reason());
  return {world.vertices(),          world.tetrahedra(), world.triangles(), world.springs(),
          simulation.model().dofs(), choice.spec.type,   choice.note,       world.contacts()};
}

}  // namespace

SceneSizes check_scene(const Scene& scene, const std::string& scene_file, Messages& messages) {
  const SceneModel world = build_scene(scene, scene_file);
  const Simulation simulation(scene, world, step_count(scene.time));
  return sizes_of(world, simulation, messages);
}

SceneCheck examine_scene(const Scene& scene, const std::string& scene_file, Messages& messages) {
  use_threads({});
  const SceneModel world = build_scene(scene, scene_file);
  Simulation simulation(scene, world, step_count(scene.time));
  const SceneSizes sizes = sizes_of(world, simulation, messages);
  messages.warn(surface_warnings(scene, world));
  ScenePhysics physics = scene_physics(scene, world, simulation);
  messages.warn(physics.warnings);
  return {sizes, std::move(physics)};
}

RunSummary run_scene(const Scene& scene, const std::string& scene_file, const Messages& messages,
                     const RunOptions& options) {
  use_threads(options.control);
  const SceneModel world = build_scene(scene, scene_file);
  Simulation simulation(scene, world, options.steps.value_or(step_count(scene.time)));
  Messages all = messages;
  if (const EigenFit* eigenfit = simulation.eigenfit()) all.note(eigenfit->note);
  all.add(world.messages());
  all.warn(surface_warnings(scene, world));
  if (options.doubts) all.warn(doubts_about(scene, world, simulation));
  all.warn(method_warnings(simulation.choice().spec, simulation.system()));
  all.note(ranks_note(world.tetrahedra()));
  all.note(simulation.choice().note);
  all.note(simulation.solver_note());
  all.note(explicit_cost(simulation));

  // From here on the scene is valid and the folder exists, so run.json can hold the status.
  const RunFolder folder = make_run_folder(options.folder, options.existing);
  const FolderLock lock(folder);
  clear_run_folder(folder, options.existing);
  if (options.frames == Frames::written) write_surfaces(scene, folder);
  Run run(folder, lock, scene, world, std::move(simulation), options.frames, options.checkpoint_every,
          options.control);
  run.summary().messages = std::move(all);
  if (options.settle || scene.settle == Switch::on) run.settle_first();
  return run.carry_out();
}

RunSummary resume_run(const std::filesystem::path& root, const RunControl& control) {
  const RunFolder folder = open_run_folder(root);
  const FolderLock lock(folder);
  refuse_links(folder);
  const nlohmann::ordered_json account = read_run_json(folder.run_json());
  const std::string name = folder.run_json().string();
  std::vector<Problem> unused;
  if (!account.contains("scene"))
    throw InputError(name, "/scene", "missing: a run's scene is needed to resume it");
  const Scene scene = parse_scene(account["scene"].dump(), name, read_options(), unused);

  const CheckpointSearch found = newest_complete_checkpoint(folder.checkpoints());
  if (!found.newest) {
    std::string message = "no complete checkpoint to resume from";
    for (const std::string& skipped : found.skipped) message += "; " + skipped;
    throw InputError(folder.checkpoints().string(), "", message);
  }
  const RunPiece piece = read_run_piece(*found.newest);
  require_same_scene(piece, scene_hash(scene), name);
  require_same_steps(piece, account, name);
  RunControl resumed = control;
  resumed.deterministic = control.deterministic || read_entry(account, name, "", "deterministic", false);
  if (resumed.threads == 0)
    resumed.threads = std::clamp(read_entry(account, name, "", "threads", 0), 0, 1024);
  use_threads(resumed);

  const SceneModel world = build_scene(scene, name);
  require_same_world(piece, world.hash(), name);
  const Frames frames = piece.writes_frames ? Frames::written : Frames::none;
  remove_drafts(folder);
  Run run(folder, lock, scene, world, Simulation(scene, world, piece.steps), frames, piece.checkpoint_every,
          resumed);
  run.summary().messages = read_messages(account, name);
  if (found.newest->step < piece.steps)
    run.summary().messages.note(fmt::format("resumed from the checkpoint at step {}", found.newest->step));
  for (const std::string& skipped : found.skipped)
    run.summary().messages.warn("checkpoint left out: " + skipped);
  run.load(*found.newest, piece);
  return run.carry_out();
}

}  // namespace phiflex
