// y = phi_k(tau A) b for any real square sparse matrix, by an evaluator of the catalogue or one chosen for A.
#pragma once

#include <optional>
#include <string>

#include "phiflex/linalg/matrix_market.h"
#include "phiflex/matfun/catalogue.h"

namespace phiflex {

struct MatrixPhiOptions {
  double tau = 1;  // any finite number; negative: phi_k(|tau| (-A)); zero: b/k!
  int k = 0;
  std::string evaluator = "auto";
  double tolerance = 1e-6;  // of each column of y, relative, in the 2-norm
};

// The pair of entries that differs most, when A is not symmetric to round-off (1e-14 of its largest entry).
struct Asymmetry {
  Index row = 0, column = 0;
  double value = 0, mirrored = 0;
};
std::optional<Asymmetry> find_asymmetry(const GeneralMatrix& A);

// What "auto" means for this matrix, by its size, its norm and its symmetry:
//   at most 200 rows      dense
//   symmetric             lanczos; rational when tau A has no large positive eigenvalues and lanczos would take
//                         more than a thousand vectors
//   otherwise             kiops; taylor when |tau A| is so small that one or two terms of 10 products suffice
std::string choose_evaluator(const GeneralMatrix& A, double tau);

// The columns of b one after the other; counts are summed, largest basis and error are those of the worst.
// Throws std::invalid_argument for an unknown name, sizes that do not fit, and evaluators of the pencil's family
// when A is not symmetric. When the status is not ok, y is undefined.
EvaluationReport evaluate_matrix_phi(const GeneralMatrix& A, const Matrix& b, const MatrixPhiOptions& options,
                                     Matrix& y);

}  // namespace phiflex
