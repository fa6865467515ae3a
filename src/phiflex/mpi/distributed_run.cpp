#include "phiflex/mpi/distributed_run.h"

#include <fmt/format.h>

#include <array>

#include "phiflex/base/parallel.h"
#include "phiflex/mpi/agreed_failure.h"
#include "phiflex/mpi/cost_model.h"
#include "phiflex/mpi/part.h"
#include "phiflex/mpi/partition.h"
#include "phiflex/mpi/pieces.h"
#include "phiflex/mpi/rank_run.h"
#include "phiflex/record/checkpoint.h"
#include "phiflex/record/folder_lock.h"
#include "phiflex/run/checkpoint_pieces.h"
#include "phiflex/run/embedded_surface.h"
#include "phiflex/scene/scene.h"

namespace phiflex {
namespace {

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
  const std::filesystem::path mine = rank_folder(folder, team.rank());
  CheckpointSearch found = newest_complete_checkpoint(mine);
  skipped.insert(skipped.end(), found.skipped.begin(), found.skipped.end());
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

RunSummary run_distributed(const Scene& scene, const std::string& scene_file, const Messages& messages,
                           const RunOptions& options, FrameForm form, const MpiTeam& team) {
  set_thread_count(1);
  set_blas_threads(1);
  const std::unique_ptr<WholeAndPart> both = make_whole_and_part(scene, scene_file, team);
  RunFolder folder{options.folder};
  std::unique_ptr<FolderLock> lock;
  on_root(team, [&] {
    folder = make_run_folder(options.folder, options.existing);
    lock = std::make_unique<FolderLock>(folder);
    clear_run_folder(folder, options.existing);
    if (options.frames == Frames::written) write_surfaces(scene, folder);
    std::filesystem::create_directories(folder.checkpoints());
  });
  RankRun run(folder, scene, both->whole, *both->part, team, options.steps.value_or(step_count(scene.time)),
              options.frames, form, options.checkpoint_every, options.control);
  run.summary().messages = messages;
  run.summary().messages.add(both->whole.messages());
  run.summary().messages.note(fmt::format("{} ranks", team.size()));
  run.start();
  return run.carry_out();
}

RunSummary resume_distributed(const std::filesystem::path& root, const RunControl& control,
                              const MpiTeam& team) {
  set_thread_count(1);
  set_blas_threads(1);
  RunFolder folder{root};
  std::unique_ptr<FolderLock> lock;
  std::string text;
  on_root(team, [&] {
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
  on_root(team, [&] {
    piece = read_run_piece(newest);
    require_same_scene(piece, scene_hash(scene), name);
    require_same_steps(piece, account, name);
  });
  std::array numbers{double(piece.steps), double(piece.writes_frames), double(piece.checkpoint_every)};
  if (team.rank() != 0) numbers = {};
  team.sum(numbers);
  const std::unique_ptr<WholeAndPart> both = make_whole_and_part(scene, name, team);
  on_root(team, [&] {
    require_same_world(piece, both->whole.hash(), name);
    remove_drafts(folder);
  });
  RankRun run(folder, scene, both->whole, *both->part, team, std::int64_t(numbers[0]),
              numbers[1] != 0 ? Frames::written : Frames::none,
              ranks.pieces ? FrameForm::pieces : FrameForm::whole, std::int64_t(numbers[2]), control);
  run.summary().messages = read_messages(account, name);
  if (newest.step < std::int64_t(numbers[0]))
    run.summary().messages.note(fmt::format("resumed from the checkpoint at step {}", newest.step));
  for (const std::string& reason : skipped) run.summary().messages.warn("checkpoint left out: " + reason);
  run.load(newest, piece);
  return run.carry_out();
}

long gather_frames(const std::filesystem::path& root, const MpiTeam& team) {
  long frames = 0;
  on_root(team, [&] {
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
  on_root(team, [&] {
    const SceneModel whole = build_scene(scene, scene_file);
    const int parts = ranks > 0 ? ranks : team.size();
    refuse_what_is_not_shared(scene, whole, parts);
    sentences =
        describe_parts(whole, scene, partition_vertices(whole.parts().description.start, parts), parts);
  });
  return sentences;
}

}  // namespace phiflex
