// The entries of the catalogue, each defined in the file of its evaluator.
#pragma once

#include "phiflex/matfun/catalogue.h"

namespace phiflex {

EvaluatorEntry lanczos_evaluator();
EvaluatorEntry chebyshev_evaluator();
EvaluatorEntry rational_evaluator();
EvaluatorEntry expv_evaluator();
EvaluatorEntry phipm_evaluator();
EvaluatorEntry kiops_evaluator();
EvaluatorEntry taylor_evaluator();
EvaluatorEntry leja_evaluator();
EvaluatorEntry dense_evaluator();

}  // namespace phiflex
