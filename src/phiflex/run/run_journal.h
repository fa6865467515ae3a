// The journal of a run under way: what it records into its folder after every step, its checkpoints, its run.json. Who
// makes the steps is the caller's matter: the loop of `run` (run.cpp), or a hand that pauses and changes
// (live/live_engine.h).
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "phiflex/record/checkpoint.h"
#include "phiflex/record/folder_lock.h"
#include "phiflex/run/checkpoint_pieces.h"
#include "phiflex/run/recording.h"
#include "phiflex/run/run.h"
#include "phiflex/run/run_summary.h"
#include "phiflex/run/simulation.h"

namespace phiflex {

class RunJournal {
 public:
  // The simulation, the lock and the control must outlive it.
  RunJournal(const RunFolder& folder, const FolderLock& lock, const Scene& scene, const SceneModel& world,
             const Simulation& simulation, Frames frames, std::int64_t checkpoint_every,
             const RunControl& control);

  RunSummary& summary() { return summary_; }
  bool started() const { return recording_ != nullptr; }
  // Records the initial state.
  void start();
  // Goes on after a checkpoint, which the simulation has loaded. InputError when it cannot be used.
  void load(const Checkpoint& checkpoint, const RunPiece& piece);
  // Tells what is going to be run, with all messages. The time of the run counts from here.
  void announce();
  double seconds() const { return seconds_since(start_); }  // since then
  // What came before the first step, the search for an equilibrium, took so many seconds: they count among the run's.
  void settled(double seconds);

  // A step is going to be made. From time to time its beginning is kept in memory, for checkpoint_before_step().
  void step_begins();

  // A step was made, in so many seconds.
  void step_made(double seconds);
  // What is new among the simulation's messages goes to the log, to run.json and to the report.
  void take_messages();
  void end(RunStatus status, std::string reason);
  void checkpoint_if_due();
  // The step under way is left: stores its beginning, or that of one at most kKeepSeconds earlier, if it is later than
  // the last checkpoint.
  void checkpoint_before_step();
  std::int64_t last_checkpoint_step() const { return last_checkpoint_step_; }
  // Of a run whose length was not known at its beginning: the scene as it turned out, and that its steps are all of it.
  // To be called before end().
  void set_outcome(const Scene& scene);
  // After end(): writes what is left to write.
  RunSummary finish();
  // The run has ended by an exception. Where the results folder is another one by now, nothing is written into it.
  void leave_failed(std::string reason);

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kKeepSeconds = 0.2;
  void record();
  void checkpoint() { store(checkpoint_of_now()); }
  Checkpoint checkpoint_of_now() const;
  void store(const Checkpoint& made);
  void write_summary();
  void store_summary();
  void update_summary();
  void warn_of_losses();
  void warn_of_contact();
  void tell(const Messages& fresh) const;

  RunFolder folder_;
  const FolderLock& lock_;
  const SceneModel world_;
  const RunControl& control_;
  Frames frames_;
  std::int64_t checkpoint_every_;
  const Simulation& simulation_;
  OutputSpec output_;
  std::string world_hash_, scene_hash_;
  std::unique_ptr<Recording> recording_;
  RunSummary summary_;
  Clock::time_point start_ = Clock::now(), last_checkpoint_ = Clock::now();
  Checkpoint kept_;  // before a step; without pieces: none
  Clock::time_point last_kept_ = Clock::now();
  std::int64_t last_checkpoint_step_ = -1;
  double output_seconds_ = 0, earlier_seconds_ = 0;
  StepClock times_;
  std::size_t messages_taken_ = 0;  // of the simulation
};

}  // namespace phiflex
