// Pencils for the tests, with their exact functions by dense generalized eigendecomposition.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "phiflex/linalg/cholesky.h"
#include "phiflex/linalg/dense_solvers.h"
#include "phiflex/linalg/shift_inverse.h"
#include "phiflex/matfun/pencil_functions.h"
#include "tests/matfun/test_operators.h"

namespace phiflex::testing {

constexpr double kGot = 3;  // tolerance asked is tolerance got, within this factor

enum class Spectrum { definite, indefinite, singular };
enum class MassKind { lumped, consistent };

// Points in space, each joined to its neighbours by springs of random direction and stiffness: translations cost
// nothing. Tied to the ground they become definite, pushed off it indefinite.
struct SpringNet {
  SpringNet(Spectrum spectrum, MassKind mass_kind, double stiffness = 1, int points = 60)
      : K(make_springs(points, 11)), mass(make_mass(points, mass_kind)), pencil(K, mass) {
    const double ground = spectrum == Spectrum::definite     ? 0.05
                          : spectrum == Spectrum::indefinite ? -0.05
                                                             : 0;
    K.add_to_diagonal(ground, Vector::Ones(K.rows()));
    K.set(stiffness, SparseMatrix(K));
  }

  static SparseMatrix make_springs(int points, unsigned seed) {
    std::vector<Coupling> couplings;
    for (int i = 0; i < points; ++i)
      for (const int stride : {1, 2, 7})
        if (i + stride < points) couplings.push_back({i, i + stride});
    SparseMatrix springs(std::make_shared<SparsityPattern>(3, points, couplings));
    const SparsityPattern& pattern = springs.pattern();
    for (const auto& [i, j] : couplings) {
      const Vector d = random_vector(3, seed++);
      const Matrix block = d * d.transpose();
      for (int entry = 0; entry < 9; ++entry) {
        springs.block(pattern.diagonal(i))[entry] += block(entry / 3, entry % 3);
        springs.block(pattern.diagonal(j))[entry] += block(entry / 3, entry % 3);
        springs.block(pattern.find(i, j))[entry] -= block(entry / 3, entry % 3);
        springs.block(pattern.find(j, i))[entry] -= block(entry / 3, entry % 3);
      }
    }
    return springs;
  }

  static MassMatrix make_mass(int points, MassKind kind) {
    const Vector diagonal = Vector::LinSpaced(3 * points, 0.5, 1.5);
    if (kind == MassKind::lumped) return MassMatrix(diagonal);
    SparseMatrix M = make_springs(points, 5);
    M.set(0.05, SparseMatrix(M));
    M.add_to_diagonal(1, diagonal);
    return MassMatrix(std::move(M));
  }

  Matrix dense_K() const { return Matrix(K.to_eigen()); }
  Matrix dense_M() const {
    return mass.lumped() ? Matrix(mass.diagonal().asDiagonal()) : Matrix(mass.matrix()->to_eigen());
  }

  SparseMatrix K;
  MassMatrix mass;
  AssembledPencil pencil;
};

// (M + s K)^-1 for the tests of methods that need it.
class NetInverse {
 public:
  NetInverse(const SpringNet& net, double s)
      : factorization_(net.K.shared_pattern()), inverse_(factorization_, s) {
    SparseMatrix shifted(net.K.shared_pattern());
    shifted.set(s, net.K);
    net.mass.add_to(1, shifted);
    status_ = factorization_.factorize(shifted);
  }
  FactorStatus status() const { return status_; }
  ShiftInverse& get() { return inverse_; }

 private:
  CholeskyFactorization factorization_;
  FactorizedShiftInverse inverse_;
  FactorStatus status_;
};

// y_i = sum_j f_ij(A) b_j by  K U = M U Lambda, U'M U = I:  f(A) = U f(Lambda) U'M.
class ExactFunctions {
 public:
  explicit ExactFunctions(const SpringNet& net) : M_(net.dense_M()), eigen_(net.dense_K(), M_) {}
  const Vector& lambda() const { return eigen_.eigenvalues(); }
  const Matrix& modes() const { return eigen_.eigenvectors(); }
  Matrix apply(const PencilFunction& f, const Matrix& b) const {
    const Matrix modal = modes().transpose() * M_ * b;
    Matrix result(lambda().size(), f.rows()), value(f.rows(), f.columns());
    for (Index l = 0; l < lambda().size(); ++l) {
      f.evaluate(lambda()[l], value);
      result.row(l) = value * modal.row(l).transpose();
    }
    return modes() * result;
  }
  // The largest over the groups of f of |y - exact|/|exact| in the norm (2) of pencil_evaluator.h.
  double relative_error(const PencilFunction& f, const Matrix& y, const Matrix& exact) const {
    double largest = 0;
    for (Index first = 0; first < f.rows(); first += f.rows_per_group()) {
      double error = 0, size = 0;
      for (Index i = first; i < first + f.rows_per_group(); ++i) {
        const Vector e = y.col(i) - exact.col(i), x = exact.col(i);
        error += f.weight(i) * f.weight(i) * e.dot(M_ * e);
        size += f.weight(i) * f.weight(i) * x.dot(M_ * x);
      }
      if (error > 0) largest = std::max(largest, std::sqrt(error / size));
    }
    return largest;
  }

 private:
  Matrix M_;
  Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> eigen_;
};

// phi_1 of velocity and acceleration together: what an exponential Rosenbrock-Euler step asks for.
inline PhiSumFunction step_function(std::span<const double> times, double h, Rayleigh damping = {}) {
  using Part = PhiSumFunction::Part;
  return {{{1, Part::displacement}, {1, Part::velocity}}, times, damping, h};
}

}  // namespace phiflex::testing
