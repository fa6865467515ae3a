// Carries out an experiment: its runs, truths and modes, then its claims.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "phiflex/reproduce/outcome.h"

namespace phiflex {

enum class Sweep { none, open_parameters };

struct ReproduceOptions {
  Variant variant = Variant::full;
  Sweep sweep = Sweep::none;
  std::vector<std::string> overrides;  // --set: of every scene
  std::filesystem::path runs;          // where runs are kept, by the hash of their scenes
  std::filesystem::path meshes;        // folder of mesh files; empty or missing: stand-ins
  int threads = 0;                     // 0: as many as the machine has cores
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const std::string&)> on_message;  // called after every run with a sentence; may be empty
};

// PHIFLEX_MESHES, or shared/meshes beside the source folder; empty when neither is there.
std::filesystem::path find_meshes();

// Hash of experiment, scenes, variant, overrides, sweep and which mesh files are there.
std::string outcome_key(const Experiment& experiment, const ReproduceOptions& options);

// InputError and FileError when the experiment itself is wrong; whatever its runs do is in the outcome. Throws
// Interrupted when stopped.
struct Interrupted {};
Outcome reproduce(const Experiment& experiment, const ReproduceOptions& options);

// What an experiment would cost, in processor seconds. No run is made for longer than `longest_run` seconds; what is left of it is reckoned at
// the pace seen, up to the limit that the run has, and of a truth that needs more, all the seconds it may use. Modes
// and what claims compute by themselves are made in full.
struct CostEstimate {
  double seconds = 0;
  std::string how;  // in words, with the dearest run
  std::string machine, date;
};
CostEstimate estimate_cost(const Experiment& experiment, const ReproduceOptions& options, double longest_run);

}  // namespace phiflex
