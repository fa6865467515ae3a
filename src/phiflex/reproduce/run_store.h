// Runs of experiments, kept under the hash of what was asked: scene, sampling, program. A run that is there is not
// made again; one that was interrupted half-way is.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "phiflex/record/csv_table.h"
#include "phiflex/reproduce/sampled_motion.h"
#include "phiflex/scene/scene.h"

namespace phiflex {

struct RunOrder {
  std::string scene_file;
  std::vector<std::string> overrides;
  std::vector<std::filesystem::path> meshes = {};  // that the overrides name
  double sample = 0;       // s between the instants at which all vertices are kept; 0: every step
  int repeat = 1;          // how often it is run for its time
  double max_seconds = 0;  // of the processor; 0: without a limit
  bool frames = false;
};

// A run as it lies in the store; what is large is read when it is first asked for.
class KeptRun {
 public:
  KeptRun(std::filesystem::path folder, RunOrder order);

  const std::filesystem::path& folder() const { return folder_; }
  const RunOrder& order() const { return order_; }
  const nlohmann::ordered_json& account() const { return account_; }  // run.json
  bool done() const { return status_ == "done"; }
  bool stopped() const { return status_ == "limit"; }
  bool diverged() const { return diverged_at_ > 0; }
  std::int64_t diverged_at() const { return diverged_at_; }  // step; 0: it did not
  const std::string& reason() const { return reason_; }
  std::int64_t steps() const { return steps_; }
  double h() const { return h_; }
  double cost() const { return cost_; }  // processor s per step, median of the repeats; 0: it made no step
  double seconds() const { return seconds_; }                      // that it took, all repeats together
  double processor_seconds() const { return processor_seconds_; }  // the same on the processor
  // Null when no table has such a column.
  const std::vector<double>* column(const std::string& name) const;
  const SampledMotion& motion() const;

 private:
  void find_divergence();

  std::filesystem::path folder_;
  RunOrder order_;
  nlohmann::ordered_json account_;
  std::string status_, reason_;
  std::int64_t steps_ = 0, diverged_at_ = 0;
  double h_ = 0, cost_ = 0, seconds_ = 0, processor_seconds_ = 0;
  std::vector<CsvTable> tables_;
  mutable std::unique_ptr<SampledMotion> motion_;
};

class RunStore {
 public:
  RunStore(std::filesystem::path folder, int threads, const std::atomic<bool>* stop)
      : folder_(std::move(folder)), threads_(threads), stop_(stop) {}

  // InputError when the scene is wrong. Throws Interrupted (reproduce.h) when stopped.
  std::shared_ptr<const KeptRun> run(const RunOrder& order);
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
  int threads_;
  const std::atomic<bool>* stop_;
};

// The scene with its overrides, and what of them has no effect.
Scene ordered_scene(const RunOrder& order);
// Hash of the program itself: what an older one computed is not taken for what this one would.
std::string program_mark();
// Size and time of a file, "missing" without it: whether it may have changed.
std::string file_mark(const std::filesystem::path& file);

}  // namespace phiflex
