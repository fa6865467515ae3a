#include "phiflex/run/run_journal.h"

#include <fmt/format.h>

#include <algorithm>

#include "phiflex/base/parallel.h"
#include "phiflex/record/state_hash.h"
#include "phiflex/run/version.h"

namespace phiflex {
namespace {

// "3 steps were halved": nothing is repaired silently.
std::vector<std::string> fallbacks(const Work& work, const StepQuality& quality) {
  std::vector<std::string> sentences;
  const auto say = [&](long count, const char* one, const char* many, const char* what) {
    if (count > 0) sentences.push_back(fmt::format("{} {} {}", count, count == 1 ? one : many, what));
  };
  say(work.projected_hessians, "time", "times", "the projected stiffness replaced an indefinite one");
  say(work.raised_hessians, "time", "times", "the diagonal of an indefinite matrix was raised");
  say(work.halved_steps, "step was", "steps were", "halved");
  say(work.rejected_steps, "step was", "steps were", "rejected");
  say(work.backward_euler_steps, "time", "times",
      "the last resort was a backward Euler step, which takes energy");
  if (quality.steps_outside_knots > 0)
    sentences.push_back(
        fmt::format("{} state{} had tetrahedra, up to {} of them, stretched beyond the knots of their spline "
                    "material, where its curves go on straight",
                    quality.steps_outside_knots, quality.steps_outside_knots == 1 ? "" : "s",
                    quality.most_outside_knots));
  return sentences;
}

}  // namespace

RunJournal::RunJournal(const RunFolder& folder, const FolderLock& lock, const Scene& scene,
                       const SceneModel& world, const Simulation& simulation, Frames frames,
                       std::int64_t checkpoint_every, const RunControl& control)
    : folder_(folder),
      lock_(lock),
      world_(world),
      control_(control),
      frames_(frames),
      checkpoint_every_(checkpoint_every),
      simulation_(simulation),
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

void RunJournal::start() {
  recording_ = std::make_unique<Recording>(folder_, world_, scene_.output, frames_);
  const PhaseTimer timer(output_seconds_);
  record();
  if (summary_.status == RunStatus::running) checkpoint();  // else no equilibrium was found to go on from
}

void RunJournal::load(const Checkpoint& checkpoint, const RunPiece& piece) {
  output_seconds_ = piece.output_seconds;
  loop_seconds_ = piece.loop_seconds;
  timed_steps_ = piece.timed_steps;
  earlier_seconds_ = piece.total_seconds;
  summary_.checkpoints = piece.checkpoints;
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

void RunJournal::announce() {
  if (control_.announced) {
    update_summary();
    control_.announced(summary_, folder_);
  }
  if (control_.started) control_.started(summary_.warnings);
  start_ = last_checkpoint_ = Clock::now();
}

double RunJournal::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

void RunJournal::settled(double seconds) {
  earlier_seconds_ += seconds;
  start_ = Clock::now();
}

// Keeping costs a copy of the state. A step that takes longer than kKeepSeconds begins with one; shorter ones share it.
void RunJournal::step_begins() {
  if (simulation_.step() == last_checkpoint_step_) return;
  const Clock::time_point now = Clock::now();
  if (std::chrono::duration<double>(now - last_kept_).count() < kKeepSeconds) return;
  const PhaseTimer timer(output_seconds_);
  kept_ = checkpoint_of_now();
  last_kept_ = Clock::now();
}

void RunJournal::checkpoint_before_step() {
  if (kept_.pieces.empty() || kept_.step <= last_checkpoint_step_) return;
  const PhaseTimer timer(output_seconds_);
  store(kept_);
}

void RunJournal::step_made(double seconds) {
  if (simulation_.step() > 1) {
    if (timed_steps_++ == 0) loop_seconds_ = 0;  // the first step, which counts only while it is alone
    loop_seconds_ += seconds;
  } else {
    loop_seconds_ = seconds;
  }
  take_notices();
  const PhaseTimer timer(output_seconds_);
  record();
  report_progress();
}

void RunJournal::take_notices() {
  if (simulation_.notices().size() == notices_) return;
  std::vector<std::string> fresh(simulation_.notices().begin() + std::ptrdiff_t(notices_),
                                 simulation_.notices().end());
  notices_ = simulation_.notices().size();
  // A resumed run repeats the steps behind its checkpoint; what was said of them is in run.json.
  const auto was_said = [&](const std::string& sentence) {
    return std::find(summary_.warnings.begin(), summary_.warnings.end(), sentence) != summary_.warnings.end();
  };
  std::erase_if(fresh, was_said);
  if (fresh.empty()) return;
  summary_.warnings.insert(summary_.warnings.end(), fresh.begin(), fresh.end());
  if (control_.noticed) control_.noticed(fresh);
}

void RunJournal::end(RunStatus status, std::string reason) {
  summary_.status = status;
  summary_.reason = std::move(reason);
}

void RunJournal::checkpoint_if_due() {
  const PhaseTimer timer(output_seconds_);
  if (summary_.status != RunStatus::running || checkpoint_is_due()) checkpoint();
}

void RunJournal::set_outcome(const Scene& scene) {
  scene_ = scene;
  scene_hash_ = scene_hash(scene);
  summary_.scene = to_json(scene);
  summary_.steps_planned = simulation_.step();
}

RunSummary RunJournal::finish() {
  if (summary_.status == RunStatus::done && last_checkpoint_step_ != simulation_.step()) checkpoint();
  warn_of_contact();
  lock_.require_in_place();
  recording_->sync();
  warn_of_losses();
  write_summary();
  if (control_.finished) control_.finished(folder_);
  return summary_;
}

void RunJournal::leave_failed(std::string reason) {
  end(RunStatus::failed, std::move(reason));
  try {
    if (recording_) update_summary();
    if (lock_.in_place()) store_summary();
  } catch (const std::exception&) {  // the first failure is the one to report
  }
}

// EigenFit's correction does work that the coarse mesh's ledger does not know.
void RunJournal::warn_of_losses() {
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

// Contacts are there to stop bodies, not to drive them.
void RunJournal::warn_of_contact() {
  constexpr double most = 0.05;  // of the energy exchanged
  const EnergySummary& energy = recording_->energy();
  if (!(energy.contact_work() > most * energy.exchanged())) return;
  const std::vector<std::string> sentences{
      fmt::format("projected obstacles added {:.3g} J, {:.3g} % of the energy exchanged: use \"mode\": "
                  "\"barrier\", which "
                  "keeps it, or smaller steps",
                  energy.contact_work(), 100 * energy.contact_work() / energy.exchanged())};
  // A run that is resumed says at its end what it is then.
  if (summary_.status == RunStatus::done || summary_.status == RunStatus::failed)
    summary_.warnings.insert(summary_.warnings.end(), sentences.begin(), sentences.end());
  if (control_.noticed) control_.noticed(sentences);
}

void RunJournal::record() {
  recording_->write(simulation_);
  if (control_.observe) control_.observe(simulation_);
}

bool RunJournal::checkpoint_is_due() const {
  if (checkpoint_every_ > 0) return simulation_.step() % checkpoint_every_ == 0;
  constexpr std::int64_t default_steps = 100;
  constexpr double default_seconds = 30;
  return simulation_.step() % default_steps == 0 ||
         std::chrono::duration<double>(Clock::now() - last_checkpoint_).count() > default_seconds;
}

Checkpoint RunJournal::checkpoint_of_now() const {
  Checkpoint made;
  made.step = simulation_.step();
  ArchiveWriter simulation, recording;
  simulation_.save(simulation);
  recording_->save(recording);
  const RunPiece run{.world_hash = world_hash_,
                     .scene_hash = scene_hash_,
                     .steps = summary_.steps_planned,
                     .writes_frames = frames_ == Frames::written,
                     .checkpoint_every = checkpoint_every_,
                     .output_seconds = output_seconds_,
                     .loop_seconds = loop_seconds_,
                     .total_seconds = earlier_seconds_ + seconds(),
                     .timed_steps = timed_steps_,
                     .checkpoints = summary_.checkpoints + 1};
  made.pieces = {{"simulation", simulation.bytes()}, {"recording", recording.bytes()}, {"run", run.bytes()}};
  return made;
}

// The tables first: a checkpoint never refers to rows that are not there.
void RunJournal::store(const Checkpoint& made) {
  lock_.require_in_place();
  recording_->sync();
  lock_.write_in([&](const RunFolder& folder) { write_checkpoint(folder.checkpoints(), made); });
  ++summary_.checkpoints;
  last_checkpoint_ = Clock::now();
  last_checkpoint_step_ = made.step;
  write_summary();
}

void RunJournal::write_summary() {
  update_summary();
  store_summary();
}

void RunJournal::store_summary() {
  lock_.write_in([&](const RunFolder& folder) { write_run_json(folder.run_json(), summary_); });
}

void RunJournal::update_summary() {
  summary_.threads = thread_count();
  summary_.method = simulation_.method().name;
  summary_.method_changes = simulation_.method_changes();
  summary_.degrees_of_freedom = simulation_.model().dofs();
  summary_.steps = simulation_.step();
  summary_.work = simulation_.work();
  summary_.quality = simulation_.quality();
  summary_.output_seconds = output_seconds_;
  summary_.total_seconds = earlier_seconds_ + seconds();
  summary_.seconds_per_step = seconds_per_step();
  summary_.energy_first = recording_->energy().first();
  summary_.energy_last = recording_->energy().last();
  summary_.energy_available = recording_->energy().available();
  summary_.external_work = simulation_.ledger().external_work;
  summary_.dissipated = simulation_.ledger().dissipated;
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
double RunJournal::seconds_per_step() const {
  return loop_seconds_ / static_cast<double>(std::max<std::int64_t>(1, timed_steps_));
}

void RunJournal::report_progress() {
  if (!control_.progress) return;
  Progress progress{simulation_.step(),
                    simulation_.steps(),
                    simulation_.state().t,
                    simulation_.ledger().total(),
                    simulation_.ledger().numerical_loss,
                    0,
                    0};
  progress.step_seconds = seconds_per_step();
  progress.energy_exchanged = recording_->energy().exchanged();
  const double mean_with_output =
      progress.step_seconds +
      output_seconds_ / static_cast<double>(std::max<std::int64_t>(1, simulation_.step()));
  progress.seconds_left = mean_with_output * static_cast<double>(simulation_.steps() - simulation_.step());
  control_.progress(progress);
}

}  // namespace phiflex
