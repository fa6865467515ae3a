// Runs: a scene simulated into a run folder, with checkpoints, and continued from one.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "phiflex/record/run_folder.h"
#include "phiflex/record/run_json.h"
#include "phiflex/run/scene_physics.h"
#include "phiflex/scene/scene_io.h"

namespace phiflex {

struct Scene;      // scene/scene.h
class Simulation;  // simulation.h

enum class Frames { none, written };

// What the progress line shows, after every step.
struct Progress {
  std::int64_t step = 0, steps = 0;
  double time = 0;              // s, of the scene
  double energy = 0;            // J, total
  double numerical_loss = 0;    // J
  double step_seconds = 0;      // mean of the steps so far
  double seconds_left = 0;      // estimated
  double energy_exchanged = 0;  // J
};

// How a run is carried out; what is simulated is in the scene.
struct RunControl {
  int threads = 0;  // 0: as many as the machine has cores
  bool deterministic = false;
  double max_seconds = std::numeric_limits<double>::infinity();
  // Seconds since some beginning, for max_seconds. Empty: those that pass, whatever else the machine does.
  std::function<double()> limit_clock;
  // Set from outside (Ctrl-C): finish the step, write a checkpoint, end. May be null.
  const std::atomic<bool>* stop = nullptr;
  // What is worth saying: all of it before the first step, later what is new. May be empty, as those below.
  std::function<void(const Messages&)> said;
  // Before the first step, or the next one of a resumed run: what is going to be run, with which method, and why.
  std::function<void(const RunSummary& plan, const RunFolder& folder)> announced;
  std::function<void(const Progress&)> progress;
  // Called when everything of the run is in its folder; the command writes the report here.
  std::function<void(const RunFolder&)> finished;
  // Sees the initial state and the one after every step; its time counts as output.
  std::function<void(const Simulation&)> observe;
};

// Sets the number of threads of the process as the control says, and returns it.
int use_threads(const RunControl& control);

struct RunOptions {
  std::filesystem::path folder;
  ExistingFolder existing = ExistingFolder::refuse;
  std::optional<std::int64_t> steps;  // instead of the scene's
  bool settle = false;                // start from the equilibrium, whatever the scene says
  bool doubts = false;                // say what doubts_about() finds (scene_physics.h)
  Frames frames = Frames::written;
  std::int64_t checkpoint_every = 0;  // steps; 0: every 100 steps, and after 30 s without one
  RunControl control;
};

// The catalogue's names and keys, for reading scenes.
std::vector<MethodWords> method_words();
// How the command reads scenes: with these, and the names of all evaluators.
ReadOptions read_options(std::vector<std::string> overrides = {});

struct SceneSizes {
  std::int64_t vertices = 0, tetrahedra = 0, triangles = 0, springs = 0, degrees_of_freedom = 0;
  std::string method;                 // of the catalogue
  std::string choice;                 // why it is this one, when the scene leaves it to the program
  std::vector<std::string> contacts;  // of the model (build/assembly.h)
};
// Builds everything and runs nothing: InputError when something is wrong; appends to the messages.
SceneSizes check_scene(const Scene& scene, const std::string& scene_file, Messages& messages);

struct SceneCheck {
  SceneSizes sizes;
  ScenePhysics physics;
};
// The same with the scene in physical terms; its first steps may be made to see what they take.
SceneCheck examine_scene(const Scene& scene, const std::string& scene_file, Messages& messages);

// Throws InputError, FileError or FolderNotEmpty before anything is written. Later, numerical failures are in the
// summary; whatever else is thrown (a full disk, an error of ours) leaves `failed` and its reason in run.json first.
RunSummary run_scene(const Scene& scene, const std::string& scene_file, const Messages& messages,
                     const RunOptions& options);

// From the newest complete checkpoint of a folder to the end that the interrupted command had set.
RunSummary resume_run(const std::filesystem::path& folder, const RunControl& control);

}  // namespace phiflex
