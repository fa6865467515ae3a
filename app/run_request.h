// One run as the command line asks for it: what `run` and `demo` share.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/run_control.h"

struct RunRequest {
  std::string scene, folder;  // an empty folder: out/<scene name>
  std::vector<std::string> overrides;
  std::string integrator, step, end, device;     // short forms of some; empty: not given
  std::int64_t steps = 0, checkpoint_every = 0;  // 0: the scene's, and the default
  bool no_frames = false, force = false;
  bool settle_only = false;  // the equilibrium, no steps
  ControlOptions control;
  Verbosity verbosity;

  // All options but the scene. `default_folder`: what the help says of -o.
  void add_to(CLI::App* verb, const std::string& default_folder);
  // `overrides` and the short forms. InputError when the method is not known.
  std::vector<std::string> all_overrides() const;
};

// Reads the scene, runs it, says what came of it. Returns the exit code.
int carry_out(const RunRequest& request);
