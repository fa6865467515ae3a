// The default choice among the evaluators.
#include <gtest/gtest.h>

#include "phiflex/matfun/catalogue.h"
#include "tests/matfun/pencil_cases.h"

namespace phiflex {
namespace {

using testing::ExactFunctions;
using testing::MassKind;
using testing::random_vector;
using testing::Spectrum;
using testing::SpringNet;

// An inverse of stated price.
class Priced final : public ShiftInverse {
 public:
  Priced(ShiftInverse& inverse, double preparation, double solve)
      : inverse_(inverse), preparation_(preparation), solve_(solve) {}
  double shift() const override { return inverse_.shift(); }
  SolveStatus prepare(Work& work) override { return inverse_.prepare(work); }
  void apply(const Matrix& R, Matrix& X, Work& work) override { inverse_.apply(R, X, work); }
  double preparation_work() const override { return preparation_; }
  double solve_work() const override { return solve_; }

 private:
  ShiftInverse& inverse_;
  double preparation_, solve_;
};

struct Case {
  Case(double stiffness, bool smooth, double preparation, double solve)
      : net(Spectrum::definite, MassKind::lumped, stiffness, 120),
        J(net.pencil, Rayleigh{}),
        factorized(net, 1),
        inverse(factorized.get(), preparation, solve),
        u(2) {
    const Index n = net.K.rows();
    u[1] = random_vector(2 * n, 3);
    if (smooth) {
      const ExactFunctions exact_functions(net);
      u[1].head(n) = exact_functions.modes().leftCols(5) * Vector::Ones(5);
      u[1].tail(n) = exact_functions.modes().leftCols(5) * Vector::LinSpaced(5, -1, 2);
    }
  }
  EvaluationReport evaluate(MechanicalPhi& phi, Work& work) {
    std::vector<Vector> w(1);
    return phi.evaluate(J, &inverse, u, std::vector<double>{1}, w, work);
  }

  SpringNet net;
  FirstOrderForm J;
  testing::NetInverse factorized;
  Priced inverse;
  std::vector<Vector> u;
};

TEST(Auto, MultipliesWhenTheStepIsShortAndSolvesWhenItIsLongAndTheDataAreSmooth) {
  Work work;
  Case soft(1, true, 500, 10), stiff(1e8, true, 500, 10);
  EXPECT_EQ(soft.evaluate(*make_mechanical_phi("auto", {}), work).evaluator, "lanczos");
  EXPECT_EQ(stiff.evaluate(*make_mechanical_phi("auto", {}), work).evaluator, "rational");
}

TEST(Auto, DoesWithoutAnInverse) {
  Case stiff(1e6, true, 0, 0);
  std::vector<Vector> w(1);
  Work work;
  const EvaluationReport report =
      make_mechanical_phi("auto", {})->evaluate(stiff.J, nullptr, stiff.u, std::vector<double>{1}, w, work);
  ASSERT_EQ(report.status, EvaluationStatus::ok);
  EXPECT_EQ(report.solves, 0);
}

TEST(Auto, LeavesTheRationalMethodWhenTheDataAreRoughAndRemembersThat) {
  Case rough(1e6, false, 0, 5);
  const auto phi = make_mechanical_phi("auto", {});
  Work work;
  const EvaluationReport first = rough.evaluate(*phi, work);
  ASSERT_EQ(first.status, EvaluationStatus::ok);
  EXPECT_NE(first.evaluator, "rational");
  EXPECT_GT(first.solves, 0) << "it was tried";
  const EvaluationReport second = rough.evaluate(*phi, work);
  EXPECT_EQ(second.solves, 0);
  EXPECT_LT(second.products, first.products);
}

TEST(Auto, TakesUpTheRationalMethodAgainWhenTheDataHaveBecomeSmooth) {
  Case rough(1e6, false, 0, 5), smooth(1e6, true, 0, 5);
  const auto phi = make_mechanical_phi("auto", {});
  Work work;
  ASSERT_EQ(rough.evaluate(*phi, work).status, EvaluationStatus::ok);
  std::string_view last;
  for (int call = 0; call < 5; ++call) last = smooth.evaluate(*phi, work).evaluator;
  EXPECT_EQ(last, "rational");
}

// A method that failed is left out for some calls. When all have failed they are tried again: there is no result
// without.
TEST(Auto, TriesAgainAfterAllHaveFailed) {
  Case hopeless(1e16, false, 0, 5), soft(1, true, 500, 10);
  const auto phi = make_mechanical_phi("auto", {});
  Work work;
  for (int call = 0; call < 2; ++call)
    EXPECT_EQ(hopeless.evaluate(*phi, work).status, EvaluationStatus::not_converged) << call;
  EXPECT_EQ(soft.evaluate(*phi, work).status, EvaluationStatus::ok);
}

// An archive of a default whose methods have this factor of cost and wait for so many calls.
std::string archive_of_waits(double factor, std::int64_t wait) {
  ArchiveWriter out;
  out.put(std::int64_t{3});  // calls
  for (int method = 0; method < 3; ++method) {
    out.put(factor);
    out.put(wait);
    out.put(std::int64_t{8});                                          // the next wait
    for (const int number : {1, 0, 0}) out.put(std::int64_t{number});  // substeps, basis, shapes
  }
  return out.bytes();
}

TEST(Auto, RefusesAnArchiveWithWaitsAndCostsThatCannotBe) {
  const auto load = [](double factor, std::int64_t wait) {
    const std::string bytes = archive_of_waits(factor, wait);
    ArchiveReader in(bytes);
    make_mechanical_phi("auto", {})->load(in);
    in.finish();
  };
  EXPECT_NO_THROW(load(1.5, 64));
  EXPECT_THROW(load(1, std::int64_t{1} << 40), ArchiveError);
  EXPECT_THROW(load(1, -1), ArchiveError);
  EXPECT_THROW(load(-1, 0), ArchiveError);
  EXPECT_THROW(load(std::numeric_limits<double>::quiet_NaN(), 0), ArchiveError);
}

TEST(Auto, CostsLittleMoreThanTheBestOfItsMethods) {
  for (const double stiffness : {1.0, 1e3, 1e6}) {
    Case rough(stiffness, false, 1e9, 1e9);
    Work best, own;
    long fewest = std::numeric_limits<long>::max();
    for (const char* name : {"lanczos", "chebyshev"})
      fewest = std::min(fewest, rough.evaluate(*make_mechanical_phi(name, {}), best).products);
    const auto phi = make_mechanical_phi("auto", {});
    for (int call = 0; call < 3; ++call) ASSERT_EQ(rough.evaluate(*phi, own).status, EvaluationStatus::ok);
    EXPECT_LE(double(rough.evaluate(*phi, own).products), 1.3 * double(fewest)) << stiffness;
  }
}

}  // namespace
}  // namespace phiflex
