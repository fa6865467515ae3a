// Numbers of settings that models from arrays may give wrong, and the curves of splines.
#include "phiflex/build/setting_checks.h"

#include <gtest/gtest.h>

#include <limits>

#include "phiflex/build/body_curves.h"
#include "phiflex/material/spline_curves.h"
#include "phiflex/mesh/generators.h"

namespace phiflex {
namespace {

std::string words_of(const ProblemList& problems) {
  try {
    problems.throw_if_any();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(SettingChecks, EveryNumberOutsideItsRangeIsNamedWithWhatIsAllowed) {
  ProblemList problems("");
  ObstacleSettings obstacle;
  obstacle.friction = -1;
  obstacle.distance = 0;
  check_settings(obstacle, "floor", problems);
  BodyContactSettings bodies;
  bodies.stiffness = std::numeric_limits<double>::quiet_NaN();
  check_settings(bodies, "contact", problems);
  Wind wind;
  wind.air_density = 0;
  check_settings(wind, "wind", problems);
  check_settings(ActiveTime{1, 1}, "force", problems);
  EXPECT_EQ(words_of(problems),
            "floor/friction: -1 is not allowed; expected a number >= 0\n"
            "floor/distance: 0 is not allowed; expected a number > 0\n"
            "contact/stiffness: nan is not allowed; expected a number > 0\n"
            "wind/air_density: 0 is not allowed; expected a number > 0\n"
            "force/until: 1 s does not come after \"from\", 1 s");
}

TEST(SettingChecks, TheDefaultsAreAllowed) {
  ProblemList problems("");
  check_settings(ObstacleSettings{}, "", problems);
  check_settings(BodyContactSettings{}, "", problems);
  check_settings(Wind{}, "", problems);
  check_settings(ActiveTime{}, "", problems);
  EXPECT_EQ(problems.size(), 0u);
}

TEST(SettingChecks, TheBuilderRefusesAnObstacleWithANegativeFriction) {
  ModelBuilder builder;
  const Material rubber{"neo-hookean", {{"young", 2e5}, {"poisson", 0.4}}, 1000};
  builder.add_solid({.name = "bar", .mesh = generate_box({{0.4, 0.1, 0.1}, {1, 1, 1}}), .material = rubber});
  builder.add_floor(-1, {.friction = -1});
  EXPECT_THROW(builder.build(), InputError);
}

Body spline_body() {
  ProblemList problems("");
  Body body = make_solid("bar", generate_box({{0.4, 0.1, 0.1}, {1, 1, 1}}), "mesh", "body", problems);
  const Material spline{"spline", {{"young", 1.0}, {"poisson", 0.0}}, 1000};
  set_material(body, element_material(spline, "body", problems));
  EXPECT_EQ(problems.size(), 0u);
  return body;
}

SplineCurves with_f(std::vector<double> knots, std::vector<double> values) {
  return {CubicSpline(knots, values), std::nullopt, std::nullopt};
}

TEST(BodyCurves, CurvesAreSharedByTheElementsThatAreGivenThem) {
  Body body = spline_body();
  ProblemList problems("");
  set_curves(body, {1, 3}, with_f({0.5, 1, 2}, {-0.5, 0, 1}), "body", problems);
  EXPECT_EQ(problems.size(), 0u);
  const BodyMaterials& materials = *body.materials();
  ASSERT_EQ(materials.curves.size(), 1u);
  EXPECT_EQ(materials.elements[0].curves, -1);
  EXPECT_EQ(materials.elements[1].curves, 0);
  EXPECT_EQ(materials.elements[3].curves, 0);
}

TEST(BodyCurves, ARestShapeUnderStressOrUnstableIsRefused) {
  Body body = spline_body();
  ProblemList problems("");
  set_curves(body, {0}, with_f({0.5, 2}, {1, 2}), "a", problems);
  set_curves(body, {0}, with_f({0.5, 1, 2}, {1, 0, -1}), "b", problems);
  EXPECT_EQ(problems.size(), 2u);
  EXPECT_NE(words_of(problems).find("a: the rest shape is under stress"), std::string::npos);
  EXPECT_NE(words_of(problems).find("b: the rest shape is unstable"), std::string::npos);
  EXPECT_TRUE(body.materials()->curves.empty());
}

TEST(CurveFaults, PointsOfACurveAscendAndHaveOneValueEach) {
  const auto faults = [](std::vector<double> knots, std::vector<double> values) {
    std::string words;
    for (const CurveFault& fault : curve_faults(knots, values))
      words += fault.place + ": " + fault.message + "\n";
    return words;
  };
  EXPECT_EQ(faults({1, 2}, {0, 1}), "");
  EXPECT_EQ(faults({1}, {0}), "/knots: has 1 items; expected 2 or more\n");
  EXPECT_EQ(faults({1, 2}, {0}), "/values: 1 values for 2 knots; expected one for each\n");
  EXPECT_EQ(faults({1, 2, 2}, {0, 1, 2}),
            "/knots/2: 2 does not lie above the knot before it, 2; expected ascending numbers\n");
}

}  // namespace
}  // namespace phiflex
