#include "phiflex/live/live_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "phiflex/base/archive.h"
#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/live/scene_edits.h"
#include "phiflex/record/frames.h"
#include "phiflex/run/grips_file.h"
#include "phiflex/scene/scene.h"

namespace phiflex {
namespace {

constexpr std::int64_t kEndless = 1'000'000'000;      // steps of a simulation that ends when its user wants
constexpr double kStoreEvery = 0.1, kStoreFor = 1.5;  // s
constexpr double kBallWay = 0.25;                     // of its radius, in a step

// The scene of a simulation that begins at time t.
Scene begun_at(Scene scene, double t) {
  scene.settle = Switch::off;
  scene.time.start = t > 0 ? std::optional(t) : std::nullopt;
  const double least = t + scene.time.step;
  if (scene.time.end < least)
    scene.time.end = least;
  else
    scene.time.end = t + std::ceil((scene.time.end - t) / scene.time.step - 1e-6) * scene.time.step;
  return scene;
}

}  // namespace

struct LiveEngine::Recorder {
  RunFolder folder;
  FolderLock lock;
  RunControl control;
  Scene scene;
  RunJournal journal;
  Recorder(const RunFolder& in_folder, const RunControl& with_control, const Scene& of,
           const SceneModel& world, const Simulation& simulation)
      : folder(in_folder),
        lock(folder),
        control(with_control),
        scene(of),
        journal(folder, lock, scene, world, simulation, Frames::written, 0, control) {}
};

LiveEngine::LiveEngine(std::string name, Scene scene, std::string file)
    : name_(std::move(name)), file_(std::move(file)), scene_(std::make_unique<Scene>(std::move(scene))) {
  reset();
}
LiveEngine::~LiveEngine() = default;
LiveEngine::LiveEngine(LiveEngine&&) noexcept = default;

void LiveEngine::look() {
  simulation_->model().expand(simulation_->state(), x_, v_);
}

// Nothing of the engine changes when this throws.
void LiveEngine::build(Scene scene, SceneHand hand, const std::string* memory) {
  auto grips = std::make_shared<GripTable>(*hand.grips);
  std::shared_ptr<PathTrack> track;
  hand.grips = grips;
  if (hand.ball) {
    track = std::make_shared<PathTrack>(*hand.ball->track);
    hand.ball->track = track;
  }
  auto world = std::make_unique<SceneModel>(build_scene(scene, file_, hand));
  auto simulation = std::make_unique<Simulation>(std::move(scene), *world, kEndless);
  if (memory) {
    ArchiveReader in(*memory);
    simulation->set_memory(in);
  }
  grips_ = std::move(grips);
  ball_track_ = std::move(track);
  ball_ = hand.ball;
  world_ = std::move(world);
  simulation_ = std::move(simulation);
  look();
}

// The hand as it is at the end of the latest step, in tables that begin at time t. Grips that have ended are left out;
// held_ keeps its numbers, which are those of the grips in ascending order.
SceneHand LiveEngine::hand_from(double t, double h) const {
  SceneHand hand;
  auto grips = std::make_shared<GripTable>();
  grips->times = {t, h};
  if (grips_)
    for (const auto& [key, held] : held_) {
      Grip grip = grips_->grips[held.number];
      grip.track = {0, {grip.track.values.back()}};
      grips->grips.push_back(std::move(grip));
    }
  hand.grips = std::move(grips);
  if (ball_) {
    auto track = std::make_shared<PathTrack>();
    track->times = {t, h};
    track->offsets = {0, {ball_track_->offsets.values.back()}};
    hand.ball = SceneHand::Ball{ball_->radius, std::move(track)};
  }
  return hand;
}

// The same bodies in another scene, at the same moment: what the energy differs by is a change. Grips keep their keys.
void LiveEngine::go_on(Scene scene, SceneHand hand) {
  go_on(std::move(scene), std::move(hand),
        {time(), {}, {}, books(), simulation_->ledger().total(), memory()});
}

void LiveEngine::go_on(Scene scene, SceneHand hand, const Stored& from) {
  build(std::move(scene), std::move(hand), &from.memory);
  std::size_t number = 0;
  for (auto& [key, held] : held_) held.number = number++;
  closed_ = from.books;
  closed_.changes += simulation_->ledger().total() - from.total;
}

std::string LiveEngine::memory() const {
  ArchiveWriter out;
  simulation_->model().save_memory(out);
  return out.bytes();
}

LiveBooks LiveEngine::books() const {
  const LedgerRow& row = simulation_->ledger();
  LiveBooks books = closed_;
  books.external += row.external_work;
  books.contact += row.contact_work;
  books.dissipated += row.dissipated;
  books.friction += row.friction;
  books.loss += row.numerical_loss;
  return books;
}

std::optional<double> LiveEngine::dial() const {
  const IntegratorSpec& spec = simulation_->choice().spec;
  const MethodEntry* method = find_integrator(spec.type);
  if (!method) return std::nullopt;
  for (const Option& option : method->options) {
    if (std::string_view(option.key) != "dissipation") continue;
    const OptionValue* given = spec.options.find("dissipation");
    const OptionValue& value = given ? *given : option.fallback;
    if (const double* number = std::get_if<double>(&value)) return *number;
    if (const std::int64_t* number = std::get_if<std::int64_t>(&value)) return double(*number);
  }
  return std::nullopt;
}

void LiveEngine::reset() {
  if (records()) end_recording(RunStatus::done, "");
  SceneHand hand;
  hand.grips = std::make_shared<GripTable>(GripTable{{start_of(scene_->time), scene_->time.step}, {}});
  if (ball_) hand.ball = hand_from(start_of(scene_->time), scene_->time.step).ball;
  build(*scene_, std::move(hand), nullptr);
  held_.clear();
  if (scene_->settle == Switch::on && simulation_->settle().status != StepStatus::ok)
    throw InputError(file_, "/settle", simulation_->failure());
  look();
  closed_ = {};
  closed_.first = simulation_->ledger().total();
  steps_ = 0;
  stored_.clear();
  store();
}

void LiveEngine::store() {
  stored_.push_back({time(), x_, v_, books(), simulation_->ledger().total(), memory()});
}

void LiveEngine::change(const Scene& scene) {
  const double t = time();
  SceneHand hand = hand_from(t, scene.time.step);
  hand.x = x_;
  hand.v = v_;
  go_on(begun_at(scene, t), std::move(hand));
  *scene_ = scene;
}

void LiveEngine::go_back(double to_time) {
  while (stored_.size() > 1 && stored_.back().t > to_time + 1e-9) stored_.pop_back();
  const Stored& to = stored_.back();
  held_.clear();
  SceneHand hand = hand_from(to.t, scene_->time.step);
  hand.x = to.x;
  hand.v = to.v;
  go_on(begun_at(*scene_, to.t), std::move(hand), to);
}

// -- The hand

void LiveEngine::take(GripKey key, const SurfacePick& pick, const HandPatch& patch, double strength) {
  if (held_.contains(key)) return;
  const Eigen::Vector3d here = pick.at(x_);
  Grip grip;
  grip.vertices = patch.vertices;
  grip.weights = patch.weights;
  for (const int vertex : patch.vertices) grip.offsets.push_back(x_.segment<3>(3 * Index(vertex)) - here);
  grip.track.first = simulation_->step();
  grip.track.values.emplace_back(here[0], here[1], here[2], 0);
  held_[key] = {.number = grips_->grips.size(),
                .strength = strength * patch.strength,
                .reach = patch.reach,
                .to = here};
  grips_->grips.push_back(std::move(grip));
}

void LiveEngine::lead(GripKey key, const Eigen::Vector3d& to) {
  if (const auto held = held_.find(key); held != held_.end()) held->second.to = to;
}

void LiveEngine::let_go(GripKey key) {
  if (const auto held = held_.find(key); held != held_.end()) held->second.ends = true;
}

Eigen::Vector3d LiveEngine::held_point(const Grip& grip, const Vector& of) const {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < grip.vertices.size(); ++i)
    sum += grip.weights[i] * of.segment<3>(3 * Index(grip.vertices[i]));
  return sum;
}

std::optional<std::array<Eigen::Vector3d, 2>> LiveEngine::grip_line(GripKey key) const {
  const auto held = held_.find(key);
  if (held == held_.end()) return std::nullopt;
  const Grip& grip = grips_->grips[held->second.number];
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < grip.vertices.size(); ++i) offset += grip.weights[i] * grip.offsets[i];
  return std::array<Eigen::Vector3d, 2>{held_point(grip, x_) - offset, grip.track.values.back().head<3>()};
}

void LiveEngine::set_ball(std::optional<double> radius, const Eigen::Vector3d& at) {
  ball_to_ = at;
  if (!radius && !ball_) return;
  const std::optional<SceneHand::Ball> before = ball_;
  const std::shared_ptr<PathTrack> track_before = ball_track_;
  ball_.reset();
  if (radius) {
    ball_track_ = std::make_shared<PathTrack>();
    ball_track_->offsets.values.push_back(at);
    ball_ = SceneHand::Ball{*radius, ball_track_};
  }
  try {
    change(*scene_);
  } catch (...) {
    ball_ = before;
    ball_track_ = track_before;
    throw;
  }
}

void LiveEngine::lead_ball(const Eigen::Vector3d& to) {
  ball_to_ = to;
}

std::optional<Eigen::Vector3d> LiveEngine::ball() const {
  if (!ball_) return std::nullopt;
  return ball_track_->offsets.values.back();
}

// Of the end of the step to come.
void LiveEngine::add_hand_values() {
  for (auto& [key, held] : held_) {
    Grip& grip = grips_->grips[held.number];
    Eigen::Vector3d p = grip.track.values.back().head<3>();
    if (!held.ends) {
      // The motion of the body has no part in where the hand goes: an answer that comes a step later feeds waves with w
      // h > 2.
      Eigen::Vector3d to = held.to;
      const Eigen::Vector3d at = (*grip_line(key))[0];
      const double far = (to - at).norm();
      if (far > held.reach) to = at + held.reach / far * (to - at);
      follow(to, simulation_->h(), held.reach, p, held.velocity);
    }
    grip.track.values.emplace_back(p[0], p[1], p[2], held.ends ? 0 : held.strength);
  }
  if (ball_) {
    const Eigen::Vector3d at = ball_track_->offsets.values.back();
    Eigen::Vector3d way = ball_to_ - at;
    if (const double far = way.norm(), most = kBallWay * ball_->radius; far > most) way *= most / far;
    ball_track_->offsets.values.push_back(at + way);
  }
}

// Without a recording nobody asks for values before the latest end.
void LiveEngine::forget_past() {
  std::erase_if(held_, [](const auto& entry) { return entry.second.ends; });
  if (records()) return;
  std::vector<Grip> kept;
  for (auto& [key, held] : held_) {
    Grip grip = std::move(grips_->grips[held.number]);
    grip.track = {grip.track.last(), {grip.track.values.back()}};
    held.number = kept.size();
    kept.push_back(std::move(grip));
  }
  grips_->grips = std::move(kept);
  if (ball_) ball_track_->offsets = {ball_track_->offsets.last(), {ball_track_->offsets.values.back()}};
}

StepStatus LiveEngine::advance() {
  add_hand_values();
  const auto before = std::chrono::steady_clock::now();
  const StepStatus status = simulation_->advance();
  if (status != StepStatus::ok) return status;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
  ++steps_;
  look();
  forget_past();
  if (time() > stored_.back().t + kStoreEvery - 1e-9) {
    store();
    while (stored_.size() > 1 && stored_[1].t < time() - kStoreFor) stored_.pop_front();
  }
  // Last: when the disk is full, the step has been made all the same.
  if (recording_) {
    recording_->journal.step_made(seconds);
    recording_->journal.checkpoint_if_due();
  }
  return status;
}

// -- Recording

void LiveEngine::record(const std::filesystem::path& root, const RunControl& control,
                        const Messages& messages) {
  if (simulation_->model().has_memory())
    throw InputError(file_, "/bodies",
                     "viscoelastic bodies (`prony`) remember how they were strained, and a stored state has "
                     "no place for it: `phiflex run` could not repeat the recording; take `prony` out of the "
                     "scene, or run the scene without a hand");
  const RunFolder folder = make_run_folder(root, ExistingFolder::refuse);
  const std::filesystem::path state = std::filesystem::absolute(root) / "initial.vtu";
  write_state_file(state, world_->frame_geometry(), as_span(x_), as_span(v_));
  const double t = time();
  Scene scene = begun_at(*scene_, t);
  for (BodySpec& body : scene.bodies) {
    body.initial = {};
    body.initial.state = state;
  }
  SceneHand hand = hand_from(t, scene.time.step);
  go_on(scene, std::move(hand));
  recording_ = std::make_unique<Recorder>(folder, control, scene, *world_, *simulation_);
  recording_->journal.summary().messages = messages;
  recording_->journal.start();
  recording_->journal.announce();
}

std::optional<RunSummary> LiveEngine::end_recording(RunStatus status, const std::string& reason) {
  if (!recording_) return std::nullopt;
  const std::unique_ptr<Recorder> recorder = std::move(recording_);
  if (simulation_->step() == 0) {
    recorder->journal.leave_failed("no step was recorded");
    return std::nullopt;
  }
  Scene scene = recorder->scene;
  const std::filesystem::path grips = std::filesystem::absolute(recorder->folder.root) / "grips.json";
  try {
    write_grips(grips, *grips_, world_->bodies());
    scene.time.end = simulation_->time_of(simulation_->step() + (status == RunStatus::failed ? 1 : 0));
    scene.forces.emplace_back(GripsForce{grips});
    if (ball_) scene.contacts.emplace_back(hand_contact(*ball_));
    // Beside its files the scene can be moved with them.
    Scene beside = scene;
    std::get<GripsForce>(beside.forces.back()).file = "grips.json";
    for (BodySpec& body : beside.bodies) body.initial.state = "initial.vtu";
    write_file_atomically(recorder->folder.root / "scene.json", scene_file_text(beside));
    recorder->journal.set_outcome(scene);
    recorder->journal.end(status, reason);
    return recorder->journal.finish();
  } catch (const FileError& error) {
    recorder->journal.leave_failed(error.what());
    throw;
  }
}

}  // namespace phiflex
