// Simulations that advance in turn, so that what disturbs the machine disturbs all of them alike. One thread
// each; seconds are those of the thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/thread_clock.h"
#include "phiflex/run/scene_model.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/scene.h"
#include "phiflex/scene/scene_io.h"

namespace phiflex::bench {

class Runner {
 public:
  // overrides as after --set. refinements: how often the tetrahedra of the first body are divided into eight.
  Runner(const std::string& scene_text, const std::vector<std::string>& overrides, int steps,
         int refinements = 0)
      : scene_(parse(scene_text, overrides)),
        world_(refinements > 0
                   ? build_scene(scene_, "bench", BodyChange{scene_.bodies[0].name, refinements, 1})
                   : build_scene(scene_, "bench")),
        simulation_(std::make_unique<Simulation>(scene_, world_, steps)) {}
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // One step; its seconds count only when asked for. False once a step has failed.
  enum class Clock { runs, waits };
  bool advance(Clock clock = Clock::runs) {
    if (!ok_) return false;
    const double start = thread_seconds();
    ok_ = simulation_->advance() == StepStatus::ok;
    if (clock == Clock::runs) {
      seconds_ += thread_seconds() - start;
      ++timed_steps_;
    }
    return ok_;
  }
  bool ok() const { return ok_; }
  double seconds_per_step() const { return seconds_ / timed_steps_; }
  const Simulation& simulation() const { return *simulation_; }
  const SceneModel& world() const { return world_; }
  int tetrahedra() const { return world_.tetrahedra(); }

 private:
  static Scene parse(const std::string& text, const std::vector<std::string>& overrides) {
    std::vector<Problem> warnings;
    return parse_scene(text, "bench", {overrides, {}}, warnings);
  }

  Scene scene_;
  SceneModel world_;
  std::unique_ptr<Simulation> simulation_;
  double seconds_ = 0;
  int timed_steps_ = 0;
  bool ok_ = true;
};

}  // namespace phiflex::bench
