#include "phiflex/run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "phiflex/base/parallel.h"
#include "phiflex/integrate/catalogue.h"
#include "phiflex/integrate/stable_step.h"
#include "phiflex/linalg/cholesky.h"
#include "phiflex/matfun/catalogue.h"
#include "phiflex/record/checkpoint.h"
#include "phiflex/record/folder_lock.h"
#include "phiflex/record/state_hash.h"
#include "phiflex/run/checkpoint_pieces.h"
#include "phiflex/run/choose_method.h"
#include "phiflex/run/version.h"

namespace phiflex {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

int use_threads(const RunControl& control) {
  const int threads = control.threads > 0
                          ? control.threads
                          : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  set_thread_count(threads);
  set_blas_threads(control.deterministic ? 1 : threads);
  return threads;
}

// "3 steps were halved": nothing is repaired silently.
std::vector<std::string> fallbacks(const Work& work, const StepQuality& quality) {
  std::vector<std::string> sentences;
  const auto say = [&](long count, const char* what) {
    if (count > 0) sentences.push_back(fmt::format("{} {}", count, what));
  };
  say(work.projected_hessians, "times the projected stiffness replaced an indefinite one");
  say(work.raised_hessians, "times the diagonal of an indefinite matrix was raised");
  say(work.halved_steps, "steps were halved");
  say(work.rejected_steps, "steps were rejected");
  say(work.backward_euler_steps, "times the last resort was a backward Euler step, which takes energy");
  if (quality.steps_outside_knots > 0)
    sentences.push_back(
        fmt::format("{} states had tetrahedra, up to {} of them, stretched beyond the knots of their spline "
                    "material, where its curves go on straight",
                    quality.steps_outside_knots, quality.most_outside_knots));
  return sentences;
}

// What the explicit alternative costs; empty for methods that are explicit and leave stability to the user.
std::string explicit_cost(const Simulation& simulation) {
  if (simulation.method().conditionally_stable || simulation.model().dofs() == 0) return "";
  const double n = explicit_substeps(simulation.model(), simulation.state(), simulation.h());
  return fmt::format("for comparison: verlet, explicit, takes about {:.0f} force evaluations per step here",
                     n);
}

void append(const std::vector<std::string>& sentences, std::vector<std::string>& all) {
  all.insert(all.end(), sentences.begin(), sentences.end());
}

// A run under way: the simulation, what it records, and the account of it.
class Run {
 public:
  Run(const RunFolder& folder, const FolderLock& lock, const Scene& scene, const SceneModel& world,
      Simulation simulation, Frames frames, std::int64_t checkpoint_every, const RunControl& control)
      : folder_(folder),
        lock_(lock),
        world_(world),
        control_(control),
        frames_(frames),
        checkpoint_every_(checkpoint_every),
        simulation_(std::move(simulation)),
        scene_(scene),
        world_hash_(world.hash()),
        scene_hash_(scene_hash(scene)) {
    summary_.version = version();
    summary_.scene = to_json(scene);
    summary_.machine = this_machine();
    summary_.deterministic = control.deterministic;
    summary_.vertices = world.vertices();
    summary_.elements = world.tetrahedra() + world.triangles();
    summary_.triangles = world.triangles();
    summary_.springs = world.springs();
    summary_.steps_planned = simulation_.steps();
    summary_.h = simulation_.h();
  }

  RunSummary& summary() { return summary_; }
  void settle_first() { settles_ = true; }

  // From the initial state, or from what load() has read, to the end. Whatever ends it early, run.json says why if it
  // still can, and the last checkpoint stays.
  RunSummary carry_out() {
    try {
      if (!recording_) start();
      return make_steps();
    } catch (const FileError& error) {
      leave_failed(error.what());
      throw;
    } catch (const InputError& error) {
      leave_failed(error.what());
      throw;
    } catch (const std::bad_alloc&) {
      leave_failed("out of memory");
      throw;
    } catch (const std::exception& error) {
      leave_failed(fmt::format("internal error: {}", error.what()));
      throw;
    } catch (...) {
      leave_failed("internal error");
      throw;
    }
  }

  void load(const Checkpoint& checkpoint, const RunPiece& piece) {
    output_seconds_ = piece.output_seconds;
    loop_seconds_ = piece.loop_seconds;
    timed_steps_ = piece.timed_steps;
    earlier_seconds_ = piece.total_seconds;
    summary_.checkpoints = piece.checkpoints;
    load_simulation(checkpoint, simulation_);
    try {
      ArchiveReader recording(checkpoint.piece("recording"));
      recording_ =
          std::make_unique<Recording>(folder_, world_, scene_.output, frames_, checkpoint.step, recording);
      recording.finish();
    } catch (const ArchiveError& error) {
      throw InputError(checkpoint.file.string(), "", std::string("cannot be used: ") + error.what());
    }
    last_checkpoint_step_ = checkpoint.step;
  }

 private:
  void settle() {
    const EquilibriumReport report = simulation_.settle();
    summary_.settled = {report.iterations, report.residual, report.force, report.moved};
    if (report.status != StepStatus::ok) {
      end(RunStatus::failed, simulation_.failure());
      return;
    }
    summary_.notes.push_back(
        fmt::format("settled in {} iterations: forces down to {:.3g} N, {:.1e} of those at the start; "
                    "coordinates moved by up to "
                    "{:.3g} m",
                    report.iterations, report.force, report.residual, report.moved));
  }

  void start() {
    if (settles_) settle();
    recording_ = std::make_unique<Recording>(folder_, world_, scene_.output, frames_);
    const PhaseTimer timer(output_seconds_);
    record();
    checkpoint();
  }

  // Where the results folder is another one by now, nothing is written into it.
  void leave_failed(std::string reason) {
    end(RunStatus::failed, std::move(reason));
    try {
      if (recording_) update_summary();
      if (lock_.in_place()) write_run_json(folder_.run_json(), summary_);
    } catch (const std::exception&) {  // the first failure is the one to report
    }
  }

  RunSummary make_steps() {
    if (control_.announced) {
      update_summary();
      control_.announced(summary_, folder_);
    }
    if (control_.started) control_.started(summary_.warnings);
    start_ = last_checkpoint_ = Clock::now();
    const double limit_start = control_.limit_clock ? control_.limit_clock() : 0;
    while (summary_.status == RunStatus::running && simulation_.step() < simulation_.steps()) {
      const Clock::time_point before = Clock::now();
      const StepStatus status = simulation_.advance();
      if (simulation_.step() > 1) {
        if (timed_steps_++ == 0) loop_seconds_ = 0;  // the first step, which counts only while it is alone
        loop_seconds_ += seconds_since(before);
      } else if (status == StepStatus::ok) {
        loop_seconds_ = seconds_since(before);
      }
      take_notices();
      if (status != StepStatus::ok) {
        end(RunStatus::failed, simulation_.failure());
        break;
      }
      const PhaseTimer timer(output_seconds_);
      record();
      report_progress();
      if (control_.stop && control_.stop->load()) {
        end(RunStatus::interrupted, fmt::format("interrupted after step {}", simulation_.step()));
      } else if (simulation_.step() < simulation_.steps() &&
                 (control_.limit_clock ? control_.limit_clock() - limit_start : seconds_since(start_)) >
                     control_.max_seconds) {
        end(RunStatus::limit, fmt::format("the limit of {} s was reached after step {}", control_.max_seconds,
                                          simulation_.step()));
      }
      if (summary_.status != RunStatus::running || checkpoint_is_due()) checkpoint();
    }
    if (summary_.status == RunStatus::running) {
      end(RunStatus::done, "");
      if (last_checkpoint_step_ != simulation_.step()) checkpoint();
    }
    warn_of_contact();
    lock_.require_in_place();
    recording_->sync();
    warn_of_losses();
    write_summary();
    if (control_.finished) control_.finished(folder_);
    return summary_;
  }

  // EigenFit's correction does work that the coarse mesh's ledger does not know.
  void warn_of_losses() {
    constexpr double large = 0.1;
    const EnergySummary& energy = recording_->energy();
    if (summary_.status != RunStatus::done || simulation_.eigenfit() ||
        !(energy.largest_relative_change() > large))
      return;
    const std::string warning =
        fmt::format("{} {}", simulation_.method().name, loss_words(energy.worst_loss(), energy.exchanged()));
    if (std::find(summary_.warnings.begin(), summary_.warnings.end(), warning) != summary_.warnings.end())
      return;
    summary_.warnings.push_back(warning);
    if (control_.noticed) control_.noticed({warning});
  }

  // What is new among the simulation's notices goes to the log, to run.json and to the report.
  void take_notices() {
    if (simulation_.notices().size() == notices_) return;
    const std::vector<std::string> fresh(simulation_.notices().begin() + std::ptrdiff_t(notices_),
                                         simulation_.notices().end());
    notices_ = simulation_.notices().size();
    append(fresh, summary_.warnings);
    if (control_.noticed) control_.noticed(fresh);
  }

  // Contacts are there to stop bodies, not to drive them.
  void warn_of_contact() {
    constexpr double most = 0.05;  // of the energy exchanged
    const EnergySummary& energy = recording_->energy();
    if (!(energy.contact_work() > most * energy.exchanged())) return;
    const std::vector<std::string> sentences{
        fmt::format("projected obstacles added {:.3g} J, {:.3g} % of the energy exchanged: use \"mode\": "
                    "\"barrier\", which "
                    "keeps it, or smaller steps",
                    energy.contact_work(), 100 * energy.contact_work() / energy.exchanged())};
    append(sentences, summary_.warnings);
    if (control_.noticed) control_.noticed(sentences);
  }

  void record() {
    recording_->write(simulation_);
    if (control_.observe) control_.observe(simulation_);
  }

  void end(RunStatus status, std::string reason) {
    summary_.status = status;
    summary_.reason = std::move(reason);
  }

  bool checkpoint_is_due() const {
    if (checkpoint_every_ > 0) return simulation_.step() % checkpoint_every_ == 0;
    constexpr std::int64_t default_steps = 100;
    constexpr double default_seconds = 30;
    return simulation_.step() % default_steps == 0 || seconds_since(last_checkpoint_) > default_seconds;
  }

  // The tables first: a checkpoint never refers to rows that are not there.
  void checkpoint() {
    lock_.require_in_place();
    recording_->sync();
    Checkpoint made;
    made.step = simulation_.step();
    ArchiveWriter simulation, recording;
    simulation_.save(simulation);
    recording_->save(recording);
    ++summary_.checkpoints;
    const RunPiece run{.world_hash = world_hash_,
                       .scene_hash = scene_hash_,
                       .steps = simulation_.steps(),
                       .writes_frames = frames_ == Frames::written,
                       .checkpoint_every = checkpoint_every_,
                       .output_seconds = output_seconds_,
                       .loop_seconds = loop_seconds_,
                       .total_seconds = earlier_seconds_ + seconds_since(start_),
                       .timed_steps = timed_steps_,
                       .checkpoints = summary_.checkpoints};
    made.pieces = {
        {"simulation", simulation.bytes()}, {"recording", recording.bytes()}, {"run", run.bytes()}};
    write_checkpoint(folder_.checkpoints(), made);
    last_checkpoint_ = Clock::now();
    last_checkpoint_step_ = made.step;
    write_summary();
  }

  void write_summary() {
    update_summary();
    write_run_json(folder_.run_json(), summary_);
  }

  void update_summary() {
    summary_.threads = thread_count();
    summary_.method = simulation_.method().name;
    summary_.method_changes = simulation_.method_changes();
    summary_.degrees_of_freedom = simulation_.model().dofs();
    summary_.steps = simulation_.step();
    summary_.work = simulation_.work();
    summary_.quality = simulation_.quality();
    summary_.output_seconds = output_seconds_;
    summary_.total_seconds = earlier_seconds_ + seconds_since(start_);
    summary_.seconds_per_step = seconds_per_step();
    summary_.energy_first = recording_->energy().first();
    summary_.energy_last = recording_->energy().last();
    summary_.energy_available = recording_->energy().available();
    summary_.contact_work = recording_->energy().contact_work();
    summary_.friction = recording_->energy().friction();
    summary_.energy_largest_relative_change = recording_->energy().largest_relative_change();
    summary_.energy_worst_loss = recording_->energy().worst_loss();
    summary_.energy_exchanged = recording_->energy().exchanged();
    summary_.hash = state_hash(simulation_.state());
    summary_.frames = recording_->frames();
    summary_.fallbacks = fallbacks(simulation_.work(), simulation_.quality());
  }

  // Mean over the time loop without the first step, unless it is the only one.
  double seconds_per_step() const {
    return loop_seconds_ / static_cast<double>(std::max<std::int64_t>(1, timed_steps_));
  }

  void report_progress() {
    if (!control_.progress) return;
    Progress progress{simulation_.step(),
                      simulation_.steps(),
                      simulation_.state().t,
                      simulation_.ledger().total(),
                      simulation_.ledger().numerical_loss,
                      0,
                      0};
    progress.step_seconds = seconds_per_step();
    const double mean_with_output =
        progress.step_seconds +
        output_seconds_ / static_cast<double>(std::max<std::int64_t>(1, simulation_.step()));
    progress.seconds_left = mean_with_output * static_cast<double>(simulation_.steps() - simulation_.step());
    control_.progress(progress);
  }

  RunFolder folder_;
  const FolderLock& lock_;
  const SceneModel& world_;
  const RunControl& control_;
  Frames frames_;
  std::int64_t checkpoint_every_;
  Simulation simulation_;
  const Scene& scene_;
  std::string world_hash_, scene_hash_;
  std::unique_ptr<Recording> recording_;
  RunSummary summary_;
  Clock::time_point start_ = Clock::now(), last_checkpoint_ = Clock::now();
  std::int64_t last_checkpoint_step_ = -1;
  double output_seconds_ = 0, loop_seconds_ = 0, earlier_seconds_ = 0;
  std::int64_t timed_steps_ = 0;
  bool settles_ = false;
  std::size_t notices_ = 0;  // of the simulation, taken so far
};

}  // namespace

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

SceneSizes sizes_of(const SceneModel& world, const Simulation& simulation,
                    std::vector<std::string>& warnings) {
  append(world.warnings(), warnings);
  const MethodChoice& choice = simulation.choice();
  append(method_warnings(simulation.choice().spec, simulation.system()), warnings);
  const EigenFit* eigenfit = simulation.eigenfit();
  if (eigenfit && eigenfit->correction.stepped_aside())
    warnings.push_back("eigenfit steps aside: " + eigenfit->correction.reason());
  return {world.vertices(), world.tetrahedra(), world.triangles(), world.springs(), simulation.model().dofs(),
          choice.spec.type, choice.note,        world.contacts(),  world.notes()};
}

}  // namespace

SceneSizes check_scene(const Scene& scene, const std::string& scene_file,
                       std::vector<std::string>& warnings) {
  const SceneModel world = build_scene(scene, scene_file);
  const Simulation simulation(scene, world, step_count(scene.time));
  return sizes_of(world, simulation, warnings);
}

SceneCheck examine_scene(const Scene& scene, const std::string& scene_file,
                         std::vector<std::string>& warnings) {
  use_threads({});
  const SceneModel world = build_scene(scene, scene_file);
  Simulation simulation(scene, world, step_count(scene.time));
  const SceneSizes sizes = sizes_of(world, simulation, warnings);
  ScenePhysics physics = scene_physics(scene, world, simulation);
  append(physics.warnings, warnings);
  return {sizes, std::move(physics)};
}

RunSummary run_scene(const Scene& scene, const std::string& scene_file,
                     const std::vector<std::string>& warnings, const RunOptions& options) {
  use_threads(options.control);
  const SceneModel world = build_scene(scene, scene_file);
  Simulation simulation(scene, world, options.steps.value_or(step_count(scene.time)));
  std::vector<std::string> all_warnings = warnings, notes;
  append(world.warnings(), all_warnings);
  if (const EigenFit* eigenfit = simulation.eigenfit()) notes.push_back(eigenfit->note);
  const MethodChoice& choice = simulation.choice();
  append(method_warnings(simulation.choice().spec, simulation.system()), all_warnings);
  append(world.notes(), notes);
  if (!choice.note.empty()) notes.push_back(choice.note);
  if (const std::string note = simulation.solver_note(); !note.empty()) notes.push_back(note);
  if (const std::string note = explicit_cost(simulation); !note.empty()) notes.push_back(note);

  // From here on the scene is valid and the folder exists, so run.json can hold the status.
  const RunFolder folder = make_run_folder(options.folder, options.existing);
  const FolderLock lock(folder);
  clear_run_folder(folder, options.existing);
  Run run(folder, lock, scene, world, std::move(simulation), options.frames, options.checkpoint_every,
          options.control);
  run.summary().warnings = std::move(all_warnings);
  run.summary().notes = std::move(notes);
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
  const auto entry = [&](const char* key, auto if_absent) {
    try {
      return account.value(key, if_absent);
    } catch (const nlohmann::json::exception&) {
      throw InputError(name, std::string("/") + key, account[key].dump() + " is not what a run writes there");
    }
  };
  RunControl resumed = control;
  resumed.deterministic = control.deterministic || entry("deterministic", false);
  if (resumed.threads == 0) resumed.threads = std::clamp(entry("threads", 0), 0, 1024);
  use_threads(resumed);

  const SceneModel world = build_scene(scene, name);
  require_same_world(piece, world.hash(), name);
  const Frames frames = piece.writes_frames ? Frames::written : Frames::none;
  remove_drafts(folder);
  Run run(folder, lock, scene, world, Simulation(scene, world, piece.steps), frames, piece.checkpoint_every,
          resumed);
  run.summary().warnings = entry("warnings", std::vector<std::string>{});
  run.summary().notes = entry("notes", std::vector<std::string>{});
  if (found.newest->step < piece.steps)
    run.summary().notes.push_back(fmt::format("resumed from the checkpoint at step {}", found.newest->step));
  for (const std::string& skipped : found.skipped)
    run.summary().warnings.push_back("checkpoint left out: " + skipped);
  run.load(*found.newest, piece);
  return run.carry_out();
}

}  // namespace phiflex
