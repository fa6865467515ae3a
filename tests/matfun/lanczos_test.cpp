// Block Lanczos for functions of a pencil: what is its own beyond the contract.
#include <gtest/gtest.h>

#include "phiflex/matfun/catalogue.h"
#include "tests/matfun/pencil_cases.h"

namespace phiflex {
namespace {

using testing::ExactFunctions;
using testing::MassKind;
using testing::random_matrix;
using testing::Spectrum;
using testing::SpringNet;

std::unique_ptr<PencilEvaluator> make_lanczos(double tolerance, int largest_basis = 60) {
  return find_evaluator("lanczos")->make_pencil({tolerance, largest_basis});
}

TEST(Lanczos, EndsAfterAFewProductsWhenThreeEigenvectorsMakeUpTheData) {
  const SpringNet net(Spectrum::singular, MassKind::lumped);
  const ExactFunctions exact_functions(net);
  const double times[] = {3};
  const PhiSumFunction f = testing::step_function(times, 3);
  Matrix b(net.K.rows(), 2), y;
  b.col(0) =
      exact_functions.modes().col(2) + exact_functions.modes().col(70) - exact_functions.modes().col(150);
  b.col(1) = b.col(0);
  Work work;
  const EvaluationReport report = make_lanczos(1e-12)->evaluate(net.pencil, nullptr, f, b, y, work);
  ASSERT_EQ(report.status, EvaluationStatus::ok);
  EXPECT_LE(report.products, 8);  // one column, three for the space, and what round-off lets in
  EXPECT_LE(exact_functions.relative_error(f, y, exact_functions.apply(f, b)), 1e-10);
}

// cos(h sqrt A) has Chebyshev coefficients that vanish beyond the degree h w_max/2, whatever the data.
TEST(Lanczos, NeedsHalfOfHTimesTheLargestFrequencyAtMostAndALittle) {
  const SpringNet net(Spectrum::definite, MassKind::lumped, 1, 400);
  const double largest = std::sqrt(net.pencil.norm());
  for (const double x : {50.0, 100.0, 200.0}) {
    const double h = x / largest, times[] = {h};
    const PhiSumFunction f = testing::step_function(times, h);
    Matrix y;
    Work work;
    const EvaluationReport report =
        make_lanczos(1e-4, 2000)
            ->evaluate(net.pencil, nullptr, f, random_matrix(net.K.rows(), 2, 4), y, work);
    ASSERT_EQ(report.status, EvaluationStatus::ok);
    EXPECT_LE(double(report.products) / 2, 0.5 * 1.25 * x + 20);  // the last check may be an eighth too late
  }
}

TEST(Lanczos, ServesAShorterTimeFromTheBasisThatWasTooSmall) {
  const SpringNet net(Spectrum::definite, MassKind::lumped, 1e4);
  const ExactFunctions exact_functions(net);
  const Matrix b = random_matrix(net.K.rows(), 2, 4);
  const double whole[] = {1}, part[] = {0.05, 0.1};
  Matrix y;
  Work work;
  const auto lanczos = make_lanczos(1e-5, 30);
  const EvaluationReport full =
      lanczos->evaluate(net.pencil, nullptr, testing::step_function(whole, 1), b, y, work);
  ASSERT_EQ(full.status, EvaluationStatus::not_converged);
  EXPECT_LE(full.largest_basis, 30);
  const PhiSumFunction f = testing::step_function(part, 0.1);
  const EvaluationReport again = lanczos->evaluate_again(f, y);
  ASSERT_EQ(again.status, EvaluationStatus::ok);
  EXPECT_EQ(again.products, 0);
  EXPECT_LE(exact_functions.relative_error(f, y, exact_functions.apply(f, b)), 3e-5);
}

// Single precision rounds by 6e-8; a basis of 200 such vectors may add 200 of them.
TEST(Lanczos, KeepsItsBasisInSinglePrecisionOnlyWhereThatIsEnough) {
  const SpringNet net(Spectrum::definite, MassKind::lumped, 100);
  const ExactFunctions exact_functions(net);
  const Matrix b = random_matrix(net.K.rows(), 2, 4);
  const double times[] = {1};
  const PhiSumFunction f = testing::step_function(times, 1);
  const Matrix exact = exact_functions.apply(f, b);
  Matrix y;
  Work work;
  const EvaluationReport coarse = make_lanczos(1e-5)->evaluate(net.pencil, nullptr, f, b, y, work);
  EXPECT_LE(exact_functions.relative_error(f, y, exact), 200 * 6e-8);
  const EvaluationReport fine = make_lanczos(0.9e-5, 200)->evaluate(net.pencil, nullptr, f, b, y, work);
  EXPECT_LE(exact_functions.relative_error(f, y, exact), 3e-5);
  EXPECT_LE(2 * (coarse.largest_basis - 7), fine.largest_basis);  // 7: the blocks of the recurrence
}

TEST(Lanczos, MakesASecondTimeWhatItHadNoMemoryToKeep) {
  const SpringNet net(Spectrum::definite, MassKind::consistent, 400, 100);
  const ExactFunctions exact_functions(net);
  const Matrix b = random_matrix(net.K.rows(), 2, 4);
  const double times[] = {0.5};
  const PhiSumFunction f = testing::step_function(times, 0.5);
  const Matrix exact = exact_functions.apply(f, b);
  Matrix y;
  Work work;
  const EvaluationReport ample = make_lanczos(1e-7, 500)->evaluate(net.pencil, nullptr, f, b, y, work);
  ASSERT_EQ(ample.status, EvaluationStatus::ok);
  const int little = int(0.8 * double(ample.largest_basis));
  const EvaluationReport report = make_lanczos(1e-7, little)->evaluate(net.pencil, nullptr, f, b, y, work);
  ASSERT_EQ(report.status, EvaluationStatus::ok);
  EXPECT_LE(report.largest_basis, little);
  EXPECT_EQ(report.krylov_vectors, ample.krylov_vectors);
  EXPECT_GT(report.products, ample.products);
  EXPECT_LT(report.products, 2 * ample.products);
  EXPECT_LE(exact_functions.relative_error(f, y, exact), 3e-7);
}

}  // namespace
}  // namespace phiflex
