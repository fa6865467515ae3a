// Rational Krylov for functions of a pencil: what is its own beyond the contract.
#include <gtest/gtest.h>

#include <numbers>

#include "phiflex/matfun/catalogue.h"
#include "tests/matfun/pencil_cases.h"

namespace phiflex {
namespace {

using testing::MassKind;
using testing::Spectrum;
using testing::SpringNet;

// A bar of n linear elements, one end held, in modes known exactly: w_i = 2 c sin(k_i/2), shapes sin(k_i x).
struct Bar {
  Bar(int n, double stiffness) : K(make_stiffness(n, stiffness)), mass(make_masses(n)), pencil(K, mass) {
    modes.resize(n, n);
    lambda.resize(n);
    for (int i = 0; i < n; ++i) {
      const double k = (i + 0.5) * std::numbers::pi / n;
      lambda[i] = stiffness * std::pow(2 * std::sin(k / 2), 2);
      for (int x = 0; x < n; ++x) modes(x, i) = std::sin(k * (x + 1));
      modes.col(i) /= std::sqrt(modes.col(i).dot(mass.diagonal().cwiseProduct(modes.col(i))));
    }
  }
  static SparseMatrix make_stiffness(int n, double stiffness) {
    std::vector<Coupling> couplings;
    for (int i = 0; i + 1 < n; ++i) couplings.push_back({i, i + 1});
    SparseMatrix springs(std::make_shared<SparsityPattern>(1, n, couplings));
    for (int i = 0; i < n; ++i) {
      springs.block(springs.pattern().diagonal(i))[0] = (i + 1 < n ? 2 : 1) * stiffness;
      if (i > 0)
        springs.block(springs.pattern().find(i, i - 1))[0] =
            springs.block(springs.pattern().find(i - 1, i))[0] = -stiffness;
    }
    return springs;
  }
  static Vector make_masses(int n) {
    Vector masses = Vector::Ones(n);
    masses[n - 1] = 0.5;
    return masses;
  }
  // Velocity and acceleration of a moving bar: in units of energy, every mode excited like 1/i^2.
  Matrix data() const {
    Vector v(lambda.size()), a(lambda.size());
    for (Index i = 0; i < lambda.size(); ++i) {
      v[i] = std::cos(1.7 * double(i)) / double((i + 1) * (i + 1));
      a[i] = std::sin(2.3 * double(i) + 1) * std::sqrt(lambda[i]) / double((i + 1) * (i + 1));
    }
    Matrix b(lambda.size(), 2);
    b << modes * v, modes * a;
    return b;
  }
  Matrix apply(const PencilFunction& f, const Matrix& b) const {
    const Matrix modal = modes.transpose() * mass.diagonal().asDiagonal() * b;
    Matrix result(lambda.size(), f.rows()), value(f.rows(), f.columns());
    for (Index l = 0; l < lambda.size(); ++l) {
      f.evaluate(lambda[l], value);
      result.row(l) = value * modal.row(l).transpose();
    }
    return modes * result;
  }
  // Of one group of a displacement and a velocity.
  double relative_error(const PhiSumFunction& f, const Matrix& y, const Matrix& exact) const {
    const auto norm = [&](const Matrix& x) {
      return std::hypot(f.weight(0) * std::sqrt(mass.dot(x.col(0), x.col(0))),
                        std::sqrt(mass.dot(x.col(1), x.col(1))));
    };
    return norm(y - exact) / norm(exact);
  }

  SparseMatrix K;
  MassMatrix mass;
  AssembledPencil pencil;
  Matrix modes;
  Vector lambda;
};

struct BarInverse {
  BarInverse(const Bar& bar, double s) : factorization(bar.K.shared_pattern()), inverse(factorization, s) {
    SparseMatrix shifted(bar.K.shared_pattern());
    shifted.set(s, bar.K);
    bar.mass.add_to(1, shifted);
    EXPECT_EQ(factorization.factorize(shifted), FactorStatus::ok);
  }
  CholeskyFactorization factorization;
  FactorizedShiftInverse inverse;
};

// From h w_1 = 0.004 to 4 for the slowest mode, h w_max = 2 to 2000.
TEST(Rational, CostsNoMoreForStifferBodies) {
  const double h = 1, times[] = {h};
  const PhiSumFunction f = testing::step_function(times, h);
  for (const double stiffness : {1.0, 1e2, 1e4, 1e6}) {
    const Bar bar(400, stiffness);
    BarInverse inverse(bar, h * h);
    const Matrix b = bar.data();
    Matrix y;
    Work work;
    const auto rational = find_evaluator("rational")->make_pencil({1e-2, 60});
    const EvaluationReport report = rational->evaluate(bar.pencil, &inverse.inverse, f, b, y, work);
    ASSERT_EQ(report.status, EvaluationStatus::ok);
    // The first result is made six times as accurate as asked for, for the sake of later ones.
    EXPECT_LE(report.solves, 2 * 36) << stiffness;
    EXPECT_LE(bar.relative_error(f, y, bar.apply(f, b)), 1e-2) << stiffness;
    EXPECT_EQ(rational->evaluate(bar.pencil, &inverse.inverse, f, b, y, work).solves, 0) << stiffness;
  }
}

TEST(Rational, NeedsNoExactInverse) {
  const Bar bar(400, 1e4), older(400, 5e3);
  BarInverse kept(older, 1);
  const double times[] = {1};
  const PhiSumFunction f = testing::step_function(times, 1);
  const Matrix b = bar.data();
  for (const double tolerance : {1e-2, 1e-3}) {
    Matrix y;
    Work work;
    const EvaluationReport report = find_evaluator("rational")
                                        ->make_pencil({tolerance, 200})
                                        ->evaluate(bar.pencil, &kept.inverse, f, b, y, work);
    ASSERT_EQ(report.status, EvaluationStatus::ok);
    EXPECT_LE(bar.relative_error(f, y, bar.apply(f, b)), 3 * tolerance);
    EXPECT_EQ(work.solves, report.solves);
  }
}

class NeverReady final : public ShiftInverse {
 public:
  explicit NeverReady(SolveStatus status) : status_(status) {}
  double shift() const override { return 1; }
  SolveStatus prepare(Work&) override { return status_; }
  void apply(const Matrix&, Matrix&, Work&) override { FAIL() << "it is not ready"; }
  double preparation_work() const override { return 0; }
  double solve_work() const override { return 0; }

 private:
  SolveStatus status_;
};

TEST(Rational, ReportsAnInverseThatCannotBeMade) {
  const SpringNet net(Spectrum::indefinite, MassKind::lumped);
  const double times[] = {1};
  const PhiSumFunction f = testing::step_function(times, 1);
  const Matrix b = testing::random_matrix(net.K.rows(), 2, 1);
  Matrix y;
  Work work;
  NeverReady indefinite(SolveStatus::not_positive_definite), infinite(SolveStatus::not_finite);
  const auto rational = find_evaluator("rational")->make_pencil({});
  EXPECT_EQ(rational->evaluate(net.pencil, &indefinite, f, b, y, work).status,
            EvaluationStatus::not_positive_definite);
  EXPECT_EQ(rational->evaluate(net.pencil, &infinite, f, b, y, work).status, EvaluationStatus::not_finite);
}

}  // namespace
}  // namespace phiflex
