#include "phiflex/linalg/pencil.h"

#include <algorithm>
#include <cmath>

namespace phiflex {

void AssembledPencil::apply_K(const Matrix& X, Matrix& Y) const {
  K_.apply(X, Y);
  if (const LowRank* low = low_rank()) {
    const Matrix modal = low->scale.asDiagonal() * (low->MU.transpose() * X);
    Y.noalias() += low->MU * modal;
  }
  if (blocks_ && !blocks_->empty())
    for (Index j = 0; j < X.cols(); ++j) blocks_->add_product(1, X.col(j).data(), Y.col(j).data());
}

// The row sums of |K| over those of M: for a lumped mass the infinity norm of M^-1 K itself.
double AssembledPencil::norm() const {
  const SparsityPattern& p = K_.pattern();
  const int b = p.block();
  Vector row_sums;
  if (const SparseMatrix* M = mass_.matrix()) M->apply(Vector::Ones(mass_.rows()).eval(), row_sums);
  const Vector& mass_rows = mass_.lumped() ? mass_.diagonal() : row_sums;
  double largest = 0;
  for (int i = 0; i < p.block_rows(); ++i)
    for (int row = 0; row < b; ++row) {
      double sum = 0;
      for (int k = p.row_start()[i]; k < p.row_start()[i + 1]; ++k)
        for (int col = 0; col < b; ++col) sum += std::abs(K_.block(k)[b * row + col]);
      largest = std::max(largest, sum / mass_rows[Index(b) * i + row]);
    }
  if (mass_.team().size() > 1) {  // NaN is no number to compare
    const bool finite = !any(mass_.team(), !std::isfinite(largest));
    largest = finite ? phiflex::largest(mass_.team(), largest) : std::numeric_limits<double>::infinity();
  }
  // Leading eigenvalues that were moved up are at most so much beyond those of K.
  if (const LowRank* low = low_rank()) largest += std::max(0., low->scale.maxCoeff());
  if (blocks_) {
    Vector sums;
    largest += contact_norm(*blocks_, mass_, sums);
  }
  return largest;
}

double contact_norm(const StencilBlocks& B, const MassMatrix& mass, Vector& sums) {
  double here = 0;
  if (!B.empty()) {
    sums.setZero(mass.rows());
    B.add_row_sums(sums);
    here = (sums.array() / mass.diagonal().array()).maxCoeff();  // of this rank's rows
  }
  return largest(mass.team(), here);
}

}  // namespace phiflex
