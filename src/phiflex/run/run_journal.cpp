#include "phiflex/run/run_journal.h"

#include <fmt/format.h>

#include <algorithm>

#include "phiflex/base/parallel.h"
#include "phiflex/record/state_hash.h"
#include "phiflex/scene/scene.h"

namespace phiflex {
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
      output_(scene.output),
      world_hash_(world.hash()),
      scene_hash_(scene_hash(scene)),
      summary_(new_summary(scene, world, simulation)) {
  summary_.deterministic = control.deterministic;
}

void RunJournal::start() {
  recording_ = std::make_unique<Recording>(folder_, world_, output_, frames_);
  const PhaseTimer timer(output_seconds_);
  record();
  if (summary_.status == RunStatus::running) checkpoint();  // else no equilibrium was found to go on from
}

void RunJournal::load(const Checkpoint& checkpoint, const RunPiece& piece) {
  output_seconds_ = piece.output_seconds;
  times_ = piece.times;
  earlier_seconds_ = piece.total_seconds;
  summary_.checkpoints = piece.checkpoints;
  try {
    ArchiveReader recording(checkpoint.piece("recording"));
    recording_ = std::make_unique<Recording>(folder_, world_, output_, frames_, checkpoint.step, recording);
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
  tell(summary_.messages);
  start_ = last_checkpoint_ = Clock::now();
}

void RunJournal::settled(double seconds) {
  earlier_seconds_ += seconds;
  start_ = Clock::now();
}

// Keeping costs a copy of the state. A step that takes longer than kKeepSeconds begins with one; shorter ones share it.
void RunJournal::step_begins() {
  if (simulation_.step() == last_checkpoint_step_) return;
  if (seconds_since(last_kept_) < kKeepSeconds) return;
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
  times_.add(simulation_.step(), seconds);
  take_messages();
  const PhaseTimer timer(output_seconds_);
  record();
  if (control_.progress)
    control_.progress(progress_of(simulation_, recording_->energy(), times_, output_seconds_));
}

// A resumed run repeats the steps behind its checkpoint; what was said of them is in run.json.
void RunJournal::take_messages() {
  const Messages fresh = simulation_.messages().since(messages_taken_);
  messages_taken_ += fresh.size();
  tell(summary_.messages.add_new(fresh));
}

void RunJournal::tell(const Messages& fresh) const {
  if (control_.said && !fresh.empty()) control_.said(fresh);
}

void RunJournal::end(RunStatus status, std::string reason) {
  summary_.status = status;
  summary_.reason = std::move(reason);
}

void RunJournal::checkpoint_if_due() {
  const PhaseTimer timer(output_seconds_);
  if (summary_.status != RunStatus::running ||
      checkpoint_is_due(checkpoint_every_, simulation_.step(), seconds_since(last_checkpoint_)))
    checkpoint();
}

void RunJournal::set_outcome(const Scene& scene) {
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
  Messages warning;
  warning.warn(
      fmt::format("{} {}", simulation_.method().name, loss_words(energy.worst_loss(), energy.exchanged())));
  tell(summary_.messages.add_new(warning));
}

// Contacts are there to stop bodies, not to drive them.
void RunJournal::warn_of_contact() {
  constexpr double most = 0.05;  // of the energy exchanged
  const EnergySummary& energy = recording_->energy();
  if (!(energy.contact_work() > most * energy.exchanged())) return;
  Messages warning;
  warning.warn(
      fmt::format("projected obstacles added {:.3g} J, {:.3g} % of the energy exchanged: use \"mode\": "
                  "\"barrier\", which "
                  "keeps it, or smaller steps",
                  energy.contact_work(), 100 * energy.contact_work() / energy.exchanged()));
  // A run that is resumed says at its end what it is then.
  if (summary_.status == RunStatus::done || summary_.status == RunStatus::failed)
    summary_.messages.add(warning);
  tell(warning);
}

void RunJournal::record() {
  recording_->write(simulation_);
  if (control_.observe) control_.observe(simulation_);
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
                     .total_seconds = earlier_seconds_ + seconds(),
                     .times = times_,
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
  phiflex::update_summary(simulation_, recording_->energy(), times_, output_seconds_, summary_);
  summary_.threads = thread_count();
  summary_.degrees_of_freedom = simulation_.model().dofs();
  summary_.total_seconds = earlier_seconds_ + seconds();
  summary_.hash = state_hash(simulation_.state());
  summary_.frames = recording_->frames();
}

}  // namespace phiflex
