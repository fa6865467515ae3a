// What phi-functions of stiff bodies cost: dw = h phi_1(h J) (v; a) of a moving bar (moving_bar.h), one step of
// the exponential Rosenbrock-Euler method, h = 0.01 s. Errors are those of
//
//   |dw|^2 = dq'M dq / h^2 + dv'M dv,   relative to a converged result.                                   (1)
//
// One thread; seconds are those of the thread (of the process for peers). "Error 1e-3" means: the loosest tolerance
// of a fixed ladder with which the true error is at most 1e-3, for ours and for peers alike.
//
// Usage: bench_matfun [--quick]    (smaller bodies, no promises checked)
// The plot goes to the folder named by PHIFLEX_BENCH_RESULTS.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/matfun_peers.h"
#include "bench/moving_bar.h"
#include "bench/peak_memory.h"
#include "phiflex/base/parallel.h"
#include "phiflex/linalg/cholesky.h"
#include "phiflex/linalg/shift_inverse.h"
#include "phiflex/matfun/catalogue.h"
#include "phiflex/pages/line_plot.h"

using namespace phiflex;
using namespace phiflex::bench;

namespace {

constexpr double kStep = 0.01;  // s
constexpr std::array kLadder = {0.3,  0.1,  3e-2, 1e-2, 3e-3, 2e-3, 1e-3, 7e-4,
                                5e-4, 3e-4, 1e-4, 3e-5, 1e-5, 1e-6, 1e-7};

double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

// A result with what it took.
struct Outcome {
  std::string name;
  double seconds = 0, tolerance = 0;
  EvaluationReport report;
  Vector increment;  // dw
  bool ok() const { return increment.size() > 0; }
};

// A body at a moment, its shifted factorization, and its converged increment.
class Case {
 public:
  explicit Case(Moment moment, double h = kStep)
      : moment_(std::move(moment)), h_(h), J_(*moment_.pencil, Rayleigh{}) {
    F_.resize(2 * moment_.dofs());
    F_ << moment_.state.v, moment_.acceleration;
    w_max_ = largest_frequency(moment_);
  }

  const Moment& moment() const { return moment_; }
  double w_max() const { return w_max_; }
  double factorization_seconds() const { return factorization_seconds_; }

  // By any name of the catalogue, in the norm (1).
  Outcome run(const std::string& name, double tolerance, int largest_basis = 60) {
    const auto evaluator =
        make_mechanical_phi(name, {.tolerance = tolerance, .largest_basis = largest_basis});
    return measure(name, tolerance, [&](std::span<const Vector> u, Vector& w) {
      Work work;
      return evaluator->evaluate(J_, inverse(), u, {&h_, 1}, {&w, 1}, work);
    });
  }
  // As Expokit has it: m = 30, an absolute tolerance of 1e-7 per unit of time, the Euclidean norm of (q; v).
  Outcome run_expokit_defaults() {
    const auto evaluator = find_evaluator("expv")->make_phi({.expokit_tolerance = 1e-7});
    return measure("expv, Expokit's defaults", 1e-7, [&](std::span<const Vector> u, Vector& w) {
      return evaluator->evaluate(J_, u, {&h_, 1}, {&w, 1});
    });
  }
  // The loosest tolerance of the ladder that keeps `error` below the limit.
  Outcome run_to_error(const std::string& name, double limit,
                       const std::function<double(const Vector&)>& error, int largest_basis = 60) {
    Outcome outcome;
    for (const double tolerance : kLadder) {
      outcome = run(name, tolerance, largest_basis);
      if (outcome.ok() && error(outcome.increment) <= limit) return outcome;
      outcome.increment.resize(0);
    }
    return outcome;
  }

  void set_reference(const Vector& increment) { reference_ = increment; }
  double error(const Vector& dw) const { return norm(dw - reference_) / norm(reference_); }  // (1)
  double position_error(const Vector& dw) const {
    const Index n = moment_.dofs();
    const Vector d = dw.head(n) - reference_.head(n), q = reference_.head(n);
    return std::sqrt(moment_.mass().dot(d, d) / moment_.mass().dot(q, q));
  }

  // The factorization of M + h^2 K that a semi-implicit step has, made when first asked for.
  ShiftInverse* inverse() {
    if (inverse_) return inverse_.get();
    SparseMatrix A(moment_.K().shared_pattern());
    A.set(h_ * h_, moment_.K());
    moment_.mass().add_to(1, A);
    cholesky_ = std::make_unique<CholeskyFactorization>(moment_.K().shared_pattern());
    const double start = now();
    if (cholesky_->factorize(A) != FactorStatus::ok) return nullptr;
    factorization_seconds_ = now() - start;
    inverse_ = std::make_unique<FactorizedShiftInverse>(*cholesky_, h_ * h_);
    return inverse_.get();
  }

 private:
  Outcome measure(const std::string& name, double tolerance,
                  const std::function<EvaluationReport(std::span<const Vector>, Vector&)>& evaluate) {
    inverse();  // not part of the time
    Outcome outcome;
    outcome.name = name;
    outcome.tolerance = tolerance;
    const std::vector<Vector> u = {Vector(), F_};
    Vector w;
    const double start = now();
    outcome.report = evaluate(u, w);
    outcome.seconds = now() - start;
    if (outcome.report.status == EvaluationStatus::ok) outcome.increment = w;
    return outcome;
  }
  double norm(const Vector& dw) const {
    const Index n = moment_.dofs();
    const Vector q = dw.head(n), v = dw.tail(n);
    return std::sqrt(moment_.mass().dot(q, q) / (h_ * h_) + moment_.mass().dot(v, v));
  }

  Moment moment_;
  double h_;
  FirstOrderForm J_;
  Vector F_, reference_;
  double w_max_ = 0, factorization_seconds_ = 0;
  std::unique_ptr<CholeskyFactorization> cholesky_;
  std::unique_ptr<FactorizedShiftInverse> inverse_;
};

// Two methods of different kind must agree before one of them is called the truth.
void converge_reference(Case& bar, double tolerance) {
  const Outcome first = bar.run("chebyshev", tolerance), second = bar.run("lanczos", 10 * tolerance);
  if (!first.ok() || !second.ok()) throw std::runtime_error("bench_matfun: no reference");
  bar.set_reference(first.increment);
  std::printf("  reference: chebyshev at %.0e; lanczos at %.0e differs by %.1e\n", tolerance, 10 * tolerance,
              bar.error(second.increment));
}

void print_header() {
  std::printf("  %-34s %9s %9s %8s %6s %6s %9s %9s\n", "", "tolerance", "products", "substeps", "basis",
              "solves", "seconds", "error");
}
void print_row(const std::string& name, double tolerance, long products, long substeps, long basis,
               long solves, double seconds, double error) {
  std::printf("  %-34s %9.0e %9ld %8ld %6ld %6ld %9.3f %9.1e\n", name.c_str(), tolerance, products, substeps,
              basis, solves, seconds, error);
}
void print_row(const Case& bar, const Outcome& o) {
  if (!o.ok()) {
    std::printf("  %-34s does not reach the error\n", o.name.c_str());
    return;
  }
  print_row(o.name, o.tolerance, o.report.products, o.report.substeps, o.report.largest_basis,
            o.report.solves, o.seconds, bar.error(o.increment));
}

class Promises {
 public:
  void keep(bool kept, const char* what) {
    std::printf("  %s: %s\n", kept ? "kept" : "NOT KEPT", what);
    all_ = all_ && kept;
  }
  bool all() const { return all_; }

 private:
  bool all_ = true;
};

// -- At h w_max near 1000 and an error of 1e-3, against Expokit's algorithm and against peers.
void compare_at_1000(int along, int across, BarState state, Swing motion, Promises& promises) {
  const double probe = kStep * Case(make_moving_bar(along, across, 1e8, state)).w_max();
  const double young = 1e8 * std::pow(1000 / probe, 2);
  Case bar(make_moving_bar(along, across, young, state, motion));
  std::printf("\n%d tetrahedra, %s, %s motion, Y = %.3g, h w_max = %.0f: cost of an error of 1e-3\n",
              bar.moment().tetrahedra, state == BarState::rest ? "from rest" : "stretched by 50 %",
              motion == Swing::undamped ? "undamped" : "damped", young, kStep * bar.w_max());
  converge_reference(bar, 1e-8);
  print_header();
  const auto error = [&](const Vector& dw) { return bar.error(dw); };
  // Of the functions of the pencil: the one with the fewest products, and the fastest.
  Outcome frugal, fast;
  const auto weigh = [&](const Outcome& outcome) {
    print_row(bar, outcome);
    if (!outcome.ok() || find_evaluator(outcome.report.evaluator)->info->family != EvaluatorFamily::pencil)
      return;
    if (!frugal.ok() || outcome.report.products < frugal.report.products) frugal = outcome;
    if (!fast.ok() || outcome.seconds < fast.seconds) fast = outcome;
  };
  for (const EvaluatorEntry& entry : evaluator_catalogue())
    if (entry.info->name != "dense") weigh(bar.run_to_error(std::string(entry.info->name), 1e-3, error));
  for (const auto& [name, basis] : {std::pair{"lanczos", 500}, std::pair{"rational", 150}}) {
    Outcome outcome = bar.run_to_error(name, 1e-3, error, basis);
    outcome.name += ", at most " + std::to_string(basis) + " vectors";
    weigh(outcome);
  }
  Outcome chosen = bar.run_to_error("auto", 1e-3, error);
  chosen.name = "auto: " + std::string(chosen.report.evaluator);
  print_row(bar, chosen);
  const Outcome expokit = bar.run_expokit_defaults();
  print_row(bar, expokit);

  double fastest_peer = INFINITY;
  const Peers peers(bar.moment(), kStep, bar.w_max());
  constexpr double kPatience = 120;  // s
  const auto show = [&](const std::string& name, double tolerance, const PeerResult& peer) {
    print_row(name, tolerance, peer.products, 0, 0, 0, peer.seconds, bar.error(peer.increment));
    fastest_peer = std::min(fastest_peer, peer.seconds);
  };
  // (krylov with its default of vectors takes twice as long as with 60.)
  const std::vector<std::pair<std::string, int>> slepc = {{"expokit", 0}, {"expokit", 60}, {"krylov", 60}};
  for (const auto& [method, subspace] : slepc) {
    const std::string name = "SLEPc " + method + (subspace ? ", 60 vectors" : ", default vectors");
    std::optional<PeerResult> peer;
    double used = 0;
    for (const double tolerance : kLadder) {
      if (!Peers::has_slepc()) break;
      if (tolerance > 1e-2) continue;
      peer = peers.slepc(method, tolerance, subspace, kPatience);
      used = tolerance;
      if (!peer || bar.error(peer->increment) <= 1e-3) break;
    }
    if (peer) {
      show(name, used, *peer);
    } else {
      std::printf("  %-34s %s\n", name.c_str(),
                  Peers::has_slepc() ? "no result within 120 s" : "SKIPPED: SLEPc is not installed");
    }
  }
  if (const auto peer = Peers::has_scipy() ? peers.scipy(kPatience) : std::nullopt) {
    show("scipy expm_multiply", 1e-16, *peer);
  } else {
    std::printf("  %-34s %s\n", "scipy expm_multiply",
                Peers::has_scipy() ? "no result within 120 s" : "SKIPPED: scipy is not installed");
  }

  const double fewer = double(expokit.report.products) / double(frugal.report.products);
  std::printf("  %s: %.1f times fewer stiffness products than expv with Expokit's defaults\n",
              frugal.name.c_str(), fewer);
  promises.keep(fewer >= 8, "at least 8 times fewer products than Expokit");
  if (std::isinf(fastest_peer)) return;
  std::printf("  %s: %.1f times less time than the fastest peer\n", fast.name.c_str(),
              fastest_peer / fast.seconds);
  promises.keep(fastest_peer >= 5 * fast.seconds, "at least 5 times less time than every peer");
}

// -- Rational Lanczos on the factorization of a semi-implicit step: cost against stiffness.
void compare_stiffness_of_rational(int along, int across, Promises& promises) {
  std::printf("\nrational, from rest: cost of a position error of 1e-2\n  %10s %9s %9s %7s %9s %13s %15s\n",
              "tetrahedra", "Y", "h w_max", "solves", "seconds", "factorization", "position error");
  std::map<double, Outcome> outcomes;
  bool accurate = true;
  for (const double young : {1e6, 1e8, 1e10}) {
    Case bar(make_moving_bar(along, across, young, BarState::rest));
    bar.set_reference(bar.run("chebyshev", 1e-5).increment);
    const auto error = [&](const Vector& dw) { return bar.position_error(dw); };
    Outcome best = bar.run_to_error("rational", 1e-2, error);
    for (int repeat = 0; best.ok() && repeat < 5; ++repeat)
      best.seconds = std::min(best.seconds, bar.run("rational", best.tolerance).seconds);
    const double got = best.ok() ? error(best.increment) : INFINITY;
    accurate = accurate && got <= 1e-2;
    std::printf("  %10d %9.0e %9.0f %7ld %9.4f %13.3f %15.1e\n", bar.moment().tetrahedra, young,
                kStep * bar.w_max(), best.report.solves, best.seconds, bar.factorization_seconds(), got);
    outcomes[young] = std::move(best);
  }
  const double growth = outcomes[1e10].seconds / outcomes[1e6].seconds;
  std::printf("  time at Y = 1e10 over time at Y = 1e6: %.2f\n", growth);
  promises.keep(accurate && growth <= 1.5,
                "rational: at most 1.5 times the time at 10,000 times the stiffness");
}

// -- Memory.
void bound_memory(int along, int across, Promises& promises) {
  Case bar(make_moving_bar(along, across, 1e10, BarState::rest));
  bar.inverse();
  const double vector_megabytes = 16e-6 * double(bar.moment().dofs());
  std::printf(
      "\nmemory: %d tetrahedra, Y = 1e10, h w_max = %.0f; a state is %.2f MB, 60 are %.0f "
      "MB\n",
      bar.moment().tetrahedra, kStep * bar.w_max(), vector_megabytes, 60 * vector_megabytes);
  std::printf("  %-12s %9s %9s %7s %15s %12s\n", "", "products", "substeps", "solves", "largest basis",
              "growth, MB");
  bool bounded = true;
  for (const char* name : {"rational", "lanczos", "chebyshev"}) {
    bench::forget_peak();
    const double before = bench::peak_megabytes();
    const Outcome outcome = bar.run(name, name == std::string("rational") ? 1e-2 : 1e-3);
    const double growth = bench::peak_megabytes() - before;
    std::printf("  %-12s %9ld %9ld %7ld %15ld %12.1f%s\n", name, outcome.report.products,
                outcome.report.substeps, outcome.report.solves, long(outcome.report.largest_basis), growth,
                outcome.ok() ? "" : "   no result at this tolerance");
    bounded = bounded && outcome.report.largest_basis <= 60;
  }
  promises.keep(bounded, "at most 60 vectors of state size beside the matrix");
}

// -- Growth with size and stiffness.
constexpr double kMostSeconds = 5;  // a run that is predicted to take longer is left out

struct Curve {
  std::vector<double> x, seconds;
};

// The slope of log(seconds) over log(x), by least squares.
double exponent(const Curve& curve) {
  const std::size_t n = curve.x.size();
  double mx = 0, my = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < n; ++i) {
    mx += std::log(curve.x[i]) / double(n);
    my += std::log(curve.seconds[i]) / double(n);
  }
  for (std::size_t i = 0; i < n; ++i) {
    sxx += std::pow(std::log(curve.x[i]) - mx, 2);
    sxy += (std::log(curve.x[i]) - mx) * (std::log(curve.seconds[i]) - my);
  }
  return sxy / sxx;
}

// growth: the exponent assumed when the next time is predicted.
std::map<std::string, Curve> measure_growth(const char* title, const std::vector<double>& xs, double growth,
                                            const std::function<Moment(double)>& make) {
  std::printf(
      "\n%s: seconds at tolerance 1e-3, rational at 1e-2 (-: predicted to take more than %.0f s)\n  %-12s",
      title, kMostSeconds, "");
  std::map<std::string, Curve> curves;
  std::map<std::string, std::string> rows;
  std::string factorization;
  char text[32];
  for (const double x : xs) {
    Case bar(make(x));
    std::printf(" %10.3g", x);
    for (const EvaluatorEntry& entry : evaluator_catalogue()) {
      const std::string name(entry.info->name);
      Curve& curve = curves[name];
      double predicted = 0;
      if (name == "dense") {  // some twenty products of dense matrices of twice the dofs, at 20 Gflop/s
        predicted = 20 * 2 * std::pow(2.0 * double(bar.moment().dofs()), 3) / 20e9;
      } else if (!curve.x.empty()) {
        predicted = curve.seconds.back() * std::pow(x / curve.x.back(), growth);
      }
      Outcome outcome;
      if (predicted <= kMostSeconds) outcome = bar.run(name, name == "rational" ? 1e-2 : 1e-3);
      if (outcome.ok()) {
        curve.x.push_back(x);
        curve.seconds.push_back(outcome.seconds);
        std::snprintf(text, sizeof text, " %10.4f", outcome.seconds);
      } else {
        std::snprintf(text, sizeof text, " %10s", predicted <= kMostSeconds ? "failed" : "-");
      }
      rows[name] += text;
    }
    std::snprintf(text, sizeof text, " %10.4f", bar.factorization_seconds());
    factorization += text;
  }
  std::printf("   exponent\n");
  for (const auto& [name, row] : rows) {
    std::printf("  %-12s%s", name.c_str(), row.c_str());
    if (curves[name].x.size() > 1)
      std::printf("   %8.2f\n", exponent(curves[name]));
    else
      std::printf("   %8s\n", "-");
  }
  std::printf("  %-12s%s   (one numeric factorization of M + h^2 K, not part of the times of rational)\n", "",
              factorization.c_str());
  return curves;
}

void write_plot(const std::string& file, const std::string& label,
                const std::map<std::string, Curve>& curves) {
  const char* folder = std::getenv("PHIFLEX_BENCH_RESULTS");
  if (!folder) return;
  LinePlot plot;
  plot.title = "Seconds of one evaluation against " + label;
  plot.x = {label, AxisScale::logarithmic, {}, {}};
  plot.y = {"seconds", AxisScale::logarithmic, {}, {}};
  for (const auto& [name, curve] : curves)
    if (!curve.x.empty())
      plot.series.push_back({name, curve.x, curve.seconds, SeriesStyle::line_and_dots, {}});
  std::ofstream(std::string(folder) + "/" + file) << line_plot_svg(plot);
  std::printf("  plot: %s\n", file.c_str());
}

// -- Substeps of expv in one step of ERE: Table 1 of the ERE paper (Chen, Ascher, Pai: Exponential
// Rosenbrock-Euler integrators for elastodynamic simulation, 2018).
//
// The paper prints neither the cylinder's size nor its load. Here its ends are held at the strain, in homogeneous
// uniaxial deformation, at rest, with gravity switched on; the size is fitted to one cell (2 % compression,
// k/m = 1e6: 48 substeps), the other cells are predictions.
struct CylinderRow {
  const char* name;
  double stretch;
  std::array<int, 4> printed;  // k/m = 1e3, 1e4, 1e5, 1e6
};

long cylinder_substeps(double scale, double stretch, double k_over_m) {
  const TetMesh mesh =
      generate_cylinder({.radius = 0.5 * scale, .length = 2 * scale, .resolution = 2, .cells_along = 33});
  Moment moment;
  moment.tetrahedra = int(mesh.tets.size());
  moment.model =
      make_stretched_body(mesh, {.young = 1000 * k_over_m, .poisson = 0.48}, stretch, Clamp::both_ends);
  const Vector& start = moment.model->description().start;
  moment.state = moment.model->state(0, start, Vector::Zero(start.size()));
  linearize(moment);
  const Outcome outcome = Case(std::move(moment), 1.0 / 30).run_expokit_defaults();
  return outcome.ok() ? outcome.report.substeps : std::numeric_limits<long>::max();
}

void compare_cylinder() {
  double low = 0.1, high = 1000;  // m; larger bodies need fewer substeps
  for (int i = 0; i < 18; ++i) {
    const double middle = std::sqrt(low * high);
    (cylinder_substeps(middle, 0.98, 1e6) > 48 ? low : high) = middle;
  }
  const double scale = high;
  constexpr std::array rows = {
      CylinderRow{"2 % compression", 0.98, {2, 5, 12, 48}},
      CylinderRow{"50 % compression", 0.5, {3, 7, 23, 123}}, CylinderRow{"2 % stretch", 1.02, {2, 4, 12, 47}},
      CylinderRow{"50 % stretch", 1.5, {2, 4, 12, 51}}, CylinderRow{"100 % stretch", 2.0, {2, 5, 13, 58}}};
  std::printf(
      "\nsubsteps of expv (Expokit's defaults) for the cylinder of Table 1 of the ERE paper, h = 1/30: 2376 "
      "tetrahedra,\n  %.1f m thick and %.1f m long (fitted to the 48 of 2 %% compression); ours (printed)\n  "
      "%-18s",
      scale, 2 * scale, "");
  for (const double k_over_m : {1e3, 1e4, 1e5, 1e6}) std::printf(" %14.0e", k_over_m);
  std::printf("\n");
  for (const CylinderRow& row : rows) {
    std::printf("  %-18s", row.name);
    for (std::size_t i = 0; i < 4; ++i) {
      char text[32];
      std::snprintf(text, sizeof text, "%ld (%d)",
                    cylinder_substeps(scale, row.stretch, std::pow(10, 3.0 + double(i))), row.printed[i]);
      std::printf(" %14s", text);
    }
    std::printf("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  set_thread_count(1);
  set_blas_threads(1);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::printf("phi-functions of a neo-Hookean bar 0.1 s after its release, h = 0.01 s, one thread\n");
  Promises promises;
  if (quick) {
    compare_at_1000(14, 5, BarState::rest, Swing::undamped, promises);
    compare_stiffness_of_rational(14, 5, promises);
    bound_memory(14, 5, promises);
    measure_growth("growth with stiffness, Y [Pa], 2,100 tetrahedra", {1e4, 1e6, 1e8}, 0.5,
                   [](double young) { return make_moving_bar(14, 5, young, BarState::rest); });
    compare_cylinder();
    return 0;
  }
  compare_at_1000(32, 8, BarState::rest, Swing::undamped, promises);
  compare_at_1000(32, 8, BarState::stretched, Swing::undamped, promises);
  compare_at_1000(32, 8, BarState::rest, Swing::damped, promises);
  compare_stiffness_of_rational(32, 8, promises);
  compare_stiffness_of_rational(44, 11, promises);
  bound_memory(64, 16, promises);
  const std::map<double, std::array<int, 2>> sizes = {
      {2100, {14, 5}}, {6048, {28, 6}}, {12288, {32, 8}}, {31944, {44, 11}}, {98304, {64, 16}}};
  std::vector<double> tetrahedra;
  for (const auto& [count, cells] : sizes) tetrahedra.push_back(count);
  write_plot("matfun-size.svg", "tetrahedra (Y = 1e6)",
             measure_growth("growth with size, tetrahedra, Y = 1e6", tetrahedra, 4.0 / 3, [&](double count) {
               const auto [along, across] = sizes.at(count);
               return make_moving_bar(along, across, 1e6, BarState::rest);
             }));
  write_plot(
      "matfun-stiffness.svg", "Young's modulus (12,288 tetrahedra)",
      measure_growth("growth with stiffness, Y [Pa], 12,288 tetrahedra", {1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10},
                     0.5, [](double young) { return make_moving_bar(32, 8, young, BarState::rest); }));
  compare_cylinder();
  return promises.all() ? 0 : 1;
}
