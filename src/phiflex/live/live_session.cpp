#include "phiflex/live/live_session.h"

#include <fmt/format.h>

#include <algorithm>

#include "phiflex/base/errors.h"
#include "phiflex/live/scene_edits.h"
#include "phiflex/scene/scene.h"
#include "phiflex/scene/scene_io.h"

namespace phiflex {
namespace {

using Kind = LiveCommand::Kind;
using std::chrono::duration;

constexpr double kShareWindow = 1;   // s
constexpr double kMostBehind = 0.1;  // s; what is later is not made up for
constexpr std::chrono::milliseconds kIdle{50},
    kFrameGap{14};                // between looks at commands, and between frames
constexpr double kBack = 1;       // s, after a failed step
constexpr int kMostFailures = 3;  // within seconds of the same number, then a pause
constexpr std::size_t kMostViews = 6;

// Whether a command undoes what the one before it has done, of the same kind, client, view and body: every one of them
// makes the models anew, and a slider's settings come faster than that.
bool overtakes(const LiveCommand& command, const LiveCommand& before) {
  switch (command.kind) {
    case Kind::reset:
    case Kind::set_gravity:
    case Kind::set_step:
    case Kind::set_damping:
    case Kind::set_integrator:
    case Kind::set_dial:
    case Kind::set_strength:
    case Kind::set_pace:
      return before.kind == command.kind && before.client == command.client && before.view == command.view &&
             (before.text == command.text || command.kind == Kind::set_integrator);
    default:
      return false;
  }
}

// The names of the views, as the user gives them: `si` and the scene's own by default.
std::vector<std::string> view_names(const std::vector<std::string>& given, const Scene& scene) {
  if (!given.empty()) return given;
  const std::string own = scene.integrator.type;
  return {"si", own == "si" ? "em" : own};
}

}  // namespace

LiveSession::LiveSession(LiveSetup setup, LiveAudience& audience)
    : setup_(std::move(setup)), audience_(audience), paused_(setup_.paused) {
  use_threads(setup_.control);
  if (!setup_.scene_file.empty()) open(setup_.scene_file);
  thread_ = std::thread([this] { run(); });
}

LiveSession::~LiveSession() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  posted_.notify_all();
  thread_.join();
  for (std::thread& report : reports_) report.join();
}

void LiveSession::post(LiveCommand command) {
  {
    const std::lock_guard lock(mutex_);
    // Of a pointer only the newest place counts.
    if (command.kind == Kind::move || (command.kind == Kind::ball && command.on))
      for (auto known = commands_.rbegin(); known != commands_.rend(); ++known) {
        if (known->client != command.client) continue;
        if (known->kind == command.kind && known->number == command.number && known->on == command.on) {
          *known = std::move(command);
          return;
        }
        break;
      }
    if (!commands_.empty() && overtakes(command, commands_.back()))
      commands_.back() = std::move(command);
    else
      commands_.push_back(std::move(command));
  }
  posted_.notify_all();
}

std::string LiveSession::title() const {
  const std::lock_guard lock(title_mutex_);
  return title_;
}

// -- Scenes

void LiveSession::open(const std::filesystem::path& file) {
  std::vector<Problem> remarks;
  const Scene scene = read_scene(file, read_options(setup_.overrides), remarks);
  if (scene.coarsening)
    throw InputError(file.string(), "/coarsening",
                     "a hand cannot hold a coarse mesh that stands for a fine one; take the coarsening out "
                     "of the scene, or use `phiflex run`");
  const std::vector<std::string> names = view_names(setup_.integrators, scene);
  if (names.size() > kMostViews)
    throw InputError("--integrators", "",
                     fmt::format("{} views are too many; at most {}", names.size(), kMostViews));
  std::vector<LiveEngine> engines;
  for (const std::string& name : names) {
    const bool own = setup_.integrators.empty() && name == scene.integrator.type;
    engines.emplace_back(name, own ? scene : with_overrides(scene, file.string(), overrides_of_view(name)),
                         file.string());
  }
  close_scene();
  engines_ = std::move(engines);
  view_seconds_.assign(engines_.size(), 0);
  file_ = file.string();
  gravity_ = scene.gravity;
  {
    const std::lock_guard lock(title_mutex_);
    title_ = scene.name;
  }
  const SceneModel& world = engines_.front().world();
  FrameGeometry geometry = world.frame_geometry();
  geometry.append_surfaces();
  visible_ = find_visible(geometry.cells, geometry.region, geometry.body, geometry.rest);
  extent_ = std::make_unique<MotionExtent>(visible_.shape);
  for (const LiveEngine& engine : engines_) {
    VisibleFrame frame;
    for (const int vertex : visible_.shape.vertices) {
      const Index at = 3 * Index(vertex);
      frame.positions.push_back({engine.x()[at], engine.x()[at + 1], engine.x()[at + 2]});
      frame.velocities.push_back({engine.v()[at], engine.v()[at + 1], engine.v()[at + 2]});
    }
    frame.strain_energy.assign(frame.positions.size(), 0);
    extent_->add(frame);
  }
  due_ = Clock::now();
  for (const Problem& remark : remarks) log(remark.text(), "warning");
  for (const std::string& warning : world.messages().warnings()) log(warning, "warning");
  for (const std::string& note : world.messages().notes()) log(note);
}

void LiveSession::close_scene() {
  end_recordings(RunStatus::done, "");
  records_ = false;
  engines_.clear();
  grips_.clear();
  stamps_.clear();
  shown_stamps_.clear();
  passed_.clear();
  failures_.clear();
  log_.clear();
  ball_ = false;
  single_steps_ = 0;
  step_seconds_ = 0;
  const std::lock_guard lock(title_mutex_);
  title_.clear();
}

// -- The loop

void LiveSession::run() {
  try {
    run_until_stopped();
  } catch (const std::exception& error) {
    audience_.tell(
        {{"kind", "ended"}, {"text", fmt::format("the session has ended by an error: {}", error.what())}});
  }
  try {
    end_recordings(RunStatus::done, "");
  } catch (const std::exception&) {  // run.json says why
  }
}

void LiveSession::run_until_stopped() {
  bool picture_is_old = true;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      const bool still = engines_.empty() || (paused_ && single_steps_ == 0);
      const auto woken = [&] { return stop_ || (still && !commands_.empty()); };
      if (still)
        posted_.wait_for(lock, kIdle, woken);
      else if (!paused_)
        posted_.wait_until(lock, due_, woken);
      if (stop_) return;
    }
    if (apply_commands()) picture_is_old = true;
    if (engines_.empty()) continue;
    if (!paused_ || single_steps_ > 0) {
      make_step();
      picture_is_old = true;
    }
    const Clock::time_point now = Clock::now();
    if (picture_is_old && now - shown_at_ >= kFrameGap && audience_.wants_frame()) {
      publish();
      shown_at_ = now;
      picture_is_old = false;
    }
  }
}

void LiveSession::make_step() {
  if (single_steps_ > 0) --single_steps_;
  const Clock::time_point start = Clock::now();
  const double h = engines_.front().scene().time.step;
  std::string not_recorded;
  for (std::size_t view = 0; view < engines_.size(); ++view) {
    const Clock::time_point before = Clock::now();
    try {
      if (engines_[view].advance() != StepStatus::ok) return fail(view, engines_[view].failure());
    } catch (const FileError& error) {
      not_recorded = error.what();
    }
    const double seconds = seconds_between(before, Clock::now());
    view_seconds_[view] += (view_seconds_[view] == 0 ? 1 : 0.05) * (seconds - view_seconds_[view]);
  }
  if (!not_recorded.empty()) {
    end_recordings(RunStatus::interrupted, not_recorded);
    tell_settings();
  }
  const Clock::time_point now = Clock::now();
  note_share(seconds_between(start, now));
  shown_stamps_ = stamps_;
  due_ += std::chrono::duration_cast<Clock::duration>(duration<double>(h / pace_));
  if (seconds_between(due_, now) > kMostBehind) due_ = now;
}

void LiveSession::note_share(double seconds) {
  step_seconds_ += (step_seconds_ == 0 ? 1 : 0.05) * (seconds - step_seconds_);
  const Clock::time_point now = Clock::now();
  passed_.emplace_back(now, engines_.front().time());
  while (passed_.size() > 2 && seconds_between(passed_.front().first, now) > kShareWindow)
    passed_.pop_front();
}

// The words are a copy: the simulation that failed is given up here.
void LiveSession::fail(std::size_t view, std::string words) {
  const Clock::time_point now = Clock::now();
  failures_.push_back(now);
  while (seconds_between(failures_.front(), now) > kMostFailures) failures_.pop_front();
  const bool again = records_;
  end_recordings(RunStatus::failed, words);
  double last = engines_[view].time();
  for (LiveEngine& engine : engines_) engine.go_back(last - kBack);
  grips_.clear();
  passed_.clear();
  due_ = now;
  const bool pause = int(failures_.size()) >= kMostFailures;
  log(fmt::format("{}: {}. Everything went back by {:.2g} s and the hand let go.{}", engines_[view].name(),
                  words, last - engines_[view].time(), pause ? " It failed again and again: paused." : ""),
      "bad");
  audience_.tell({{"kind", "failed"}, {"view", view}, {"text", words}, {"time", engines_[view].time()}});
  if (pause) {
    paused_ = true;
    failures_.clear();
  }
  tell_settings();
  if (again && !pause) record(true);
}

}  // namespace phiflex
