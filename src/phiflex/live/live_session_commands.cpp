// What clients ask for, at a step boundary.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "phiflex/base/errors.h"
#include "phiflex/live/live_session.h"
#include "phiflex/live/scene_edits.h"
#include "phiflex/scene/scene.h"

namespace phiflex {
namespace {

using Kind = LiveCommand::Kind;

const char* refused_deed(Kind kind) {
  if (kind == Kind::open) return "opened";
  return kind == Kind::record ? "recorded" : "changed";
}

}  // namespace

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
      log(fmt::format("not {}: {}", refused_deed(command.kind), error.problems().front().message), "warning");
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
      nlohmann::ordered_json message = hello();
      message["client"] = command.client;
      audience_.tell(command.client, message);
      return;
    }
    case Kind::leave:
      for (const auto& [grip, key] : grips_)
        if (grip.client == command.client)
          for (LiveEngine& engine : engines_) engine.let_go(key);
      std::erase_if(grips_, [&](const auto& entry) { return entry.first.client == command.client; });
      energies_for_.erase(command.client);
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
      if (command.on)
        energies_for_.insert(command.client);
      else
        energies_for_.erase(command.client);
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
        if ((command.view >= 0 && std::size_t(command.view) != view) || !engines_[view].dial()) continue;
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

}  // namespace phiflex
