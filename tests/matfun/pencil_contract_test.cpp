// What every evaluator of functions of a pencil promises. A new one is held to all of it without a line here.
#include <gtest/gtest.h>

#include <limits>

#include "phiflex/base/parallel.h"
#include "phiflex/matfun/catalogue.h"
#include "tests/matfun/pencil_cases.h"

namespace phiflex {
namespace {

using testing::ExactFunctions;
using testing::MassKind;
using testing::NetInverse;
using testing::random_matrix;
using testing::Spectrum;
using testing::SpringNet;

// "Tolerance asked is tolerance got": within a factor of 3.
using testing::kGot;
constexpr int kAmple = 2000;  // a basis that never ends an evaluation

std::vector<std::string> pencil_evaluators() {
  std::vector<std::string> names;
  for (const EvaluatorEntry& entry : evaluator_catalogue())
    if (entry.info->family == EvaluatorFamily::pencil) names.emplace_back(entry.info->name);
  return names;
}

class PencilEvaluatorContract : public ::testing::TestWithParam<std::string> {
 protected:
  static std::unique_ptr<PencilEvaluator> make(double tolerance, int largest_basis = kAmple) {
    return find_evaluator(GetParam())->make_pencil({tolerance, largest_basis});
  }
};

TEST_P(PencilEvaluatorContract, AgreesWithTheEigendecompositionForEverySpectrumAndMass) {
  const double times[] = {0.1, 0.5, 1};
  for (const Spectrum spectrum : {Spectrum::definite, Spectrum::indefinite, Spectrum::singular})
    for (const MassKind mass : {MassKind::lumped, MassKind::consistent})
      for (const double stiffness : {1.0, 100.0})
        for (const Rayleigh damping : {Rayleigh{}, Rayleigh{0.3, 0.02}}) {
          const SpringNet net(spectrum, mass, stiffness);
          const ExactFunctions exact_functions(net);
          NetInverse inverse(net, 0.1 / stiffness);
          ASSERT_EQ(inverse.status(), FactorStatus::ok);
          const PhiSumFunction f = testing::step_function(times, 1, damping);
          const Matrix b = random_matrix(net.K.rows(), 2, 3);
          const Matrix exact = exact_functions.apply(f, b);
          for (const double tolerance : {1e-2, 1e-4, 1e-8}) {
            Matrix y;
            Work work;
            const EvaluationReport report =
                make(tolerance)->evaluate(net.pencil, &inverse.get(), f, b, y, work);
            ASSERT_EQ(report.status, EvaluationStatus::ok);
            EXPECT_LE(exact_functions.relative_error(f, y, exact), kGot * tolerance)
                << int(spectrum) << int(mass) << " " << stiffness << " beta " << damping.beta << " "
                << tolerance;
            EXPECT_LE(report.error, tolerance);
            EXPECT_EQ(work.stiffness_products, report.products);
            EXPECT_EQ(report.evaluator, GetParam());
          }
        }
}

TEST_P(PencilEvaluatorContract, TakesBlocksOfEverySizeWithDependentAndZeroColumns) {
  const SpringNet net(Spectrum::definite, MassKind::lumped, 30);
  const ExactFunctions exact_functions(net);
  NetInverse inverse(net, 0.01);
  for (Index columns = 1; columns <= 6; ++columns) {
    Matrix b = random_matrix(net.K.rows(), columns, 7);
    if (columns >= 2) b.col(1) = -2 * b.col(0);
    if (columns >= 3) b.col(2).setZero();
    if (columns >= 5) b.col(4) = 1e-9 * b.col(3) + 1e5 * b.col(0);
    const UserFunction f(2, columns, [columns](double lambda, Matrix& value) {
      for (Index j = 0; j < columns; ++j) {
        value(0, j) = std::cos(std::sqrt(std::max(0.0, lambda)) + double(j));
        value(1, j) = 1 / (2 + double(j) + lambda);
      }
    });
    Matrix y;
    Work work;
    const EvaluationReport report = make(1e-6)->evaluate(net.pencil, &inverse.get(), f, b, y, work);
    const bool may_refuse = find_evaluator(GetParam())->info->smooth_functions_only;
    if (may_refuse && report.status == EvaluationStatus::not_converged) continue;
    ASSERT_EQ(report.status, EvaluationStatus::ok) << columns;
    EXPECT_LE(exact_functions.relative_error(f, y, exact_functions.apply(f, b)), kGot * 1e-6) << columns;
  }
}

TEST_P(PencilEvaluatorContract, EvaluatesAnyFunctionOfTheUser) {
  const SpringNet net(Spectrum::singular, MassKind::consistent, 5);
  const ExactFunctions exact_functions(net);
  NetInverse inverse(net, 0.1);
  const UserFunction f([](double lambda) { return std::exp(-0.2 * lambda); });
  const Matrix b = random_matrix(net.K.rows(), 1, 2);
  Matrix y;
  Work work;
  ASSERT_EQ(make(1e-7)->evaluate(net.pencil, &inverse.get(), f, b, y, work).status, EvaluationStatus::ok);
  EXPECT_LE(exact_functions.relative_error(f, y, exact_functions.apply(f, b)), kGot * 1e-7);
}

TEST_P(PencilEvaluatorContract, IsExactInTheSpaceOfAnEigenvector) {
  const SpringNet net(Spectrum::indefinite, MassKind::lumped);
  const ExactFunctions exact_functions(net);
  NetInverse inverse(net, 0.1);
  const double times[] = {2};
  const PhiSumFunction f = testing::step_function(times, 2);
  Matrix b(net.K.rows(), 2), y;
  b << exact_functions.modes().col(0), exact_functions.modes().col(40);
  Work work;
  const EvaluationReport report = make(1e-9)->evaluate(net.pencil, &inverse.get(), f, b, y, work);
  ASSERT_EQ(report.status, EvaluationStatus::ok);
  EXPECT_LE(exact_functions.relative_error(f, y, exact_functions.apply(f, b)), kGot * 1e-9);
}

TEST_P(PencilEvaluatorContract, ServesManyTimesAtTheCostOfTheLongest) {
  const SpringNet net(Spectrum::definite, MassKind::lumped, 1000);
  NetInverse inverse(net, 0.001);
  const Matrix b = random_matrix(net.K.rows(), 2, 3);
  const double all[] = {1.0 / 9, 1.0 / 8, 0.5, 0.75, 1}, last[] = {1};
  Matrix y;
  Work work;
  const long one =
      make(1e-4)->evaluate(net.pencil, &inverse.get(), testing::step_function(last, 1), b, y, work).products;
  const long five =
      make(1e-4)->evaluate(net.pencil, &inverse.get(), testing::step_function(all, 1), b, y, work).products;
  EXPECT_LE(double(five), 1.35 * double(one));  // a check or two more
}

TEST_P(PencilEvaluatorContract, ReturnsZeroForZeroAndRefusesWhatIsNotFinite) {
  const SpringNet net(Spectrum::definite, MassKind::lumped);
  NetInverse inverse(net, 0.1);
  const double times[] = {1};
  const PhiSumFunction f = testing::step_function(times, 1);
  Matrix b = Matrix::Zero(net.K.rows(), 2), y;
  Work work;
  EXPECT_EQ(make(1e-4)->evaluate(net.pencil, &inverse.get(), f, b, y, work).status, EvaluationStatus::ok);
  EXPECT_TRUE(y.isZero(0));
  b(5, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(make(1e-4)->evaluate(net.pencil, &inverse.get(), f, b, y, work).status,
            EvaluationStatus::not_finite);
  b(5, 1) = 1;
  const UserFunction infinite(1, 2, [](double, Matrix& value) { value.setConstant(1 / 0.0 * 0); });
  EXPECT_EQ(make(1e-4)->evaluate(net.pencil, &inverse.get(), infinite, b, y, work).status,
            EvaluationStatus::not_finite);
}

TEST_P(PencilEvaluatorContract, IsIndifferentToTheSizeOfItsData) {
  const SpringNet net(Spectrum::definite, MassKind::lumped, 10);
  NetInverse inverse(net, 0.01);
  const double times[] = {1};
  const PhiSumFunction f = testing::step_function(times, 1);
  const Matrix b = random_matrix(net.K.rows(), 2, 8);
  Matrix y, scaled;
  Work work;
  const auto evaluator = make(1e-6);
  ASSERT_EQ(evaluator->evaluate(net.pencil, &inverse.get(), f, b, y, work).status, EvaluationStatus::ok);
  // The squares of the outer ones are no numbers of double precision.
  for (const double size : {1e-290, 1e-150, 1e130, 1e155, 1e290}) {
    ASSERT_EQ(evaluator->evaluate(net.pencil, &inverse.get(), f, size * b, scaled, work).status,
              EvaluationStatus::ok)
        << size;
    EXPECT_LE((scaled / size - y).cwiseAbs().maxCoeff(), 1e-5 * y.cwiseAbs().maxCoeff()) << size;
  }
}

TEST_P(PencilEvaluatorContract, AResultThatOverflowsIsNotFinite) {
  const SpringNet net(Spectrum::definite, MassKind::lumped, 10);
  NetInverse inverse(net, 0.01);
  const UserFunction large([](double) { return 1e200; });
  const Matrix b = 1e200 * random_matrix(net.K.rows(), 1, 8);
  Matrix y;
  Work work;
  EXPECT_EQ(make(1e-6)->evaluate(net.pencil, &inverse.get(), large, b, y, work).status,
            EvaluationStatus::not_finite);
}

TEST_P(PencilEvaluatorContract, KeepsWithinItsMemoryOrSaysSo) {
  const SpringNet net(Spectrum::definite, MassKind::lumped, 1e4);
  NetInverse inverse(net, 1e-4);
  const double times[] = {1};
  const PhiSumFunction f = testing::step_function(times, 1);
  const Matrix b = random_matrix(net.K.rows(), 2, 3);
  Matrix y;
  Work work;
  for (const int largest : {12, 20, 60}) {
    const EvaluationReport report = make(1e-6, largest)->evaluate(net.pencil, &inverse.get(), f, b, y, work);
    EXPECT_LE(report.largest_basis, largest);
    EXPECT_TRUE(report.status == EvaluationStatus::ok || report.status == EvaluationStatus::not_converged);
  }
}

TEST_P(PencilEvaluatorContract, GivesTheSameBitsForAnyNumberOfThreadsAndEveryTime) {
  const SpringNet net(Spectrum::definite, MassKind::lumped, 100, 1500);
  NetInverse inverse(net, 0.01);
  const double times[] = {0.5, 1};
  const PhiSumFunction f = testing::step_function(times, 1);
  const Matrix b = random_matrix(net.K.rows(), 2, 3);
  Matrix first, again, threaded;
  Work work;
  const int threads = thread_count();
  set_thread_count(1);
  const auto evaluator = make(1e-4);
  const auto ok = [](const EvaluationReport& report) { return report.status == EvaluationStatus::ok; };
  EXPECT_TRUE(ok(evaluator->evaluate(net.pencil, &inverse.get(), f, b, first, work)));
  EXPECT_TRUE(ok(evaluator->evaluate(net.pencil, &inverse.get(), f, b, again, work)));
  set_thread_count(3);
  EXPECT_TRUE(ok(make(1e-4)->evaluate(net.pencil, &inverse.get(), f, b, threaded, work)));
  set_thread_count(threads);
  EXPECT_EQ(first, again);
  EXPECT_EQ(first, threaded);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, PencilEvaluatorContract, ::testing::ValuesIn(pencil_evaluators()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace phiflex
