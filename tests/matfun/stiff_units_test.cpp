// In units of a second, a metre and a stiff body the norm of J is far above its frequencies: |J| = w^2.
#include <gtest/gtest.h>

#include <cmath>

#include "phiflex/matfun/catalogue.h"

namespace phiflex {
namespace {

// Masses on springs of their own, w = 1e3 to 1e6 per second: within tau = 1e-3 the fastest swings 160 times, while
// 1/|J| suggests 1e9 substeps.
TEST(StiffUnits, EveryGeneralEvaluatorFindsALengthOfSubstepsThatSuitsTheFrequencies) {
  const int n = 60;
  const Vector w = Vector::NullaryExpr(n, [](Index i) { return 1e3 * std::pow(1e3, double(i) / 59); });
  SparseMatrix K(std::make_shared<SparsityPattern>(1, n, std::vector<Coupling>{}));
  for (int i = 0; i < n; ++i) *K.block(K.pattern().diagonal(i)) = w[i] * w[i];
  const MassMatrix mass(Vector::Ones(n).eval());
  const AssembledPencil pencil(K, mass);
  const FirstOrderForm J(pencil, Rayleigh{});
  const double tau = 1e-3;
  const Vector q = w.cwiseInverse(), v = Vector::Ones(n);
  Vector start(2 * n), exact(2 * n), result;
  start << q, v;
  for (int i = 0; i < n; ++i) {
    const double c = std::cos(w[i] * tau), s = std::sin(w[i] * tau);
    exact[i] = c * q[i] + s / w[i] * v[i];
    exact[i + n] = -w[i] * s * q[i] + c * v[i];
  }
  const StepNorm norm(mass, tau);
  Vector weighted;
  for (const EvaluatorEntry& entry : evaluator_catalogue()) {
    if (entry.info->family != EvaluatorFamily::general) continue;
    MechanicalPhiOptions options;
    options.tolerance = 1e-3;
    Work work;
    const auto phi = make_mechanical_phi(entry.info->name, options);
    const EvaluationReport report = phi->evaluate(J, nullptr, {&start, 1}, {&tau, 1}, {&result, 1}, work);
    ASSERT_EQ(report.status, EvaluationStatus::ok) << entry.info->name;
    const Vector error = result - exact;
    norm.apply(exact, weighted);
    const double size = std::sqrt(exact.dot(weighted));
    norm.apply(error, weighted);
    EXPECT_LE(std::sqrt(error.dot(weighted)), 3e-3 * size) << entry.info->name;
  }
}

}  // namespace
}  // namespace phiflex
