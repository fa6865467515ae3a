// Figures of spring bodies, one table each: bench_springs [quick] [rope|readings|order|flag|bunny|hair ...]; without
// names, all.
#include <sys/resource.h>

#include <algorithm>
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
      "\nTable 2 in its readings: ere at 1/60 s, largest distance of a node to rk4 in 2 s [m], exact stiffness "
      "(printed: 0.072, 0.021, 0.051, 0.142)\n"
      "K_l is of      damping     K_l = 1          10         100        1000\n");
  for (const double springs : {1.0, 50.0})
    for (const char* damping : {"none", "rest", "current"}) {
      std::printf("%-13s  %-8s", springs == 1 ? "the rope [N]" : "a spring [N/m]", damping);
      for (const double stiffness : quick ? std::vector<double>{1, 10} : std::vector<double>{1, 10, 100, 1000}) {
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
      "\nThe rope of 100 N falls from the horizontal: pexprb43, largest distance of a node to rk4 at any 1/60 s "
      "[m]\n"
      "damping    seconds     1/480     1/960    1/1920    1/3840    1/7680  (tolerance of matrix functions 1e-8)\n");
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

void bunny(bool quick) {
  std::printf(
      "\nBall of springs (for the bunny), k = 100 N/m on edges, ratio times that to the faces, 1 kg "
      "particles in the "
      "mean, held below, falls for 0.1 s\n  dofs    ratio  method        h [s]     error [m]  ms per step  "
      "products  solves\n");
  for (const int resolution : quick ? std::vector{6} : std::vector{6, 10, 13}) {
    for (const char* ratio : {"1e6", "1e8", "1e10"}) {
      if (resolution > 6 && std::strcmp(ratio, "1e8") != 0) continue;  // growth with size at one ratio
      const std::string scene = R"({"time": {"step": 0.01, "end": 1}, "gravity": [0, -9.81, 0],
        "bodies": [{"name": "bunny", "springs": {"generate": "tetrahedra", "spring_constant": 100, "diagonal": )" +
                                std::string(ratio) + R"(, "density": )" +
                                std::to_string(72 * std::pow(resolution, 3)) +
                                R"(, "mesh": {"generate": "ball", "radius": 0.23, "resolution": )" +
                                std::to_string(resolution) + R"(}}}],
        "constraints": [{"body": "bunny", "where": {"box": [[-1, -1, -1], [1, -0.15, 1]]}, "type": "fix"}]})";
      Runner reference(scene, {"integrator.type=be", "integrator.newton_tolerance=1e-6", "time.step=0.0005"},
                       200);
      for (int step = 0; step < 200 && reference.advance();) ++step;
      for (const char* method : {"epirk4s3", "pexprb43", "gautschi", "be"}) {
        Runner runner(scene, {std::string("integrator.type=") + method, "integrator.newton_tolerance=1e-6"},
                      10);
        for (int step = 0; step < 10 && runner.advance();) ++step;
        const Work& work = runner.simulation().work();
        std::printf("%6ld  %7s  %-10s  %7.4f  %11.2e  %11.1f  %8ld  %6ld%s\n",
                    long(runner.simulation().model().dofs()), ratio, method, 0.01,
                    distance(runner.simulation().state().q, reference.simulation().state().q),
                    1e3 * runner.seconds_per_step(), work.stiffness_products, work.solves,
                    runner.ok() ? "" : "  FAILED");
        std::fflush(stdout);
      }
    }
  }
}

// ---- Hair ----------------------------------------------------------------------------------------------------

void hair(bool quick) {
  std::printf(
      "\nHair: fibres of 8 cuboids, si at h = 0.01 s, one factorization a step\n  fibres      dofs  set-up "
      "[s]  s per "
      "step  us per dof    first GB   peak GB\n");
  std::vector<int> counts = {93, 926, 9259};
  if (!quick) counts.push_back(60000);
  for (const int count : counts) {
    const std::string scene = R"({"time": {"step": 0.01, "end": 10}, "gravity": [0, -9.81, 0],
      "integrator": {"type": "si", "refactor": "always"},
      "bodies": [{"name": "hair", "springs": {"generate": "fibres", "length": 0.16, "segments": 8,
        "on": {"sphere": {"radius": 0.09, "cap": 100}}, "thickness": [9e-5, 4e-5], "young": 3.6e9,
        "shear_modulus": 1e9, "density": 1300, "count": )" +
                              std::to_string(count) + R"(}}],
      "constraints": [{"body": "hair", "where": {"sphere": {"center": [0, 0, 0], "radius": 0.0901}}, "type": "fix"}]})";
    const double start = thread_seconds();
    const int steps = count > 20000 ? 2 : count > 2000 ? 5 : 20;
    Runner runner(scene, {}, steps + 1);
    runner.advance(Runner::Clock::waits);  // orders and allocates
    const double set_up = thread_seconds() - start, first = peak_gigabytes();
    for (int step = 0; step < steps && runner.advance();) ++step;
    const double dofs = 108.0 * count;
    std::printf("%8d  %8.0f  %10.2f  %10.4f  %10.3f  %10.2f  %8.2f%s\n", count, dofs, set_up,
                runner.seconds_per_step(), 1e6 * runner.seconds_per_step() / dofs, first, peak_gigabytes(),
                runner.ok() ? "" : "  FAILED");
    std::fflush(stdout);
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
  const auto wanted = [&](const char* name) { return asked.empty() || asked.contains(name); };
  if (wanted("rope")) bench::table_2(quick);
  if (wanted("readings")) bench::readings(quick);
  if (wanted("order")) bench::order(quick);
  if (wanted("flag")) bench::flag(quick);
  if (wanted("bunny")) bench::bunny(quick);
  if (wanted("hair")) bench::hair(quick);
  return 0;
}
