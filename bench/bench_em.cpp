// What the energy-momentum methods keep and cost: `em` and `emx` against `si` with and without the kept
// factorization on the same motions, in turn, and against an explicit run with a hundredth of the step as the
// truth. `bench_em quick` leaves the large bodies out; `bench_em NAME` runs one case.
//
//   energy   largest |numerical loss| of the run, of the initial elastic energy of a release, otherwise of the
//            largest kinetic energy
//   tip      root mean square over the run of the distance of a corner from its place in the truth, of the root
//            mean square of that corner's way from its start in the truth
//   cost     thread seconds per step, in steps of `si` that factorizes every time / that keeps its factorization
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

#include "bench/race.h"
#include "phiflex/base/parallel.h"
#include "phiflex/linalg/cholesky.h"

using namespace phiflex;
using bench::Runner;

namespace {

using Settings = std::vector<std::string>;
constexpr double kNone = HUGE_VAL;  // no promise

enum class EnergyScale { initial_elastic, largest_kinetic };

struct Promise {
  double energy = kNone;                   // at most
  double tip = kNone;                      // at most
  double cost = kNone;                     // in steps of si that factorizes, at most
  double factorizations_per_step = kNone;  // at most
};

struct Contestant {
  const char* label;
  Settings settings;
  Promise promise;
};

struct Case {
  const char* name;
  std::string scene;
  Settings settings;
  int steps;
  EnergyScale scale;
  bool has_truth;
  std::vector<Contestant> contestants;
};

std::string box(int along, int across, const char* rest) {
  return R"({ "phiflex": 1, "name": "box", "time": { "step": 0.01, "end": 10 },
    "bodies": [ { "name": "box", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [)" +
         std::to_string(along) + "," + std::to_string(across) + "," + std::to_string(across) + R"(] },
      "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.45, "density": 1000 })" +
         rest + "}";
}
const char* const kClamp = R"( } ], "constraints": [ { "body": "box", "type": "fix",
      "where": { "box": [[-1e-6, -1, -1], [1e-6, 1, 1]] } } ])";
const char* const kTwisted = R"(, "initial": { "twist": { "axis": "x", "angle": 90 } } } ],
    "constraints": [ { "body": "box", "type": "fix", "where": { "box": [[-1e-6, -1, -1], [1e-6, 1, 1]] } } ])";
const char* const kHalves = R"(, "regions": [ { "where": { "box": [[0.2, -1, -1], [1, 1, 1]] },
      "material": { "young": 1e8 } } ] } ], "gravity": [0, -9.81, 0], "constraints": [ { "body": "box",
      "type": "fix", "where": { "box": [[-1e-6, -1, -1], [1e-6, 1, 1]] } } ])";
// Two turns per second about z, and a stretch that is let go.
const char* const kSpinning = R"(, "initial": { "angular_velocity": [0, 0, 12.566370614359172],
      "stretch": { "axis": "x", "factor": 1.02 } } } ])";

class Track {
 public:
  explicit Track(const Runner& runner) : runner_(runner) {
    const DeformableModel& model = runner.simulation().model();
    const Vector& rest = model.description().rest;
    corner_ = nearest_vertex(rest, 0, int(rest.size() / 3), {0.4, 0.1, 0.1});
    start_ = place();
    elastic_ = runner.simulation().ledger().energies.elastic;
    linear_ = model.momenta(runner.simulation().state()).linear;
    angular_ = model.momenta(runner.simulation().state()).angular;
    star_ = runner.simulation().modified_energy();
  }
  void look() {
    const Simulation& simulation = runner_.simulation();
    way_.push_back(place());
    const LedgerRow& row = simulation.ledger();
    loss_ = std::max(loss_, std::abs(row.numerical_loss));
    gain_ = std::max(gain_, -row.numerical_loss);
    kinetic_ = std::max(kinetic_, row.energies.kinetic);
    const Momenta momenta = simulation.model().momenta(simulation.state());
    linear_change_ = std::max(linear_change_, (momenta.linear - linear_).norm());
    angular_change_ = std::max(angular_change_, (momenta.angular - angular_).norm());
    speed_ = std::max(speed_, simulation.state().v.cwiseAbs().maxCoeff());
    const double star = simulation.modified_energy();
    star_rise_ = std::max(star_rise_, (star - star_) / std::max(std::abs(star_), 1e-300));
    star_ = star;
  }
  double energy(EnergyScale scale) const {
    return loss_ / (scale == EnergyScale::initial_elastic ? elastic_ : kinetic_);
  }
  double final_loss(EnergyScale scale) const {
    return runner_.simulation().ledger().numerical_loss /
           (scale == EnergyScale::initial_elastic ? elastic_ : kinetic_);
  }
  double distance_from(const Track& truth) const {
    double squares = 0, motion = 0;
    for (std::size_t i = 0; i < std::min(way_.size(), truth.way_.size()); ++i) {
      squares += (way_[i] - truth.way_[i]).squaredNorm();
      motion += (truth.way_[i] - start_).squaredNorm();
    }
    return std::sqrt(squares / motion);
  }
  double angular_loss() const { return angular_change_ / angular_.norm(); }
  double linear_loss() const { return linear_change_ / (runner_.simulation().model().total_mass() * speed_); }
  double star_rise() const { return star_rise_; }
  double largest_height() const {
    double height = -HUGE_VAL;
    for (std::size_t i = way_.size() / 2; i < way_.size(); ++i) height = std::max(height, way_[i][1]);
    return height;
  }

 private:
  Eigen::Vector3d place() const {
    Vector x, v;
    runner_.simulation().model().expand(runner_.simulation().state(), x, v);
    return x.segment<3>(3 * Index(corner_));
  }

  const Runner& runner_;
  int corner_;
  Eigen::Vector3d start_, linear_, angular_;
  std::vector<Eigen::Vector3d> way_;
  double elastic_, loss_ = 0, gain_ = 0, kinetic_ = 0, linear_change_ = 0, angular_change_ = 0, speed_ = 0;
  double star_ = 0, star_rise_ = -HUGE_VAL;
};

struct Lane {
  Lane(const Case& c, const Settings& settings)
      : runner(c.scene, joined(c.settings, settings), c.steps), track(runner) {}
  static Settings joined(Settings a, const Settings& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }
  bool advance(bool timed) {
    if (!runner.advance(timed ? Runner::Clock::runs : Runner::Clock::waits)) return false;
    track.look();
    return true;
  }
  Runner runner;
  Track track;
};

constexpr int kWarmUp = 1;  // steps that are not timed: symbolic analysis, the modes of emx

bool run(const Case& c) {
  std::printf("%s, %d steps\n", c.name, c.steps);
  std::printf("  %-22s %9s %9s %9s  %13s %7s %6s %6s %s\n", "", "energy", "at end", "tip", "cost / si",
              "fact", "iter", "sub", "fallbacks");
  std::optional<Lane> truth;
  if (c.has_truth) {
    truth.emplace(c, Settings{"integrator.type=verlet"});
    for (int step = 0; step < c.steps; ++step)
      if (!truth->advance(false)) {
        std::printf("  the truth failed: %s\n", truth->runner.simulation().failure().c_str());
        return false;
      }
  }
  std::vector<Contestant> all = {
      {"si, refactor always", {"integrator.type=si", "integrator.refactor=always"}, {}},
      {"si, refactor auto", {"integrator.type=si"}, {}}};
  all.insert(all.end(), c.contestants.begin(), c.contestants.end());
  std::vector<std::unique_ptr<Lane>> lanes;
  for (const Contestant& contestant : all) lanes.push_back(std::make_unique<Lane>(c, contestant.settings));
  for (int step = 0; step < c.steps; ++step)
    for (auto& lane : lanes) lane->advance(step >= kWarmUp);
  bool kept = true;
  const double always = lanes[0]->runner.seconds_per_step(), automatic = lanes[1]->runner.seconds_per_step();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Runner& runner = lanes[i]->runner;
    const Track& track = lanes[i]->track;
    const Promise& promise = all[i].promise;
    const Work& work = runner.simulation().work();
    if (!runner.ok()) {
      std::printf("  %-22s failed at step %ld: %s\n", all[i].label, long(runner.simulation().step()),
                  runner.simulation().failure().c_str());
      kept &= i < 2 || (promise.energy == kNone && promise.cost == kNone);
      continue;
    }
    const double energy = track.energy(c.scale), tip = truth ? track.distance_from(truth->track) : NAN;
    const double cost = runner.seconds_per_step() / always;
    const double factorizations = double(work.factorizations) / c.steps;
    const bool good = energy <= promise.energy && (!truth || tip <= promise.tip) && cost <= promise.cost &&
                      factorizations <= promise.factorizations_per_step;
    kept &= good;
    std::printf("  %-22s %8.3f%% %8.3f%% %9.4f  %6.2f %6.2f %7.3f %6.1f %6.2f h%ld be%ld%s\n", all[i].label,
                100 * energy, 100 * track.final_loss(c.scale), tip, cost,
                runner.seconds_per_step() / automatic, factorizations,
                double(work.newton_iterations) / c.steps, double(work.inner_steps) / c.steps,
                work.halved_steps, work.backward_euler_steps, good ? "" : "  NOT KEPT");
  }
  std::fflush(stdout);
  return kept;
}

Contestant em(Promise promise, const char* label = "em", Settings more = {}) {
  more.insert(more.begin(), "integrator.type=em");
  return {label, std::move(more), promise};
}
Contestant emx(Promise promise) {
  return {"emx, 10 modes", {"integrator.type=emx", "integrator.modes=10"}, promise};
}
Settings study() {
  return {"integrator.energy_tolerance=1e-5", "integrator.em_tolerance=1e-4"};
}

// Momenta of a free bar that spins and vibrates, E* and the dial.
bool spin() {
  const Case c{"spin", box(20, 5, kSpinning), {}, 100, EnergyScale::largest_kinetic, false, {}};
  bool kept = true;
  std::printf("a free bar, two turns per second while it vibrates, 100 steps: changes of the momenta\n");
  for (const auto& [label, settings, limit] :
       {Contestant{"si", {"integrator.type=si"}, {}}, em({.energy = 1}),
        em({.energy = 1}, "em, dial 0.9", {"integrator.dissipation=0.9"})}) {
    Lane lane(c, settings);
    while (lane.runner.ok() && lane.runner.simulation().step() < c.steps) lane.advance(true);
    const bool good = limit.energy == kNone || (lane.runner.ok() && lane.track.angular_loss() <= 1e-7 &&
                                                lane.track.linear_loss() <= 1e-12);
    kept &= good;
    std::printf("  %-16s angular %.1e  linear %.1e of mass times speed  energy %.3f%%%s\n", label,
                lane.track.angular_loss(), lane.track.linear_loss(), 100 * lane.track.energy(c.scale),
                good ? "" : "  NOT KEPT");
  }
  std::fflush(stdout);
  return kept;
}

bool dial() {
  bool kept = true;
  std::printf(
      "the dial: the largest rise of E* in a step, of itself (at most 1e-6), and the loss of a run\n");
  struct Motion {
    const char* name;
    std::string scene;
    Settings settings;
    int steps;
    EnergyScale scale;
  };
  const Motion motions[] = {{"twist 90", box(20, 5, kTwisted), {}, 150, EnergyScale::initial_elastic},
                            {"swing 1e6",
                             box(20, 5, kClamp),
                             {"bodies.0.material.young=1e6", "gravity=[0,-9.81,0]"},
                             200,
                             EnergyScale::largest_kinetic},
                            {"spin", box(20, 5, kSpinning), {}, 100, EnergyScale::largest_kinetic}};
  for (const Motion& motion : motions)
    for (const char* rho : {"0.333333333333333333", "0.5", "0.8", "0.9"}) {
      const Case c{motion.name, motion.scene, motion.settings, motion.steps, motion.scale, false, {}};
      Lane lane(c, {"integrator.type=em", std::string("integrator.dissipation=") + rho,
                    "integrator.energy_tolerance=1e-8"});
      while (lane.runner.ok() && lane.runner.simulation().step() < c.steps) lane.advance(true);
      const bool swing = std::strcmp(motion.name, "swing 1e6") == 0 && std::strcmp(rho, "0.8") == 0;
      const bool good = lane.runner.ok() && lane.track.star_rise() <= 1e-6 &&
                        (!swing || lane.track.energy(c.scale) <= 0.03);
      kept &= good;
      std::printf("  %-10s rho %.3f  rise %+.1e  loss %6.2f%%%s\n", motion.name, std::atof(rho),
                  lane.track.star_rise(), 100 * lane.track.final_loss(c.scale), good ? "" : "  NOT KEPT");
      std::fflush(stdout);
    }
  return kept;
}

// A cube on a penalty floor: how high it comes again.
bool bounce() {
  const std::string scene = R"({ "phiflex": 1, "name": "cube", "time": { "step": 0.01, "end": 10 },
    "gravity": [0, -9.81, 0], "bodies": [ { "name": "cube",
      "mesh": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [6, 6, 6] },
      "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.45, "density": 1000 },
      "transform": { "translate": [0, 0.3, 0] } } ],
    "contacts": [ { "type": "floor", "height": 0, "stiffness": 50 } ] })";
  const Case c{"bounce", scene, {}, 65, EnergyScale::largest_kinetic, true, {}};
  const auto apex = [&](const Settings& settings) {
    Lane lane(c, settings);
    while (lane.runner.ok() && lane.runner.simulation().step() < c.steps) lane.advance(true);
    return lane.runner.ok() ? lane.track.largest_height() : NAN;
  };
  const double truth = apex({"integrator.type=verlet"});
  const double with_em = apex({"integrator.type=em"}), with_si = apex({"integrator.type=si"});
  const bool kept = std::abs(with_em - truth) <= 0.02;
  std::printf(
      "a cube dropped on a penalty floor: apex after the bounce, from that of the truth\n"
      "  truth %.4f m   em %+.4f m   si %+.4f m%s\n",
      truth, with_em - truth, with_si - truth, kept ? "" : "  NOT KEPT");
  return kept;
}

}  // namespace

int main(int argc, char** argv) {
  set_thread_count(1);
  set_blas_threads(1);
  const std::string only = argc > 1 && std::strcmp(argv[1], "quick") != 0 ? argv[1] : "";
  const bool quick = argc > 1 && only.empty();
  const auto young = [](const char* value) { return std::string("bodies.0.material.young=") + value; };
  const auto angle = [](int value) { return "bodies.0.initial.twist.angle=" + std::to_string(value); };
  const std::string fall = "gravity=[0,-9.81,0]";
  const Settings slow = {"time.step=0.016666666666666666"};
  const auto with = [](Settings a, const Settings& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  };
  using enum EnergyScale;
  std::vector<Case> cases = {
      {"twist-20",
       box(20, 5, kTwisted),
       {angle(20)},
       150,
       initial_elastic,
       true,
       {em({.energy = 0.003, .tip = 0.11, .cost = 0.7, .factorizations_per_step = 0.05}),
        em({.energy = 0.0003}, "em, study", study())}},
      {"twist-90",
       box(20, 5, kTwisted),
       {angle(90)},
       150,
       initial_elastic,
       true,
       {em({.energy = 0.003, .tip = 0.15, .cost = 0.7, .factorizations_per_step = 0.05}),
        em({.energy = 0.0003}, "em, study", study())}},
      {"twist-270",
       box(20, 5, kTwisted),
       {angle(270)},
       150,
       initial_elastic,
       false,
       {em({.energy = 0.01, .cost = 2.5})}},
      {"swing-1e6",
       box(20, 5, kClamp),
       {young("1e6"), fall},
       200,
       largest_kinetic,
       true,
       {em({.energy = 0.001}), emx({.energy = 0.001, .tip = 0.005})}},
      {"swing-1e8",
       box(20, 5, kClamp),
       {young("1e8"), fall},
       100,
       largest_kinetic,
       true,
       {em({.energy = 0.001}), emx({.energy = 0.001, .tip = 0.03})}},
      {"halves", box(20, 5, kHalves), {}, 150, largest_kinetic, true, {em({.energy = 0.003})}},
      {"h60-swing",
       box(20, 5, kClamp),
       with(slow, {young("1e6"), fall}),
       120,
       largest_kinetic,
       true,
       {em({.cost = 0.4})}},
      {"h60-twist-20",
       box(20, 5, kTwisted),
       with(slow, {angle(20)}),
       90,
       initial_elastic,
       true,
       {em({.cost = 0.4})}},
      {"h60-twist-90",
       box(20, 5, kTwisted),
       with(slow, {angle(90)}),
       90,
       initial_elastic,
       true,
       {em({.cost = 1.3})}},
      {"h60-halves", box(20, 5, kHalves), slow, 90, largest_kinetic, true, {em({.cost = 1.3})}},
      {"h60-spin", box(20, 5, kSpinning), slow, 90, largest_kinetic, true, {em({.cost = 1.3})}},
      // As it is: a motion that fills the whole spectrum.
      {"h60-spin-rough",
       box(20, 5, kSpinning),
       with(slow, {"bodies.0.initial.stretch.factor=1.1"}),
       90,
       largest_kinetic,
       true,
       {em({})}},
  };
  if (!quick)
    for (const auto& [name, along, across, steps] : {std::tuple{"twist-20, 24,000 tetrahedra", 40, 10, 60},
                                                     {"twist-20, 98,304 tetrahedra", 64, 16, 30}}) {
      cases.push_back({name,
                       box(along, across, kTwisted),
                       {angle(20)},
                       steps,
                       initial_elastic,
                       false,
                       {em({.energy = 0.003, .cost = 0.7, .factorizations_per_step = 0.05})}});
      cases.push_back({across == 10 ? "twist-90, 24,000 tetrahedra" : "twist-90, 98,304 tetrahedra",
                       box(along, across, kTwisted),
                       {angle(90)},
                       steps,
                       initial_elastic,
                       false,
                       {em({.energy = 0.003, .cost = 0.7, .factorizations_per_step = 0.05})}});
    }
  bool kept = true;
  for (const Case& c : cases)
    if (only.empty() || only == c.name) kept &= run(c);
  if (only.empty() || only == "spin") kept &= spin();
  if (only.empty() || only == "dial") kept &= dial();
  if (only.empty() || only == "bounce") kept &= bounce();
  return kept ? 0 : 1;
}
