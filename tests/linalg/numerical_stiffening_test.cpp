// Why a coarse mesh needs EigenFit, in one dimension: u'' = -lambda u on [0, 1], u = 0 at both ends, with n linear
// elements of length h = 1/n and the consistent mass,
//
//   K = 1/h tridiag(-1, 2, -1),   M = h/6 tridiag(1, 4, 1),   lambda_1 = 6/h^2 (1 - cos(pi h))/(2 + cos(pi h)).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "phiflex/linalg/modes.h"

namespace phiflex {
namespace {

double lowest_eigenvalue(int n) {
  const int rows = n - 1;
  const double h = 1. / n;
  std::vector<Coupling> couplings;
  for (int i = 0; i + 1 < rows; ++i) couplings.push_back({i, i + 1});
  const auto pattern = std::make_shared<SparsityPattern>(1, rows, couplings);
  SparseMatrix K(pattern), M(pattern);
  for (int i = 0; i < rows; ++i)
    for (int k = pattern->row_start()[i]; k < pattern->row_start()[i + 1]; ++k) {
      const bool diagonal = pattern->column()[k] == i;
      *K.block(k) = (diagonal ? 2 : -1) / h;
      *M.block(k) = (diagonal ? 4 : 1) * h / 6;
    }
  const MassMatrix mass(std::move(M));
  Modes modes;
  Work unused;
  EXPECT_EQ(compute_modes(AssembledPencil(K, mass), 1, {.tolerance = 1e-10}, modes, unused), ModesStatus::ok);
  return modes.lambda[0];
}

TEST(NumericalStiffening, TheLowestEigenvalueOfTheWaveEquationFallsTowardsPiSquaredFromAbove) {
  constexpr double pi = std::numbers::pi;
  double before = std::numeric_limits<double>::infinity();
  for (int n = 2; n <= 64; n *= 2) {
    const double lambda = lowest_eigenvalue(n), h = 1. / n;
    EXPECT_NEAR(lambda, 6 / (h * h) * (1 - std::cos(pi * h)) / (2 + std::cos(pi * h)), 1e-8 * lambda) << n;
    EXPECT_LT(lambda, before);
    EXPECT_GT(lambda, pi * pi);
    before = lambda;
  }
  EXPECT_NEAR(lowest_eigenvalue(2), 12, 1e-9);
  EXPECT_NEAR(before, pi * pi, 0.01);  // pi^4 h^2/12 = 0.002
}

}  // namespace
}  // namespace phiflex
