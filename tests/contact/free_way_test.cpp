#include "phiflex/contact/free_way.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/contact/random_stencils.h"
#include "tests/effort.h"

namespace phiflex {
namespace {

// An independent test by the signs of volumes, which knows nothing of distances. The volume of the four vertices along
// a straight way is a cubic in t, in Bernstein form; where it may vanish, the time is narrowed down by halving, and
// there the crossing point must lie inside the triangle or inside both edges. In long double, with coordinates that are
// multiples of 2^-12 below 8, the coefficients are exact.
using Wide3 = Eigen::Matrix<long double, 3, 1>;
struct WideWay {
  Wide3 from[4], to[4];
  Wide3 at(int a, long double t) const { return from[a] + t * (to[a] - from[a]); }
};

long double volume(const Wide3& a, const Wide3& b, const Wide3& c) {
  return a.dot(b.cross(c));
}

// Whether, in the plane of the four vertices, the point is in the triangle or the edges cross.
bool in_one_place(StencilKind kind, const WideWay& way, long double t) {
  Wide3 x[4];
  for (int a = 0; a < 4; ++a) x[a] = way.at(a, t);
  if (kind == StencilKind::point_triangle) {
    const Wide3 n = (x[2] - x[1]).cross(x[3] - x[1]);
    return (x[2] - x[1]).cross(x[0] - x[1]).dot(n) > 0 && (x[3] - x[2]).cross(x[0] - x[2]).dot(n) > 0 &&
           (x[1] - x[3]).cross(x[0] - x[3]).dot(n) > 0;
  }
  const Wide3 u = x[1] - x[0], v = x[3] - x[2], n = u.cross(v), r = x[2] - x[0];
  const long double s = r.cross(v).dot(n), q = r.cross(u).dot(n), whole = n.squaredNorm();
  return s > 0 && s < whole && q > 0 && q < whole;
}

bool crosses_between(StencilKind kind, const WideWay& way, const long double (&b)[4], long double low,
                     long double high, int depth) {
  const auto [least, most] = std::minmax({b[0], b[1], b[2], b[3]});
  if (least > 0 || most < 0) return false;
  if (depth == 0) return in_one_place(kind, way, (low + high) / 2);
  const long double b01 = (b[0] + b[1]) / 2, b12 = (b[1] + b[2]) / 2, b23 = (b[2] + b[3]) / 2,
                    b012 = (b01 + b12) / 2, b123 = (b12 + b23) / 2, middle = (b012 + b123) / 2,
                    half = (low + high) / 2;
  return crosses_between(kind, way, {b[0], b01, b012, middle}, low, half, depth - 1) ||
         crosses_between(kind, way, {middle, b123, b23, b[3]}, half, high, depth - 1);
}

bool crosses(StencilKind kind, const StencilPoints& X, const StencilPoints& dX) {
  WideWay way;
  for (int a = 0; a < 4; ++a) {
    way.from[a] = X.col(a).cast<long double>();
    way.to[a] = X.col(a).cast<long double>() + dX.col(a).cast<long double>();
  }
  Wide3 e[3][2];  // edge vectors at the ends
  for (int k = 0; k < 3; ++k) {
    e[k][0] = way.from[k + 1] - way.from[0];
    e[k][1] = way.to[k + 1] - way.to[0];
  }
  const auto v = [&](int i, int j, int k) { return volume(e[0][i], e[1][j], e[2][k]); };
  const long double b[4] = {v(0, 0, 0), (v(1, 0, 0) + v(0, 1, 0) + v(0, 0, 1)) / 3,
                            (v(1, 1, 0) + v(1, 0, 1) + v(0, 1, 1)) / 3, v(1, 1, 1)};
  return crosses_between(kind, way, b, 0, 1, 40);
}

StencilPoints on_grid(const StencilPoints& X) {
  return (X.array() * 4096).round().cwiseMin(8 * 4096).cwiseMax(-8 * 4096) / 4096;
}
double ccd_distance(StencilKind kind, const StencilPoints& X) {
  const Eigen::Matrix3d E = stencil_edges(kind, X);
  return (E * nearest_feet<3>(kind, E).z).norm();
}

// A motion that brings the pieces together, or any other.
StencilPoints random_way(StencilKind kind, const StencilPoints& X, int k, StencilSource& source) {
  StencilPoints dX = source.scale(2) * source.points();
  if (k % 2) return on_grid(dX);
  const Eigen::Matrix3d E = stencil_edges(kind, X);
  const Eigen::Vector3d r = E * nearest_feet<3>(kind, E).z;
  for (int a = 0; a < first_side(kind); ++a) dX.col(a) -= source.uniform(0.5, 3) * r;
  return on_grid(dX);
}

TEST(FreeWay, NeverPassesThrough) {
  StencilSource source(1);
  for (const StencilKind kind : {StencilKind::point_triangle, StencilKind::edge_edge}) {
    int through = 0;
    long tests = 0, ways = 0;
    for (int k = 0; k < samples(500000); ++k) {
      const StencilPoints X = on_grid(k % 3 ? source.near(kind, source.scale(2)) : source.points());
      const StencilPoints dX = random_way(kind, X, k, source);
      if (!(ccd_distance(kind, X) > 1e-3)) continue;
      ++ways;
      const double t = free_way(kind, X, dX, 0.1, {.tests = &tests});
      ASSERT_FALSE(crosses(kind, X, t * dX)) << int(kind) << " " << k;
      if (crosses(kind, X, dX)) {
        ++through;
        ASSERT_LT(t, 1) << int(kind) << " " << k;
      }
    }
    EXPECT_GE(through, samples(40000));
    EXPECT_LE(tests, 20 * ways);
    RecordProperty(kind == StencilKind::edge_edge ? "tests_of_edges" : "tests_of_points",
                   int(100 * tests / ways));
  }
}

TEST(FreeWay, KeepsTheGapAllAlongAndStopsNearIt) {
  StencilSource source(2);
  for (const StencilKind kind : kStencilKinds)
    for (int k = 0; k < samples(10000); ++k) {
      const StencilPoints X = source.near(kind, source.scale(3)), dX = random_way(kind, X, k, source);
      const double d = ccd_distance(kind, X), reach = source.uniform(0.1, 3) * d,
                   gap = kGap * std::min(d, reach);
      const double t = free_way(kind, X, dX, reach);
      ASSERT_GE(t, 0);
      ASSERT_LE(t, 1);
      for (int i = 1; i <= 10; ++i) ASSERT_GE(ccd_distance(kind, X + (0.1 * i * t) * dX), gap * (1 - 1e-9));
      if (t == 1) continue;
      ASSERT_LE(ccd_distance(kind, X + t * dX), 1.26 * gap) << int(kind) << " " << k;
    }
}

TEST(FreeWay, WhatStaysOutOfReachIsNeverStopped) {
  StencilSource source(3);
  int fast = 0;
  for (const StencilKind kind : kStencilKinds)
    for (int k = 0; k < samples(10000); ++k) {
      const StencilPoints X = source.points(), dX = random_way(kind, X, k, source);
      double nearest = ccd_distance(kind, X);
      for (int i = 1; i <= 200; ++i) nearest = std::min(nearest, ccd_distance(kind, X + (i / 200.0) * dX));
      if (nearest < 0.05) continue;
      // Between the samples it may come nearer by half of a sample's way.
      const double reach = 0.5 * nearest;
      if (dX.norm() / 200 > reach) continue;
      fast += nearest < 0.2 * ccd_distance(kind, X);
      ASSERT_EQ(free_way(kind, X, dX, reach), 1);
    }
  EXPECT_GE(fast, samples(100));  // ways that end at less than a fifth of their first distance are among them
}

TEST(FreeWay, SlipAlongATriangleCostsOneTest) {
  StencilPoints X, dX = StencilPoints::Zero();
  X << 0, -5, 5, 0, 0, -5, -5, 5, 1e-4, 0, 0, 0;
  dX(0, 0) = 1;  // ten thousand times the distance
  long tests = 0;
  EXPECT_EQ(free_way(StencilKind::point_triangle, X, dX, 1e-3, {.tests = &tests}), 1);
  EXPECT_EQ(tests, 1);
}

TEST(FreeWay, LimitAnswersTheSameUpToTheLimit) {
  StencilSource source(4);
  for (const StencilKind kind : kStencilKinds)
    for (int k = 0; k < samples(5000); ++k) {
      const StencilPoints X = source.near(kind, source.scale(3)), dX = random_way(kind, X, k, source);
      const double whole = free_way(kind, X, dX, 0.1), limit = source.uniform(0, 1);
      ASSERT_EQ(free_way(kind, X, dX, 0.1, {.limit = limit}), std::min(whole, limit));
    }
}

TEST(FreeWay, NothingIsFreeFromTouchOrAlongNumbersThatAreNone) {
  StencilPoints X = StencilPoints::Zero(), dX = StencilPoints::Ones();
  X.col(2) = Eigen::Vector3d::UnitX();
  X.col(3) = Eigen::Vector3d::UnitY();
  EXPECT_EQ(free_way(StencilKind::point_triangle, X, dX, 0.1), 0);
  X(2, 0) = 1;
  dX(0, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(free_way(StencilKind::point_triangle, X, dX, 0.1), 0);
}

}  // namespace
}  // namespace phiflex
