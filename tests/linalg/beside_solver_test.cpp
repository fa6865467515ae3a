#include "phiflex/linalg/beside_solver.h"

#include <gtest/gtest.h>

#include <random>

#include "phiflex/linalg/vector.h"

namespace phiflex {
namespace {

// A = L L' of six vertices, and rank-one terms over some of them.
struct BesideCase {
  static constexpr int kVertices = 6;
  Matrix L = Matrix::Zero(3 * kVertices, 3 * kVertices);
  StencilBlocks B;
  Vector rhs = Vector::Zero(3 * kVertices);
  BesideCase(int terms, double stiffness, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> number(-1, 1);
    for (Index i = 0; i < L.rows(); ++i) {
      for (Index j = 0; j < i; ++j) L(i, j) = 0.2 * number(random);
      L(i, i) = 2 + number(random);
      rhs[i] = number(random);
    }
    for (int t = 0; t < terms; ++t) {
      StencilBlocks::Term term{
          {t % kVertices, (t + 1) % kVertices, t % 2 ? -1 : (t + 3) % kVertices, -1}, stiffness, {}};
      for (double& g : term.g) g = number(random);
      B.add(term);
    }
  }
  void apply(double c, const Vector& x, Vector& y) const {
    const Vector u = L.transpose() * x;
    y = L * u;
    B.add_product(c, x, y);
  }
  auto inverse() const {
    return [this](const Vector& r, Vector& z) {
      z = L.triangularView<Eigen::Lower>().solve(r);
      L.triangularView<Eigen::Lower>().transpose().solveInPlace(z);
    };
  }
};

TEST(BesideSolver, SolvesWhatItSaysInAtMostOneIterationMoreThanTheTerms) {
  BesideSolver solver;
  for (const int terms : {1, 2, 5, 9})
    for (const double stiffness : {1e-3, 1.0, 1e4}) {
      const BesideCase c(terms, stiffness, unsigned(terms));
      Vector x, y;
      const auto inverse = c.inverse();
      ASSERT_EQ(solver.solve(inverse, c.B, 0.25, c.rhs, 1e-9, 100, x), BesideSolver::Status::ok);
      // Rounding of terms 1e4 times as stiff as A costs an iteration or two; the last one only looks at r.
      EXPECT_LE(solver.iterations(), terms + 4) << stiffness;
      c.apply(0.25, x, y);
      EXPECT_LE((y - c.rhs).norm(), 1e-7 * c.rhs.norm()) << terms << " terms of " << stiffness;
    }
}

TEST(BesideSolver, NothingBesideIsOneSolve) {
  const BesideCase c(0, 1, 1);
  BesideSolver solver;
  Vector x, expected;
  const auto inverse = c.inverse();
  ASSERT_EQ(solver.solve(inverse, c.B, 1, c.rhs, 1e-2, 10, x), BesideSolver::Status::ok);
  inverse(c.rhs, expected);
  EXPECT_EQ(x, expected);
  EXPECT_EQ(solver.iterations(), 1);
}

TEST(BesideSolver, RightHandSideZeroGivesZero) {
  const BesideCase c(3, 1, 2);
  BesideSolver solver;
  Vector x;
  const auto inverse = c.inverse();
  ASSERT_EQ(solver.solve(inverse, c.B, 1, Vector::Zero(c.rhs.size()), 1e-2, 10, x), BesideSolver::Status::ok);
  EXPECT_EQ(x.norm(), 0);
}

TEST(BesideSolver, SaysWhatItCannotDo) {
  BesideCase c(3, -1e3, 3);
  BesideSolver solver;
  Vector x;
  const auto inverse = c.inverse();
  EXPECT_EQ(solver.solve(inverse, c.B, 1, c.rhs, 1e-2, 10, x), BesideSolver::Status::not_positive_definite);
  const BesideCase good(5, 10, 4);
  const auto good_inverse = good.inverse();
  EXPECT_EQ(solver.solve(good_inverse, good.B, 1, good.rhs, 1e-9, 2, x), BesideSolver::Status::not_converged);
  const Vector bad = Vector::Constant(c.rhs.size(), std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(solver.solve(good_inverse, good.B, 1, bad, 1e-2, 10, x), BesideSolver::Status::not_finite);
}

}  // namespace
}  // namespace phiflex
