// Phi-functions of a mechanical system, by every evaluator of the catalogue and by the default.
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "phiflex/matfun/catalogue.h"
#include "phiflex/matfun/dense_phi.h"
#include "phiflex/matfun/product_limit.h"
#include "tests/matfun/pencil_cases.h"

namespace phiflex {
namespace {

using testing::MassKind;
using testing::NetInverse;
using testing::random_vector;
using testing::Spectrum;
using testing::SpringNet;

using testing::kGot;

std::vector<std::string> all_names() {
  std::vector<std::string> names = {"auto"};
  for (const EvaluatorEntry& entry : evaluator_catalogue()) names.emplace_back(entry.info->name);
  return names;
}

bool is_of_the_pencil(const std::string& name) {
  const EvaluatorEntry* entry = find_evaluator(name);
  return entry && entry->info->family == EvaluatorFamily::pencil;
}

Matrix dense_J(const SpringNet& net, const Matrix& D) {
  const Index n = net.K.rows();
  const Matrix inverse_mass = net.dense_M().inverse();
  Matrix J = Matrix::Zero(2 * n, 2 * n);
  J.topRightCorner(n, n).setIdentity();
  J.bottomLeftCorner(n, n) = -inverse_mass * net.dense_K();
  J.bottomRightCorner(n, n) = -inverse_mass * D;
  return J;
}

double step_norm(const SpringNet& net, double h, const Vector& x) {
  Vector image;
  StepNorm(net.mass, h).apply(x, image);
  return std::sqrt(x.dot(image));
}

std::vector<Vector> some_terms(Index n, int p) {
  std::vector<Vector> u;
  for (int k = 0; k <= p; ++k) u.push_back(random_vector(2 * n, 50 + unsigned(k)));
  return u;
}

class MechanicalPhiContract : public ::testing::TestWithParam<std::string> {
 protected:
  static std::unique_ptr<MechanicalPhi> make(double tolerance, int largest_basis = 60) {
    return make_mechanical_phi(GetParam(), {.tolerance = tolerance, .largest_basis = largest_basis});
  }
};

TEST_P(MechanicalPhiContract, AgreesWithTheDenseExponentialDampedAndUndamped) {
  const std::vector<double> tau = {0.125, 0.5, 1};
  for (const Spectrum spectrum : {Spectrum::definite, Spectrum::indefinite})
    for (const Rayleigh damping : {Rayleigh{}, Rayleigh{0.2, 0.05}})
      for (const int p : {1, 4}) {
        const SpringNet net(spectrum, MassKind::lumped, 10, 20);
        NetInverse inverse(net, 0.1);
        const FirstOrderForm J(net.pencil, damping);
        const Matrix dense = dense_J(net, damping.alpha * net.dense_M() + damping.beta * net.dense_K());
        const std::vector<Vector> u = some_terms(net.K.rows(), p);
        std::vector<Vector> w(tau.size());
        Work work;
        const double tolerance = 1e-5;
        const EvaluationReport report = make(tolerance)->evaluate(J, &inverse.get(), u, tau, w, work);
        ASSERT_EQ(report.status, EvaluationStatus::ok) << p;
        EXPECT_FALSE(report.evaluator.empty());
        EXPECT_EQ(report.products, work.stiffness_products);
        for (std::size_t j = 0; j < tau.size(); ++j) {
          Vector exact;
          ASSERT_TRUE(DensePhi().evaluate(dense, u, tau[j], exact));
          EXPECT_LE(step_norm(net, 1, w[j] - exact), kGot * tolerance * step_norm(net, 1, exact))
              << int(spectrum) << " p " << p << " tau " << tau[j] << " beta " << damping.beta;
        }
      }
}

// w' = J w + u_1 + t u_2 + t^2/2 u_3 by a central difference of 1e-3, whose error is 1e-6/6 w'''; |J| is about 5.
TEST_P(MechanicalPhiContract, SolvesItsDifferentialEquation) {
  const SpringNet net(Spectrum::definite, MassKind::consistent, 1, 20);
  NetInverse inverse(net, 0.5);
  const FirstOrderForm J(net.pencil, Rayleigh{0.1, 0.01});
  const std::vector<Vector> u = some_terms(net.K.rows(), 3);
  const double t = 0.8, d = 1e-3;
  const std::vector<double> tau = {t - d, t, t + d};
  std::vector<Vector> w(3);
  Work work;
  ASSERT_EQ(make(1e-10, 400)->evaluate(J, &inverse.get(), u, tau, w, work).status, EvaluationStatus::ok);
  Vector Jw;
  J.apply(w[1], Jw);
  const Vector expected = Jw + u[1] + t * u[2] + t * t / 2 * u[3];
  EXPECT_LE(((w[2] - w[0]) / (2 * d) - expected).norm(), 1e-4 * expected.norm());
}

TEST_P(MechanicalPhiContract, TakesEmptyAndZeroTermsForZero) {
  const SpringNet net(Spectrum::definite, MassKind::lumped, 1, 20);
  NetInverse inverse(net, 0.5);
  const FirstOrderForm J(net.pencil, Rayleigh{});
  const Index n = net.K.rows();
  const std::vector<double> tau = {0.5, 1};
  std::vector<Vector> w(2), v(2);
  Work work;
  EXPECT_EQ(
      make(1e-6)
          ->evaluate(J, &inverse.get(), std::vector<Vector>{Vector(), Vector::Zero(2 * n)}, tau, w, work)
          .status,
      EvaluationStatus::ok);
  EXPECT_TRUE(w[0].isZero(0) && w[1].isZero(0));
  const Vector x = random_vector(2 * n, 3);
  ASSERT_EQ(make(1e-9)->evaluate(J, &inverse.get(), std::vector<Vector>{Vector(), x}, tau, w, work).status,
            EvaluationStatus::ok);
  ASSERT_EQ(
      make(1e-9)
          ->evaluate(J, &inverse.get(), std::vector<Vector>{Vector::Zero(2 * n), x, Vector()}, tau, v, work)
          .status,
      EvaluationStatus::ok);
  EXPECT_LE((w[1] - v[1]).norm(), 1e-7 * w[1].norm());
}

TEST_P(MechanicalPhiContract, ContinuesBitForBitFromWhatItSaved) {
  const SpringNet net(Spectrum::definite, MassKind::lumped, 3e4, 60);
  NetInverse inverse(net, 1);
  const FirstOrderForm J(net.pencil, Rayleigh{});
  const std::vector<double> tau = {1};
  const auto terms = [&](unsigned seed) {
    return std::vector<Vector>{Vector(), random_vector(2 * net.K.rows(), seed)};
  };
  std::vector<Vector> w(1), resumed(1);
  Work work;
  const auto phi = make(1e-4, 20);
  for (unsigned call = 0; call < 3; ++call) (void)phi->evaluate(J, &inverse.get(), terms(call), tau, w, work);
  ArchiveWriter out;
  phi->save(out);
  const auto restarted = make(1e-4, 20);
  ArchiveReader in(out.bytes());
  restarted->load(in);
  EXPECT_TRUE(in.at_end());
  for (unsigned call = 3; call < 6; ++call) {
    const EvaluationReport report = phi->evaluate(J, &inverse.get(), terms(call), tau, w, work);
    const EvaluationReport again = restarted->evaluate(J, &inverse.get(), terms(call), tau, resumed, work);
    ASSERT_EQ(report.status, again.status);
    EXPECT_EQ(report.products, again.products);
    if (report.status == EvaluationStatus::ok) {
      EXPECT_EQ(w[0], resumed[0]);
    }
  }
}

// What those of the pencil save begins with the number of substeps. A forged one must not keep a step busy for hours.
TEST_P(MechanicalPhiContract, RefusesToLoadMoreSubstepsThanAStepMayTake) {
  if (!is_of_the_pencil(GetParam())) return;  // others save something else
  for (const std::int64_t substeps : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{1} << 62}) {
    ArchiveWriter out;
    for (const std::int64_t number : {substeps, std::int64_t{0}, std::int64_t{0}}) out.put(number);
    ArchiveReader in(out.bytes());
    EXPECT_THROW(make(1e-4)->load(in), ArchiveError) << substeps;
  }
}

// Times that lie at the end of a substep but for rounding were left out, and the evaluation did not end.
TEST_P(MechanicalPhiContract, GivesAllTimesWhateverTheNumberOfSubsteps) {
  if (!is_of_the_pencil(GetParam())) return;
  const SpringNet net(Spectrum::definite, MassKind::lumped, 10, 10);
  NetInverse inverse(net, 0.02);
  const FirstOrderForm J(net.pencil, Rayleigh{});
  const std::vector<double> tau = {0.02 / 3, 0.01, 0.02};
  const std::vector<Vector> u = some_terms(net.K.rows(), 2);
  std::vector<Vector> whole(3), parts(3);
  Work work;
  ASSERT_EQ(make(1e-9)->evaluate(J, &inverse.get(), u, tau, whole, work).status, EvaluationStatus::ok);
  for (std::int64_t substeps = 2; substeps <= 60; ++substeps) {
    ArchiveWriter out;
    for (const std::int64_t number : {substeps, std::int64_t{0}, std::int64_t{0}}) out.put(number);
    ArchiveReader in(out.bytes());
    const auto phi = make(1e-9);
    phi->load(in);
    const EvaluationReport report = phi->evaluate(J, &inverse.get(), u, tau, parts, work);
    ASSERT_EQ(report.status, EvaluationStatus::ok) << substeps;
    EXPECT_LE(report.substeps, substeps + 1);
    for (std::size_t i = 0; i < tau.size(); ++i)
      EXPECT_LE((whole[i] - parts[i]).norm(), 1e-6 * whole[i].norm()) << substeps << " substeps, time " << i;
  }
}

TEST_P(MechanicalPhiContract, RefusesWhatIsNotFinite) {
  const SpringNet net(Spectrum::definite, MassKind::lumped, 1, 10);
  NetInverse inverse(net, 0.5);
  const FirstOrderForm J(net.pencil, Rayleigh{});
  std::vector<Vector> u = some_terms(net.K.rows(), 1), w(1);
  u[1][3] = std::numeric_limits<double>::infinity();
  Work work;
  EXPECT_EQ(make(1e-4)->evaluate(J, &inverse.get(), u, std::vector<double>{1}, w, work).status,
            EvaluationStatus::not_finite);
}

TEST_P(MechanicalPhiContract, NeedsRayleighDampingExactlyWhenItIsOfThePencil) {
  const SpringNet net(Spectrum::definite, MassKind::lumped, 1, 20);
  const testing::DenseOperator D(0.3 * Matrix::Identity(net.K.rows(), net.K.rows()));
  const FirstOrderForm J(net.pencil, D);
  const std::vector<Vector> u = some_terms(net.K.rows(), 1);
  const std::vector<double> tau = {1};
  std::vector<Vector> w(1);
  Work work;
  if (is_of_the_pencil(GetParam())) {
    EXPECT_THROW((void)make(1e-6)->evaluate(J, nullptr, u, tau, w, work), std::invalid_argument);
    return;
  }
  ASSERT_EQ(make(1e-6)->evaluate(J, nullptr, u, tau, w, work).status, EvaluationStatus::ok);
  Vector exact;
  ASSERT_TRUE(DensePhi().evaluate(dense_J(net, D.matrix()), u, 1, exact));
  EXPECT_LE(step_norm(net, 1, w[0] - exact), kGot * 1e-6 * step_norm(net, 1, exact));
}

// h w_max = 1e8, as of a motion that has exploded: polynomials of that degree are not begun. Whoever finds another way
// may take it.
TEST_P(MechanicalPhiContract, GivesUpWhereItWouldNeedCountlessProducts) {
  const SpringNet net(Spectrum::definite, MassKind::lumped, 1e16, 100);
  NetInverse inverse(net, 0.1);
  const FirstOrderForm J(net.pencil, Rayleigh{});
  const std::vector<Vector> u = some_terms(net.K.rows(), 1);
  std::vector<Vector> w(1);
  Work work;
  const EvaluationReport report =
      make(1e-6, 20)->evaluate(J, &inverse.get(), u, std::vector<double>{1}, w, work);
  const EvaluatorEntry* entry = find_evaluator(GetParam());
  if (entry && entry->info->polynomial) {  // "auto" has no entry
    EXPECT_EQ(report.status, EvaluationStatus::not_converged);
  }
  EXPECT_LE(report.products, kMostProducts + 100) << "a basis may be finished";
}

INSTANTIATE_TEST_SUITE_P(Catalogue, MechanicalPhiContract, ::testing::ValuesIn(all_names()),
                         [](const auto& test) { return test.param; });

TEST(MechanicalPhi, CutsTheTimeWhenTheBasisIsFullAndLosesNoAccuracy) {
  const SpringNet net(Spectrum::definite, MassKind::consistent, 1e4, 60);
  const testing::ExactFunctions exact_functions(net);
  const FirstOrderForm J(net.pencil, Rayleigh{0.1, 0});
  const Index n = net.K.rows();
  const std::vector<double> tau = {1.0 / 9, 1.0 / 8, 0.7, 1};
  std::vector<Vector> u = some_terms(n, 3), w(tau.size());
  std::vector<PhiSumFunction::Half> halves;
  Matrix b(n, 8);
  for (int k = 0; k <= 3; ++k) {
    halves.push_back({k, PhiSumFunction::Part::displacement});
    halves.push_back({k, PhiSumFunction::Part::velocity});
    b.col(2 * k) = u[std::size_t(k)].head(n);
    b.col(2 * k + 1) = u[std::size_t(k)].tail(n);
  }
  const PhiSumFunction f(halves, tau, {0.1, 0}, 1);
  const Matrix exact = exact_functions.apply(f, b);
  const auto phi = make_mechanical_phi("lanczos", {.tolerance = 1e-4, .largest_basis = 40});
  Work work;
  for (int call = 0; call < 3; ++call) {
    const EvaluationReport report = phi->evaluate(J, nullptr, u, tau, w, work);
    ASSERT_EQ(report.status, EvaluationStatus::ok);
    EXPECT_LE(report.largest_basis, 40);
    EXPECT_GT(report.substeps, 1);
    EXPECT_EQ(report.rejected > 0, call == 0) << "the number of substeps is remembered";
    Matrix y(n, 2 * Index(tau.size()));
    for (std::size_t j = 0; j < tau.size(); ++j) {
      y.col(2 * Index(j)) = w[j].head(n);
      y.col(2 * Index(j) + 1) = w[j].tail(n);
    }
    EXPECT_LE(exact_functions.relative_error(f, y, exact), kGot * 1e-4);
  }
}

TEST(MechanicalPhi, RefusesAnEnergyProductThatIsNotOne) {
  const SpringNet net(Spectrum::indefinite, MassKind::lumped, 1, 20);
  const FirstOrderForm J(net.pencil, Rayleigh{});
  const testing::ExactFunctions exact_functions(net);
  std::vector<Vector> u(2), w(1);
  u[1].setZero(2 * net.K.rows());
  u[1].head(net.K.rows()) = exact_functions.modes().col(0);  // of negative energy
  Work work;
  const auto phi = make_mechanical_phi("expv", {.product = BasisProduct::energy});
  EXPECT_EQ(phi->evaluate(J, nullptr, u, std::vector<double>{1}, w, work).status,
            EvaluationStatus::not_positive_definite);
}

TEST(MechanicalPhi, OfAnUnknownNameIsRefused) {
  EXPECT_THROW(make_mechanical_phi("abacus", {}), std::invalid_argument);
}

TEST(MechanicalPhi, OnTheRationalMethodNeedsAnInverse) {
  const SpringNet net(Spectrum::definite, MassKind::lumped, 1, 10);
  const FirstOrderForm J(net.pencil, Rayleigh{});
  std::vector<Vector> u = some_terms(net.K.rows(), 1), w(1);
  Work work;
  EXPECT_THROW(
      (void)make_mechanical_phi("rational", {})->evaluate(J, nullptr, u, std::vector<double>{1}, w, work),
      std::invalid_argument);
}

}  // namespace
}  // namespace phiflex
