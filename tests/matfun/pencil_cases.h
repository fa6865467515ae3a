// Pencils for the tests, with their exact functions by dense generalized eigendecomposition.
#pragma once

#include <Eigen/Eigenvalues>
#include <memory>
#include <random>
#include <vector>

#include "phiflex/linalg/pencil.h"
#include "phiflex/matfun/pencil_evaluator.h"
#include "tests/linalg/grid_matrices.h"

namespace phiflex::testing {

enum class Spectrum { definite, indefinite, singular };
enum class MassKind { lumped, consistent };

// A grid of random springs: kernel of translations, grounded to be definite, pushed below zero to be indefinite.
struct SpringGrid {
  SpringGrid(Spectrum spectrum, MassKind mass_kind, double stiffness = 1, int block = 3, int side = 3)
      : pattern(grid_pattern(block, side, side, side)),
        K(pattern),
        mass(make_mass(pattern, mass_kind)),
        pencil(K, mass) {
    K.set(stiffness, random_stiffness(pattern, 11));
    const Vector ones = Vector::Ones(K.rows());
    if (spectrum == Spectrum::definite) K.add_to_diagonal(0.05 * stiffness, ones);
    if (spectrum == Spectrum::indefinite) K.add_to_diagonal(-0.05 * stiffness, ones);
  }

  static MassMatrix make_mass(const std::shared_ptr<const SparsityPattern>& pattern, MassKind kind) {
    Vector diagonal = random_vector(pattern->rows(), 5).array() * 0.5 + 1.0;
    if (kind == MassKind::lumped) return MassMatrix(std::move(diagonal));
    SparseMatrix M(pattern);
    M.set(0.02, random_stiffness(pattern, 3));
    M.add_to_diagonal(1, diagonal);
    return MassMatrix(std::move(M));
  }

  Matrix dense_K() const { return Matrix(K.to_eigen()); }
  Matrix dense_M() const {
    return mass.lumped() ? Matrix(mass.diagonal().asDiagonal()) : Matrix(mass.matrix()->to_eigen());
  }

  std::shared_ptr<const SparsityPattern> pattern;
  SparseMatrix K;
  MassMatrix mass;
  AssembledPencil pencil;
};

inline Matrix random_matrix(Index rows, Index columns, unsigned seed) {
  Matrix X(rows, columns);
  for (Index j = 0; j < columns; ++j) X.col(j) = random_vector(rows, seed + unsigned(j));
  return X;
}

// y_i = sum_j f_ij(A) b_j by  K U = M U Lambda, U'M U = I:  f(A) = U f(Lambda) U'M.
class DensePencil {
 public:
  explicit DensePencil(const SpringGrid& grid) : M_(grid.dense_M()), eigen_(grid.dense_K(), M_) {}
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

}  // namespace phiflex::testing
