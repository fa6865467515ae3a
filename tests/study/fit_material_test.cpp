#include "phiflex/study/fit_material.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "phiflex/base/errors.h"
#include "phiflex/material/stable_neo_hookean.h"
#include "tests/scratch_folder.h"

namespace phiflex {
namespace {

// What a specimen of a known law shows: the sides are where their stress is zero.
double pulled(double s, double young, double poisson) {
  const Lame<double> p = StableNeoHookean::moduli({young, poisson});
  double low = 0.01, high = 5;
  const auto P = [&](double t) {
    return StableNeoHookean::At<double>(p, diagonal(Vec3<double>{s, t, t})).P();
  };
  for (int round = 0; round < 100; ++round) {
    const double t = 0.5 * (low + high);
    (P(t)(1, 1) > 0 ? high : low) = t;
  }
  return P(low)(0, 0);
}

StressTable table_of(double from, double to, int rows) {
  StressTable table;
  for (int i = 0; i < rows; ++i) {
    table.stretch.push_back(from + (to - from) * i / (rows - 1));
    table.stress.push_back(pulled(table.stretch.back(), 2e5, 0.45));
  }
  return table;
}

TEST(FitMaterial, FollowsTheTableOfAnotherLawInTensionAndCompression) {
  const FittedMaterial fitted = fit_material(table_of(0.6, 2.5, 39), {}, "table");
  EXPECT_LT(fitted.mean_error, 2e-3);
  EXPECT_LT(fitted.worst_error, 1e-2);
  EXPECT_LT(fit_material(table_of(0.6, 2.5, 39), {.knots = 17}, "table").mean_error, fitted.mean_error / 2);
  EXPECT_NEAR(fitted.young_at_rest, 2e5, 0.05 * 2e5);
}

TEST(FitMaterial, TensionAloneIsEnough) {
  const FittedMaterial fitted = fit_material(table_of(1, 3, 21), {}, "table");
  EXPECT_LT(fitted.mean_error, 2e-3);
}

TEST(FitMaterial, TheJsonIsTheMaterialOfAScene) {
  const FittedMaterial fitted = fit_material(table_of(0.7, 1.8, 15), {.density = 1200}, "table");
  const std::string json = material_json(fitted);
  for (const char* part : {"\"type\": \"spline\"", "\"density\": 1200", "\"knots\"", "\"values\""})
    EXPECT_NE(json.find(part), std::string::npos) << part;
  ASSERT_EQ(fitted.knots.size(), 9u);
  const auto one = std::find(fitted.knots.begin(), fitted.knots.end(), 1.0);
  ASSERT_NE(one, fitted.knots.end());
  EXPECT_EQ(fitted.values[one - fitted.knots.begin()], 0);
}

TEST(FitMaterial, ATableHasAHeadOrNoneCommasOrBlanksAndRemarks) {
  const testing::ScratchFolder scratch;
  std::ofstream(scratch.path() / "t.csv")
      << "stretch,stress\n1.1, 100\n1.2,200 # measured twice\n0.9 -100\n1.3,290";
  const StressTable table = read_stress_table(scratch.path() / "t.csv");
  EXPECT_EQ(table.stretch, (std::vector{1.1, 1.2, 0.9, 1.3}));
  EXPECT_EQ(table.stress, (std::vector{100.0, 200.0, -100.0, 290.0}));
}

TEST(FitMaterial, BadTablesAreRefusedInWords) {
  const testing::ScratchFolder scratch;
  const auto complaint = [&](const std::string& text) -> std::string {
    std::ofstream(scratch.path() / "t.csv") << text;
    try {
      fit_material(read_stress_table(scratch.path() / "t.csv"), {}, "t.csv");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(complaint("").find("at least 4"), std::string::npos);
  EXPECT_NE(complaint("1.1,1\n1.2\n").find("two numbers"), std::string::npos);
  EXPECT_NE(complaint("1.1,1,3\n").find("has more"), std::string::npos);
  for (const char* stretch : {"-1", "0", "1e-300", "1e308", "inf", "nan"})
    EXPECT_NE(complaint("1.1,1\n" + std::string(stretch) + ",1\n").find("t.csv: line 2"), std::string::npos)
        << stretch;
  EXPECT_NE(complaint("1.1,x\n").find("line 1"), std::string::npos);
  for (const char* stress : {"nan", "inf", "1e308", "-1e16"})
    EXPECT_NE(complaint("1.05,1\n1.1," + std::string(stress) + "\n").find("t.csv: line 2"), std::string::npos)
        << stress;
  EXPECT_NE(complaint("1,0\n1,0\n1,0\n1,0\n1,0\n").find("other than 1"), std::string::npos);
  EXPECT_NE(complaint("1.1,-1\n1.2,-2\n1.3,-3\n1.4,-4\n").find("does not rise"), std::string::npos);
}

}  // namespace
}  // namespace phiflex
