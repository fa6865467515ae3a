// The rational evaluator to a few digits, on a motion that goes on: its basis outlives the call.
#include "phiflex/matfun/recycled_rational.h"

#include <gtest/gtest.h>

#include <numbers>

#include "phiflex/linalg/cholesky.h"
#include "phiflex/linalg/shift_inverse.h"
#include "phiflex/matfun/pencil_functions.h"

namespace phiflex {
namespace {

// A stiff bar of n elements, one end held, swinging without damping: what a step of the exponential
// Rosenbrock-Euler method asks for, and the exact motion, mode by mode: w_i = 2 c sin(k_i/2), shapes sin(k_i x).
class SwingingBar {
 public:
  static constexpr int n = 400;
  const double h;

  // turns: of the lowest mode in a step. 0: a step of 0.01, which is no whole number of them.
  explicit SwingingBar(double turns = 0)
      : h(turns > 0 ? turns * 2 * std::numbers::pi / (2e5 * std::sin(0.25 * std::numbers::pi / n)) : 0.01),
        K_(make_stiffness()),
        mass_(make_masses()),
        pencil(K_, mass_) {
    modes_.resize(n, n);
    lambda_.resize(n);
    for (int i = 0; i < n; ++i) {
      const double k = (i + 0.5) * std::numbers::pi / n;
      lambda_[i] = kStiffness * std::pow(2 * std::sin(k / 2), 2);
      for (int x = 0; x < n; ++x) modes_(x, i) = std::sin(k * (x + 1));
      modes_.col(i) /= std::sqrt(mass_.dot(modes_.col(i), modes_.col(i)));
    }
    SparseMatrix A(K_.shared_pattern());
    A.set(h * h, K_);
    mass_.add_to(1, A);
    factorization_ = std::make_unique<CholeskyFactorization>(K_.shared_pattern());
    EXPECT_EQ(factorization_->factorize(A), FactorStatus::ok);
    inverse = std::make_unique<FactorizedShiftInverse>(*factorization_, h * h);
    const PhiSumFunction::Half halves[] = {{1, PhiSumFunction::Part::displacement},
                                           {1, PhiSumFunction::Part::velocity}};
    const double times[] = {h};
    f.set(halves, times, {}, h, 1);
  }

  // (v, a) of the bar t after a constant force was switched on; every mode is excited, like 1/w.
  Matrix data(double t) const {
    const Vector force = modes_.transpose() * mass_.diagonal();
    Vector v(n), a(n);
    for (int i = 0; i < n; ++i) {
      const double w = std::sqrt(lambda_[i]);
      v[i] = force[i] * std::sin(w * t) / w;
      a[i] = force[i] * std::cos(w * t);
    }
    Matrix b(n, 2);
    b << modes_ * v, modes_ * a;
    return b;
  }
  double error(const Matrix& b, const Matrix& y) const {
    const Matrix modal = modes_.transpose() * mass_.diagonal().asDiagonal() * b;
    Matrix exact(n, 2), value(2, 2);
    for (int i = 0; i < n; ++i) {
      f.evaluate(lambda_[i], value);
      exact.row(i) = value * modal.row(i).transpose();
    }
    exact = modes_ * exact;
    const auto norm = [&](const Matrix& x) {
      return std::hypot(std::sqrt(mass_.dot(x.col(0), x.col(0))) / h,
                        std::sqrt(mass_.dot(x.col(1), x.col(1))));
    };
    return norm(y - exact) / norm(exact);
  }
  // Where errors count as displacements, by the exact modes: e_q'M e_q/h^2 + e_v'M (M + h^2 K)^-1 M e_v, over the mean
  // of that of the result over all phases: of A (1 - exp(i x)) and its velocity, |q|^2 = 2 A^2, |v|^2 = 2 A^2 w^2.
  double error_of_motion(const Matrix& b, const Matrix& y) const {
    const Matrix modal = modes_.transpose() * mass_.diagonal().asDiagonal() * b,
                 result = modes_.transpose() * mass_.diagonal().asDiagonal() * y;
    Matrix value(2, 2);
    double error = 0, size = 0;
    for (int i = 0; i < n; ++i) {
      f.evaluate(lambda_[i], value);
      const Vector e = result.row(i).transpose() - value * modal.row(i).transpose();
      const double x2 = h * h * lambda_[i];
      error += e[0] * e[0] / (h * h) + e[1] * e[1] / (1 + x2);
      const double amplitude2 =
          modal(i, 0) * modal(i, 0) / lambda_[i] + modal(i, 1) * modal(i, 1) / (lambda_[i] * lambda_[i]);
      size += 2 * amplitude2 / (h * h) * (1 + x2 / (1 + x2));
    }
    return std::sqrt(error / size);
  }
  // Of the result over its mean: small where the body is back where it was.
  double part_of_motion(const Matrix& b) const { return error_of_motion(b, Matrix::Zero(n, 2)); }

 private:
  static constexpr double kStiffness = 1e10;  // h w from 39 to 2000
  static SparseMatrix make_stiffness() {
    std::vector<Coupling> couplings;
    for (int i = 0; i + 1 < n; ++i) couplings.push_back({i, i + 1});
    SparseMatrix springs(std::make_shared<SparsityPattern>(1, n, couplings));
    for (int i = 0; i < n; ++i) {
      springs.block(springs.pattern().diagonal(i))[0] = (i + 1 < n ? 2 : 1) * kStiffness;
      if (i > 0)
        springs.block(springs.pattern().find(i, i - 1))[0] =
            springs.block(springs.pattern().find(i - 1, i))[0] = -kStiffness;
    }
    return springs;
  }
  static Vector make_masses() {
    Vector masses = Vector::Ones(n);
    masses[n - 1] = 0.5;
    return masses;
  }

  SparseMatrix K_;
  MassMatrix mass_;
  Matrix modes_;
  Vector lambda_;
  std::unique_ptr<CholeskyFactorization> factorization_;

 public:
  AssembledPencil pencil;
  std::unique_ptr<FactorizedShiftInverse> inverse;
  PhiSumFunction f;
};

TEST(RecycledRational, HoldsItsToleranceThroughAMotionAndSoonNeedsNoSolves) {
  SwingingBar bar;
  RecycledRational evaluator({.tolerance = 1e-2, .largest_basis = 60});
  long first_solves = 0, later_solves = 0;
  for (int step = 0; step < 60; ++step) {
    const Matrix b = bar.data(step * bar.h);
    Matrix y;
    Work work;
    const EvaluationReport report = evaluator.evaluate(bar.pencil, bar.inverse.get(), bar.f, b, y, work);
    // Where the update is smaller than what the basis leaves out, the evaluator must say so, not be wrong.
    if (report.status == EvaluationStatus::ok) {
      EXPECT_LE(bar.error(b, y), 1e-2) << "step " << step;
    }
    (step < 10 ? first_solves : later_solves) += report.solves;
  }
  EXPECT_LT(later_solves, first_solves);
}

TEST(RecycledRational, ItsEstimateIsOfTheSizeOfTheError) {
  SwingingBar bar;
  RecycledRational evaluator({.tolerance = 1e-2, .largest_basis = 60});
  for (int step = 0; step < 40; ++step) {
    const Matrix b = bar.data(step * bar.h);
    Matrix y;
    Work work;
    const EvaluationReport report = evaluator.evaluate(bar.pencil, bar.inverse.get(), bar.f, b, y, work);
    if (report.status != EvaluationStatus::ok) continue;
    EXPECT_LE(bar.error(b, y), std::max(2 * report.error, 2e-3)) << "step " << step;
  }
}

class OfAMotion : public ::testing::TestWithParam<double> {
 protected:
  PencilOptions options() const { return {.largest_basis = 60, .motion_tolerance = GetParam()}; }
};

TEST_P(OfAMotion, HoldsItsToleranceWithOneBlockPerStepOnceItKnowsTheMotion) {
  SwingingBar bar;
  RecycledRational evaluator(options());
  long later_solves = 0;
  for (int step = 0; step < 60; ++step) {
    const Matrix b = bar.data(step * bar.h);
    Matrix y;
    Work work;
    const EvaluationReport report = evaluator.evaluate(bar.pencil, bar.inverse.get(), bar.f, b, y, work);
    ASSERT_EQ(report.status, EvaluationStatus::ok) << "step " << step;
    EXPECT_LE(report.error, GetParam());
    EXPECT_LE(bar.error_of_motion(b, y), GetParam()) << "step " << step;
    if (step >= 10) later_solves += report.solves;
  }
  EXPECT_LE(later_solves, 50 * 4) << "the residuals of two results and of two vectors that they are made of";
}

TEST_P(OfAMotion, ItsEstimateIsNotBelowTheErrorNorTwentyTimesIt) {
  SwingingBar bar;
  RecycledRational evaluator(options());
  for (int step = 0; step < 40; ++step) {
    const Matrix b = bar.data(step * bar.h);
    Matrix y;
    Work work;
    const EvaluationReport report = evaluator.evaluate(bar.pencil, bar.inverse.get(), bar.f, b, y, work);
    ASSERT_EQ(report.status, EvaluationStatus::ok) << "step " << step;
    // Parts below 0.3 of the tolerance are not looked at.
    EXPECT_LE(bar.error_of_motion(b, y), std::max(report.error, 0.3 * GetParam())) << "step " << step;
    EXPECT_LE(report.error, 20 * bar.error_of_motion(b, y)) << "step " << step;
  }
}

// A step of six whole turns of the lowest mode brings the bar back: the update is a small part of the motion, and a
// tolerance that is relative to it asks for digits of the motion that no basis of few vectors has.
TEST_P(OfAMotion, AStepThatBringsTheBodyBackIsResolvedAsAnyOther) {
  SwingingBar bar(6);
  RecycledRational evaluator(options());
  for (int step = 0; step < 40; ++step) {
    const Matrix b = bar.data((step + 0.3) * bar.h);
    EXPECT_LE(bar.part_of_motion(b), 0.3) << "the case";
    Matrix y;
    Work work;
    const EvaluationReport report = evaluator.evaluate(bar.pencil, bar.inverse.get(), bar.f, b, y, work);
    ASSERT_EQ(report.status, EvaluationStatus::ok) << "step " << step;
    EXPECT_LE(bar.error_of_motion(b, y), GetParam()) << "step " << step;
  }
}

INSTANTIATE_TEST_SUITE_P(RecycledRational, OfAMotion, ::testing::Values(2e-3, 5e-3, 1e-2));

TEST(RecycledRational, SavedAndLoadedItGoesOnBitForBit) {
  SwingingBar bar;
  RecycledRational whole({.tolerance = 1e-2}), other({.tolerance = 1e-2});
  Matrix y, resumed;
  Work work;
  for (int step = 0; step < 5; ++step)
    ASSERT_EQ(whole.evaluate(bar.pencil, bar.inverse.get(), bar.f, bar.data(step * bar.h), y, work).status,
              EvaluationStatus::ok);
  ArchiveWriter out;
  whole.save(out);
  ArchiveReader in(out.bytes());
  other.load(in);
  EXPECT_TRUE(in.at_end());
  for (int step = 5; step < 9; ++step) {
    const Matrix b = bar.data(step * bar.h);
    ASSERT_EQ(whole.evaluate(bar.pencil, bar.inverse.get(), bar.f, b, y, work).status, EvaluationStatus::ok);
    ASSERT_EQ(other.evaluate(bar.pencil, bar.inverse.get(), bar.f, b, resumed, work).status,
              EvaluationStatus::ok);
    EXPECT_EQ(y, resumed);
  }
}

TEST(RecycledRational, AnArchiveThatIsNoBasisIsRefused) {
  ArchiveWriter out;
  out.put(std::int64_t{10});
  out.put(std::int64_t{3});
  out.put(std::span<const double>(std::vector<double>(29)));
  ArchiveReader in(out.bytes());
  RecycledRational evaluator({.tolerance = 1e-2});
  EXPECT_THROW(evaluator.load(in), ArchiveError);
}

TEST(RecycledRational, AnotherBodyBeginsAnew) {
  SwingingBar bar;
  RecycledRational evaluator({.tolerance = 1e-2});
  Matrix y;
  Work work;
  ArchiveWriter out;
  out.put(std::int64_t{7});
  out.put(std::int64_t{2});
  out.put(std::span<const double>(std::vector<double>(14, 0.1)));
  ArchiveReader in(out.bytes());
  evaluator.load(in);
  const Matrix b = bar.data(0);
  EXPECT_EQ(evaluator.evaluate(bar.pencil, bar.inverse.get(), bar.f, b, y, work).status,
            EvaluationStatus::ok);
  EXPECT_LE(bar.error(b, y), 1e-2);
}

}  // namespace
}  // namespace phiflex
