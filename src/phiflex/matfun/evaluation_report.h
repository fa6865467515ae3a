// What the evaluation of a matrix function did and what it cost.
#pragma once

#include <string_view>

#include "phiflex/linalg/vector.h"

namespace phiflex {

enum class [[nodiscard]] EvaluationStatus{
    ok,
    not_finite,             // the input, or a value on the way, is not finite
    not_converged,          // the limit of substeps or of the basis was reached
    not_positive_definite,  // the shifted matrix, or the inner product asked for, is not positive definite
};

struct [[nodiscard]] EvaluationReport {
  EvaluationStatus status = EvaluationStatus::ok;
  std::string_view evaluator;  // who did the work: a default names its choice here
  long products = 0;           // with A or K, one per vector
  long solves = 0;             // with the shifted matrix, one per vector
  long krylov_vectors = 0;     // basis vectors built, over all substeps
  long substeps = 0;
  long rejected = 0;        // substeps tried and given up
  Index largest_basis = 0;  // most vectors of the state's size held at once
  double error = 0;         // estimated, in the norm that was asked for, relative to the result
};

}  // namespace phiflex
