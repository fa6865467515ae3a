// The pieces of a checkpoint. All numbers are checked: a changed file may have a correct hash.
//
//   run          of which run it is, how far that run goes, what it has cost so far
//   simulation   the state, the integrator's memory, the ledger's sums (simulation.h)
//   recording    what the recorders need to go on (recording.h)
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "phiflex/base/archive.h"
#include "phiflex/record/checkpoint.h"
#include "phiflex/run/run_summary.h"
#include "phiflex/run/simulation.h"

namespace phiflex {

struct RunPiece {
  std::string world_hash, scene_hash;  // SceneModel::hash() and scene_hash()
  std::int64_t steps = 0;              // that the command asked for
  bool writes_frames = true;
  std::int64_t checkpoint_every = 0;             // steps; 0: the default
  double output_seconds = 0, total_seconds = 0;  // of the run so far
  StepClock times;
  std::int64_t checkpoints = 0;  // written so far

  std::string bytes() const;
};

// InputError, which names the checkpoint's file, when it holds no such piece or numbers that no run has.
RunPiece read_run_piece(const Checkpoint& checkpoint);

// The piece "simulation" into a simulation of the scene that the checkpoint was written of. InputError, which names the
// file, when it is of another one.
void load_simulation(const Checkpoint& checkpoint, Simulation& simulation);

// A checkpoint continues the run that it was written of: InputError when `scene_hash` or `world_hash`, those of the
// scene in `run_json`, or the number of steps in its content `account` are others. A forged number of steps would make
// the run endless.
void require_same_scene(const RunPiece& piece, const std::string& scene_hash, const std::string& run_json);
void require_same_steps(const RunPiece& piece, const nlohmann::ordered_json& account,
                        const std::string& run_json);
void require_same_world(const RunPiece& piece, const std::string& world_hash, const std::string& run_json);

}  // namespace phiflex
