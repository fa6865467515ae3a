// A run folder as a server shows it, finished or still being written, to many readers at once. All methods may be
// called from any thread; no reader waits for another one's frames.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "phiflex/pages/motion_data.h"
#include "phiflex/pages/viewer_data.h"
#include "phiflex/record/motion_reader.h"

namespace phiflex {

class LiveRun {
 public:
  static constexpr std::size_t most_frames = 64;  // of a chunk

  explicit LiveRun(ViewedRun run);

  // {"status", "steps", "steps_planned", "frames", "version"}; the version changes when the data do.
  nlohmann::ordered_json status();
  // RUN, with a motion whose chunks are to be asked for. How far and how fast it went is found from some frames.
  nlohmann::ordered_json data();
  // Frames first .. first + count - 1, compressed; nothing when they are not (all) there. A frame that cannot be
  // read is replaced by the one before it.
  std::optional<std::string> chunk(std::size_t first, std::size_t count);
  // All throw FileError or InputError while the folder's files are missing or damaged.

 private:
  // A reader never changes once others may hold it.
  struct Snapshot {
    MotionReader reader;
    int shape = 0;  // counts how often the shape was found anew
  };
  // Times and sizes of the files that tell of something new.
  using Stamp = std::vector<std::int64_t>;

  std::shared_ptr<const Snapshot> latest(std::uint64_t* version = nullptr);
  Stamp stamp() const;

  const ViewedRun run_;
  std::mutex latest_mutex_;  // of the next three
  std::shared_ptr<const Snapshot> latest_;
  Stamp stamp_;
  std::uint64_t version_ = 1;

  std::mutex extent_mutex_;  // of the next two
  std::optional<MotionExtent> extent_;
  int extent_of_shape_ = -1;
};

}  // namespace phiflex
