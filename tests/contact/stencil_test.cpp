#include "phiflex/contact/stencil.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "phiflex/contact/barrier.h"
#include "phiflex/contact/stencil_energy.h"
#include "tests/contact/random_stencils.h"
#include "tests/effort.h"

namespace phiflex {
namespace {

using Wide = Eigen::Matrix<long double, 3, 1>;

// Independent distances, in long double: all features, the smallest.
long double wide_point_edge(const Wide& p, const Wide& a, const Wide& b) {
  const long double square = (b - a).squaredNorm();
  const long double t = square > 0 ? std::clamp((p - a).dot(b - a) / square, 0.0L, 1.0L) : 0.0L;
  return (p - a - t * (b - a)).squaredNorm();
}
long double wide_point_triangle(const Wide& p, const Wide& a, const Wide& b, const Wide& c) {
  long double nearest =
      std::min({wide_point_edge(p, a, b), wide_point_edge(p, b, c), wide_point_edge(p, c, a)});
  const Wide n = (b - a).cross(c - a);
  if (n.squaredNorm() == 0) return nearest;
  const Wide foot = p - n * ((p - a).dot(n) / n.squaredNorm());
  const bool inside = (b - a).cross(foot - a).dot(n) >= 0 && (c - b).cross(foot - b).dot(n) >= 0 &&
                      (a - c).cross(foot - c).dot(n) >= 0;
  return inside ? std::min(nearest, (p - foot).squaredNorm()) : nearest;
}
long double wide_edge_edge(const Wide& a, const Wide& b, const Wide& c, const Wide& d) {
  const long double nearest = std::min({wide_point_edge(a, c, d), wide_point_edge(b, c, d),
                                        wide_point_edge(c, a, b), wide_point_edge(d, a, b)});
  const Wide u = b - a, v = d - c, n = u.cross(v), r = c - a;
  const long double square = n.squaredNorm();
  if (!(square > 1e-30L * u.squaredNorm() * v.squaredNorm())) return nearest;
  const long double s = r.cross(v).dot(n) / square, t = r.cross(u).dot(n) / square;
  if (s < 0 || s > 1 || t < 0 || t > 1) return nearest;
  return std::min(nearest, (a + s * u - c - t * v).squaredNorm());
}
double wide_square(StencilKind kind, const StencilPoints& X) {
  Wide x[4];
  for (int a = 0; a < 4; ++a) x[a] = X.col(a).cast<long double>();
  switch (kind) {
    case StencilKind::point_triangle:
      return static_cast<double>(wide_point_triangle(x[0], x[1], x[2], x[3]));
    case StencilKind::edge_edge:
      return static_cast<double>(wide_edge_edge(x[0], x[1], x[2], x[3]));
    case StencilKind::point_edge:
      return static_cast<double>(wide_point_edge(x[0], x[1], x[2]));
    case StencilKind::point_point:
      break;
  }
  return static_cast<double>((x[0] - x[1]).squaredNorm());
}

double square_of(StencilKind kind, const StencilPoints& X) {
  const Eigen::Matrix3d E = stencil_edges(kind, X);
  return (E * nearest_feet<3>(kind, E).z).squaredNorm();
}
// Which weights are not 0, as bits: the feature.
int feature_of(const Feet& feet) {
  int bits = 0;
  for (int a = 0; a < 4; ++a) bits |= (feet.y[a] != 0) << a;
  return bits;
}
StencilPoints random_stencil(StencilKind kind, int k, StencilSource& source) {
  if (k % 3 == 1) return source.near(kind, source.scale(6));
  if (k % 3 == 2 && kind == StencilKind::edge_edge)
    return source.parallel_edges(source.scale(5), source.scale(9));
  return source.points();
}

TEST(ContactStencil, DistanceEqualsTheSmallestOverAllFeatures) {
  StencilSource source(1);
  for (const StencilKind kind : kStencilKinds) {
    std::map<int, int> features;
    double worst = 0;
    for (int k = 0; k < samples(60000); ++k) {
      const StencilPoints X = random_stencil(kind, k, source);
      const Eigen::Matrix3d E = stencil_edges(kind, X);
      const Feet feet = nearest_feet<3>(kind, E);
      ++features[feature_of(feet)];
      const double D = (E * feet.z).squaredNorm(), expected = wide_square(kind, X);
      // r has errors of 1e-16 of the edges, hence D of 1e-16 |E| d; feet that are off by 1e-16/sin^2 add their square.
      worst = std::max(worst,
                       std::abs(D - expected) / (expected + 1e-14 * E.norm() * std::sqrt(expected) + 1e-28));
    }
    EXPECT_LE(worst, 1e-8) << int(kind);
    const std::size_t all[] = {7, 9, 3, 1};
    EXPECT_EQ(features.size(), all[int(kind)]);
    for (const auto& [bits, count] : features)
      EXPECT_GE(count, samples(100)) << int(kind) << " feature " << bits;
  }
}

TEST(ContactStencil, FeetAreConvexCombinationsOnEachSide) {
  StencilSource source(2);
  for (const StencilKind kind : kStencilKinds)
    for (int k = 0; k < samples(20000); ++k) {
      const StencilPoints X = random_stencil(kind, k, source);
      const Eigen::Matrix3d E = stencil_edges(kind, X);
      const Feet feet = nearest_feet<3>(kind, E);
      const int side = first_side(kind);
      ASSERT_GE(feet.y.head(side).minCoeff(), 0);
      ASSERT_LE(feet.y.tail(4 - side).maxCoeff(), 0);
      ASSERT_NEAR(feet.y.head(side).sum(), 1, 1e-15);
      ASSERT_NEAR(feet.y.sum(), 0, 1e-15);
      ASSERT_LE((X.leftCols(vertex_count(kind)) * feet.y.head(vertex_count(kind)) - E * feet.z).norm(),
                1e-14 * X.norm());
    }
}

TEST(ContactStencil, DegenerateTrianglesAndEdgesHaveTheDistanceOfWhatIsLeft) {
  StencilSource source(3);
  for (int k = 0; k < samples(5000); ++k) {
    StencilPoints X = source.points();
    if (k % 4 == 0)
      X.col(3) = X.col(1) + source.uniform(-1, 2) * (X.col(2) - X.col(1));  // a triangle without area
    if (k % 4 == 1) X.col(3) = X.col(2);                                    // an edge without length
    if (k % 4 == 2) X.col(2) = X.col(3) = X.col(1);                         // a point
    if (k % 4 == 3) X.col(3) = X.col(1) + (1 + 1e-15) * (X.col(2) - X.col(1));
    for (const StencilKind kind : kStencilKinds) {
      const double expected = wide_square(kind, X);
      ASSERT_NEAR(square_of(kind, X), expected, 1e-13 * (expected + 1)) << k << " " << int(kind);
    }
    X.col(1) = X.col(0);  // both edges are points, or the point is a corner
    for (const StencilKind kind : kStencilKinds)
      ASSERT_NEAR(square_of(kind, X), wide_square(kind, X), 1e-13) << k << " " << int(kind);
  }
}

TEST(ContactStencil, ExactlyParallelEdgesHaveTheDistanceOfTheirLines) {
  StencilSource source(4);
  for (int k = 0; k < samples(5000); ++k) {
    // On a grid of 1/64, so that the edges are parallel to the last bit.
    const auto grid = [&] { return Eigen::Vector3d((64 * source.vector()).array().round() / 64); };
    StencilPoints X;
    const Eigen::Vector3d u = grid();
    X.col(0) = grid();
    X.col(1) = X.col(0) + u;
    X.col(2) = X.col(0) + grid();
    X.col(3) = X.col(2) + (k % 2 ? 1 : -2) * u;
    const double expected = wide_square(StencilKind::edge_edge, X);
    ASSERT_NEAR(square_of(StencilKind::edge_edge, X), expected, 1e-13 * (expected + 1));
  }
}

// Two edge matrices on top of each other have the sum of the two C; sqrt(1 - t) and sqrt(t) of them lie on the line.
TEST(ContactStencil, SquaredDistanceIsConcaveInCAcrossAllFeatures) {
  StencilSource source(5);
  long changes = 0;
  for (const StencilKind kind : kStencilKinds)
    for (int k = 0; k < samples(250000); ++k) {
      const StencilPoints X = random_stencil(kind, k, source);
      const StencilPoints Y =
          k % 2 ? random_stencil(kind, k / 2, source) : StencilPoints(X + source.scale(3) * source.points());
      const Eigen::Matrix3d E = stencil_edges(kind, X), H = stencil_edges(kind, Y);
      const double t = source.uniform(0, 1);
      Eigen::Matrix<double, 6, 3> both;
      both << std::sqrt(1 - t) * E, std::sqrt(t) * H;
      const Feet from = nearest_feet<3>(kind, E), to = nearest_feet<3>(kind, H);
      const double D = (E * from.z).squaredNorm(), D_end = (H * to.z).squaredNorm();
      const double between = (both * nearest_feet<6>(kind, both).z).squaredNorm();
      const double rounding = 1e-14 * (E.squaredNorm() + H.squaredNorm());
      ASSERT_GE(between, (1 - t) * D + t * D_end - rounding);
      ASSERT_GE(between, std::min(D, D_end) - rounding);
      changes += feature_of(from) != feature_of(to);
    }
  EXPECT_GE(changes, samples(200000));
}

TEST(ContactStencil, GradientOfTheSquaredDistanceIsTwiceRTimesY) {
  StencilSource source(6);
  for (const StencilKind kind : kStencilKinds)
    for (int k = 0; k < samples(4000); ++k) {
      const StencilPoints X = source.near(kind, source.uniform(0.1, 1)), V = source.points();
      const Eigen::Matrix3d E = stencil_edges(kind, X);
      const Feet feet = nearest_feet<3>(kind, E);
      const double along = 2 * (E * feet.z).dot(stencil_edges(kind, V) * feet.z);
      if (kind == StencilKind::edge_edge && E.col(1).cross(E.col(2)).norm() < 0.1) continue;
      if (kind == StencilKind::point_triangle && E.col(1).cross(E.col(2)).norm() < 0.1) continue;
      constexpr double eps = 1e-5;  // the second derivative is below 1e3: differences of 1e-7
      const double numeric = (square_of(kind, X + eps * V) - square_of(kind, X - eps * V)) / (2 * eps);
      ASSERT_NEAR(along, numeric, 1e-3 * V.squaredNorm());
      ASSERT_NEAR(distance_half_gradient(E * feet.z, feet.y).dot(Eigen::Map<const StencilVector>(V.data())),
                  along / 2, 1e-12 * V.norm());
    }
}

TEST(ContactStencil, SecondDerivativeIsThatOfTheGradientOnEveryFeature) {
  StencilSource source(7);
  std::map<int, int> features;
  for (const StencilKind kind : kStencilKinds)
    for (int k = 0; k < 4000; ++k) {
      const StencilPoints X = source.near(kind, source.uniform(0.1, 1)), V = source.points();
      const Eigen::Matrix3d E = stencil_edges(kind, X), dE = stencil_edges(kind, V);
      if (kind != StencilKind::point_point && E.col(1).norm() < 0.3) continue;
      if (vertex_count(kind) == 4 && E.col(1).cross(E.col(2)).norm() < 0.3) continue;
      constexpr double eps = 1e-5;
      const Feet feet = nearest_feet<3>(kind, E), up = nearest_feet<3>(kind, Eigen::Matrix3d(E + eps * dE)),
                 down = nearest_feet<3>(kind, Eigen::Matrix3d(E - eps * dE));
      if (feature_of(up) != feature_of(feet) || feature_of(down) != feature_of(feet)) continue;
      ++features[int(kind) * 16 + feature_of(feet)];
      const auto slope = [&](const Feet& at, double shift) {
        return 2 * ((E + shift * dE) * at.z).dot(dE * at.z);
      };
      const double numeric = (slope(up, eps) - slope(down, -eps)) / (2 * eps);
      const Eigen::Map<const StencilVector> v(V.data());
      const double analytic = v.dot(distance_second_derivative(kind, E, feet) * v);
      ASSERT_NEAR(analytic, numeric, 1e-5 * V.squaredNorm() * 100)
          << int(kind) << " feature " << feature_of(feet);
    }
  EXPECT_EQ(features.size(), 20u);
}

// dU against the change of the energy, d2U against the change of the gradient.
TEST(ContactStencil, EnergyGradientAndHessianBelongTogether) {
  StencilSource source(8);
  for (const StencilKind kind : kStencilKinds)
    for (int k = 0; k < samples(3000); ++k) {
      const bool parallel = kind == StencilKind::edge_edge && k % 2 == 0;
      const StencilPoints X =
          parallel ? source.parallel_edges(0.5, 0.3) : source.near(kind, source.uniform(0.3, 1));
      const Eigen::Matrix3d E = stencil_edges(kind, X);
      if (kind != StencilKind::point_point && E.col(1).norm() < 0.3) continue;
      if (kind == StencilKind::point_triangle && E.col(1).cross(E.col(2)).norm() < 0.3) continue;
      StencilLaw law{.weight = 1, .reach = 1, .parallel = 0};
      law.reach = source.uniform(1.1, 2) * std::sqrt(square_of(kind, X));
      if (parallel) law.parallel = 3 * E.col(1).cross(E.col(2)).squaredNorm();
      const StencilPoints V = source.points().cwiseProduct(StencilPoints::Constant(0.3));
      const Eigen::Matrix3d dE = stencil_edges(kind, V);
      const StencilShape shape = stencil_shape(kind, law, E);
      if (shape.x < 0.05 || (parallel && E.col(1).cross(E.col(2)).norm() < 0.1)) continue;
      constexpr double eps = 1e-6;
      const Eigen::Matrix3d up = E + eps * dE, down = E - eps * dE;
      const StencilShape at_up = stencil_shape(kind, law, up), at_down = stencil_shape(kind, law, down);
      if (feature_of(at_up.feet) != feature_of(at_down.feet)) continue;
      const StencilPoints g = stencil_gradient(kind, law, E, shape);
      const double change = (stencil_energy(law, at_up) - stencil_energy(law, at_down)) / (2 * eps);
      ASSERT_NEAR(g.cwiseProduct(V).sum(), change, 1e-5 * (1 + g.norm() * V.norm())) << int(kind);
      const StencilPoints second =
          (stencil_gradient(kind, law, up, at_up) - stencil_gradient(kind, law, down, at_down)) / (2 * eps);
      const Eigen::Map<const StencilVector> v(V.data()), expected(second.data());
      const StencilMatrix H = stencil_hessian(kind, law, E, shape, Definiteness::exact);
      ASSERT_LE((H * v - expected).norm(), 1e-4 * (1 + H.norm() * v.norm())) << int(kind) << parallel;
      ASSERT_LE((H - H.transpose()).norm(), 1e-12 * H.norm());
      const StencilMatrix P = stencil_hessian(kind, law, E, shape, Definiteness::projected);
      ASSERT_GE(v.dot(P * v), 0);
    }
}

}  // namespace
}  // namespace phiflex
