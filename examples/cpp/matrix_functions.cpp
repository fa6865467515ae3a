// Matrix functions alone: heat in a rod, u' = A u with A the second difference on n points, u(0) = 0 at both ends. The
// lowest sine is an eigenvector, so that exp(tau A) b is known:
//
//   A b = -lambda b,   lambda = 4 (n + 1)^2 sin^2(pi/(2 (n + 1))),   exp(tau A) b = exp(-lambda tau) b    (1)
#include <phiflex/matfun.h>

#include <cmath>
#include <cstdio>
#include <numbers>

int main() {
  using namespace phiflex;
  const int n = 1000;
  const double scale = double(n + 1) * (n + 1), tau = 0.05, pi = std::numbers::pi;
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) {
    entries.emplace_back(i, i, -2 * scale);
    if (i > 0) entries.emplace_back(i, i - 1, scale), entries.emplace_back(i - 1, i, scale);
  }
  GeneralMatrix A(n, n);
  A.setFromTriplets(entries.begin(), entries.end());
  Matrix b(n, 1), y;
  for (int i = 0; i < n; ++i) b(i, 0) = std::sin(pi * (i + 1) / (n + 1));
  const double lambda = 4 * scale * std::pow(std::sin(pi / (2 * (n + 1))), 2);

  bool good = true;
  for (const char* evaluator : {"auto", "rational", "kiops"}) {
    const EvaluationReport report =
        evaluate_matrix_phi(A, b, {.tau = tau, .k = 0, .evaluator = evaluator, .tolerance = 1e-8}, y);
    const double error = (y - std::exp(-lambda * tau) * b).norm() / y.norm();
    std::printf("%-9s %5ld products, %3ld solves, error %.1e\n", evaluator, long(report.products),
                long(report.solves), error);
    good = good && report.status == EvaluationStatus::ok && error < 1e-7;
  }
  return good ? 0 : 1;
}
