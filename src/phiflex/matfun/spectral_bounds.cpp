#include "phiflex/matfun/spectral_bounds.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "phiflex/linalg/dense_solvers.h"
#include "phiflex/matfun/mass_block.h"

namespace phiflex {

SpectralBounds ritz_bounds(const Vector& alpha, const Vector& beta) {
  const Index count = alpha.size();
  SpectralBounds bounds;
  if (count == 0) return bounds;
  Eigen::SelfAdjointEigenSolver<Matrix> eigen;
  eigen.computeFromTridiagonal(alpha, beta.head(count - 1));
  // A single Ritz value may hide a larger eigenvalue from its own small residual; the largest residual of all is
  // a bound that holds in practice (Zhou, Li: Bounding the spectrum of large Hermitian matrices, 2011).
  const double margin = beta[count - 1] * eigen.eigenvectors().row(count - 1).cwiseAbs().maxCoeff();
  bounds.smallest = eigen.eigenvalues()[0] - (eigen.eigenvalues()[0] < 0 ? margin : 0);
  bounds.largest = eigen.eigenvalues()[count - 1] + margin;
  return bounds;
}

SpectralBounds estimate_spectrum(const Pencil& pencil, int steps) {
  const Index n = pencil.size();
  const Team& team = pencil.mass().team();
  const Index all = total(team, n);
  SpectralBounds bounds;
  if (all == 0) return bounds;
  // Any vector will do, as long as it is the same every time.
  std::mt19937 random(1 + unsigned(team.rank()));
  Matrix V(n, 1), MV, MV_before = Matrix::Zero(n, 1), KV;
  for (Index i = 0; i < n; ++i) V(i, 0) = double(random()) / double(std::mt19937::max()) - 0.5;
  apply_mass(pencil.mass(), V, MV);
  const double norm = std::sqrt(sum(team, V.col(0).dot(MV.col(0))));
  V /= norm;
  MV /= norm;
  Vector alpha(steps), beta(steps);
  int count = 0;
  for (; count < steps && count < all; ++count) {
    pencil.apply_K(V, KV);
    ++bounds.products;
    alpha[count] = sum(team, V.col(0).dot(KV.col(0)));
    KV -= alpha[count] * MV + (count > 0 ? beta[count - 1] : 0.0) * MV_before;
    solve_mass(pencil.mass(), KV, V);
    beta[count] = std::sqrt(std::max(0.0, sum(team, V.col(0).dot(KV.col(0)))));
    if (!(beta[count] > 1e-12 * std::abs(alpha[count]))) {
      beta[count] = 0;
      ++count;
      break;
    }
    V /= beta[count];
    MV_before.swap(MV);
    MV = KV / beta[count];
  }
  const SpectralBounds ends = ritz_bounds(alpha.head(count), beta.head(count));
  bounds.smallest = ends.smallest;
  bounds.largest = ends.largest;
  return bounds;
}

}  // namespace phiflex
