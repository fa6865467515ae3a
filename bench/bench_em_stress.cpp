// What `em` does where a motion is too rough for its step: the box of bench_em (3,000 tetrahedra, h = 0.01) with
// velocities, blows and shapes that no step of this length resolves. Promised: every state is finite, the energy
// never exceeds that of the start by more than 1 %, and whatever the solver fell back to is counted. What it costs
// is shown as it is, in steps of `si` that factorizes every time; those from rest, since from these states it may
// fail. `bench_em_stress NAME` runs one case.
//
//   energy    the largest and the last T + W of the run, as a part of the first; nothing else acts
//   fallbacks per run: substeps; matrices that needed the projected stiffness; updates drawn back into the
//             material's domain; halvings of a step; backward Euler steps
#include <Eigen/Geometry>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "bench/moving_bar.h"
#include "bench/thread_clock.h"
#include "phiflex/base/parallel.h"
#include "phiflex/linalg/cholesky.h"

using namespace phiflex;
using bench::NeoHookean;

namespace {

constexpr double kStep = 0.01;        // s
constexpr double kMostEnergy = 1.01;  // of the first
const Eigen::Vector3d kSize(0.4, 0.1, 0.1);

enum class Ends { clamped, free };
using Start = std::function<void(const Vector& rest, Vector& x, Vector& v)>;

struct Case {
  const char* name;
  const char* what;
  NeoHookean material;
  Ends ends;
  int steps;
  Start start;
};

struct Contestant {
  const char* label;
  const char* method;
  IntegratorOptions options;
  bool promises;
};

Start twisted(double degrees) {
  return [degrees](const Vector& rest, Vector& x, Vector&) {
    for (Index i = 0; i < rest.size(); i += 3) {
      const double angle = degrees * std::numbers::pi / 180 * rest[i] / kSize[0];
      const double y = rest[i + 1] - kSize[1] / 2, z = rest[i + 2] - kSize[2] / 2;
      x[i + 1] = kSize[1] / 2 + std::cos(angle) * y - std::sin(angle) * z;
      x[i + 2] = kSize[2] / 2 + std::sin(angle) * y + std::cos(angle) * z;
    }
  };
}

void rough(const Vector&, Vector&, Vector& v) {
  std::mt19937 random(1);  // the same numbers everywhere, which distributions are not
  for (double& entry : v) entry = 2 * (random() / 4294967296.) - 1;
}

void hammered(const Vector& rest, Vector&, Vector& v) {
  const int vertex = nearest_vertex(rest, 0, int(rest.size() / 3), {kSize[0], kSize[1] / 2, kSize[2] / 2});
  v[3 * Index(vertex) + 1] = -100;
}

void squashed(const Vector&, Vector& x, Vector&) {
  for (Index i = 0; i < x.size(); i += 3) x[i] *= 0.5;
}

void spinning(const Vector& rest, Vector&, Vector& v) {
  const Eigen::Vector3d spin(0, 0, 10 * 2 * std::numbers::pi);
  for (Index i = 0; i < rest.size(); i += 3) v.segment<3>(i) = spin.cross(rest.segment<3>(i) - kSize / 2);
}

DeformableModel make_model(const Case& c) {
  ModelDescription description = bench::describe_body(
      generate_box({.size = {kSize[0], kSize[1], kSize[2]}, .cells = {20, 5, 5}}), c.material);
  if (c.ends == Ends::clamped) bench::clamp_ends(description, bench::Clamp::first_end);
  return DeformableModel(std::move(description));
}

class Lane {
 public:
  Lane(const DeformableModel& model, const State& start, const Contestant& contestant)
      : model_(model),
        integrator_(make_integrator(contestant.method, model, contestant.options)),
        now_(start),
        first_(model.energies(start).total()),
        last_(first_),
        most_(first_) {}

  void advance() {
    if (!ok()) return;
    const double start = bench::thread_seconds();
    const StepReport report = integrator_->step(now_, kStep, next_);
    seconds_ += bench::thread_seconds() - start;
    work_ += report.work;
    substeps_ += std::max(1L, report.work.inner_steps);
    status_ = report.status;
    if (!ok()) return;
    std::swap(now_, next_);
    ++steps_;
    last_ = model_.energies(now_).total();
    if (!now_.q.allFinite() || !now_.v.allFinite() || !std::isfinite(last_)) status_ = StepStatus::not_finite;
    most_ = std::max(most_, last_);
  }
  bool ok() const { return status_ == StepStatus::ok; }
  bool keeps_promises() const { return ok() && most_ <= kMostEnergy * first_; }
  double seconds_per_step() const { return seconds_ / std::max(steps_, 1); }

  void print(const Contestant& contestant, double si_seconds) const {
    if (!ok()) {
      std::printf("  %-14s failed at step %d: %s\n", contestant.label, steps_ + 1,
                  std::string(describe(status_)).c_str());
      return;
    }
    const bool kept = !contestant.promises || keeps_promises();
    std::printf("  %-14s %9.3f%% %9.3f%% %8.2f %7.2f %6.1f %6.2f %9ld %6ld %6ld %4ld%s\n", contestant.label,
                100 * most_ / first_, 100 * last_ / first_, seconds_per_step() / si_seconds,
                double(work_.factorizations) / steps_, double(work_.newton_iterations) / steps_,
                double(substeps_) / steps_, work_.projected_hessians, work_.line_search_steps,
                work_.halved_steps, work_.backward_euler_steps, kept ? "" : "  NOT KEPT");
  }

 private:
  const DeformableModel& model_;
  std::unique_ptr<Integrator> integrator_;
  State now_, next_;
  double first_, last_, most_;  // energies, J
  double seconds_ = 0;
  int steps_ = 0;
  long substeps_ = 0;
  Work work_;
  StepStatus status_ = StepStatus::ok;
};

bool run(const Case& c) {
  const DeformableModel model = make_model(c);
  const Vector& rest = model.description().rest;
  Vector x = rest, v = Vector::Zero(rest.size());
  c.start(rest, x, v);
  const State start = model.state(0, x, v);

  std::vector<Contestant> contestants = {
      {"si", "si", {}, false}, {"em", "em", {}, true}, {"em, dial 0.9", "em", {}, true}};
  contestants[0].options.set("refactor", "always");
  contestants[2].options.set("dissipation", 0.9);
  std::vector<std::unique_ptr<Lane>> lanes;
  for (const Contestant& contestant : contestants)
    lanes.push_back(std::make_unique<Lane>(model, start, contestant));
  Lane unit(model, model.state(0, rest, Vector::Zero(rest.size())), contestants[0]);
  for (int step = 0; step < c.steps; ++step) {
    unit.advance();
    for (auto& lane : lanes) lane->advance();
  }

  std::printf("%s: %s, %d steps\n  %-14s %10s %10s %8s %7s %6s %6s %9s %6s %6s %4s\n", c.name, c.what,
              c.steps, "", "most", "at end", "cost/si", "fact", "iter", "sub", "projected", "drawn", "halved",
              "be");
  bool kept = true;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    lanes[i]->print(contestants[i], unit.seconds_per_step());
    kept &= !contestants[i].promises || lanes[i]->keeps_promises();
  }
  std::fflush(stdout);
  return kept;
}

}  // namespace

int main(int argc, char** argv) {
  set_thread_count(1);
  set_blas_threads(1);
  const NeoHookean box{.young = 1e5};
  const std::vector<Case> cases = {
      {"rough", "pseudo-random velocities of up to 1 m/s", box, Ends::clamped, 100, rough},
      {"hammer", "a vertex of the end hit by 100 m/s", box, Ends::clamped, 100, hammered},
      {"squash", "let go from half its length", box, Ends::clamped, 50, squashed},
      {"twist-540", "let go from one and a half turns", box, Ends::clamped, 100, twisted(540)},
      {"poisson-0.49",
       "nu = 0.49, 90 degrees of twist",
       {.young = 1e5, .poisson = 0.49},
       Ends::clamped,
       100,
       twisted(90)},
      {"spin-10", "free, ten turns per second", box, Ends::free, 100, spinning},
      {"soft", "Y = 2e4, 90 degrees of twist", {.young = 2e4}, Ends::clamped, 100, twisted(90)},
  };
  bool kept = true;
  for (const Case& c : cases)
    if (argc < 2 || std::strcmp(argv[1], c.name) == 0) kept &= run(c);
  return kept ? 0 : 1;
}
