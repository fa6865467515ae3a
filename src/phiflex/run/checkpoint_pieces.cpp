#include "phiflex/run/checkpoint_pieces.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "phiflex/base/errors.h"

namespace phiflex {

std::string RunPiece::bytes() const {
  ArchiveWriter out;
  out.put(std::string_view(world_hash));
  out.put(std::string_view(scene_hash));
  out.put(steps);
  out.put(std::int64_t{writes_frames});
  out.put(checkpoint_every);
  out.put(output_seconds);
  out.put(times.seconds);
  out.put(total_seconds);
  out.put(times.steps);
  out.put(checkpoints);
  return out.bytes();
}

RunPiece read_run_piece(const Checkpoint& checkpoint) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  try {
    ArchiveReader in(checkpoint.piece("run"));
    RunPiece piece;
    piece.world_hash = in.get_text();
    piece.scene_hash = in.get_text();
    piece.steps = in.get_integer(1, most);
    piece.writes_frames = in.get_integer(0, 1) != 0;
    piece.checkpoint_every = in.get_integer(0, most);
    piece.output_seconds = in.get_finite();
    piece.times.seconds = in.get_finite();
    piece.total_seconds = in.get_finite();
    piece.times.steps = in.get_integer(0, most);
    piece.checkpoints = in.get_integer(0, most - 1);
    in.finish();
    if (checkpoint.step > piece.steps) throw ArchiveError("the step is beyond the end of the run");
    return piece;
  } catch (const ArchiveError& error) {
    throw InputError(checkpoint.file.string(), "", std::string("cannot be used: ") + error.what());
  }
}

void load_simulation(const Checkpoint& checkpoint, Simulation& simulation) {
  try {
    ArchiveReader in(checkpoint.piece("simulation"));
    simulation.load(in);
    in.finish();
    if (simulation.step() != checkpoint.step) throw ArchiveError("its pieces are of different steps");
  } catch (const ArchiveError& error) {
    throw InputError(checkpoint.file.string(), "", std::string("cannot be used: ") + error.what());
  }
}

void require_same_scene(const RunPiece& piece, const std::string& scene_hash, const std::string& run_json) {
  if (piece.scene_hash != scene_hash)
    throw InputError(run_json, "/scene",
                     "is not the scene that the checkpoints were written of: something in it was changed. "
                     "Only the places of its files may be");
}

void require_same_steps(const RunPiece& piece, const nlohmann::ordered_json& account,
                        const std::string& run_json) {
  const auto planned = account.find("steps_planned");
  if (planned == account.end() || !planned->is_number_integer() || *planned != piece.steps)
    throw InputError(run_json, "/steps_planned",
                     "is not " + std::to_string(piece.steps) +
                         ", the number of steps of the run that the checkpoints were written of");
}

void require_same_world(const RunPiece& piece, const std::string& world_hash, const std::string& run_json) {
  if (piece.world_hash != world_hash)
    throw InputError(run_json, "/scene",
                     "the scene's meshes are not those that the checkpoints were written of: a file that it "
                     "names was changed");
}

}  // namespace phiflex
