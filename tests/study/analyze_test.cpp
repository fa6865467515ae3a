// What `analyze` measures on the step functions, against closed forms and the numbers of the papers.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <set>

#include "phiflex/record/csv_table.h"
#include "phiflex/study/analyze.h"
#include "phiflex/study/oscillator.h"
#include "tests/run/process.h"

namespace phiflex::testing {
namespace {

MeasuredMethod method(const std::string& text) {
  return measured(parse_method_variant(text, "test"));
}

// d/w of the undamped oscillator.
double damping_of(const std::string& text, double x) {
  return -2 * std::log(measure_spectrum(method(text), x).radius()) / x;
}

// The rounding of a radius near one, seen through (1) of analyze.h.
double rounding_at(double x) {
  return 1e-13 * std::max(1., 1 / x);
}

TEST(Analyze, BackwardEulerAndSiDampByLnOfOnePlusX2OverX) {
  for (const char* name : {"be", "si"})
    for (const double x : {0.01, 0.1, 1., 1.98, 10., 100.})
      EXPECT_NEAR(damping_of(name, x), std::log(1 + x * x) / x, rounding_at(x)) << name << " at " << x;
}

TEST(Analyze, BackwardEulerDampsMostAtX1980WithDamping8047) {
  AnalysisRange range{.from = 1.5, .to = 2.5, .points = 2001};
  const Analysis analysis = analyze(AnalysisTopic::damping, {{"be", {}, {}}}, range);
  const AnalysisCurve& curve = analysis.curves.at(0);
  const auto most = std::max_element(curve.values[0].begin(), curve.values[0].end());
  EXPECT_NEAR(*most, 0.8047, 5e-5);  // four digits are known
  // A flat maximum: half a digit of x, and the grid's 2.6e-4 x.
  EXPECT_NEAR(curve.abscissae[static_cast<std::size_t>(most - curve.values[0].begin())], 1.980, 1e-3);
}

TEST(Analyze, Bdf2DampsAsTheTableSaysAndAsItsCharacteristicRoots) {
  const struct {
    double x, damping, digit;
  } table[] = {{.1, .000488, 5e-7}, {.5, .0386, 5e-5}, {1, .138, 5e-4},
               {2, .2715, 5e-5},    {10, .240, 5e-4},  {100, .0510, 5e-5}};
  for (const auto& row : table) {
    const double observed = damping_of("bdf2", row.x);
    EXPECT_NEAR(observed, row.damping, row.digit) << "x = " << row.x;
    // (3/2 - i x) z^2 - 2 z + 1/2 = 0
    const std::complex<double> a(1.5, -row.x), root = std::sqrt(1. - a / 2.);
    const double rho = std::max(std::abs((1. + root) / a), std::abs((1. - root) / a));
    // The Hankel matrices of a sequence with roots of different size lose a few digits.
    EXPECT_NEAR(observed, -2 * std::log(rho) / row.x, 1e-10 / row.x) << "x = " << row.x;
  }
}

TEST(Analyze, GeneralizedAlphaHasTheSpectralRadiiOfThePaperWithTheRightSign) {
  const struct {
    double r, rho, digit;
  } table[] = {{0, .0101, 5e-5}, {.5, .508, 5e-4}, {.9, .907, 5e-4}, {1, 1., 5e-4}};
  for (const auto& row : table)
    EXPECT_NEAR(
        measure_spectrum(method("generalized-alpha:rho_infinity=" + std::to_string(row.r)), 1e3).radius(),
        row.rho, row.digit)
        << "r = " << row.r;
}

TEST(Analyze, WhatKeepsQuadraticEnergiesOrIsExactDoesNotDamp) {
  for (const MethodEntry& entry : integrator_catalogue()) {
    if (!entry.info->conserves_linear_energy && !entry.info->exact_on_linear) continue;
    for (const double x : {0.01, 0.5, 2., 30., 1000.})
      EXPECT_NEAR(measure_spectrum(method(std::string(entry.info->name)), x).radius(), 1,
                  1e-12 * std::max(1., x))  // rounding of w h sized terms
          << entry.info->name << " at " << x;
  }
}

TEST(Analyze, EveryMethodIsStableExactlyAsItDeclares) {
  for (const MethodEntry& entry : integrator_catalogue()) {
    const MeasuredMethod measured_method = method(std::string(entry.info->name));
    for (const double x : {0.01, 0.3, 1.9, 5., 70., 1000.}) {
      const double rho = measure_spectrum(measured_method, x).radius();
      if (!entry.info->conditionally_stable || x < entry.info->stability_limit) {
        EXPECT_LT(rho, 1 + 1e-9) << entry.info->name << " at " << x;
      } else {
        EXPECT_GT(rho, 1.01) << entry.info->name << " at " << x;
      }
    }
  }
}

TEST(Analyze, PhysicalDampingIsNotCountedAsArtificial) {
  // Implicit midpoint: z = (1 + a)/(1 - a) with a = x/2 (-xi +- i sqrt(1 - xi^2)).
  const double xi = 0.2, x = 1;
  const std::complex<double> a = x / 2 * std::complex<double>(-xi, std::sqrt(1 - xi * xi));
  const double rho = std::abs((1. + a) / (1. - a));
  const Analysis analysis = analyze(AnalysisTopic::damping, {{"midpoint", {}, {}}},
                                    {.from = x, .to = 2, .points = 2, .damping_ratio = xi});
  EXPECT_NEAR(analysis.curves[0].values[0][0], -2 * std::log(rho) / x - 2 * xi, 1e-12);
}

TEST(Analyze, PeriodsAndDecaysAreThoseOfTheClosedForms) {
  // theta of Newmark and midpoint: 2 atan(x/2); of backward Euler: atan(x), with |z| = 1/sqrt(1 + x^2).
  const AnalysisRange range{.from = 0.01, .to = 10, .points = 40};
  const Analysis analysis =
      analyze(AnalysisTopic::accuracy, {{"newmark", {}, {}}, {"midpoint", {}, {}}, {"be", {}, {}}}, range);
  for (std::size_t i = 0; i < analysis.curves[0].abscissae.size(); ++i) {
    const double x = analysis.curves[0].abscissae[i], slack = 1e-11 * std::max(1., 1 / x);
    for (const std::size_t curve : {0, 1}) {
      EXPECT_NEAR(analysis.curves[curve].values[0][i], x / (2 * std::atan(x / 2)) - 1, slack) << x;
      EXPECT_NEAR(analysis.curves[curve].values[1][i], 0, slack) << x;
    }
    EXPECT_NEAR(analysis.curves[2].values[0][i], x / std::atan(x) - 1, slack) << x;
    EXPECT_NEAR(analysis.curves[2].values[1][i], std::log(1 + x * x) / 2 / std::atan(x), slack) << x;
  }
}

TEST(Analyze, CentralDifferencesShortenThePeriodByAQuarterNearTheirLimit) {
  // theta = 2 asin(x/2): elongation -0.24 at 1.9, and no oscillation beyond 2.
  const Analysis analysis = analyze(AnalysisTopic::accuracy, {{"central-difference", {}, {}}},
                                    {.from = 1.9, .to = 2.2, .points = 2});
  EXPECT_NEAR(analysis.curves[0].values[0][0], 1.9 / (2 * std::asin(0.95)) - 1, 1e-9);
  EXPECT_TRUE(std::isnan(analysis.curves[0].values[0][1]));
}

TEST(Analyze, AFoldedAngleLengthensThePeriodBeyondARightAngle) {
  // Newmark at x = 5 turns by 2 atan(2.5), beyond a right angle: folded, its period looks longer than it is.
  const MethodVariant newmark{"newmark", {}, {}};
  const AnalysisRange folded{.from = 1, .to = 5, .points = 2, .angle = AngleReading::folded};
  const double theta = 2 * std::atan(2.5);
  const Analysis analysis = analyze(AnalysisTopic::accuracy, {newmark}, folded);
  EXPECT_NEAR(analysis.curves[0].values[0][1], 5 / (std::numbers::pi - theta) - 1, 1e-10);
  EXPECT_NEAR(analysis.curves[0].values[0][1], 5.57, 0.005);  // as the paper's figure has it
  EXPECT_NEAR(analysis.curves[0].values[0][0], 1 / (2 * std::atan(0.5)) - 1,
              1e-10);  // below, nothing changes
}

TEST(Analyze, GeneralizedAlphaAsPrintedIsUnstable) {
  // The sign printed by Chen, Ascher and Pai: radius 1.22 at x = 1 with r = 0.5, and 1000 at x = 1000 with r = 1.
  const struct {
    const char* r;
    double x, radius, digit;
  } table[] = {{"0.5", 1, 1.22, 0.005}, {"1", 1000, 1000, 5}};
  for (const auto& row : table) {
    const MethodVariant variant{"generalized-alpha", {std::string("rho_infinity=") + row.r}, {}};
    const Analysis analysis = analyze(AnalysisTopic::stability, {variant},
                                      {.from = row.x, .to = 2 * row.x, .points = 2, .printed_alpha = true});
    ASSERT_EQ(analysis.curves.size(), 2u);
    EXPECT_LE(analysis.curves[0].values[0][0], 1 + 1e-6) << row.r;
    EXPECT_NEAR(analysis.curves[1].values[0][0], row.radius, row.digit) << row.r;
    EXPECT_NE(analysis.curves[1].method.find("as printed"), std::string::npos);
  }
}

TEST(Analyze, ZhengIsUnstableOnABodyThatHasStiffenedUnlessPIsLargerByAsMuch) {
  // S = p h^2 K0 + M: stable at any h if 4 p K0 >= K; else up to h w = 2/sqrt(1 - 4 p w0^2/w^2).
  const double stiffening = 2, limit = 2 / std::sqrt(1 - 1 / stiffening);
  const auto radius = [&](const MethodVariant& variant, double x) {
    return analyze(AnalysisTopic::stability, {variant},
                   {.from = x, .to = 2 * x, .points = 2, .stiffening = stiffening})
        .curves[0]
        .values[0][0];
  };
  const MethodVariant plain{"zheng", {}, {}}, larger{"zheng", {"p=0.5"}, {}};
  EXPECT_LE(radius(plain, 0.98 * limit), 1 + 1e-6);
  EXPECT_GT(radius(plain, 1.02 * limit), 1.01);
  EXPECT_LE(radius(larger, 100), 1 + 1e-6);
}

TEST(Analyze, MethodsExactOnLinearSystemsHaveTheRightPeriodBeyondPiToo) {
  for (const MethodEntry& entry : integrator_catalogue()) {
    if (!entry.info->exact_on_linear) continue;
    const Analysis analysis = analyze(AnalysisTopic::accuracy, {{std::string(entry.info->name), {}, {}}},
                                      {.from = 0.5, .to = 10, .points = 7});
    // A double root at pi and 2 pi is found to the square root of rounding.
    for (const double elongation : analysis.curves[0].values[0])
      EXPECT_NEAR(elongation, 0, 1e-6) << entry.info->name;
  }
}

TEST(Analyze, BackwardEulerAndItsGhostShareTheEnvelopeNotThePhase) {
  // Figure 2 of the paper on exponential Rosenbrock-Euler integrators: w = 20, h = 0.05.
  const Analysis analysis = analyze_ghosts({{"be", {}, {}}}, {});
  const AnalysisCurve& curve = analysis.curves.at(0);
  EXPECT_NEAR(damping_of("be", 1) * 20, 13.863, 5e-4);
  // Backward Euler turns by pi/4 a step: after four it is at 0, where the ghost is at -0.0076.
  EXPECT_NEAR(curve.values[0][4], 0, 1e-15);
  EXPECT_NEAR(curve.values[1][4], -0.0076, 5e-5);
  const AnalysisCurve once =
      analyze_ghosts({{"be", {}, {}}}, {.w = 200, .h = 1, .steps = 1}).curves.at(0);  // Figure 3
  EXPECT_NEAR(once.values[0][1], 2.49994e-5, 5e-11);
  EXPECT_NEAR(once.values[1][1], -2.26406e-5, 5e-11);
}

TEST(Analyze, MidpointKeepsADampedOscillationThatBackwardEulerLoses) {
  // Figure 19 of the paper on SIERE: w = 100, d = 1, h = 0.01; amplitudes after 0.5 s.
  const GhostSetting setting{.w = 100, .d = 1, .h = 0.01, .steps = 50, .q = 1, .v = 0};
  const auto amplitude = [&](const char* name) {
    return std::pow(measure_spectrum(method(name), 1, 0.005).radius(), setting.steps);
  };
  EXPECT_NEAR(std::exp(-0.25), 0.779, 5e-4);
  EXPECT_NEAR(amplitude("midpoint"), 0.817, 2e-3);
  EXPECT_LT(amplitude("bdf2"), 0.1);
  EXPECT_NEAR(amplitude("be"), 2.6e-8, 1e-9);
  const Analysis analysis = analyze_ghosts({{"midpoint", {}, {}}}, setting);
  for (const double q : analysis.curves[0].values[0]) EXPECT_LE(std::abs(q), 1.0001);
}

TEST(Analyze, TheExactOscillatorObeysItsEquation) {
  for (const double d : {0., 1., 2., 6.}) {  // oscillating, and both sides of critical damping at w = 1.5
    const Oscillator system(1.5, d);
    const double h = 1e-4, t = 0.7;
    const double q = system.exact(0.3, -0.8, t).q[0], v = system.exact(0.3, -0.8, t).v[0];
    const State before = system.exact(0.3, -0.8, t - h), after = system.exact(0.3, -0.8, t + h);
    // Central differences of order h^2.
    EXPECT_NEAR((after.q[0] - before.q[0]) / (2 * h), v, 1e-7);
    EXPECT_NEAR((after.v[0] - before.v[0]) / (2 * h), -d * v - 2.25 * q, 1e-6);
  }
}

TEST(Analyze, WritesATableWithItsHeaderAndAPlot) {
  const ScratchFolder scratch;
  const std::string folder = scratch.path() / "a";
  for (const auto& [topic, header, plot] :
       {std::tuple{"damping", "method,hw,damping\n", "damping.svg"},
        std::tuple{"stability", "method,hw,spectral_radius\n", "stability.svg"},
        std::tuple{"accuracy", "method,hw,period_elongation,amplitude_decay\n", "period_elongation.svg"},
        std::tuple{"ghost", "method,time,position,ghost,exact\n", "ghost.svg"}}) {
    const Finished done =
        run_command(scratch, {"analyze", topic, "--methods", "be,rk4", "--points", "20", "-o", folder});
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_TRUE(read_text(folder + "/" + topic + ".csv").starts_with(header)) << topic;
    EXPECT_NE(read_text(folder + "/" + plot).find("</svg>"), std::string::npos) << topic;
  }
  const Finished json = run_command(scratch, {"analyze", "damping", "--methods", "be", "--from", "1", "--to",
                                              "2", "--points", "2", "--json", "-o", folder});
  const auto parsed = nlohmann::json::parse(json.out);
  EXPECT_NEAR(parsed["curves"][0]["damping"][0].get<double>(), std::log(2.), 1e-12);
}

TEST(Analyze, RefusesWhatIsNotThereWithWhatIs) {
  const ScratchFolder scratch;
  const Finished unknown = run_command(scratch, {"analyze", "damping", "--methods", "be,bee"});
  EXPECT_EQ(unknown.code, 65);
  EXPECT_NE(unknown.err.find("\"bee\""), std::string::npos);
  EXPECT_NE(unknown.err.find("midpoint"), std::string::npos);
  EXPECT_EQ(run_command(scratch, {"analyze", "damping", "--methods", "newmark:beta=fast"}).code, 65);
  EXPECT_EQ(run_command(scratch, {"analyze", "damping", "--methods", "newmark:0.1:beta=1"}).code, 65);
  EXPECT_EQ(run_command(scratch, {"analyze", "colour"}).code, 2);
  EXPECT_EQ(run_command(scratch, {"analyze", "damping", "--from", "2", "--to", "1"}).code, 2);
  EXPECT_EQ(run_command(scratch, {"analyze", "damping", "--points", "1"}).code, 2);
}

}  // namespace
}  // namespace phiflex::testing
