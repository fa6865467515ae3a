// Phi-sums for tests of single evaluators: by name, and by the dense reference.
#pragma once

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "phiflex/matfun/catalogue.h"
#include "phiflex/matfun/dense_phi.h"
#include "tests/matfun/test_operators.h"

namespace phiflex::testing {

struct PhiSums {
  EvaluationReport report;
  std::vector<Vector> w;
};

inline PhiSums evaluate_phi(std::string_view name, const Matrix& A, const std::vector<Vector>& u,
                            const std::vector<double>& tau, const PhiOptions& options) {
  PhiSums sums{{}, std::vector<Vector>(tau.size())};
  sums.report = find_evaluator(name)->make_phi(options)->evaluate(DenseOperator(A), u, tau, sums.w);
  return sums;
}

inline Vector dense_phi(const Matrix& A, const std::vector<Vector>& u, double tau) {
  Vector w;
  DensePhi phi;
  EXPECT_TRUE(phi.evaluate(A, u, tau, w));
  return w;
}

}  // namespace phiflex::testing
