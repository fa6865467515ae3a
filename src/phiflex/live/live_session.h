// A live session: the views of one scene, each with its integrator, under one hand. A thread of its own makes the steps
// in real time, or as fast as it can, applies what clients ask for at step boundaries, and publishes frames.
//
// A frame is one binary message, little endian:
//
//   "PFL1" | u32 bytes of the head | head, JSON | for each view: u32 bytes | a chunk of one frame
//   (pages/motion_chunk.h)
//
// and everything else is text, one JSON object {"kind": ...}; docs/live.md describes both.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "phiflex/live/live_command.h"
#include "phiflex/live/live_engine.h"
#include "phiflex/pages/motion_data.h"
#include "phiflex/run/run.h"

namespace phiflex {

struct GalleryEntry {
  std::string name, line;      // what it shows, in a sentence
  std::filesystem::path file;  // its scene
};

// What `phiflex live` is started with.
struct LiveSetup {
  std::string scene_file;                // empty: begin with the gallery
  std::vector<std::string> overrides;    // of every scene that is opened
  std::vector<std::string> integrators;  // NAME[:key=value...]; empty: `si` and the scene's own
  std::vector<GalleryEntry> gallery;
  std::filesystem::path output;  // recordings and saved scenes; empty: out/live-SCENE
  RunControl control;            // threads, deterministic, finished (the report)
  bool paused = false;
};

// Where a session tells what happens; called from its thread.
class LiveAudience {
 public:
  virtual ~LiveAudience() = default;
  // Whether some client can take a frame now; else none is made.
  virtual bool wants_frame() = 0;
  virtual void show(std::shared_ptr<const std::string> frame, std::int64_t number) = 0;
  virtual void tell(const nlohmann::ordered_json& message) = 0;  // to all clients
  virtual void tell(std::uint64_t client, const nlohmann::ordered_json& message) = 0;
};

class LiveSession {
 public:
  // InputError or FileError when the scene of the setup cannot be opened. The audience must outlive the session.
  LiveSession(LiveSetup setup, LiveAudience& audience);
  ~LiveSession();  // ends recordings
  LiveSession(const LiveSession&) = delete;
  LiveSession& operator=(const LiveSession&) = delete;

  // From any thread; applied at the next step boundary, in the order in which they came. What a later one of the same
  // client overtakes is left out: places of a pointer, and settings that are set again.
  void post(LiveCommand command);
  const std::vector<GalleryEntry>& gallery() const { return setup_.gallery; }
  std::string title() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct HandGrip {
    std::uint64_t client = 0;
    std::int64_t number = 0;
    auto operator<=>(const HandGrip&) const = default;
  };

  void open(const std::filesystem::path& file);
  void close_scene();
  void run();
  void run_until_stopped();
  bool apply_commands();  // whether something changed that a still picture shows
  void apply(const LiveCommand& command);
  void apply_to_scene(const LiveCommand& command);
  void take(const LiveCommand& command);
  void change_all(const std::string& words, const std::function<Scene(const LiveEngine&)>& change);
  void change_one(std::size_t view, const std::string& words,
                  const std::function<Scene(const LiveEngine&)>& change);
  void record(bool on);
  void end_recordings(RunStatus status, const std::string& reason);
  void save();
  // Of all views; InputError when one refuses it.
  void set_ball(std::optional<double> radius, const Eigen::Vector3d& at);
  void make_step();
  void fail(std::size_t view, std::string words);
  void publish();
  void log(const std::string& text, const char* tone = "info");
  void tell_settings();
  nlohmann::ordered_json hello() const;
  nlohmann::ordered_json settings() const;
  std::filesystem::path next_folder(const char* what) const;
  void note_share(double seconds);
  static double seconds_between(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
  }

  LiveSetup setup_;
  LiveAudience& audience_;
  std::mutex mutex_;
  std::condition_variable posted_;
  std::deque<LiveCommand> commands_;
  bool stop_ = false;

  // Of the session's thread
  mutable std::mutex title_mutex_;
  std::string title_, file_;
  std::vector<LiveEngine> engines_;
  VisibleCells visible_;
  std::unique_ptr<MotionExtent> extent_;
  std::map<HandGrip, LiveEngine::GripKey> grips_;
  LiveEngine::GripKey next_key_ = 1;
  std::map<std::uint64_t, double> stamps_, shown_stamps_;
  bool paused_ = false, ball_ = false;
  std::set<std::uint64_t> energies_for_;  // clients that want strain energies
  std::uint64_t ball_client_ = 0;         // who leads it
  int single_steps_ = 0;
  double strength_ = 1, pace_ = 1;
  Triple gravity_{};  // to which the toggle returns
  std::int64_t frame_ = 0;
  double step_seconds_ = 0;  // mean
  std::vector<double> view_seconds_;
  std::deque<std::pair<Clock::time_point, double>> passed_;  // wall and scene times, for the share
  Clock::time_point due_ = Clock::now(), shown_at_{};
  std::vector<std::pair<double, std::string>> log_;  // the latest
  std::deque<Clock::time_point> failures_;
  std::mutex one_report_;
  std::vector<std::thread> reports_;
  std::string recording_;  // its folder
  bool records_ = false;
  VisibleFrame drawn_;
  std::vector<double> densities_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace phiflex
