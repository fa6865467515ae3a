// Checkpoints: what a run needs to go on bit for bit, as named pieces of bytes.
//
// One file per checkpoint, checkpoint/step_000000000100.ckpt: "PHIFLEXC", version, size and xxHash64 of what
// follows (8 bytes each), then step and pieces. It appears whole by a rename and the last two are kept, so a
// kill at any moment leaves a usable one; a torn or changed file is recognised by its hash.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace phiflex {

struct Checkpoint {
  std::int64_t step = 0;
  std::map<std::string, std::string> pieces;  // by name; what an ArchiveWriter made
  std::filesystem::path file = {};            // where it was read from

  // The piece of that name; ArchiveError when there is none.
  const std::string& piece(const std::string& name) const;
};

// Writes into `folder` (made when missing, but not its parent) and keeps the last two; files of later steps, left by a
// damaged end of an earlier attempt, are removed. FileError on failure, the earlier checkpoints untouched.
void write_checkpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint);

struct CheckpointSearch {
  std::optional<Checkpoint> newest;  // nothing when there is no complete one
  std::vector<std::string> skipped;  // "step_000000000200.ckpt: ends too early", newest first
};
// Of those at or before the step `at_most`.
CheckpointSearch newest_complete_checkpoint(const std::filesystem::path& folder,
                                            std::int64_t at_most = std::numeric_limits<std::int64_t>::max());

}  // namespace phiflex
