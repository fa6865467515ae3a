#include "phiflex/mesh/closed_surface.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "phiflex/base/errors.h"
#include "phiflex/mesh/generator_catalogue.h"
#include "phiflex/mesh/vec3.h"

namespace phiflex {
namespace {

SurfaceMesh unit_cube() {
  return extract_surface(generate_mesh("box", {{"size", {1, 1, 1}}, {"cells", {2, 3, 2}}}));
}

// Inside: the nearest face; outside: the nearest point.
double cube_distance(const Point3& x) {
  Point3 out{};
  double inside = -1;
  for (int i = 0; i < 3; ++i) {
    const double beyond = std::abs(x[i] - 0.5) - 0.5;
    out[i] = std::max(beyond, 0.0);
    inside = std::max(inside, beyond);
  }
  return inside <= 0 ? inside : norm(out);
}

TEST(ClosedSurface, KnowsTheSignedDistanceOfACubeFacesEdgesAndCornersIncluded) {
  const ClosedSurface cube(unit_cube(), "cube");
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(-1, 2);
  for (int k = 0; k < 2000; ++k) {
    const Point3 x{place(random), place(random), place(random)};
    // Sums of a few products of numbers up to 2: a dozen units of 2e-16, and no cancellation.
    EXPECT_NEAR(cube.nearest(x).distance, cube_distance(x), 1e-14);
  }
}

TEST(ClosedSurface, ItsNormalLeadsToTheSurface) {
  const ClosedSurface ball(extract_surface(generate_mesh("ball", {{"radius", {1}}, {"resolution", {4}}})),
                           "ball");
  std::mt19937 random(2);
  std::uniform_real_distribution<double> place(-1.5, 1.5);
  for (int k = 0; k < 500; ++k) {
    const Point3 x{place(random), place(random), place(random)};
    const ClosedSurface::Nearest near = ball.nearest(x);
    EXPECT_NEAR(norm(near.normal), 1, 1e-14);
    const Point3 on = x - near.distance * near.normal;
    EXPECT_NEAR(ball.nearest(on).distance, 0, 1e-14);
    EXPECT_EQ(near.distance < 0, norm(x) < 0.9 || near.distance < 0) << "the polyhedron lies in the ball";
  }
}

TEST(ClosedSurface, APlaceThatIsNoneOrBeyondAllMeasureHasNoDistance) {
  const ClosedSurface cube(unit_cube(), "cube");
  for (const double x :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e200})
    EXPECT_TRUE(std::isnan(cube.nearest({0.5, x, 0.5}).distance)) << x;
}

TEST(ClosedSurface, RefusesWhatHasNoInside) {
  SurfaceMesh open = unit_cube(), inward = unit_cube(), twisted = unit_cube();
  open.triangles.pop_back();
  for (auto& triangle : inward.triangles) std::swap(triangle[0], triangle[1]);
  std::swap(twisted.triangles[0][0], twisted.triangles[0][1]);
  EXPECT_THROW(ClosedSurface(open, "open"), InputError);
  EXPECT_THROW(ClosedSurface(inward, "inward"), InputError);
  EXPECT_THROW(ClosedSurface(twisted, "twisted"), InputError);
  EXPECT_THROW(ClosedSurface({}, "nothing"), InputError);
}

}  // namespace
}  // namespace phiflex
