// The entries of the catalogue, each defined in the file of its evaluator.
#pragma once

#include "phiflex/matfun/catalogue.h"

namespace phiflex {

// An entry of the general family, and one of the pencil's.
template <class Evaluator>
EvaluatorEntry general_entry(const EvaluatorInfo& info) {
  return {&info,
          [](const PhiOptions& options) -> std::unique_ptr<PhiEvaluator> {
            return std::make_unique<Evaluator>(options);
          },
          nullptr};
}
template <class Evaluator>
EvaluatorEntry pencil_entry(const EvaluatorInfo& info) {
  return {&info, nullptr, [](const PencilOptions& options) -> std::unique_ptr<PencilEvaluator> {
            return std::make_unique<Evaluator>(options);
          }};
}

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
