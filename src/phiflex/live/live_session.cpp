#include "phiflex/live/live_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/live/scene_edits.h"
#include "phiflex/pages/motion_chunk.h"
#include "phiflex/scene/scene_io.h"
#include "phiflex/study/method_variant.h"

namespace phiflex {
namespace {

using Json = nlohmann::ordered_json;
using Kind = LiveCommand::Kind;
using std::chrono::duration;

constexpr double kShareWindow = 1;   // s
constexpr double kMostBehind = 0.1;  // s; what is later is not made up for
constexpr std::chrono::milliseconds kIdle{50},
    kFrameGap{14};                // between looks at commands, and between frames
constexpr double kBack = 1;       // s, after a failed step
constexpr int kMostFailures = 3;  // within seconds of the same number, then a pause
constexpr std::size_t kLogLines = 200, kReports = 4;
constexpr std::size_t kMostViews = 6;

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return duration<double>(to - from).count();
}

Json list_of_point(const Eigen::Vector3d& p) {
  return {p[0], p[1], p[2]};
}

// A name of a view as a name of a file.
std::string file_name(const std::string& view) {
  std::string name;
  for (const char c : view) name += std::isalnum(static_cast<unsigned char>(c)) || c == '.' ? c : '-';
  return name;
}

// The names of the views, as the user gives them: `si` and the scene's own by default.
std::vector<std::string> view_names(const std::vector<std::string>& given, const Scene& scene) {
  if (!given.empty()) return given;
  const std::string own = scene.integrator.type;
  return {"si", own == "si" ? "em" : own};
}

std::vector<std::string> overrides_of_view(const std::string& text) {
  const MethodVariant variant = parse_method_variant(text, "integrator");
  if (variant.step)
    throw InputError("integrator", "", "all views make the same steps; expected NAME[:key=value...]");
  return overrides_of(variant);
}

// The damping dial of an engine's method; nothing where it has none.
std::optional<double> dial_of(const LiveEngine& engine) {
  const MethodEntry* method = find_integrator(engine.simulation().choice().spec.type);
  if (!method) return std::nullopt;
  for (const Option& option : method->options) {
    if (std::string_view(option.key) != "dissipation") continue;
    const OptionValue* given = engine.simulation().choice().spec.options.find("dissipation");
    const OptionValue& value = given ? *given : option.fallback;
    if (const double* number = std::get_if<double>(&value)) return *number;
    if (const std::int64_t* number = std::get_if<std::int64_t>(&value)) return double(*number);
  }
  return std::nullopt;
}

void append_size(std::string& out, std::size_t size) {
  const auto number = static_cast<std::uint32_t>(size);
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  out.append(bytes, sizeof bytes);
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
    throw InputError(
        file.string(), "/coarsening",
        "a hand cannot hold a coarse mesh that stands for a fine one; take the coarsening out of the "
        "scene, or use `phiflex run`");
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
  first_ = scene;
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
  for (const std::string& warning : world.warnings()) log(warning, "warning");
  for (const std::string& note : world.notes()) log(note);
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

bool LiveSession::apply_commands() {
  std::deque<LiveCommand> commands;
  {
    const std::lock_guard lock(mutex_);
    commands.swap(commands_);
  }
  for (const LiveCommand& command : commands) {
    try {
      apply(command);
    } catch (const InputError& error) {
      log(fmt::format("not {}: {}", command.kind == Kind::open ? "opened" : "changed",
                      error.problems().front().message),
          "warning");
      tell_settings();  // what the page shows may be what was refused
    } catch (const FolderNotEmpty& error) {
      log(error.what(), "warning");
    } catch (const FileError& error) {
      log(error.what(), "bad");
    }
  }
  return !commands.empty();
}

void LiveSession::apply(const LiveCommand& command) {
  switch (command.kind) {
    case Kind::join: {
      Json message = hello();
      message["client"] = command.client;
      audience_.tell(command.client, message);
      return;
    }
    case Kind::leave:
      for (const auto& [grip, key] : grips_)
        if (grip.client == command.client)
          for (LiveEngine& engine : engines_) engine.let_go(key);
      std::erase_if(grips_, [&](const auto& entry) { return entry.first.client == command.client; });
      stamps_.erase(command.client);
      shown_stamps_.erase(command.client);
      if (ball_ && ball_client_ == command.client) set_ball(std::nullopt, {});
      return;
    case Kind::open: {
      if (command.number >= std::int64_t(setup_.gallery.size()))
        throw InputError("message", "", "the gallery has no such scene");
      const GalleryEntry& entry = setup_.gallery[std::size_t(command.number)];
      open(entry.file);
      audience_.tell(hello());
      return;
    }
    case Kind::gallery:
      close_scene();
      audience_.tell(hello());
      return;
    case Kind::look:
      energies_wanted_ = energies_wanted_ || command.on;
      return;
    default:
      if (!engines_.empty()) apply_to_scene(command);
  }
}

void LiveSession::apply_to_scene(const LiveCommand& command) {
  if (command.stamp > 0) stamps_[command.client] = command.stamp;
  const HandGrip grip{command.client, command.number};
  const auto positive = [&](double value, double low, double high, const char* what) {
    if (!(value >= low && value <= high))
      throw InputError("message", "",
                       fmt::format("{} {} is not allowed; expected {:g} to {:g}", what, value, low, high));
  };
  const auto at_view = [&] {
    if (command.view < 0 || command.view >= int(engines_.size()))
      throw InputError("message", "", "there is no such view");
    return std::size_t(command.view);
  };
  switch (command.kind) {
    case Kind::grip:
      return take(command);
    case Kind::move:
      if (const auto found = grips_.find(grip); found != grips_.end())
        for (LiveEngine& engine : engines_) engine.lead(found->second, command.point);
      return;
    case Kind::release:
      if (const auto found = grips_.find(grip); found != grips_.end()) {
        for (LiveEngine& engine : engines_) engine.let_go(found->second);
        grips_.erase(found);
      }
      return;
    case Kind::pin: {
      if (command.vertices[0] >= int(visible_.shape.vertices.size()))
        throw InputError("message", "", "there is no such vertex");
      const int vertex = visible_.shape.vertices[std::size_t(command.vertices[0])];
      const SceneModel& world = engines_.front().world();
      const Body& body = world.bodies()[std::size_t(body_of(world, vertex))];
      const std::string name = body.name;  // the change makes another model
      const int number = vertex - body.first_vertex;
      const std::size_t before = engines_.front().scene().constraints.size();
      change_all("",
                 [&](const LiveEngine& engine) { return with_pin_toggled(engine.scene(), name, number); });
      log(fmt::format("vertex {} of {} is {}", number, name,
                      engines_.front().scene().constraints.size() > before ? "pinned" : "free again"));
      tell_settings();
      return;
    }
    case Kind::ball: {
      const bool was = ball_;
      if (command.on) ball_client_ = command.client;
      if (command.on && was) {
        for (LiveEngine& engine : engines_) engine.lead_ball(command.point);
        return;
      }
      if (command.on == was) return;
      const double radius = command.value > 0 ? command.value : 0.12 * extent_->size();
      if (command.on) positive(radius, 1e-3 * extent_->size(), 10 * extent_->size(), "a radius of");
      return set_ball(command.on ? std::optional(radius) : std::nullopt, command.point);
    }
    case Kind::pause:
      paused_ = command.on;
      single_steps_ = 0;
      passed_.clear();
      due_ = Clock::now();
      tell_settings();
      return;
    case Kind::step:
      if (paused_) {
        single_steps_ = std::min(single_steps_ + 1, 10);
        return;
      }
      paused_ = true;
      tell_settings();
      return;
    case Kind::reset: {
      const bool again = records_;
      end_recordings(RunStatus::done, "");
      for (LiveEngine& engine : engines_) engine.reset();
      grips_.clear();
      passed_.clear();
      failures_.clear();
      log("back to the beginning");
      audience_.tell({{"kind", "reset"}});
      if (again) record(true);
      return;
    }
    case Kind::gravity: {
      const Triple now = engines_.front().scene().gravity;
      const bool on = now != Triple{};
      if (on) gravity_ = now;
      const Triple back = gravity_ != Triple{} ? gravity_ : Triple{0, -9.81, 0};
      change_all(on ? "gravity is off" : "gravity is on", [&](const LiveEngine& engine) {
        Scene scene = engine.scene();
        scene.gravity = on ? Triple{} : back;
        return scene;
      });
      return;
    }
    case Kind::set_gravity:
      change_all(fmt::format("gravity is [{:g}, {:g}, {:g}] m/s^2", command.point[0], command.point[1],
                             command.point[2]),
                 [&](const LiveEngine& engine) {
                   Scene scene = engine.scene();
                   scene.gravity = {command.point[0], command.point[1], command.point[2]};
                   return scene;
                 });
      return;
    case Kind::set_step:
      positive(command.value, 1e-6, 1, "a step of");
      change_all(fmt::format("the step is {:.4g} s", command.value), [&](const LiveEngine& engine) {
        Scene scene = engine.scene();
        scene.time.step = command.value;
        scene.time.end = start_of(scene.time) +
                         std::max(1., std::round(duration_of(scene.time) / command.value)) * command.value;
        return scene;
      });
      return;
    case Kind::set_damping:
      positive(command.value, 0, 1e6, "damping of");
      positive(command.more, 0, 1e3, "damping of");
      change_all(fmt::format("damping of {}: {:.4g} 1/s of the mass, {:.4g} s of the stiffness",
                             command.text.empty() ? "all bodies" : command.text, command.value, command.more),
                 [&](const LiveEngine& engine) {
                   DampingSpec damping;
                   damping.mass = command.value;
                   damping.stiffness = command.more;
                   return with_damping(engine.scene(), file_, command.text, damping);
                 });
      return;
    case Kind::set_stiffness:
      positive(command.value, 1e-6, 1e6, "a factor of");
      change_all(fmt::format("the stiffness of {} is multiplied by {:.4g}",
                             command.text.empty() ? "all bodies" : command.text, command.value),
                 [&](const LiveEngine& engine) {
                   return with_stiffness(engine.scene(), file_, command.text, command.value);
                 });
      return;
    case Kind::set_integrator: {
      const std::size_t view = at_view();
      change_one(view, fmt::format("view {}: {}", view + 1, command.text), [&](const LiveEngine& engine) {
        return with_overrides(engine.scene(), file_, overrides_of_view(command.text));
      });
      engines_[view].rename(command.text);
      tell_settings();
      return;
    }
    case Kind::set_dial: {
      bool any = false;
      for (std::size_t view = 0; view < engines_.size(); ++view) {
        if ((command.view >= 0 && std::size_t(command.view) != view) || !dial_of(engines_[view])) continue;
        any = true;
        change_one(view, fmt::format("{}: the damping dial is {:.4g}", engines_[view].name(), command.value),
                   [&](const LiveEngine& engine) {
                     return with_overrides(engine.scene(), file_,
                                           {fmt::format("integrator.dissipation={}", command.value)});
                   });
      }
      if (!any) throw InputError("message", "", "no view has a damping dial");
      return;
    }
    case Kind::set_strength:
      positive(command.value, 1e-3, 1e3, "a strength of");
      strength_ = command.value;
      log(fmt::format("the hand's strength is {:.4g}", strength_));
      tell_settings();
      return;
    case Kind::set_pace:
      positive(command.value, 1e-3, 10, "a pace of");
      pace_ = command.value;
      due_ = Clock::now();
      log(fmt::format("one second of the scene takes {:.4g} s", 1 / pace_));
      tell_settings();
      return;
    case Kind::record:
      return record(command.on);
    case Kind::save:
      return save();
    default:
      return;
  }
}

void LiveSession::take(const LiveCommand& command) {
  const auto count = int(visible_.shape.vertices.size());
  if (command.view < 0 || command.view >= int(engines_.size()))
    throw InputError("message", "", "there is no such view");
  SurfacePick pick;
  for (std::size_t i = 0; i < 3; ++i) {
    if (command.vertices[i] >= count) throw InputError("message", "", "there is no such vertex");
    pick.vertices[i] = visible_.shape.vertices[std::size_t(command.vertices[i])];
    pick.weights[i] = command.weights[i];
  }
  const SceneModel& world = engines_.front().world();
  for (const int vertex : pick.vertices)
    if (body_of(world, vertex) != body_of(world, pick.vertices[0]))
      throw InputError("message", "", "a grip holds one body");
  constexpr std::size_t most_grips = 32;
  if (grips_.size() >= most_grips) throw InputError("message", "", "there are too many grips");
  const auto [place, is_new] = grips_.try_emplace(HandGrip{command.client, command.number}, next_key_);
  if (!is_new) return;
  ++next_key_;
  const HandPatch patch = patch_around(world, pick);
  for (LiveEngine& engine : engines_) {
    engine.take(place->second, pick, patch, strength_);
    engine.lead(place->second, command.point);
  }
}

// Every change ends a recording and begins the next. When a view refuses, those before it go back.
void LiveSession::change_all(const std::string& words,
                             const std::function<Scene(const LiveEngine&)>& change) {
  std::vector<Scene> before, after;
  for (const LiveEngine& engine : engines_) {
    before.push_back(engine.scene());
    after.push_back(change(engine));
  }
  const bool again = records_;
  end_recordings(RunStatus::done, "");
  std::size_t done = 0;
  try {
    for (; done < engines_.size(); ++done) engines_[done].change(after[done]);
  } catch (const InputError&) {
    for (std::size_t i = 0; i < done; ++i) engines_[i].change(before[i]);
    if (again) record(true);
    throw;
  }
  if (!words.empty()) {
    log(words);
    tell_settings();
  }
  if (again) record(true);
}

void LiveSession::change_one(std::size_t view, const std::string& words,
                             const std::function<Scene(const LiveEngine&)>& change) {
  const Scene after = change(engines_[view]);
  const bool again = records_;
  end_recordings(RunStatus::done, "");
  try {
    engines_[view].change(after);
  } catch (const InputError&) {
    if (again) record(true);
    throw;
  }
  log(words);
  tell_settings();
  if (again) record(true);
}

void LiveSession::set_ball(std::optional<double> radius, const Eigen::Vector3d& at) {
  const bool again = records_;
  end_recordings(RunStatus::done, "");
  std::size_t done = 0;
  try {
    for (; done < engines_.size(); ++done) engines_[done].set_ball(radius, at);
  } catch (const InputError&) {
    // No view keeps a ball that another one refuses.
    for (std::size_t i = 0; radius && i < done; ++i) engines_[i].set_ball(std::nullopt, at);
    if (again) record(true);
    throw;
  }
  ball_ = radius.has_value();
  log(radius ? fmt::format("a ball of radius {:.3g} m follows the pointer", *radius) : "the ball is gone");
  if (again) record(true);
  tell_settings();
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

// -- Recordings

std::filesystem::path LiveSession::next_folder(const char* what) const {
  const std::filesystem::path root =
      setup_.output.empty() ? std::filesystem::path("out") / ("live-" + first_.name) : setup_.output;
  for (int n = 1;; ++n) {
    std::filesystem::path folder = root / fmt::format("{}-{:03}", what, n);
    std::error_code error;
    if (!std::filesystem::exists(folder, error)) return folder;
  }
}

void LiveSession::record(bool on) {
  if (on == records_) return;
  if (!on) {
    end_recordings(RunStatus::done, "");
    tell_settings();
    return;
  }
  const std::filesystem::path folder = next_folder("recording");
  RunControl control = setup_.control;
  if (control.finished)
    control.finished = [this](const RunFolder& of) {
      if (reports_.size() >= kReports) {
        reports_.front().join();
        reports_.erase(reports_.begin());
      }
      reports_.emplace_back([this, write = setup_.control.finished, of] {
        // One after the other: a report takes several times the memory of its frames.
        const std::lock_guard alone(one_report_);
        try {
          write(of);
        } catch (const std::exception&) {  // `phiflex report` writes it again, and says what is wrong
        }
      });
    };
  records_ = true;
  recording_ = folder.string();
  try {
    for (std::size_t view = 0; view < engines_.size(); ++view) {
      const std::string name = fmt::format("{}-{}", view + 1, file_name(engines_[view].name()));
      engines_[view].record(folder / name, control,
                            {fmt::format("recorded by phiflex live, view {}", engines_[view].name())});
    }
  } catch (...) {
    records_ = false;
    for (LiveEngine& engine : engines_) engine.end_recording(RunStatus::failed, "another view has none");
    tell_settings();
    throw;
  }
  log(fmt::format("records into {}", recording_));
  tell_settings();
}

void LiveSession::end_recordings(RunStatus status, const std::string& reason) {
  if (!records_) return;
  records_ = false;
  std::int64_t steps = 0;
  bool complete = true;
  for (LiveEngine& engine : engines_) {
    try {
      const std::optional<RunSummary> summary = engine.end_recording(status, reason);
      if (!summary) continue;
      steps = summary->steps;
      audience_.tell({{"kind", "recorded"},
                      {"view", engine.name()},
                      {"folder", recording_},
                      {"steps", summary->steps},
                      {"hash", summary->hash}});
    } catch (const FileError& error) {  // the disk is full, or the folder is gone; the others may be whole
      complete = false;
      log(fmt::format("the recording of {} has failed: {}", engine.name(), error.what()), "bad");
    }
  }
  if (complete)
    log(fmt::format("recorded {} steps into {}; `phiflex run` of a scene.json there repeats them", steps,
                    recording_));
}

void LiveSession::save() {
  const std::filesystem::path folder = next_folder("saved");
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw FileError(folder.string(), "cannot make the folder: " + error.message());
  std::string names;
  for (std::size_t view = 0; view < engines_.size(); ++view) {
    const std::filesystem::path file =
        folder / fmt::format("{}-{}.json", view + 1, file_name(engines_[view].name()));
    write_file_atomically(file, scene_file_text(engines_[view].scene()));
    names += (names.empty() ? "" : ", ") + file.string();
  }
  log("saved " + names);
  audience_.tell({{"kind", "saved"}, {"folder", folder.string()}});
}

// -- What clients hear

void LiveSession::log(const std::string& text, const char* tone) {
  const double t = engines_.empty() ? 0 : engines_.front().time();
  log_.emplace_back(t, text);
  if (log_.size() > kLogLines) log_.erase(log_.begin());
  audience_.tell({{"kind", "log"}, {"time", t}, {"tone", tone}, {"text", text}});
}

void LiveSession::tell_settings() {
  audience_.tell(settings());
}

Json LiveSession::settings() const {
  Json json = {{"kind", "settings"},
               {"paused", paused_},
               {"pace", pace_},
               {"strength", strength_},
               {"recording", records_ ? recording_ : ""}};
  if (engines_.empty()) return json;
  const LiveEngine& first = engines_.front();
  json["step"] = first.scene().time.step;
  json["gravity"] = first.scene().gravity;
  json["ball"] = first.ball_radius();
  json["views"] = Json::array();
  for (const LiveEngine& engine : engines_) {
    const std::optional<double> dial = dial_of(engine);
    json["views"].push_back({{"name", engine.name()},
                             {"method", engine.simulation().method().name},
                             {"dial", dial ? Json(*dial) : Json(nullptr)}});
  }
  json["bodies"] = Json::array();
  for (const BodySpec& body : first.scene().bodies) {
    const BodyStiffness stiffness = stiffness_of(body);
    json["bodies"].push_back({{"name", body.name},
                              {"stiffness", stiffness.value},
                              {"key", stiffness.key},
                              {"unit", stiffness.unit},
                              {"damping", {body.damping.mass, body.damping.stiffness}}});
  }
  json["pins"] = Json::array();
  for (const auto& [name, number] : pins_of(first.scene())) {
    const int vertex = find_body(first.world().bodies(), name).first_vertex + number;
    const auto place = std::find(visible_.shape.vertices.begin(), visible_.shape.vertices.end(), vertex);
    if (place != visible_.shape.vertices.end())
      json["pins"].push_back(place - visible_.shape.vertices.begin());
  }
  return json;
}

Json LiveSession::hello() const {
  Json json = {{"kind", "hello"}, {"title", title()}, {"settings", settings()}, {"motion", nullptr}};
  if (engines_.empty()) return json;
  const LiveEngine& first = engines_.front();
  std::vector<std::string> bodies;
  for (const Body& body : first.world().bodies()) bodies.push_back(body.name);
  json["motion"] = motion_data(visible_.shape, bodies, *extent_, {first.time()}, 1);
  json["scene"] = to_json(first.scene());
  json["elements"] = first.world().tetrahedra() + first.world().triangles() + first.world().springs();
  json["integrators"] = Json::array();
  for (const MethodEntry& method : integrator_catalogue())
    json["integrators"].push_back({{"name", method.info->name}, {"summary", method.info->summary}});
  json["log"] = Json::array();
  for (const auto& [t, text] : log_) json["log"].push_back({{"time", t}, {"text", text}});
  return json;
}

void LiveSession::publish() {
  const std::size_t drawn = visible_.shape.vertices.size();
  Json head = {{"number", ++frame_}, {"t", engines_.front().time()},   {"steps", engines_.front().steps()},
               {"paused", paused_},  {"step_ms", 1e3 * step_seconds_}, {"views", Json::array()}};
  if (passed_.size() > 1) {
    const double wall = seconds_between(passed_.front().first, passed_.back().first);
    if (wall > 0) head["share"] = (passed_.back().second - passed_.front().second) / wall;
  }
  std::string chunks;
  for (std::size_t view = 0; view < engines_.size(); ++view) {
    const LiveEngine& engine = engines_[view];
    const LedgerRow& row = engine.simulation().ledger();
    const LiveBooks books = engine.books();
    head["views"].push_back({{"kinetic", row.energies.kinetic},
                             {"elastic", row.energies.elastic},
                             {"gravity", row.energies.gravity},
                             {"contact", row.energies.contact},
                             {"total", row.total()},
                             {"first", books.first},
                             {"external", books.external},
                             {"changes", books.changes},
                             {"contact_work", books.contact},
                             {"dissipated", books.dissipated},
                             {"friction", books.friction},
                             {"loss", books.loss},
                             {"ms", 1e3 * view_seconds_[view]}});
    drawn_.time = engine.time();
    drawn_.positions.resize(drawn);
    drawn_.velocities.resize(drawn);
    drawn_.strain_energy.assign(drawn, 0.0);
    if (energies_wanted_) engine.world().strain_energy_densities(engine.time(), engine.x(), densities_);
    for (std::size_t v = 0; v < drawn; ++v) {
      const Index at = 3 * Index(visible_.shape.vertices[v]);
      for (Index i = 0; i < 3; ++i) {
        drawn_.positions[v][std::size_t(i)] = engine.x()[at + i];
        drawn_.velocities[v][std::size_t(i)] = engine.v()[at + i];
      }
      if (energies_wanted_) drawn_.strain_energy[v] = visible_.mean_of_cells(v, densities_);
    }
    MotionChunk chunk(drawn, extent_->clip());
    chunk.add(drawn_);
    const std::string bytes = chunk.encode(extent_->size() / 65536, ZlibEffort::fast);
    append_size(chunks, bytes.size());
    chunks += bytes;
  }
  head["grips"] = Json::array();
  for (const auto& [grip, key] : grips_) {
    Json one = {{"client", grip.client}, {"number", grip.number}, {"lines", Json::array()}};
    for (const LiveEngine& engine : engines_)
      if (const auto line = engine.grip_line(key))
        one["lines"].push_back({list_of_point((*line)[0]), list_of_point((*line)[1])});
    head["grips"].push_back(std::move(one));
  }
  if (const auto ball = engines_.front().ball()) head["ball"] = list_of_point(*ball);
  head["stamps"] = Json::object();
  for (const auto& [client, stamp] : shown_stamps_) head["stamps"][std::to_string(client)] = stamp;
  const std::string text = head.dump(-1, ' ', false, Json::error_handler_t::replace);
  auto frame = std::make_shared<std::string>("PFL1");
  append_size(*frame, text.size());
  frame->append(text).append(chunks);
  audience_.show(std::move(frame), frame_);
}

}  // namespace phiflex
