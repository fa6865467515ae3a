// Polygons cut into triangles, and what that costs.
#include "phiflex/mesh/polygons.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "phiflex/mesh/vec3.h"

namespace phiflex {
namespace {

using CutTriangles = std::vector<std::array<int, 3>>;

// r(a) at n equal angles.
template <class Radius>
std::vector<Point3> star_polygon(int n, Radius r) {
  std::vector<Point3> points;
  for (int i = 0; i < n; ++i) {
    const double a = 2 * std::numbers::pi * i / n;
    points.push_back({r(a) * std::cos(a), r(a) * std::sin(a), 1});
  }
  return points;
}
std::vector<Point3> circle_polygon(int n) {
  return star_polygon(n, [](double) { return 1.; });
}
std::vector<Point3> clover_polygon(int n) {
  return star_polygon(n, [](double a) { return 1 + 0.6 * std::sin(5 * a); });
}
std::vector<Point3> comb_polygon(int teeth) {  // upwards
  std::vector<Point3> points = {{-1, -1, 0}, {teeth + 0.5, -1, 0}};
  for (int i = teeth - 1; i >= 0; --i) {
    points.push_back({i + 0.5, 0, 0});
    points.push_back({double(i), 1000, 0});
  }
  return points;
}

struct CutPolygon {
  CutTriangles triangles;
  std::size_t looked_at;
};
CutPolygon cut_polygon(const std::vector<Point3>& points) {
  std::vector<int> corners(points.size());
  std::iota(corners.begin(), corners.end(), 0);
  CutPolygon made;
  made.looked_at = add_polygon(points, corners, made.triangles);
  return made;
}
double area_of_cut(const std::vector<Point3>& points, const std::array<int, 3>& triangle) {
  const auto& [a, b, c] = triangle;
  return 0.5 * cross(points[b] - points[a], points[c] - points[a])[2];
}
double outline_area(const std::vector<Point3>& points) {
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point3 &p = points[i], &q = points[(i + 1) % points.size()];
    sum += 0.5 * (p[0] * q[1] - p[1] * q[0]);
  }
  return sum;
}

TEST(Polygons, OfAnyNumberOfCornersAreCutInsideTheirOutline) {
  for (const auto& points : {circle_polygon(3), circle_polygon(7), clover_polygon(40), clover_polygon(257),
                             clover_polygon(3000), comb_polygon(4), comb_polygon(500)}) {
    const CutTriangles triangles = cut_polygon(points).triangles;
    ASSERT_EQ(triangles.size(), points.size() - 2);
    double sum = 0;
    for (const auto& triangle : triangles) {
      EXPECT_GE(area_of_cut(points, triangle), 0);
      sum += area_of_cut(points, triangle);
    }
    // Each triangle's area is rounded to the size of its coordinates squared.
    EXPECT_NEAR(sum, outline_area(points), 1e-11 * double(points.size()) * std::abs(outline_area(points)));
  }
}

TEST(Polygons, ThatAreConvexAreCutAsAFan) {
  EXPECT_EQ(cut_polygon(circle_polygon(6)).triangles,
            (CutTriangles{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}));
}

TEST(Polygons, WithoutAreaOrWithoutFiniteCornersAreCutAsAFan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const CutTriangles fan = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}};
  EXPECT_EQ(cut_polygon({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}}).triangles, fan);
  EXPECT_EQ(cut_polygon({{0, 0, 0}, {1, 0, 0}, {2, nan, 0}, {3, 0, 0}, {4, 1, 0}}).triangles, fan);
  EXPECT_EQ(
      cut_polygon({{0, 0, 0}, {1e200, 0, 0}, {1e200, 1e200, 0}, {1e300, 1e300, 0}, {0, 1e200, 0}}).triangles,
      fan);
}

TEST(Polygons, CostLittleMoreThanTheirCorners) {
  for (const auto& shape : {circle_polygon, clover_polygon, comb_polygon}) {
    const std::size_t one = cut_polygon(shape(4000)).looked_at, two = cut_polygon(shape(8000)).looked_at;
    EXPECT_LE(two, 3 * one + 100);
    EXPECT_LE(one, 8000u * 200);
  }
}

}  // namespace
}  // namespace phiflex
