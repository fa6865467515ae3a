// Figures of spring bodies, one table each: bench_springs [quick] [threads=N] [rope|readings|order|flag|bunny|hair|head
// ...]; without names, all. bunny=RESOLUTION,RATIO[,FRAMES] makes the rows of one body alone, hair=FIBRES that of one
// head.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <set>

#include "bench/race.h"
#include "phiflex/base/parallel.h"
#include "phiflex/linalg/cholesky.h"
#include "phiflex/linalg/vector.h"

namespace phiflex::bench {
namespace {

double peak_gigabytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_maxrss) * 1024 / 1e9;
}

// The largest distance of a vertex; infinite when one is not finite.
double distance(const Vector& a, const Vector& b) {
  double largest = 0;
  for (Index v = 0; v < a.size(); v += 3) {
    const double d = (a - b).segment<3>(v).norm();
    largest = std::isfinite(d) ? std::max(largest, d) : HUGE_VAL;
  }
  return largest;
}

// ---- Table 2 of Chen, Ascher and Pai (2018): a rope, ere against rk4 ----------------------------------------

// K_l in newtons per unit strain; damping as the paper prints it, with the current stiffness.
std::string rope_scene(double stiffness) {
  return R"({"time": {"step": 0.016666666666666666, "end": 2}, "gravity": [0, -9.81, 0],
    "bodies": [{"name": "rope", "damping": {"mass": 0.01, "stiffness": 0.01, "stiffness_of": "current"},
      "springs": {"generate": "rope", "from": [0, 0, 0], "to": [1, 0, 0], "segments": 50, "linear_density": 0.1,
                  "stiffness": )" +
         std::to_string(stiffness) + R"(}}],
    "constraints": [{"body": "rope", "where": {"vertices": [0]}, "type": "fix"}]})";
}

struct Flight {
  std::vector<Vector> frames;  // displacements at every 1/60 s
  double seconds = 0;
  long work = 0;  // force evaluations and products
  bool stable = false;
};

Flight fly(const std::string& scene, const std::string& method, int per_frame, int frames,
           std::vector<std::string> overrides = {}) {
  overrides.push_back("integrator.type=" + method);
  char step_text[40];
  std::snprintf(step_text, sizeof step_text, "time.step=%.17g", 1.0 / 60 / per_frame);
  overrides.push_back(step_text);
  Runner runner(scene, overrides, per_frame * frames);
  Flight flight;
  double largest_energy = 0;
  for (int frame = 0; frame < frames; ++frame) {
    for (int step = 0; step < per_frame; ++step)
      if (!runner.advance()) return flight;
    flight.frames.push_back(runner.simulation().state().q);
    const LedgerRow& row = runner.simulation().ledger();
    largest_energy = std::max(largest_energy, std::abs(row.total()));
    if (!(largest_energy < 10)) return flight;  // a rope of 0.1 kg has 0.5 J to lose
  }
  flight.seconds = runner.seconds_per_step() * per_frame * frames;
  flight.work = runner.simulation().work().force_evaluations + runner.simulation().work().stiffness_products;
  flight.stable = true;
  return flight;
}

double error(const Flight& a, const Flight& reference) {
  double largest = 0;
  for (std::size_t i = 0; i < std::min(a.frames.size(), reference.frames.size()); ++i)
    largest = std::max(largest, distance(a.frames[i], reference.frames[i]));
  return largest;
}

void table_2(bool quick) {
  struct Printed {
    double stiffness, error;
    int rk4;  // 1/60 s over its stable step
    double ratio;
  };
  constexpr Printed printed[] = {
      {1, 0.0720, 3, 1.9}, {10, 0.0210, 7, 3.8}, {100, 0.0511, 18, 6.8}, {1000, 0.1424, 78, 26.8}};
  std::printf(
      "\nTable 2 of the ERE paper: a rope of 50 springs, 1 m, 2 s; ere at 1/60 s; rk4 at its largest stable "
      "1/(60 n) s\n"
      "K_l [N]  printed: error  n  time ratio | ere error [m]      s    work  |    n   rk4 error       s    "
      "work | work "
      "rk4/ere  time rk4/ere\n");
  const int frames = quick ? 60 : 120;
  for (const auto& [stiffness, printed_error, printed_n, printed_ratio] : printed) {
    const std::string scene = rope_scene(stiffness);
    const Flight ere = fly(scene, "ere", 1, frames);
    int low = 0, high = 1;  // rk4: stable at 1/(60 high), not at 1/(60 low)
    Flight rk4;
    while (high <= 1 << 14 && !(rk4 = fly(scene, "rk4", high, frames)).stable) low = high, high *= 2;
    while (high - low > std::max(1, high / 50)) {
      const int middle = (low + high) / 2;
      Flight candidate = fly(scene, "rk4", middle, frames);
      if (candidate.stable)
        high = middle, rk4 = std::move(candidate);
      else
        low = middle;
    }
    const Flight reference = fly(scene, "rk4", 4 * high, frames);
    std::printf("%7g  %14.4f %3d %9.1f | %13.4f %7.3f %7ld | %5d %10.2e %8.3f %7ld | %9.2f %12.2f%s\n",
                stiffness, printed_error, printed_n, printed_ratio, error(ere, reference), ere.seconds,
                ere.work, high, error(rk4, reference), rk4.seconds, rk4.work,
                double(rk4.work) / double(ere.work), rk4.seconds / ere.seconds,
                ere.stable ? "" : "  ere UNSTABLE");
    std::fflush(stdout);
  }
}

// The paper leaves open what K_l and the damping mean: newtons per unit strain of the rope or newtons per metre of each
// spring, and whether the stiffness of the damping is that at rest or the present one.
std::vector<std::string> damping_overrides(const std::string& damping) {
  if (damping == "none") return {"bodies.0.damping.mass=0", "bodies.0.damping.stiffness=0"};
  return {"bodies.0.damping.stiffness_of=" + damping};
}

void readings(bool quick) {
  std::printf(
      "\nTable 2 in its readings: ere at 1/60 s, largest distance of a node to rk4 in 2 s [m], exact "
      "stiffness "
      "(printed: 0.072, 0.021, 0.051, 0.142)\n"
      "K_l is of      damping     K_l = 1          10         100        1000\n");
  for (const double springs : {1.0, 50.0})
    for (const char* damping : {"none", "rest", "current"}) {
      std::printf("%-13s  %-8s", springs == 1 ? "the rope [N]" : "a spring [N/m]", damping);
      for (const double stiffness :
           quick ? std::vector<double>{1, 10} : std::vector<double>{1, 10, 100, 1000}) {
        const std::string scene = rope_scene(stiffness / springs);
        std::vector<std::string> overrides = damping_overrides(damping);
        const bool damped = std::strcmp(damping, "none") != 0;
        const double k = stiffness / springs;
        const int n = int(std::max({40.0, 40 * std::sqrt(k), damped ? 6.6 * k : 0.0}));
        const Flight reference = fly(scene, "rk4", n, 120, overrides);
        overrides.push_back("integrator.project_hessian=false");
        const Flight ere = fly(scene, "ere", 1, 120, overrides);
        if (ere.stable)
          std::printf("  %10.4f", error(ere, reference));
        else
          std::printf("  %10s", "unstable");
        std::fflush(stdout);
      }
      std::printf("\n");
    }
}

// The rope of K_l = 100 N, from the horizontal: pexprb43 over its step.
void order(bool quick) {
  std::printf(
      "\nThe rope of 100 N falls from the horizontal: pexprb43, largest distance of a node to rk4 at any "
      "1/60 s "
      "[m]\n"
      "damping    seconds     1/480     1/960    1/1920    1/3840    1/7680  (tolerance of matrix functions "
      "1e-8)\n");
  for (const char* damping : {"rest", "current", "none"}) {
    const bool damped = std::strcmp(damping, "none") != 0;
    for (const double seconds : {0.5, 2.0}) {
      if (quick && seconds > 1) continue;
      std::vector<std::string> overrides = damping_overrides(damping);
      const int frames = int(60 * seconds);
      const Flight reference = fly(rope_scene(100), "rk4", damped ? 1000 : 800, frames, overrides);
      overrides.push_back("integrator.tolerance=1e-8");
      std::printf("%-9s  %7.1f", damping, seconds);
      for (const int n : {8, 16, 32, 64, 128}) {
        std::printf("  %8.1e", error(fly(rope_scene(100), "pexprb43", n, frames, overrides), reference));
        std::fflush(stdout);
      }
      std::printf("\n");
    }
  }
}

// ---- A flag of 50 x 70 particles -----------------------------------------------------------------------------

double area(const std::vector<std::array<int, 3>>& triangles, const Vector& x) {
  double sum = 0;
  const auto at = [&](int v) -> Eigen::Vector3d { return x.segment<3>(3 * Index(v)); };
  for (const auto& [a, b, c] : triangles) {
    const Eigen::Vector3d u = at(b) - at(a), w = at(c) - at(a);
    const Eigen::Vector3d n(u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]);
    sum += 0.5 * n.norm();
  }
  return sum;
}

void flag(bool quick) {
  const double end = quick ? 1 : 6;
  const std::string scene = R"({"time": {"step": 0.016666666666666666, "end": 6}, "gravity": [0, -9.81, 0],
    "bodies": [{"name": "flag", "damping": {"mass": 0.1, "stiffness": 0.00002},
      "springs": {"generate": "flag", "size": [1.4, 1], "cells": [69, 49],
      "spring_constant": 10000, "shear": 0.1, "bending": 0.01, "area_density": 0.2}}],
    "constraints": [{"body": "flag", "where": {"box": [[-0.001, 0, -1], [0.001, 1, 1]]}, "type": "fix"}],
    "forces": [{"type": "wind", "velocity": [10, 0, 2], "gust": {"amplitude": 0.3, "frequency": 0.7}}]})";
  std::printf(
      "\nFlag of 50 x 70 particles, cubic springs 1e4, 1e3, 1e2 N/m, wind 10 m/s, %g s: change of the area "
      "(at most 3 %%)\n"
      "method      step      area min..max over rest     ms per step  steps  projected  products\n",
      end);
  const auto network = generate_cloth({.size = {1.4, 1},
                                       .cells = {69, 49},
                                       .strength = {.value = 1},
                                       .area_density = 1,
                                       .plane = ClothShape::Plane::upright});
  for (const char* method : {"ere", "si", "be", "pexprb43"}) {
    const int per_frame = 1;
    Runner runner(scene, {std::string("integrator.type=") + method}, int(60 * end));
    double low = 1.4, high = 1.4;
    Vector x, v;
    for (int step = 0; step < int(60 * end) * per_frame && runner.advance(); ++step) {
      runner.simulation().model().expand(runner.simulation().state(), x, v);
      const double now = area(network.triangles, x);
      low = std::min(low, now), high = std::max(high, now);
    }
    const Work& work = runner.simulation().work();
    std::printf("%-10s  1/%-5d  %+8.2f %% .. %+.2f %%   %12.1f  %5ld  %9ld  %8ld%s\n", method, 60 * per_frame,
                100 * (low / 1.4 - 1), 100 * (high / 1.4 - 1), 1e3 * runner.seconds_per_step(),
                long(runner.simulation().step()), work.projected_hessians, work.stiffness_products,
                runner.ok() ? "" : ("  FAILED: " + runner.simulation().failure()).c_str());
    std::fflush(stdout);
  }
}

// ---- The wobbling body of springs ----------------------------------------------------------------------------
//
// Michels, Luan and Tokman (2017) wobble a bunny of tetrahedra with springs of 100 N/m on the edges and springs `ratio`
// times as strong from the vertices to the opposite faces, undamped. Here it is a ball of 0.23 m with particles of 1 kg
// in the mean, held below, which is let fall. Errors are relative L2 distances of displacements and of velocities, over
// all frames (every 0.01 s), to pexprb43 with a tolerance of 1e-8 whose step was halved until that moved it by less
// than a tenth of the smallest compared error, or as often as kHalvings says.

struct Wobble {
  std::vector<Vector> q, v;  // at every frame
  double seconds = 0;
  int steps = 0;
  Work work;
  Index dofs = 0;
  bool ok = false;
  std::string why;
};

constexpr double kFrame = 0.01;  // s

std::string bunny_scene(int resolution, const std::string& ratio) {
  return R"({"time": {"step": 0.01, "end": 1}, "gravity": [0, -9.81, 0],
    "bodies": [{"name": "bunny", "springs": {"generate": "tetrahedra", "spring_constant": 100, "diagonal": )" +
         ratio + R"(, "density": )" + std::to_string(72 * std::pow(resolution, 3)) +
         R"(, "mesh": {"generate": "ball", "radius": 0.23, "resolution": )" + std::to_string(resolution) +
         R"(}}}],
    "constraints": [{"body": "bunny", "where": {"box": [[-1, -1, -1], [1, -0.15, 1]]}, "type": "fix"}]})";
}

Wobble wobble(const std::string& scene, const std::string& method, int per_frame, int frames,
              const char* tolerance) {
  char step[40];
  std::snprintf(step, sizeof step, "time.step=%.17g", kFrame / per_frame);
  Runner runner(scene,
                {"integrator.type=" + method, "integrator.newton_tolerance=1e-6",
                 std::string("integrator.tolerance=") + tolerance, step},
                per_frame * frames);
  Wobble made;
  made.dofs = runner.simulation().model().dofs();
  for (int frame = 0; frame < frames; ++frame) {
    for (int i = 0; i < per_frame; ++i) {
      if (!runner.advance()) {
        made.why = runner.simulation().failure();
        return made;
      }
      ++made.steps;
    }
    made.q.push_back(runner.simulation().state().q);
    made.v.push_back(runner.simulation().state().v);
  }
  made.seconds = runner.seconds_per_step() * made.steps;
  made.work = runner.simulation().work();
  made.ok = true;
  return made;
}

double relative(const std::vector<Vector>& a, const std::vector<Vector>& reference) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    difference += (a[i] - reference[i]).squaredNorm();
    size += reference[i].squaredNorm();
  }
  return std::sqrt(difference / size);
}

void bunny_rows(int resolution, const std::string& ratio, int frames, bool several_steps) {
  constexpr int kHalvings = 3;
  const std::string scene = bunny_scene(resolution, ratio);
  struct Row {
    const char* method;
    int per_frame;
  };
  std::vector<Row> rows = {{"epirk4s3", 1}, {"pexprb43", 1}, {"gautschi", 1}, {"be", 1}};
  if (several_steps)
    for (const Row more : {Row{"epirk4s3", 4}, {"pexprb43", 4}, {"gautschi", 4}, {"be", 10}, {"be", 100}})
      rows.push_back(more);
  std::vector<Wobble> made;
  for (const Row& row : rows) made.push_back(wobble(scene, row.method, row.per_frame, frames, "1e-4"));

  Wobble reference = wobble(scene, "pexprb43", 2, frames, "1e-8");
  double moved_q = HUGE_VAL, moved_v = HUGE_VAL;
  int per_frame = 2;
  for (int halving = 0; halving < kHalvings && reference.ok; ++halving) {
    double least = HUGE_VAL;
    for (const Wobble& m : made)
      if (m.ok) least = std::min({least, relative(m.q, reference.q), relative(m.v, reference.v)});
    if (std::max(moved_q, moved_v) < 0.1 * least) break;
    Wobble finer = wobble(scene, "pexprb43", 2 * per_frame, frames, "1e-8");
    if (!finer.ok) break;
    per_frame *= 2;
    moved_q = relative(reference.q, finer.q), moved_v = relative(reference.v, finer.v);
    reference = std::move(finer);
  }
  if (!reference.ok) {
    std::printf("  ratio %s: the reference failed: %s\n", ratio.c_str(), reference.why.c_str());
    return;
  }
  std::printf(
      "  reference: pexprb43 at %g s, which the last halving moved by %.1e in place, %.1e in velocity\n",
      kFrame / per_frame, moved_q, moved_v);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Wobble& m = made[i];
    std::printf("%6ld  %7s  %-10s  %7.4f  ", long(m.dofs), ratio.c_str(), rows[i].method,
                kFrame / rows[i].per_frame);
    if (!m.ok) {
      std::printf("FAILED after %d steps: %s\n", m.steps, m.why.c_str());
      continue;
    }
    const double q = relative(m.q, reference.q), v = relative(m.v, reference.v);
    std::printf("%9.1e%s  %9.1e%s  %11.1f  %12.1f  %8ld  %6ld\n", q, q < 10 * moved_q ? "~" : " ", v,
                v < 10 * moved_v ? "~" : " ", 1e3 * m.seconds / m.steps, m.seconds / (frames * kFrame),
                long(m.work.stiffness_products / m.steps), long(m.work.solves / m.steps));
  }
  std::fflush(stdout);
}

void bunny_heading() {
  std::printf(
      "\nBall of springs (for the bunny): k = 100 N/m on edges, ratio times that to the faces, 1 kg "
      "particles in the "
      "mean,\nheld below, let fall; relative L2 errors over all frames of 0.01 s (~: less than ten times "
      "what the "
      "reference moved)\n  dofs    ratio  method        h [s]  in place   in velocity  ms per step  s per "
      "second  products  solves (per step)\n");
}

void bunny(bool quick) {
  bunny_heading();
  for (const char* ratio : {"1e6", "1e8", "1e10"}) bunny_rows(6, ratio, quick ? 3 : 10, !quick);
  if (quick) return;
  for (const int resolution : {10, 13})
    for (const char* ratio : {"1e6", "1e8", "1e10"}) bunny_rows(resolution, ratio, 3, false);
}

// ---- Hair ----------------------------------------------------------------------------------------------------

class Head {
 public:
  explicit Head(int fibres) : fibres_(fibres) {
    const std::string scene = R"({"time": {"step": 0.01, "end": 10}, "gravity": [0, -9.81, 0],
      "integrator": {"type": "si", "refactor": "always"},
      "bodies": [{"name": "hair", "springs": {"generate": "fibres", "length": 0.16, "segments": 8,
        "on": {"sphere": {"radius": 0.09, "cap": 100}}, "thickness": [9e-5, 4e-5], "young": 3.6e9,
        "shear_modulus": 1e9, "density": 1300, "count": )" +
                              std::to_string(fibres) + R"(}}],
      "constraints": [{"body": "hair", "where": {"sphere": {"center": [0, 0, 0], "radius": 0.0901}}, "type": "fix"}]})";
    const double start = thread_seconds();
    runner_ = std::make_unique<Runner>(scene, std::vector<std::string>{}, kSteps);
    step();  // orders and allocates
    set_up_ = thread_seconds() - start;
    best_ = best_wall_ = HUGE_VAL;
  }

  void step() {
    const double start = thread_seconds();
    const auto clock = std::chrono::steady_clock::now();
    runner_->advance();
    best_ = std::min(best_, thread_seconds() - start);
    best_wall_ =
        std::min(best_wall_, std::chrono::duration<double>(std::chrono::steady_clock::now() - clock).count());
  }

  double dofs() const { return 108.0 * fibres_; }  // those of the held roots among them
  double seconds() const { return best_; }
  double us_per_dof() const { return 1e6 * best_ / dofs(); }
  void print() const {
    std::printf("%8d  %8.0f  %10.2f  %10.4f  %10.4f  %10.3f  %8.2f%s\n", fibres_, dofs(), set_up_, best_,
                best_wall_, us_per_dof(), peak_gigabytes(), runner_->ok() ? "" : "  FAILED");
    std::fflush(stdout);
  }

 private:
  static constexpr int kSteps = 1000;
  int fibres_;
  std::unique_ptr<Runner> runner_;
  double set_up_ = 0, best_ = HUGE_VAL, best_wall_ = HUGE_VAL;
};

void hair_heading() {
  std::printf(
      "\nHair: fibres of 8 cuboids, si at h = 0.01 s, one factorization a step; the best step of some\n"
      "  fibres      dofs  set-up [s]  s per step   its clock  us per dof   peak GB\n");
}

// The sizes take turns, so that what disturbs the machine disturbs all of them alike.
void hair(bool quick) {
  hair_heading();
  std::vector<std::unique_ptr<Head>> heads;
  for (const int count : {93, 293, 926, 2926, 9259}) heads.push_back(std::make_unique<Head>(count));
  for (int round = 0; round < (quick ? 2 : 8); ++round)
    for (auto& head : heads) {
      const int steps = std::max(1, int(1e6 / 2 / head->dofs()));
      for (int i = 0; i < steps; ++i) head->step();
    }
  double least = HUGE_VAL, most = 0;
  for (const auto& head : heads) {
    head->print();
    least = std::min(least, head->us_per_dof()), most = std::max(most, head->us_per_dof());
  }
  std::printf("cost per degree of freedom: largest over smallest %.2f\n", most / least);
}

void one_head(int fibres) {
  Head head(fibres);
  for (int i = 0; i < (fibres > 20000 ? 2 : 4); ++i) head.step();
  head.print();
}

// The largest head with a step per second: the estimate of one is the next.
void largest_head() {
  hair_heading();
  int fibres = 12000;
  for (int attempt = 0; attempt < 4; ++attempt) {
    Head head(fibres);
    for (int i = 0; i < 5; ++i) head.step();
    head.print();
    if (std::abs(head.seconds() - 0.99) < 0.01) break;
    fibres = int(fibres * 0.99 / head.seconds());
  }
}

}  // namespace
}  // namespace phiflex::bench

int main(int argc, char** argv) {
  using namespace phiflex;
  set_thread_count(1);
  set_blas_threads(1);
  std::set<std::string> asked(argv + 1, argv + argc);
  const bool quick = asked.erase("quick") > 0;
  for (int i = 1; i < argc; ++i)
    if (int threads = 0; std::sscanf(argv[i], "threads=%d", &threads) == 1) {
      set_thread_count(threads);
      set_blas_threads(threads);
      asked.erase(argv[i]);
    }
  bool some = false;
  for (auto i = asked.begin(); i != asked.end();) {
    int number = 0, frames = 3;
    char ratio[16] = "";
    if (std::sscanf(i->c_str(), "hair=%d", &number) == 1) {
      bench::hair_heading();
      bench::one_head(number);
      some = true;
    } else if (std::sscanf(i->c_str(), "bunny=%d,%15[0-9e],%d", &number, ratio, &frames) >= 2) {
      bench::bunny_heading();
      bench::bunny_rows(number, ratio, frames, false);
      some = true;
    } else {
      ++i;
      continue;
    }
    i = asked.erase(i);
  }
  if (some && asked.empty()) return 0;
  const auto wanted = [&](const char* name) { return asked.empty() || asked.contains(name); };
  if (wanted("rope")) bench::table_2(quick);
  if (wanted("readings")) bench::readings(quick);
  if (wanted("order")) bench::order(quick);
  if (wanted("flag")) bench::flag(quick);
  if (wanted("bunny")) bench::bunny(quick);
  if (wanted("hair")) bench::hair(quick);
  if (wanted("head")) bench::largest_head();
  return 0;
}
