// How an evaluator's file makes its entry of the catalogue: `EvaluatorEntry NAME_evaluator()`, which evaluator_names.h
// lists.
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

}  // namespace phiflex
