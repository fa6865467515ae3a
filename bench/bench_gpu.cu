// What the parts of a step cost on a graphics card: bars of 98,304, 1,029,000 and 4,929,096 neo-Hookean tetrahedra
// (poisson 0.45, 1e5 Pa, 1000 kg/m^3, held at one end, twisted by 30 degrees). Times are medians of nine replays of
// recorded launches; TB/s is what must be moved, each array once, over the time; its share is that of a copy of 1 GiB
// measured in the same run. Conjugate gradients solve (M/h^2 + K) y = f to 1e-5 with h w_max = 100, 300 and 1000.
// em: a bar let go from a twist of 20 and 90 degrees, wall time of a step; promise: energy within 0.3 %.
// Arguments choose sizes: S, M, L (default: all), and `parts` leaves out the steps. Returns 1 when a promise is not
// kept, 77 without a card.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "phiflex/cuda/card_back_end.h"
#include "phiflex/cuda/card_body.h"
#include "phiflex/cuda/conjugate_gradients.h"
#include "tests/cuda/plain_box.h"
#include "tests/cuda/plain_series.h"

namespace phiflex::device {
namespace {

template <class T>
using Array = DeviceArray<CardBackEnd, T>;

struct Copy {
  const Float4* from;
  Float4* to;
  PHIFLEX_HD void operator()(int i) const { to[i] = load(from + i); }
};
template <class X>
struct AnyProduct {
  RowMatrix K;
  const X* p;
  double* y;
  PHIFLEX_HD Vec3<double> part(int i, int lane) const { return K.part<kRowLanes>(p, i, lane); }
  PHIFLEX_HD void finish(int i, const Vec3<double>& sum) const { store3(y, i, sum); }
};
template <class X>
struct Wiggle {
  X* p;
  PHIFLEX_HD void operator()(int i) const {
    store3(p, i, {::sin(0.3 * i), ::sin(1.7 * i + 1), ::sin(2.9 * i + 2)});
  }
};
// p = y/m/|y/m| of the last round, for the largest eigenvalue of M^-1 K.
struct Scaled {
  const double *y, *mass, *square;
  double* p;
  PHIFLEX_HD void operator()(int i) const {
    store3(p, i, (1 / (load(mass + i) * ::sqrt(*square))) * load3(y, i));
  }
};
struct SquareOfScaled {
  const double *y, *mass;
  PHIFLEX_HD Sums<1> operator()(int i) const {
    const Vec3<double> a = (1 / load(mass + i)) * load3(y, i);
    return {{dot(a, a)}};
  }
};

class Clock {
 public:
  explicit Clock(CardBackEnd& on) : on_(on) {
    cudaEventCreate(&start_);
    cudaEventCreate(&end_);
  }
  ~Clock() {
    cudaEventDestroy(start_);
    cudaEventDestroy(end_);
  }
  // Seconds of one of the launches.
  template <class Launch>
  double median(const Launch& launch, int repeats = 20) {
    CardBackEnd::Recording recording;
    const auto all = [&] {
      for (int k = 0; k < repeats; ++k) launch();
    };
    recording.run(on_, all);
    std::vector<double> times;
    for (int round = 0; round < 9; ++round)
      times.push_back(seconds([&] { recording.run(on_, all); }) / repeats);
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
  }
  template <class Work>
  double seconds(const Work& work) {
    cudaEventRecord(start_, on_.stream());
    work();
    cudaEventRecord(end_, on_.stream());
    card_detail::check(cudaEventSynchronize(end_), "a kernel");
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, start_, end_);
    return 1e-3 * milliseconds;
  }

 private:
  CardBackEnd& on_;
  cudaEvent_t start_ = nullptr, end_ = nullptr;
};

int broken = 0;
double copy_speed = 0;  // bytes/s

void print(const char* what, double seconds, double bytes) {
  std::printf("  %-52s %10.1f us", what, 1e6 * seconds);
  if (bytes > 0)
    std::printf("  %5.2f TB/s  %3.0f %%", 1e-12 * bytes / seconds, 100 * bytes / seconds / copy_speed);
  std::printf("\n");
}

void measure_copy() {
  CardBackEnd on;
  Clock clock(on);
  constexpr int count = 1 << 26;
  Array<Float4> from(on, count), to(on, count);
  const double seconds = clock.median([&] { on.for_each(count, Copy{from.data(), to.data()}); }, 5);
  copy_speed = 2.0 * double(from.bytes()) / seconds;
  std::printf("copy of 1 GiB: %.1f us, %.2f TB/s\n", 1e6 * seconds, 1e-12 * copy_speed);
}

template <class X>
double time_product(Clock& clock, TetBody<CardBackEnd>& body, const Array<X>& p, Array<double>& y) {
  return clock.median([&] {
    body.back_end().template for_each_group<kRowLanes>(body.free(),
                                                       AnyProduct<X>{body.K(), p.data(), y.data()});
  });
}

double largest_eigenvalue(TetBody<CardBackEnd>& body, const Array<double>& mass, Array<double>& p,
                          Array<double>& y) {
  CardBackEnd& on = body.back_end();
  Array<double> square(on, 1);
  on.for_each(body.free(), Wiggle<double>{p.data()});
  for (int round = 0; round < 100; ++round) {
    body.product(p.data(), y.data());
    on.template sum<1>(body.free(), SquareOfScaled{y.data(), mass.data()}, StoreSums<1>{square.data()});
    on.for_each(body.free(), Scaled{y.data(), mass.data(), square.data(), p.data()});
  }
  return std::sqrt(square.first());
}

void measure(const char* name, int n) {
  DeviceTets bar = plain_bar(n, "neo-hookean", {1e5, 0.45}, 1000);
  bar.preconditioner = DevicePreconditioner::multigrid;
  std::size_t before = 0, without = 0, with = 0, whole = 0;
  cudaMemGetInfo(&before, &whole);
  CardBackEnd on;
  Clock clock(on);
  TetBody<CardBackEnd> body(on, bar);
  const int tets = body.tets(), free = body.free();
  const auto ordered = [&](const std::vector<double>& values) {
    std::vector<double> in_order(values.size());
    for (std::size_t v = 0; v < values.size() / 3; ++v)
      for (std::size_t k = 0; k < 3; ++k) in_order[3 * std::size_t(body.number()[v]) + k] = values[3 * v + k];
    return in_order;
  };
  std::vector<double> masses(bar.masses.size());
  for (std::size_t v = 0; v < masses.size(); ++v) masses[std::size_t(body.number()[v])] = bar.masses[v];
  Array<double> x(on, ordered(twisted(bar, 30))), mass(on, masses), p(on, bar.rest.size()),
      f(on, bar.rest.size()), y(on, bar.rest.size()), energy(on, 8), psi(on, std::size_t(tets));
  Array<Float4> p_float(on, bar.held.size());
  cudaMemGetInfo(&without, &whole);
  ConjugateGradients<CardBackEnd> solver(body, mass.data(), nullptr);
  solver.matrix_changed(x.data());
  cudaMemGetInfo(&with, &whole);
  std::printf(
      "%s: %d tetrahedra, %d free vertices, %.1f blocks in a row; bytes for each tetrahedron: %.0f, and %.0f "
      "for "
      "conjugate gradients with the multigrid\n",
      name, tets, free, double(body.blocks()) / free, double(before - without) / tets,
      double(without - with) / tets);

  print("force, double", clock.median([&] { body.force(x.data(), f.data()); }), body.force_bytes());
  on.for_each(free, Wiggle<double>{p.data()});
  body.start_densities(x.data(), psi.data());
  const TwoStateView step{.x = x.data(),
                          .w = p.data(),
                          .h = 1e-5,
                          .psi = psi.data(),
                          .rest = nullptr,
                          .chi = 0,
                          .ratio = 1,
                          .before = nullptr};
  print("residual of em, double",
        clock.median([&] { body.em_residual(step, {}, mass.data(), x.data(), f.data(), energy.data()); }),
        body.force_bytes() + 8.0 * tets + 24.0 * body.vertices() + 48.0 * free);
  print("energy, double", clock.median([&] { body.energy(x.data(), energy.data()); }), 0);
  print("tangent and assembly, float from double",
        clock.median([&] { body.assemble(x.data(), Curvature::exact); }), body.assembly_bytes());
  print("the same, projected", clock.median([&] { body.assemble(x.data(), Curvature::projected); }, 5),
        body.assembly_bytes());
  body.reserve_two_state();
  print("tangent of em and assembly", clock.median([&] { body.assemble_two_state(step); }), 0);
  body.assemble(x.data(), Curvature::exact);
  on.for_each(free, Wiggle<Float4>{p_float.data()});
  print("product, float blocks, double vector", time_product(clock, body, p, y),
        body.product_bytes(24.0 * body.vertices() + 24.0 * free));
  print("product, float blocks, float vector", time_product(clock, body, p_float, y),
        body.product_bytes(16.0 * body.vertices() + 24.0 * free));

  const double w2 = largest_eigenvalue(body, mass, p, y);
  for (const bool multigrid : {false, true})
    for (double z : {100.0, 300.0, 1000.0}) {
      if (!multigrid && z == 1000 && n > 40) continue;  // some seconds
      solver.choose_by(multigrid ? std::numeric_limits<double>::infinity() : 0);
      solver.matrix_changed(x.data());
      const auto solve = [&](int limit) {
        body.force(x.data(), f.data());
        on.copy(solver.right_side(), f.data(), 24 * std::size_t(free));
        return solver.solve(w2 / (z * z), 1e-5, limit);
      };
      CgNumbers end = solve(64);  // the first solve records
      const double seconds = clock.seconds([&] { end = solve(20000); });
      std::printf("  %s, h w_max = %-4.0f %14.2f ms  %5d iterations, %6.1f us each%s\n",
                  multigrid ? "multigrid          " : "conjugate gradients", z, 1e3 * seconds, end.iterations,
                  1e6 * seconds / std::max(1, end.iterations),
                  end.status == CgNumbers::converged ? "" : "  <-- NOT CONVERGED");
      broken += end.status != CgNumbers::converged;
      if (multigrid) {
        double refresh = 0;
        for (int k = 0; k < 3; ++k) {
          solver.matrix_changed(x.data());
          refresh = clock.seconds([&] { solve(0); });
        }
        std::printf("  its setup for a new matrix, and one iteration %17.2f ms\n", 1e3 * refresh);
      }
    }
}

void measure_steps(const char* name, int n, bool long_runs, DevicePreconditioner preconditioner) {
  DeviceTets bar = plain_bar(n, "neo-hookean", {1e5, 0.45}, 1000);
  bar.preconditioner = preconditioner;
  const auto body = make_card_body(bar);
  const std::vector<double> x = twisted(bar, 20), v(x.size(), 0.0);
  const auto wall = [](const auto& work) {  // milliseconds; steps end on the host
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  };
  body->set_state(x, v);
  const double before = body->energy().total();
  bool ok = body->step_verlet(1e-6, 1).status == DeviceStatus::ok;
  const double substeps = 200,
               verlet =
                   wall([&] { ok &= body->step_verlet(2e-6 * substeps, 200).status == DeviceStatus::ok; });
  std::printf("%s: a substep of verlet %.1f us, energy kept to %.1e\n", name, 1e3 * verlet / substeps,
              std::abs(body->energy().total() / before - 1));
  body->set_state(x, v);
  DeviceStep step = body->step_si(0.01, 1e-6);
  int iterations = 0;
  const double si = wall([&] {
    for (int k = 0; k < 5; ++k) {
      step = body->step_si(0.01, 1e-6);
      ok &= step.status == DeviceStatus::ok;
      iterations += step.iterations;
    }
  });
  std::printf(
      "%s: a step of si, twist of 20 degrees let go, h = 0.01, tolerance 1e-6: %.2f ms, %d iterations\n",
      name, si / 5, iterations / 5);
  struct Twist {
    double degrees, h;
    int steps;
  };
  for (const Twist& twist :
       {Twist{20, 0.01, long_runs ? 150 : 20}, Twist{90, 1.0 / 60, long_runs ? 150 : 20}}) {
    body->set_state(twisted(bar, twist.degrees), v);
    const double first = body->energy().total();
    double change = 0, seconds = 0;
    DeviceStep sum;
    sum.substeps = 0;
    for (int k = 0; k < twist.steps; ++k) {
      DeviceStep taken;
      const double milliseconds = wall([&] { taken = body->step_em(twist.h, {}); });
      if (k > 0) seconds += 1e-3 * milliseconds;  // the first step takes memory and records
      ok &= taken.status == DeviceStatus::ok;
      sum.newton_iterations += taken.newton_iterations;
      sum.iterations += taken.iterations;
      sum.assemblies += taken.assemblies;
      sum.substeps += taken.substeps;
      sum.halved_steps += taken.halved_steps;
      change = std::max(change, std::abs(body->energy().total() / first - 1));
    }
    const double steps = twist.steps;
    std::printf(
        "%s: em, twist of %.0f degrees let go, h = %.4f, %d steps: %.2f ms a step, energy within %.1e; a "
        "step has "
        "%.1f substeps, %.1f iterations, %.1f of conjugate gradients, %.1f matrices, %.2f halved\n",
        name, twist.degrees, twist.h, twist.steps, 1e3 * seconds / (steps - 1), change, sum.substeps / steps,
        sum.newton_iterations / steps, sum.iterations / steps, sum.assemblies / steps,
        sum.halved_steps / steps);
    broken += change > 3e-3;
  }
  broken += !ok;
}

// Steps of be, midpoint and ere. ere: from one and the same state, so that its series is made once; what making costs
// the host is not in the time.
void measure_other_steps(const char* name, int n) {
  DeviceTets bar = plain_bar(n, "neo-hookean", {1e5, 0.45}, 1000);
  const std::vector<double> x = twisted(bar, 20), v(x.size(), 0.0);
  double fastest = 0;  // w_max, 1/s
  {
    CardBackEnd on;
    TetBody<CardBackEnd> body(on, bar);
    std::vector<double> masses(bar.masses.size()), at(x.size());
    for (std::size_t k = 0; k < masses.size(); ++k) {
      masses[std::size_t(body.number()[k])] = bar.masses[k];
      for (std::size_t c = 0; c < 3; ++c) at[3 * std::size_t(body.number()[k]) + c] = x[3 * k + c];
    }
    Array<double> positions(on, at), mass(on, masses), p(on, x.size()), y(on, x.size());
    body.assemble(positions.data(), Curvature::exact);
    fastest = std::sqrt(largest_eigenvalue(body, mass, p, y));
  }
  const auto body = make_card_body(bar);
  const auto wall = [](const auto& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  };
  bool ok = true;
  for (const bool midpoint : {false, true}) {
    body->set_state(x, v);
    const double first = body->energy().total();
    ok &= body->step_newton(0.01, {.midpoint = midpoint}).status ==
          DeviceStatus::ok;  // takes memory and records
    int newton = 0, iterations = 0, halved = 0;
    constexpr int steps = 5;
    const double milliseconds = wall([&] {
      for (int k = 0; k < steps; ++k) {
        const DeviceStep step = body->step_newton(0.01, {.midpoint = midpoint});
        ok &= step.status == DeviceStatus::ok;
        newton += step.newton_iterations;
        iterations += step.iterations;
        halved += step.halved_steps;
      }
    });
    std::printf(
        "%s: %s, twist of 20 degrees let go, h = 0.01: %.2f ms a step, %.1f iterations, %.0f of conjugate "
        "gradients, "
        "%d halved, energy %.4f of the first\n",
        name, midpoint ? "midpoint" : "be", milliseconds / steps, double(newton) / steps,
        double(iterations) / steps, halved, body->energy().total() / first);
  }
  PlainSeries series;
  for (double z : {100.0, 300.0, 1000.0}) {
    double best = 0;
    DeviceStep step;
    for (int k = 0; k < 4; ++k) {  // the first makes the series
      body->set_state(x, v);
      const double milliseconds = wall([&] { step = body->step_ere(z / fastest, {}, series); });
      ok &= step.status == DeviceStatus::ok;
      if (k > 0) best = k == 1 ? milliseconds : std::min(best, milliseconds);
    }
    std::printf(
        "%s: ere, h w_max = %-4.0f h = %.5f: %.2f ms a step, %d products, %.1f us for two of them, error "
        "%.0e%s%s\n",
        name, z, z / fastest, best, step.products, 2e3 * best / step.products, step.function_error,
        step.projected ? ", projected" : "", step.status == DeviceStatus::ok ? "" : "  <-- FAILED");
  }
  body->set_state(x, v);
  const double first = body->energy().total();
  double change = 0;
  for (int k = 0; k < 20; ++k) {
    ok &= body->step_ere(0.002, {}, series).status == DeviceStatus::ok;
    change = std::max(change, std::abs(body->energy().total() / first - 1));
  }
  std::printf(
      "%s: ere, twist of 20 degrees let go, h = 0.002, 20 steps: energy within %.1e, %d series made\n", name,
      change, series.made);
  broken += !ok;
}

int bench(int count, char** names) {
  try {
    std::printf("%s\n", describe_card().c_str());
  } catch (const CardError& error) {
    std::printf("skipped: %s\n", error.what());
    return 77;
  }
  // "steps" before the sizes: those of be, midpoint and ere alone.
  const bool steps_alone = count > 1 && std::strcmp(names[1], "steps") == 0;
  if (steps_alone) --count, ++names;
  measure_copy();
  struct Size {
    const char* name;
    int n;
  };
  const auto given = [&](const char* name) {
    return std::any_of(names + 1, names + count,
                       [&](const char* arg) { return std::strcmp(arg, name) == 0; });
  };
  const bool parts_alone = given("parts"), all_sizes = count == 1 + parts_alone;
  for (const Size& size : {Size{"S", 16}, Size{"M", 35}, Size{"L", 59}}) {
    if (!all_sizes && !given(size.name)) continue;
    if (!parts_alone) measure_other_steps(size.name, size.n);
    if (steps_alone) continue;
    measure(size.name, size.n);
    if (!parts_alone) measure_steps(size.name, size.n, size.n < 59, DevicePreconditioner::automatic);
  }
  return broken > 0;
}

}  // namespace
}  // namespace phiflex::device

int main(int count, char** names) {
  try {
    return phiflex::device::bench(count, names);
  } catch (const std::exception& error) {
    std::printf("failed: %s\n", error.what());
    return 1;
  }
}
