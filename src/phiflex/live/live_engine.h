// One view of a live session: a scene with its integrator in motion, under a hand. It never stops by itself: changes
// give it another scene at a step boundary, from where the bodies are then.
//
// Everything is one ordinary simulation after the other: a change builds the changed scene with the present positions
// and velocities as its initial state, at the present time, and the integrator begins without memory. So a recording,
// which begins in the same way from a stored state, is a run of the scene that is saved with it, bit for bit.
// Viscoelastic bodies keep the memory of their branches through changes; a stored state has no place for it, so that
// they are not recorded.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "phiflex/live/hand.h"
#include "phiflex/run/run_journal.h"
#include "phiflex/run/simulation.h"

namespace phiflex {

// The ledger since the beginning or the last reset, over all changes, J:
//   first + external + changes + contact - dissipated - friction - loss = total                            (1)
struct LiveBooks {
  double first = 0;     // total energy at the beginning
  double external = 0;  // work of loads, grips and moved constraints
  double changes = 0;   // what changes on the fly added: another stiffness or gravity, bodies set apart
  double contact = 0, dissipated = 0, friction = 0, loss = 0;
};

class LiveEngine {
 public:
  using GripKey = std::uint64_t;

  // name: what the user calls the view. file: of the scene, for messages. InputError as of build_scene().
  LiveEngine(std::string name, Scene scene, std::string file);
  ~LiveEngine();
  LiveEngine(LiveEngine&&) noexcept;

  const std::string& name() const { return name_; }
  void rename(std::string name) { name_ = std::move(name); }
  const Scene& scene() const { return *scene_; }  // with all changes, from its own beginning
  const SceneModel& world() const { return *world_; }
  const Simulation& simulation() const { return *simulation_; }
  double time() const { return simulation_->state().t; }
  std::int64_t steps() const { return steps_; }  // made since the beginning or the last reset
  LiveBooks books() const;
  std::optional<double> dial() const;     // the method's damping dial; nothing where it has none
  const Vector& x() const { return x_; }  // of all vertices, m
  const Vector& v() const { return v_; }  // m/s

  // -- The hand. Values count from the next step on.
  void take(GripKey grip, const SurfacePick& pick, const HandPatch& patch, double strength);
  void lead(GripKey grip, const Eigen::Vector3d& to);
  void let_go(GripKey grip);
  bool holds(GripKey grip) const { return held_.contains(grip); }
  // Where the hand holds the body, and where it pulls to.
  std::optional<std::array<Eigen::Vector3d, 2>> grip_line(GripKey grip) const;
  // A ball that pushes, or none. A new ball changes the model.
  void set_ball(std::optional<double> radius, const Eigen::Vector3d& at);
  void lead_ball(const Eigen::Vector3d& to);
  std::optional<Eigen::Vector3d> ball() const;
  double ball_radius() const { return ball_ ? ball_->radius : 0; }

  // One step. When it fails the state is that of before and failure() says why; the engine then needs go_back() or
  // reset(). FileError when it was made and cannot be recorded; the recording then needs end_recording().
  StepStatus advance();
  const std::string& failure() const { return simulation_->failure(); }

  // -- Changes, at a step boundary. When a scene cannot be built (InputError), nothing has changed.
  void change(const Scene& scene);
  void reset();
  // To the newest stored state that is not after the time, or the oldest one, without grips; the books are those of
  // then.
  void go_back(double to_time);

  // -- Recording into a new folder; FolderNotEmpty and FileError as of run_scene(). The engine begins anew from the
  // stored state. InputError, and nothing done, with viscoelastic bodies.
  void record(const std::filesystem::path& folder, const RunControl& control, const Messages& messages);
  bool records() const { return recording_ != nullptr; }
  // Returns the summary of the run; nothing when no step was recorded. After a FileError nothing is recorded any more.
  std::optional<RunSummary> end_recording(RunStatus status, const std::string& reason);

 private:
  struct Held {
    std::size_t number = 0;  // in the table
    double strength = 0, reach = 0;
    Eigen::Vector3d to;                                  // where the pointer is
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  // of the hand, m/s
    bool ends = false;
  };
  struct Stored {
    double t = 0;
    Vector x, v;
    LiveBooks books;
    double total = 0;    // J
    std::string memory;  // of viscoelastic bodies
  };
  struct Recorder;

  // memory: of viscoelastic bodies; null: they were at rest before.
  void build(Scene scene, SceneHand hand, const std::string* memory);
  std::string memory() const;
  SceneHand hand_from(double t, double h) const;
  void look();
  void go_on(Scene scene, SceneHand hand);
  void go_on(Scene scene, SceneHand hand, const Stored& from);  // x, v of the hand
  void store();
  void add_hand_values();
  void forget_past();
  Eigen::Vector3d held_point(const Grip& grip, const Vector& of) const;

  std::string name_, file_;
  std::unique_ptr<Scene> scene_;
  std::shared_ptr<GripTable> grips_;
  std::shared_ptr<PathTrack> ball_track_;
  std::optional<SceneHand::Ball> ball_;
  Eigen::Vector3d ball_to_ = Eigen::Vector3d::Zero();
  std::map<GripKey, Held> held_;
  std::unique_ptr<SceneModel> world_;
  std::unique_ptr<Simulation> simulation_;
  LiveBooks closed_;  // of the simulations before the present one
  std::int64_t steps_ = 0;
  Vector x_, v_;
  std::deque<Stored> stored_;
  std::unique_ptr<Recorder> recording_;
};

}  // namespace phiflex
