#include "phiflex/mpi/distributed_run.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <system_error>

#include "phiflex/base/hash.h"
#include "phiflex/base/parallel.h"
#include "phiflex/mpi/cost_model.h"
#include "phiflex/mpi/part.h"
#include "phiflex/mpi/partition.h"
#include "phiflex/mpi/petsc_inverse.h"
#include "phiflex/mpi/pieces.h"
#include "phiflex/mpi/rank_halo.h"
#include "phiflex/record/checkpoint.h"
#include "phiflex/record/folder_lock.h"
#include "phiflex/record/named_tables.h"
#include "phiflex/record/state_hash.h"
#include "phiflex/run/checkpoint_pieces.h"
#include "phiflex/run/embedded_surface.h"
#include "phiflex/run/recording.h"
#include "phiflex/run/simulation.h"
#include "phiflex/run/version.h"

namespace phiflex {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kMostGathered = 5'000'000;  // tetrahedra

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

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

// The command's exit codes (docs/command.md).
RankFailure failure_of_current_exception() {
  try {
    throw;
  } catch (const RankFailed& error) {
    return {error.exit_code, error.what()};
  } catch (const InputError& error) {
    return {65, error.what()};
  } catch (const FolderNotEmpty& error) {
    return {2, error.what()};
  } catch (const FileError& error) {
    return {74, error.what()};
  } catch (const std::system_error& error) {
    return {74, std::string("cannot read or write: ") + error.what()};
  } catch (const std::bad_alloc&) {
    return {70, "out of memory"};
  } catch (const std::exception& error) {
    return {70, std::string("internal error: ") + error.what()};
  }
}

// Calls function(), in which ranks do not communicate, and throws on all ranks what it throws on one.
void on_all(const MpiTeam& team, const std::function<void()>& function) {
  std::optional<RankFailure> mine;
  try {
    function();
  } catch (...) {
    mine = failure_of_current_exception();
  }
  if (const auto failure = team.agree(mine)) throw RankFailed(*failure);
}

// The whole scene, which every rank builds, and this rank's part of it.
struct WholeAndPart {
  SceneModel whole;
  std::unique_ptr<Part> part;
};

std::unique_ptr<WholeAndPart> make_whole_and_part(const Scene& scene, const std::string& scene_file,
                                                  const MpiTeam& team) {
  std::unique_ptr<WholeAndPart> both;
  on_all(team, [&] {
    both = std::make_unique<WholeAndPart>(WholeAndPart{build_scene(scene, scene_file), nullptr});
    refuse_what_is_not_shared(scene, both->whole, team.size());
    both->part = std::make_unique<Part>(
        both->whole, scene, partition_vertices(both->whole.parts().description.start, team.size()), team);
  });
  return both;
}

void append(const std::vector<std::string>& sentences, std::vector<std::string>& all) {
  all.insert(all.end(), sentences.begin(), sentences.end());
}

class DistributedRun {
 public:
  DistributedRun(const RunFolder& folder, const Scene& scene, WholeAndPart& both, const MpiTeam& team,
                 std::int64_t steps, Frames frames, FrameForm form, std::int64_t checkpoint_every,
                 const RunControl& control)
      : folder_(folder),
        scene_(scene),
        whole_(both.whole),
        part_(*both.part),
        team_(team),
        control_(control),
        writes_frames_(frames == Frames::written && !scene.output.formats.empty()),
        frames_wanted_(frames),
        in_pieces_(form == FrameForm::pieces || whole_.tetrahedra() > kMostGathered),
        checkpoint_every_(checkpoint_every),
        simulation_(scene, both.part->model(), steps),
        world_hash_(whole_.hash()),
        scene_hash_(scene_hash(scene)) {
    summary_.version = version();
    summary_.scene = to_json(scene);
    summary_.machine = this_machine();
    summary_.deterministic = true;
    summary_.threads = 1;
    summary_.vertices = whole_.vertices();
    summary_.elements = whole_.tetrahedra();
    summary_.steps_planned = steps;
    summary_.h = simulation_.h();
    summary_.method = simulation_.method().name;
    describe_ranks();
    for (const SceneModel::Probe& probe : whole_.probes()) probe_vertices_.push_back(probe.vertex);
  }

  RunSummary& summary() { return summary_; }

  void start() {
    on_root([&] {
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

  // Of the same step on all ranks; only rank 0's has more than the simulation.
  void load(const Checkpoint& checkpoint, const RunPiece& piece) {
    load_simulation(checkpoint, simulation_);
    double written = 0;
    on_root([&] {
      earlier_seconds_ = piece.total_seconds;
      output_seconds_ = piece.output_seconds;
      loop_seconds_ = piece.loop_seconds;
      timed_steps_ = piece.timed_steps;
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

  RunSummary carry_out() {
    update_summary();
    if (is_root()) {
      if (control_.announced) control_.announced(summary_, folder_);
      if (control_.started) control_.started(summary_.warnings);
    }
    start_ = last_checkpoint_ = Clock::now();
    processor_start_ = processor_seconds();
    while (summary_.status == RunStatus::running && simulation_.step() < simulation_.steps()) make_step();
    if (summary_.status == RunStatus::running) end(RunStatus::done, "");
    if (summary_.status == RunStatus::done && last_checkpoint_step_ != simulation_.step()) checkpoint();
    finish();
    return summary_;
  }

  void leave_failed(const std::string& reason) {
    end(RunStatus::failed, reason);
    if (!is_root()) return;
    try {
      write_run_json(folder_.run_json(), summary_);
    } catch (const std::exception&) {  // the first failure is the one to report
    }
  }

 private:
  bool is_root() const { return team_.rank() == 0; }
  // Calls function() on rank 0; what it throws is thrown on all ranks.
  void on_root(const std::function<void()>& function) {
    on_all(team_, [&] {
      if (is_root()) function();
    });
  }
  void end(RunStatus status, std::string reason) {
    summary_.status = status;
    summary_.reason = std::move(reason);
  }

  void make_step() {
    const Clock::time_point step_start = Clock::now();
    const StepStatus status = simulation_.advance();
    const double seconds = seconds_since(step_start);
    take_notices();
    if (status != StepStatus::ok) return end(RunStatus::failed, simulation_.failure());
    if (simulation_.step() > 1 && timed_steps_++ == 0)
      loop_seconds_ = 0;  // the first step counts while alone
    loop_seconds_ += seconds;
    record();
    // A signal may have met any rank; the clock is that of rank 0.
    const double passed = seconds_since(start_);
    std::array decisions{control_.stop && control_.stop->load() ? 1.0 : 0.0,
                         is_root() && passed > control_.max_seconds ? 1.0 : 0.0,
                         is_root() && checkpoint_is_due() ? 1.0 : 0.0};
    team_.largest(decisions);
    if (decisions[0] != 0)
      end(RunStatus::interrupted, fmt::format("interrupted after step {}", simulation_.step()));
    else if (decisions[1] != 0 && simulation_.step() < simulation_.steps())
      end(RunStatus::limit, fmt::format("the limit of {:.6g} s was reached after step {}",
                                        control_.max_seconds, simulation_.step()));
    if (summary_.status != RunStatus::running || decisions[2] != 0) checkpoint();
  }

  bool checkpoint_is_due() const {
    if (checkpoint_every_ > 0) return simulation_.step() % checkpoint_every_ == 0;
    constexpr std::int64_t default_steps = 100;
    constexpr double default_seconds = 30;
    return simulation_.step() % default_steps == 0 || seconds_since(last_checkpoint_) > default_seconds;
  }

  void take_notices() {
    const auto& notices = simulation_.notices();
    const std::vector<std::string> fresh(notices.begin() + std::ptrdiff_t(notices_), notices.end());
    notices_ = notices.size();
    append(fresh, summary_.warnings);
    if (is_root() && !fresh.empty() && control_.noticed) control_.noticed(fresh);
  }

  void record() {
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
    on_root([&] {
      energy_->write(row);
      if (probes_) probes_->write(simulation_.step(), now.t, points);
      if (frame_is_due && in_pieces_) pieces_->list_frame(now.t);
      if (frame_is_due && frames_) {
        whole_.strain_energy_densities(now.t, x, densities_);
        x -= whole_.rest();
        frames_->write(now.t, as_span(x), as_span(v), densities_, {}, {});
      }
      if (control_.progress && simulation_.step() > 0) report_progress();
    });
    if (frame_is_due && in_pieces_ && !is_root()) pieces_->list_frame(now.t);  // counts it
  }

  void start_pieces(long written) {
    if (!writes_frames_ || !in_pieces_) return;
    const std::array mine{double(part_.counted())};
    const std::vector<double> counted = team_.gather(mine, std::vector<int>(std::size_t(team_.size()), 1));
    on_all(team_,
           [&] { pieces_ = std::make_unique<PieceWriter>(folder_, part_, team_.rank(), counted, written); });
  }
  long frames_written() const { return pieces_ ? pieces_->frames() : frames_ ? frames_->frames() : 0; }

  void report_progress() {
    Progress progress{simulation_.step(),
                      simulation_.steps(),
                      simulation_.state().t,
                      simulation_.ledger().total(),
                      simulation_.ledger().numerical_loss,
                      seconds_per_step(),
                      0};
    progress.energy_exchanged = energies_.exchanged();
    progress.seconds_left = progress.step_seconds * double(simulation_.steps() - simulation_.step());
    control_.progress(progress);
  }
  double seconds_per_step() const { return loop_seconds_ / double(std::max<std::int64_t>(1, timed_steps_)); }

  // The other ranks first: a step counts when rank 0 has written its checkpoint, and the tables are whole up to there.
  void checkpoint() {
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
    on_root([&] {
      energy_->sync();
      if (probes_) probes_->sync();
      if (frames_) frames_->sync();
      ArchiveWriter recording;
      recording.put(std::int64_t(frames_written()));
      energies_.save(recording);
      const RunPiece run{.world_hash = world_hash_,
                         .scene_hash = scene_hash_,
                         .steps = summary_.steps_planned,
                         .writes_frames = frames_wanted_ == Frames::written,
                         .checkpoint_every = checkpoint_every_,
                         .output_seconds = output_seconds_,
                         .loop_seconds = loop_seconds_,
                         .total_seconds = earlier_seconds_ + seconds_since(start_),
                         .timed_steps = timed_steps_,
                         .checkpoints = summary_.checkpoints};
      made.pieces["recording"] = recording.bytes();
      made.pieces["run"] = run.bytes();
      write_checkpoint(folder_.checkpoints(), made);
    });
    last_checkpoint_ = Clock::now();
    last_checkpoint_step_ = made.step;
    write_summary();
  }

 public:
  static std::filesystem::path rank_folder(const RunFolder& folder, int rank) {
    return rank == 0 ? folder.checkpoints() : folder.checkpoints() / fmt::format("rank_{:05}", rank);
  }

 private:
  void write_summary() {
    update_summary();
    on_root([&] { write_run_json(folder_.run_json(), summary_); });
  }

  void describe_ranks() {
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

  void update_summary() {
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
    summary_.steps = simulation_.step();
    summary_.work = simulation_.work();
    summary_.quality = simulation_.quality();
    summary_.output_seconds = output_seconds_;
    summary_.total_seconds = earlier_seconds_ + seconds_since(start_);
    summary_.seconds_per_step = seconds_per_step();
    summary_.energy_first = energies_.first();
    summary_.energy_last = energies_.last();
    summary_.energy_available = energies_.available();
    summary_.external_work = simulation_.ledger().external_work;
    summary_.dissipated = simulation_.ledger().dissipated;
    summary_.contact_work = energies_.contact_work();
    summary_.friction = energies_.friction();
    summary_.energy_largest_relative_change = energies_.largest_relative_change();
    summary_.energy_worst_loss = energies_.worst_loss();
    summary_.energy_exchanged = energies_.exchanged();
    summary_.frames = frames_written();
  }

  void finish() {
    on_root([&] {
      energy_->sync();
      if (probes_) probes_->sync();
      if (frames_) frames_->sync();
    });
    write_summary();
    on_root([&] {
      if (control_.finished) control_.finished(folder_);
    });
  }

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
  std::int64_t last_checkpoint_step_ = -1, timed_steps_ = 0;
  double output_seconds_ = 0, loop_seconds_ = 0, earlier_seconds_ = 0, processor_start_ = 0;
  std::size_t notices_ = 0;
};

// Whatever ends it, run.json says why if it still can.
RunSummary carried_out(DistributedRun& run) {
  try {
    return run.carry_out();
  } catch (const std::exception& error) {
    run.leave_failed(error.what());
    throw;
  }
}

// account[key] of run.json, or `if_absent`. InputError where it is nothing that a run writes there. place: of `account`.
template <class T>
T read_entry(const nlohmann::ordered_json& account, const std::string& file, const std::string& place,
             const char* key, const T& if_absent) {
  const auto entry = account.find(key);
  if (entry == account.end()) return if_absent;
  try {
    return entry->template get<T>();
  } catch (const nlohmann::json::exception&) {
    throw InputError(file, place + "/" + key, entry->dump() + " is not what a run writes there");
  }
}

struct RanksOfRun {
  int count = 0;  // 0: a run of `phiflex`
  bool pieces = false;
};

RanksOfRun read_ranks(const nlohmann::ordered_json& account, const std::string& file) {
  const auto ranks = account.find("ranks");
  if (ranks == account.end()) return {};
  if (!ranks->is_object())
    throw InputError(file, "/ranks", ranks->dump() + " is not what a run writes there");
  return {read_entry(*ranks, file, "/ranks", "count", 1),
          read_entry(*ranks, file, "/ranks", "pieces", false)};
}

// The newest checkpoint that all ranks have whole.
Checkpoint newest_on_all_ranks(const RunFolder& folder, const MpiTeam& team,
                               std::vector<std::string>& skipped) {
  const std::filesystem::path mine = DistributedRun::rank_folder(folder, team.rank());
  CheckpointSearch found = newest_complete_checkpoint(mine);
  append(found.skipped, skipped);
  for (;;) {
    const double step = found.newest ? double(found.newest->step) : -1;
    std::array ends{step, -step};
    team.largest(ends);
    const auto lowest = std::int64_t(-ends[1]);
    if (lowest < 0) {
      std::string message = "no complete checkpoint to resume from on every rank";
      for (const std::string& reason : skipped) message += "; " + reason;
      throw InputError(mine.string(), "", message);
    }
    if (ends[0] == double(lowest)) return std::move(*found.newest);
    if (found.newest->step > lowest) found = newest_complete_checkpoint(mine, lowest);
  }
}

}  // namespace

RunSummary run_distributed(const Scene& scene, const std::string& scene_file,
                           const std::vector<std::string>& warnings, const RunOptions& options,
                           FrameForm form, const MpiTeam& team) {
  set_thread_count(1);
  set_blas_threads(1);
  const std::unique_ptr<WholeAndPart> both = make_whole_and_part(scene, scene_file, team);
  RunFolder folder{options.folder};
  std::unique_ptr<FolderLock> lock;
  on_all(team, [&] {
    if (team.rank() != 0) return;
    folder = make_run_folder(options.folder, options.existing);
    lock = std::make_unique<FolderLock>(folder);
    clear_run_folder(folder, options.existing);
    if (options.frames == Frames::written) write_surfaces(scene, folder);
    std::filesystem::create_directories(folder.checkpoints());
  });
  DistributedRun run(folder, scene, *both, team, options.steps.value_or(step_count(scene.time)),
                     options.frames, form, options.checkpoint_every, options.control);
  run.summary().warnings = warnings;
  append(both->whole.warnings(), run.summary().warnings);
  run.summary().notes = both->whole.notes();
  run.summary().notes.push_back(fmt::format("{} ranks", team.size()));
  run.start();
  return carried_out(run);
}

RunSummary resume_distributed(const std::filesystem::path& root, const RunControl& control,
                              const MpiTeam& team) {
  set_thread_count(1);
  set_blas_threads(1);
  RunFolder folder{root};
  std::unique_ptr<FolderLock> lock;
  std::string text;
  on_all(team, [&] {
    if (team.rank() != 0) return;
    folder = open_run_folder(root);
    lock = std::make_unique<FolderLock>(folder);
    refuse_links(folder);
    text = read_run_json(folder.run_json()).dump();
  });
  team.broadcast(text);
  const nlohmann::ordered_json account = nlohmann::ordered_json::parse(text);
  const std::string name = folder.run_json().string();
  const RanksOfRun ranks = read_ranks(account, name);
  if (ranks.count != team.size())
    throw InputError(
        name, "/ranks",
        ranks.count == 0
            ? "this run is one of `phiflex`: resume it with that"
            : fmt::format("the run has {} ranks, and is resumed with as many, not with {}; to go on "
                          "with another number, start from one of its frames (`initial.state`)",
                          ranks.count, team.size()));
  if (!account.contains("scene"))
    throw InputError(name, "/scene", "missing: a run's scene is needed to resume it");
  std::vector<Problem> unused;
  const Scene scene = parse_scene(account["scene"].dump(), name, read_options(), unused);
  std::vector<std::string> skipped;
  const Checkpoint newest = newest_on_all_ranks(folder, team, skipped);
  RunPiece piece;
  on_all(team, [&] {
    if (team.rank() != 0) return;
    piece = read_run_piece(newest);
    require_same_scene(piece, scene_hash(scene), name);
    require_same_steps(piece, account, name);
  });
  std::array numbers{double(piece.steps), double(piece.writes_frames), double(piece.checkpoint_every)};
  if (team.rank() != 0) numbers = {};
  team.sum(numbers);
  const std::unique_ptr<WholeAndPart> both = make_whole_and_part(scene, name, team);
  on_all(team, [&] {
    if (team.rank() != 0) return;
    require_same_world(piece, both->whole.hash(), name);
    remove_drafts(folder);
  });
  DistributedRun run(folder, scene, *both, team, std::int64_t(numbers[0]),
                     numbers[1] != 0 ? Frames::written : Frames::none,
                     ranks.pieces ? FrameForm::pieces : FrameForm::whole, std::int64_t(numbers[2]), control);
  run.summary().warnings = read_entry(account, name, "", "warnings", std::vector<std::string>{});
  run.summary().notes = read_entry(account, name, "", "notes", std::vector<std::string>{});
  if (newest.step < std::int64_t(numbers[0]))
    run.summary().notes.push_back(fmt::format("resumed from the checkpoint at step {}", newest.step));
  for (const std::string& reason : skipped)
    run.summary().warnings.push_back("checkpoint left out: " + reason);
  run.load(newest, piece);
  return carried_out(run);
}

long gather_frames(const std::filesystem::path& root, const MpiTeam& team) {
  long frames = 0;
  on_all(team, [&] {
    if (team.rank() != 0) return;
    const RunFolder folder = open_run_folder(root);
    const FolderLock lock(folder);
    refuse_links(folder);
    const std::string name = folder.run_json().string();
    const nlohmann::ordered_json account = read_run_json(folder.run_json());
    const RanksOfRun ranks = read_ranks(account, name);
    if (ranks.count < 1 || !ranks.pieces)
      throw InputError(name, "/ranks", "this run has no frames in pieces");
    if (!account.contains("scene"))
      throw InputError(name, "/scene", "missing: the pieces are those of a scene");
    std::vector<Problem> unused;
    const Scene scene = parse_scene(account["scene"].dump(), name, read_options(), unused);
    frames = gather_pieces(folder, build_scene(scene, name), ranks.count);
  });
  return frames;
}

std::vector<std::string> check_distributed(const Scene& scene, const std::string& scene_file, int ranks,
                                           const MpiTeam& team) {
  std::vector<std::string> sentences;
  on_all(team, [&] {
    if (team.rank() != 0) return;
    const SceneModel whole = build_scene(scene, scene_file);
    const int parts = ranks > 0 ? ranks : team.size();
    refuse_what_is_not_shared(scene, whole, parts);
    sentences =
        describe_parts(whole, scene, partition_vertices(whole.parts().description.start, parts), parts);
  });
  return sentences;
}

}  // namespace phiflex
