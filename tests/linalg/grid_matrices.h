// Matrices for the tests: patterns of a grid of cubes split into tetrahedra, values that are random but known
// to be positive semidefinite.
#pragma once

#include <Eigen/Geometry>
#include <memory>
#include <random>
#include <vector>

#include "phiflex/linalg/block_rotations.h"
#include "phiflex/linalg/sparse_matrix.h"

namespace phiflex::testing {

inline std::shared_ptr<const SparsityPattern> grid_pattern(int block, int nx, int ny, int nz) {
  const auto vertex = [&](int x, int y, int z) { return (z * (ny + 1) + y) * (nx + 1) + x; };
  std::vector<Coupling> couplings;
  for (int z = 0; z <= nz; ++z)
    for (int y = 0; y <= ny; ++y)
      for (int x = 0; x <= nx; ++x)
        for (int step = 1; step < 8; ++step) {
          const int dx = step & 1, dy = step >> 1 & 1, dz = step >> 2;
          if (x + dx <= nx && y + dy <= ny && z + dz <= nz)
            couplings.push_back({vertex(x, y, z), vertex(x + dx, y + dy, z + dz)});
        }
  return std::make_shared<SparsityPattern>(block, (nx + 1) * (ny + 1) * (nz + 1), couplings);
}

// The sum over all couplings (i, j) of  [v; -v] [v; -v]'  with random v: positive semidefinite like the
// stiffness of springs, with the translations in its kernel.
inline SparseMatrix random_stiffness(const std::shared_ptr<const SparsityPattern>& pattern, unsigned seed) {
  SparseMatrix K(pattern);
  const int b = pattern->block();
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int i = 0; i < pattern->block_rows(); ++i)
    for (int k = pattern->row_start()[i]; k < pattern->row_start()[i + 1]; ++k) {
      const int j = pattern->column()[k];
      if (j <= i) continue;
      double v[3];
      for (double& x : v) x = number(random);
      for (int r = 0; r < b; ++r)
        for (int c = 0; c < b; ++c) {
          K.block(pattern->diagonal(i))[b * r + c] += v[r] * v[c];
          K.block(pattern->diagonal(j))[b * r + c] += v[r] * v[c];
          K.block(k)[b * r + c] -= v[r] * v[c];
          K.block(pattern->find(j, i))[b * r + c] -= v[r] * v[c];
        }
    }
  return K;
}

inline Vector random_vector(Index size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  Vector x(size);
  for (double& entry : x) entry = number(random);
  return x;
}

// By an angle (rad) about axes of their own.
inline BlockRotations random_rotations(Index blocks, double angle, unsigned seed) {
  const Vector axes = random_vector(3 * blocks, seed);
  BlockRotations R;
  R.resize(blocks);
  for (Index v = 0; v < blocks; ++v) {
    const Eigen::Vector3d axis = axes.segment<3>(3 * v).normalized();
    R[v] = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
  }
  return R;
}

// R A R'.
inline SparseMatrix turned(const SparseMatrix& A, const BlockRotations& R) {
  using RowMajor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  SparseMatrix result = A;
  const SparsityPattern& pattern = A.pattern();
  for (int i = 0; i < pattern.block_rows(); ++i)
    for (int k = pattern.row_start()[i]; k < pattern.row_start()[i + 1]; ++k) {
      Eigen::Map<RowMajor> block(result.block(k));
      block = (R[i] * block * R[pattern.column()[k]].transpose()).eval();
    }
  return result;
}

}  // namespace phiflex::testing
