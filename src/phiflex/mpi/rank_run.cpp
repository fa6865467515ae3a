#include "phiflex/mpi/rank_run.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <limits>

#include "phiflex/mpi/agreed_failure.h"
#include "phiflex/mpi/petsc_inverse.h"
#include "phiflex/mpi/rank_halo.h"
#include "phiflex/record/state_hash.h"
#include "phiflex/scene/scene_io.h"

namespace phiflex {
namespace {

constexpr std::int64_t kMostGathered = 5'000'000;  // tetrahedra

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

double largest_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_maxrss) / 1024;
}

}  // namespace

std::filesystem::path rank_folder(const RunFolder& folder, int rank) {
  return rank == 0 ? folder.checkpoints() : folder.checkpoints() / fmt::format("rank_{:05}", rank);
}

RankRun::RankRun(const RunFolder& folder, const Scene& scene, const SceneModel& whole, const Part& part,
                 const MpiTeam& team, std::int64_t steps, Frames frames, FrameForm form,
                 std::int64_t checkpoint_every, const RunControl& control)
    : folder_(folder),
      scene_(scene),
      whole_(whole),
      part_(part),
      team_(team),
      control_(control),
      writes_frames_(frames == Frames::written && !scene.output.formats.empty()),
      frames_wanted_(frames),
      in_pieces_(form == FrameForm::pieces || whole.tetrahedra() > kMostGathered),
      checkpoint_every_(checkpoint_every),
      simulation_(scene, part.model(), steps),
      world_hash_(whole.hash()),
      scene_hash_(scene_hash(scene)),
      summary_(new_summary(scene, whole, simulation_)) {
  summary_.deterministic = true;
  summary_.method = simulation_.method().name;
  describe_ranks();
  for (const SceneModel::Probe& probe : whole_.probes()) probe_vertices_.push_back(probe.vertex);
}

void RankRun::start() {
  on_root(team_, [&] {
    energy_ = std::make_unique<EnergyCsv>(folder_.energy_csv());
    if (!probe_vertices_.empty())
      probes_ = std::make_unique<ProbesCsv>(folder_.probes_csv(), whole_.probe_names());
    if (writes_frames_ && !in_pieces_)
      frames_ = std::make_unique<FrameWriter>(folder_, whole_.frame_geometry());
  });
  start_pieces(0);
  record();
  checkpoint();
}

void RankRun::load(const Checkpoint& checkpoint, const RunPiece& piece) {
  load_simulation(checkpoint, simulation_);
  double written = 0;
  on_root(team_, [&] {
    earlier_seconds_ = piece.total_seconds;
    output_seconds_ = piece.output_seconds;
    times_ = piece.times;
    summary_.checkpoints = piece.checkpoints;
    ArchiveReader recording(checkpoint.piece("recording"));
    written = double(recording.get_integer(0, std::numeric_limits<std::int32_t>::max()));
    energies_.load(recording);
    recording.finish();
    energy_ = std::make_unique<EnergyCsv>(folder_.energy_csv(), checkpoint.step);
    if (!probe_vertices_.empty())
      probes_ = std::make_unique<ProbesCsv>(folder_.probes_csv(), whole_.probe_names(), checkpoint.step);
    if (writes_frames_ && !in_pieces_)
      frames_ = std::make_unique<FrameWriter>(folder_, whole_.frame_geometry(), long(written));
  });
  start_pieces(long(largest(team_, written)));
  last_checkpoint_step_ = checkpoint.step;
}

RunSummary RankRun::carry_out() {
  try {
    return make_steps();
  } catch (const std::exception& error) {
    end(RunStatus::failed, error.what());
    if (!is_root()) throw;
    try {
      write_run_json(folder_.run_json(), summary_);
    } catch (const std::exception&) {  // the first failure is the one to report
    }
    throw;
  }
}

RunSummary RankRun::make_steps() {
  update_summary();
  if (is_root()) {
    if (control_.announced) control_.announced(summary_, folder_);
    if (control_.said) control_.said(summary_.messages);
  }
  start_ = last_checkpoint_ = Clock::now();
  processor_start_ = processor_seconds();
  while (summary_.status == RunStatus::running && simulation_.step() < simulation_.steps()) make_step();
  if (summary_.status == RunStatus::running) end(RunStatus::done, "");
  if (summary_.status == RunStatus::done && last_checkpoint_step_ != simulation_.step()) checkpoint();
  on_root(team_, [&] { sync(); });
  write_summary();
  on_root(team_, [&] {
    if (control_.finished) control_.finished(folder_);
  });
  return summary_;
}

void RankRun::end(RunStatus status, std::string reason) {
  summary_.status = status;
  summary_.reason = std::move(reason);
}

void RankRun::make_step() {
  const Clock::time_point step_start = Clock::now();
  const StepStatus status = simulation_.advance();
  const double seconds = seconds_since(step_start);
  take_messages();
  if (status != StepStatus::ok) return end(RunStatus::failed, simulation_.failure());
  times_.add(simulation_.step(), seconds);
  record();
  // A signal may have met any rank; the clock is that of rank 0.
  const bool checkpoint_due =
      checkpoint_is_due(checkpoint_every_, simulation_.step(), seconds_since(last_checkpoint_));
  std::array decisions{control_.stop && control_.stop->load() ? 1.0 : 0.0,
                       is_root() && seconds_since(start_) > control_.max_seconds ? 1.0 : 0.0,
                       is_root() && checkpoint_due ? 1.0 : 0.0};
  team_.largest(decisions);
  if (decisions[0] != 0)
    end(RunStatus::interrupted, fmt::format("interrupted after step {}", simulation_.step()));
  else if (decisions[1] != 0 && simulation_.step() < simulation_.steps())
    end(RunStatus::limit, fmt::format("the limit of {:.6g} s was reached after step {}", control_.max_seconds,
                                      simulation_.step()));
  if (summary_.status != RunStatus::running || decisions[2] != 0) checkpoint();
}

void RankRun::take_messages() {
  const Messages taken = simulation_.messages().since(messages_taken_);
  messages_taken_ += taken.size();
  const Messages fresh = summary_.messages.add_new(taken);
  if (is_root() && !fresh.empty() && control_.said) control_.said(fresh);
}

void RankRun::record() {
  const PhaseTimer timer(output_seconds_);
  const State& now = simulation_.state();
  const EnergyRow row = energy_row(simulation_);
  energies_.add(row);
  const bool frame_is_due = writes_frames_ && simulation_.step() % scene_.output.every == 0;
  std::vector<Point3> points;
  Vector x, v;
  if (!probe_vertices_.empty() || frame_is_due) simulation_.model().expand(now, x_, v_);
  if (!probe_vertices_.empty()) points = part_.positions(probe_vertices_, x_);
  if (frame_is_due && in_pieces_) {
    on_all(team_, [&] { pieces_->write_piece(now.t, x_, v_); });
  } else if (frame_is_due) {
    x = part_.gather(x_);
    v = part_.gather(v_);
  }
  on_root(team_, [&] {
    energy_->write(row);
    if (probes_) probes_->write(simulation_.step(), now.t, points);
    if (frame_is_due && in_pieces_) pieces_->list_frame(now.t);
    if (frame_is_due && frames_) {
      whole_.strain_energy_densities(now.t, x, densities_);
      x -= whole_.rest();
      frames_->write(now.t, as_span(x), as_span(v), densities_, {}, {});
    }
    if (control_.progress && simulation_.step() > 0)
      control_.progress(progress_of(simulation_, energies_, times_, output_seconds_));
  });
  if (frame_is_due && in_pieces_ && !is_root()) pieces_->list_frame(now.t);  // counts it
}

void RankRun::start_pieces(long written) {
  if (!writes_frames_ || !in_pieces_) return;
  const std::array mine{double(part_.counted())};
  const std::vector<double> counted = team_.gather(mine, std::vector<int>(std::size_t(team_.size()), 1));
  on_all(team_,
         [&] { pieces_ = std::make_unique<PieceWriter>(folder_, part_, team_.rank(), counted, written); });
}

void RankRun::sync() {
  energy_->sync();
  if (probes_) probes_->sync();
  if (frames_) frames_->sync();
}

// The other ranks first: a step counts when rank 0 has written its checkpoint, and the tables are whole up to there.
void RankRun::checkpoint() {
  const PhaseTimer timer(output_seconds_);
  Checkpoint made;
  made.step = simulation_.step();
  ArchiveWriter simulation;
  simulation_.save(simulation);
  made.pieces = {{"simulation", simulation.bytes()}};
  on_all(team_, [&] {
    if (!is_root()) write_checkpoint(rank_folder(folder_, team_.rank()), made);
  });
  ++summary_.checkpoints;
  on_root(team_, [&] {
    sync();
    ArchiveWriter recording;
    recording.put(std::int64_t(frames_written()));
    energies_.save(recording);
    const RunPiece run{.world_hash = world_hash_,
                       .scene_hash = scene_hash_,
                       .steps = summary_.steps_planned,
                       .writes_frames = frames_wanted_ == Frames::written,
                       .checkpoint_every = checkpoint_every_,
                       .output_seconds = output_seconds_,
                       .total_seconds = earlier_seconds_ + seconds_since(start_),
                       .times = times_,
                       .checkpoints = summary_.checkpoints};
    made.pieces["recording"] = recording.bytes();
    made.pieces["run"] = run.bytes();
    write_checkpoint(folder_.checkpoints(), made);
  });
  last_checkpoint_ = Clock::now();
  last_checkpoint_step_ = made.step;
  write_summary();
}

void RankRun::write_summary() {
  update_summary();
  on_root(team_, [&] { write_run_json(folder_.run_json(), summary_); });
}

void RankRun::describe_ranks() {
  std::array sums{double(part_.evaluated()), double(part_.owned()), double(part_.ghosts()),
                  double(part_.counted())};
  std::array most = sums;
  team_.sum(sums);
  team_.largest(most);
  const double mean = sums[1] / team_.size();
  summary_.ranks = {{"count", team_.size()},
                    {"tetrahedra_evaluated", std::int64_t(sums[0])},
                    {"tetrahedra_counted", std::int64_t(sums[3])},
                    {"imbalance", mean > 0 ? most[1] / mean : 1},
                    {"most_ghosts", std::int64_t(most[2])},
                    {"pieces", writes_frames_ && in_pieces_},
                    {"petsc", PetscSession::version()},
                    {"options", PetscSession::options()}};
}

void RankRun::update_summary() {
  phiflex::update_summary(simulation_, energies_, times_, output_seconds_, summary_);
  const State& now = simulation_.state();
  // The constraints of the state: its last one is not handed over.
  const bool last = simulation_.step() == simulation_.steps() && simulation_.step() > 0;
  const double t = last ? now.t - simulation_.h() : now.t;
  const State whole{now.t, part_.gather_free(t, now.q), part_.gather_free(t, now.v)};
  if (is_root()) summary_.hash = state_hash(whole);
  summary_.degrees_of_freedom = std::int64_t(sum(team_, double(now.q.size())));
  const RankHalo::Traffic& traffic = RankHalo::traffic();
  std::array sums{processor_seconds() - processor_start_, double(traffic.messages), traffic.bytes};
  std::array most{sums[0], sums[1], sums[2], largest_megabytes(), double(traffic.exchanges)};
  team_.sum(sums);
  team_.largest(most);
  summary_.ranks["processor_seconds"] = sums[0];
  summary_.ranks["most_processor_seconds"] = most[0];
  summary_.ranks["halo_exchanges"] = std::int64_t(most[4]);
  summary_.ranks["halo_messages"] = std::int64_t(sums[1]);
  summary_.ranks["halo_bytes"] = sums[2];
  summary_.ranks["most_megabytes"] = most[3];
  summary_.total_seconds = earlier_seconds_ + seconds_since(start_);
  summary_.frames = frames_written();
}

}  // namespace phiflex
