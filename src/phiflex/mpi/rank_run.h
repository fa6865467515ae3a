// A run under way on all ranks: every rank runs the same time loop on its part (part.h) and writes its own checkpoints;
// rank 0 writes the tables, the frames and run.json.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "phiflex/mpi/distributed_run.h"
#include "phiflex/mpi/mpi_team.h"
#include "phiflex/mpi/part.h"
#include "phiflex/mpi/pieces.h"
#include "phiflex/record/checkpoint.h"
#include "phiflex/record/frames.h"
#include "phiflex/record/named_tables.h"
#include "phiflex/run/checkpoint_pieces.h"
#include "phiflex/run/run_summary.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/scene.h"

namespace phiflex {

// Where a rank's checkpoints lie.
std::filesystem::path rank_folder(const RunFolder& folder, int rank);

class RankRun {
 public:
  // whole, part, team and control must outlive it.
  RankRun(const RunFolder& folder, const Scene& scene, const SceneModel& whole, const Part& part,
          const MpiTeam& team, std::int64_t steps, Frames frames, FrameForm form,
          std::int64_t checkpoint_every, const RunControl& control);

  RunSummary& summary() { return summary_; }
  // Records the initial state.
  void start();
  // Of the same step on all ranks; only rank 0's has more than the simulation.
  void load(const Checkpoint& checkpoint, const RunPiece& piece);
  // To the end. Whatever ends it, run.json says why if it still can.
  RunSummary carry_out();

 private:
  using Clock = std::chrono::steady_clock;
  bool is_root() const { return team_.rank() == 0; }
  void end(RunStatus status, std::string reason);
  RunSummary make_steps();
  void make_step();
  void take_messages();
  void record();
  void start_pieces(long written);
  long frames_written() const { return pieces_ ? pieces_->frames() : frames_ ? frames_->frames() : 0; }
  void checkpoint();
  void sync();
  void describe_ranks();
  void update_summary();
  void write_summary();

  RunFolder folder_;
  Scene scene_;
  const SceneModel& whole_;
  const Part& part_;
  const MpiTeam& team_;
  const RunControl& control_;
  bool writes_frames_;
  Frames frames_wanted_;
  bool in_pieces_;
  std::int64_t checkpoint_every_;
  Simulation simulation_;
  std::string world_hash_, scene_hash_;
  std::vector<int> probe_vertices_;
  std::unique_ptr<EnergyCsv> energy_;  // this and the next two: on rank 0
  std::unique_ptr<ProbesCsv> probes_;
  std::unique_ptr<FrameWriter> frames_;
  std::unique_ptr<PieceWriter> pieces_;  // on all ranks
  EnergySummary energies_;
  RunSummary summary_;
  Vector x_, v_;
  std::vector<double> densities_;
  Clock::time_point start_ = Clock::now(), last_checkpoint_ = Clock::now();
  std::int64_t last_checkpoint_step_ = -1;
  StepClock times_;
  double output_seconds_ = 0, earlier_seconds_ = 0, processor_start_ = 0;
  std::size_t messages_taken_ = 0;  // of the simulation
};

}  // namespace phiflex
