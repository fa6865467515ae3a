#include "phiflex/fem/tet_batches.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "phiflex/fem/block_scatter.h"
#include "phiflex/fem/mass.h"
#include "phiflex/fem/spatial_order.h"
#include "phiflex/mesh/generators.h"

namespace phiflex {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

struct Box {
  TetMesh mesh;
  Vector rest;
};

// 2 x 3 x 1 cells of different sizes, its inner structure slightly skewed: 36 tetrahedra. Without the last
// one the number is not a multiple of the lanes.
Box skewed_box() {
  Box box{generate_box({.size = {1.0, 1.2, 0.3}, .cells = {2, 3, 1}}), {}};
  box.mesh.tets.pop_back();
  box.rest.resize(3 * Index(box.mesh.vertices.size()));
  for (std::size_t v = 0; v < box.mesh.vertices.size(); ++v)
    for (int i = 0; i < 3; ++i)
      box.rest[3 * v + i] = box.mesh.vertices[v][i] + 0.02 * std::sin(7.0 * double(3 * v + i));
  return box;
}

TEST(TetBatches, EveryTetrahedronHasOneLane) {
  const Box box = skewed_box();
  const TetBatches tets(box.rest, box.mesh.tets);
  ASSERT_NE(tets.count() % kLanes, 0) << "the test wants a batch that is not full";
  std::vector<int> seen(box.mesh.tets.size(), 0);
  double volume = 0;
  for (int i = 0; i < int(tets.batches().size()); ++i) {
    for (int lane = 0; lane < tets.lanes_used(i); ++lane) ++seen[tets.element(i, lane)];
    for (int lane = 0; lane < kLanes; ++lane) {
      volume += tets.batches()[i].volume[lane];
      for (int a = 0; a < 4; ++a)
        EXPECT_EQ(tets.batches()[i].vertex[a][lane], box.mesh.tets[tets.element(i, lane)][a]);
    }
  }
  EXPECT_EQ(seen, std::vector<int>(box.mesh.tets.size(), 1));
  const std::vector<double> volumes = tet_volumes(box.rest, box.mesh.tets);
  const double expected = std::accumulate(volumes.begin(), volumes.end(), 0.0);
  EXPECT_NEAR(volume, expected, 100 * kEps * expected);  // filling lanes have no volume
}

// The patch test's kinematics: x = A X + b gives F = A in every element. Error: rounding of x (about 1) over
// the edge length (above 0.1), times the few terms of the sum.
TEST(TetBatches, AnAffineMotionHasOneDeformationGradient) {
  const Box box = skewed_box();
  const TetBatches tets(box.rest, box.mesh.tets);
  const Mat3<double> A = {1.1, 0.2, -0.3, 0.05, 0.9, 0.4, -0.2, 0.1, 1.3};
  Vector x(box.rest.size());
  for (Index v = 0; v < x.size() / 3; ++v) {
    const Vec3<double> y = A * Vec3<double>{box.rest[3 * v], box.rest[3 * v + 1], box.rest[3 * v + 2]};
    for (int i = 0; i < 3; ++i) x[3 * v + i] = y[i] + 0.5;
  }
  for (const TetBatch& batch : tets.batches()) {
    const Mat3<Lanes> F = deformation_gradient(batch, x.data());
    for (int k = 0; k < 9; ++k)
      for (int lane = 0; lane < kLanes; ++lane) EXPECT_NEAR(F.e[k][lane], A.e[k], 500 * kEps);
  }
}

// f = -dW/dx of W = sum_e V P:F for a constant P: the work of the nodal forces is that of the stress.
TEST(TetBatches, NodalForcesDoTheWorkOfTheStress) {
  const Box box = skewed_box();
  const TetBatches tets(box.rest, box.mesh.tets);
  Vector dx(box.rest.size()), f = Vector::Zero(box.rest.size());
  for (Index i = 0; i < dx.size(); ++i) dx[i] = std::cos(3.0 * double(i));
  double work = 0;
  Mat3<Lanes> P;
  for (int k = 0; k < 9; ++k) P.e[k] = Lanes(std::sin(1.0 + k));
  for (const TetBatch& batch : tets.batches()) {
    TetCorners forces;
    spread_stress(batch, P, -1.0, 0, forces);
    scatter(batch, forces, f.data());
    const Lanes density = batch.volume * contract(P, deformation_gradient(batch, dx.data()));
    for (int lane = 0; lane < kLanes; ++lane) work += density[lane];
  }
  EXPECT_NEAR(-f.dot(dx), work, 1e-13 * f.norm() * dx.norm());
  for (int i = 0; i < 3; ++i) {
    double net = 0;
    for (Index v = 0; v < f.size() / 3; ++v) net += f[3 * v + i];
    EXPECT_NEAR(net, 0, 100 * kEps * f.lpNorm<1>());
  }
}

TEST(TetBatches, AFlatOrTurnedTetrahedronIsMisuse) {
  Vector rest(12);
  rest << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
  EXPECT_NO_THROW(TetBatches(rest, std::vector<Tet>{{0, 1, 2, 3}}));
  EXPECT_THROW(TetBatches(rest, std::vector<Tet>{{1, 0, 2, 3}}), std::invalid_argument);
  EXPECT_THROW(TetBatches(rest, std::vector<Tet>{{0, 1, 2, 2}}), std::invalid_argument);
  EXPECT_THROW(TetBatches(rest, std::vector<Tet>{{0, 1, 2, 4}}), std::invalid_argument);
  EXPECT_THROW(TetBatches(rest, std::vector<Tet>{{0, 1, 2, -1}}), std::invalid_argument);
}

TEST(TetBatches, NoTetrahedraAreNoWork) {
  const TetBatches tets(Vector::Zero(3), {});
  EXPECT_EQ(tets.count(), 0);
  EXPECT_TRUE(tets.batches().empty());
}

TEST(BlockScatter, LanesReachTheirBlocksAndWhatHasNoRowIsDropped) {
  const auto pattern = std::make_shared<const SparsityPattern>(3, 3, std::vector<Coupling>{{0, 1}, {1, 2}});
  SparseMatrix A(pattern);
  Mat3<Lanes> K;
  for (int k = 0; k < 9; ++k)
    for (int lane = 0; lane < kLanes; ++lane) K.e[k].set(lane, 10 * lane + k);
  double discarded[9] = {};
  const int places[kLanes] = {pattern->find(0, 1), -1, pattern->find(2, 2), pattern->find(0, 1)};
  add_block(places, K, discarded, A.values());
  for (int block = 0; block < int(pattern->blocks()); ++block) {
    for (int k = 0; k < 9; ++k) {
      const double expected = block == places[0] ? k + (30 + k) : block == places[2] ? 20 + k : 0;
      EXPECT_EQ(A.block(block)[k], expected) << "block " << block << " number " << k;
    }
  }
}

TEST(BlockScatter, AMissingBlockIsMisuse) {
  Vector rest(12);
  rest << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
  const TetBatches tets(rest, std::vector<Tet>{{0, 1, 2, 3}});
  const SparsityPattern without(3, 4, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}});
  const std::vector<int> all = {0, 1, 2, 3}, three = {0, 1, 2, -1};
  EXPECT_THROW(make_block_places(tets, all, without), std::invalid_argument);
  EXPECT_NO_THROW(make_block_places(tets, three, without));
}

TEST(Mass, LumpedAndConsistentMassAgreeInTotalAndWeight) {
  const Box box = skewed_box();
  const std::size_t vertices = box.mesh.vertices.size();
  std::vector<double> tet_masses = tet_volumes(box.rest, box.mesh.tets);
  for (std::size_t e = 0; e < tet_masses.size(); ++e) tet_masses[e] *= 1000 + double(e);
  std::vector<double> lumped(vertices, 0.0);
  add_lumped_masses(box.mesh.tets, tet_masses, lumped);
  const double total = std::accumulate(tet_masses.begin(), tet_masses.end(), 0.0);
  EXPECT_NEAR(std::accumulate(lumped.begin(), lumped.end(), 0.0), total, 100 * kEps * total);

  std::vector<Coupling> couplings;
  for (const Tet& t : box.mesh.tets)
    for (int a = 0; a < 4; ++a)
      for (int b = a + 1; b < 4; ++b) couplings.push_back({t[a], t[b]});
  SparseMatrix M(std::make_shared<const SparsityPattern>(3, int(vertices), couplings));
  std::vector<int> rows(vertices);
  std::iota(rows.begin(), rows.end(), 0);
  add_consistent_mass(box.mesh.tets, tet_masses, rows, M);
  Vector y(M.rows());
  M.apply(Vector::Ones(M.rows()), y);  // row sums: each block is a multiple of the identity
  for (Index i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], lumped[i / 3], 100 * kEps * total);
}

// A linear function f = c.X is integrated exactly: f'M f = integral of rho f^2. On the unit tetrahedron with
// f = x the integral is 1/60; the vertex values are (0, 1, 0, 0).
TEST(Mass, ConsistentMassIntegratesSquaresOfLinearFunctions) {
  const std::vector<Tet> tets = {{0, 1, 2, 3}};
  const std::vector<double> mass = {1.0 / 6};
  SparseMatrix M(std::make_shared<const SparsityPattern>(
      1, 4, std::vector<Coupling>{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}));
  const std::vector<int> rows = {0, 1, 2, 3};
  add_consistent_mass(tets, mass, rows, M);
  Vector x = Vector::Unit(4, 1), y(4);
  M.apply(x, y);
  EXPECT_DOUBLE_EQ(x.dot(y), 1.0 / 60);
}

TEST(Mass, RowsOfVerticesThatAreNotFreeAreLeftOut) {
  const std::vector<Tet> tets = {{0, 1, 2, 3}};
  const std::vector<double> mass = {20.0};
  SparseMatrix M(std::make_shared<const SparsityPattern>(1, 2, std::vector<Coupling>{{0, 1}}));
  const std::vector<int> rows = {-1, 1, -1, 0};
  add_consistent_mass(tets, mass, rows, M);
  EXPECT_DOUBLE_EQ(M.block(M.pattern().find(0, 0))[0], 2);
  EXPECT_DOUBLE_EQ(M.block(M.pattern().find(0, 1))[0], 1);
}

TEST(SpatialOrder, NeighboursOnTheCurveAreNeighboursInSpace) {
  std::vector<Point3> points;
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j)
      for (int k = 0; k < 16; ++k) points.push_back({double(k), double(j), double(i)});
  const std::vector<int> order = spatial_order(points);
  std::vector<int> seen(points.size(), 0);
  double length = 0;
  for (std::size_t p = 0; p < order.size(); ++p) {
    ++seen[order[p]];
    if (p == 0) continue;
    const Point3 &a = points[order[p - 1]], &b = points[order[p]];
    length += std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  }
  EXPECT_EQ(seen, std::vector<int>(points.size(), 1));
  // Half of the steps have length 1, a quarter sqrt(2), an eighth and a sixteenth sqrt(3), and so on:
  // the mean lies near 1.5.
  EXPECT_LT(length / double(points.size()), 1.7);
  EXPECT_EQ(spatial_order({}), std::vector<int>{});
  EXPECT_EQ(spatial_order({{1, 1, 1}, {1, 1, 1}}), (std::vector<int>{0, 1}));  // no extent: by index
}

// int N_n N_m over a tetrahedron by a rule that is exact for the degree 4 of the integrand: barycentric monomials
// integrate to  int L_0^i L_1^j L_2^k L_3^l = 6 V i! j! k! l!/(i + j + k + l + 3)!, and N_n are polynomials.
TEST(Mass, SharesOfQuadraticTetrahedraAreTheIntegralsOfTheirShapeFunctions) {
  using Polynomial = std::map<std::array<int, 4>, double>;
  const auto times = [](const Polynomial& p, const Polynomial& q) {
    Polynomial product;
    for (const auto& [i, a] : p)
      for (const auto& [j, b] : q) product[{i[0] + j[0], i[1] + j[1], i[2] + j[2], i[3] + j[3]}] += a * b;
    return product;
  };
  const auto integral = [](const Polynomial& p) {
    double sum = 0;
    for (const auto& [i, a] : p) {
      double monomial = 6 * a / std::tgamma(4.0 + i[0] + i[1] + i[2] + i[3]);
      for (const int power : i) monomial *= std::tgamma(1.0 + power);
      sum += monomial;
    }
    return sum;
  };
  const auto coordinate = [](int a) {
    std::array<int, 4> power{};
    power[a] = 1;
    return power;
  };
  std::vector<Polynomial> N;
  for (int a = 0; a < 4; ++a)
    N.push_back(times({{coordinate(a), 1}}, {{coordinate(a), 2}, {{0, 0, 0, 0}, -1}}));
  for (const auto& [a, b] : kTetEdges) N.push_back(times({{coordinate(a), 4}}, {{coordinate(b), 1}}));

  double lumped = 0, diagonal = 0;
  for (int n = 0; n < 10; ++n) diagonal += integral(times(N[n], N[n]));
  for (int n = 0; n < 10; ++n) {
    for (int m = 0; m < 10; ++m) {
      const MassShare share = Tet10::consistent(n, m);
      EXPECT_NEAR(double(share.numerator) / share.denominator, integral(times(N[n], N[m])), 1e-16) << n << m;
    }
    const MassShare share = Tet10::lumped(n);
    EXPECT_NEAR(double(share.numerator) / share.denominator, integral(times(N[n], N[n])) / diagonal, 1e-15);
    lumped += double(share.numerator) / share.denominator;
  }
  EXPECT_NEAR(lumped, 1, 1e-15);
}

}  // namespace
}  // namespace phiflex
