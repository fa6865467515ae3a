// What the verbs that simulate share: how much they say, how they are stopped, with how many threads they run.
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <cmath>
#include <string>
#include <vector>

#include "app/progress.h"
#include "phiflex/run/run.h"

enum class LogLevel { error, warning, info, debug };

// How much the command prints of a run, and where.
struct Verbosity {
  std::string level = "info";
  bool quiet = false;
  bool json = false;

  // `summary`: what --json prints.
  void add_to(CLI::App* verb, const std::string& summary);
  LogLevel effective() const;
  bool says(LogLevel what) const { return what <= effective(); }
};

struct ControlOptions {
  int threads = 0;
  bool deterministic = false;
  double max_seconds = INFINITY;

  // `limit`: what --max-seconds does.
  void add_to(CLI::App* verb, const std::string& limit);
};

// The first Ctrl-C asks the run to stop after its step; a second one ends the process at once.
void catch_signals();
bool was_interrupted();  // a signal came since

// The warnings among them.
void say_warnings(const phiflex::Messages& messages, const Verbosity& verbosity);

// Stops at Ctrl-C, warns before the first step, shows progress. The verbosity and the line must outlive it.
phiflex::RunControl make_control(const ControlOptions& options, const Verbosity& verbosity,
                                 ProgressLine& line);

// A scene with its overrides; what has no effect goes to the messages.
phiflex::Scene read_scene_with(const std::string& file, const std::vector<std::string>& overrides,
                               phiflex::Messages& messages);
// Its name alone. Throws what reading throws.
std::string name_of_scene(const std::string& file, const std::vector<std::string>& overrides);
