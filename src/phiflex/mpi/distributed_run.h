// A scene on all ranks, into one run folder (run/run.h is the serial counterpart). Every rank runs the same time loop
// on its part (part.h); rank 0 writes the tables, the frames and run.json, every rank its own checkpoint.
//
// Checkpoints: those of rank 0 lie where a serial run's do, checkpoint/step_000000000100.ckpt, and are written after
// those of the other ranks, checkpoint/rank_0003/step_000000000100.ckpt. So a step whose checkpoint rank 0 has is
// whole.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "phiflex/mpi/mpi_team.h"
#include "phiflex/run/run.h"

namespace phiflex {

// Frames whole, from rank 0, or in pieces (pieces.h); meshes of more than five million tetrahedra have pieces in any
// case.
enum class FrameForm { whole, pieces };

// Bad parts of a scene or of files: the same on all ranks, thrown on all. Each throws what the serial function throws.
RunSummary run_distributed(const Scene& scene, const std::string& scene_file, const Messages& messages,
                           const RunOptions& options, FrameForm form, const MpiTeam& team);
RunSummary resume_distributed(const std::filesystem::path& folder, const RunControl& control,
                              const MpiTeam& team);
// Makes whole frames of a run's pieces; returns how many. On rank 0; the others wait. InputError where there are none.
long gather_frames(const std::filesystem::path& folder, const MpiTeam& team);
// In sentences: what would be run. ranks: 0: those of the team; else how the scene would be divided among so many.
std::vector<std::string> check_distributed(const Scene& scene, const std::string& scene_file, int ranks,
                                           const MpiTeam& team);

}  // namespace phiflex
