// Every system's tangent is the derivative of its force:  df = -K dq - D dv + g dt.
//
// Central differences with step e have an error of e^2/6 times the third derivative plus rounding, eps/e of
// the force. With e = 1e-5 of the lengths (some 0.1 m) and strains of order one, the relative error is about
// 1e-10 of the stiffness's size from either side; materials that bend strongly under compression multiply it
// by some hundreds. 1e-6 leaves room for that and is far below any wrong term.
#include <gtest/gtest.h>

#include <cmath>

#include "phiflex/base/parallel.h"
#include "phiflex/energy/spring_term.h"
#include "phiflex/model/deformable_tangent.h"
#include "tests/model/sample_models.h"

namespace phiflex {
namespace {

constexpr double kTolerance = 1e-6;

// An arbitrary direction, the same at every call.
Vector direction(Index size) {
  Vector d(size);
  for (Index i = 0; i < size; ++i) d[i] = std::sin(1.0 + 2.3 * double(i) + 0.01 * double(i * i % 101));
  return d;
}

class SystemContract : public ::testing::TestWithParam<sample::Sample> {
 protected:
  const sample::Sample& sample() const { return GetParam(); }
  // df over the whole central difference, divided by its width.
  Vector difference(const State& low, const State& high, double width) const {
    Vector f_low, f_high;
    model_.force(low, f_low);
    model_.force(high, f_high);
    return (f_high - f_low) / width;
  }
  State lively() const { return sample::lively_state(model_, sample().t, sample().scale); }

  DeformableModel model_{GetParam().description};
};

TEST_P(SystemContract, ForceIsMinusTheDerivativeOfEnergyWhenNothingElseActs) {
  if (!sample().description.loads.empty()) GTEST_SKIP() << "loads have no potential";
  if (model_.constraints().moves() && model_.damping().has_beta()) GTEST_SKIP() << "a moved vertex is damped";
  State at = lively();
  at.v.setZero();
  Vector f;
  model_.force(at, f);
  const Vector d = direction(model_.dofs());
  const double e = 1e-6;
  State low = at, high = at;
  low.q -= e * d;
  high.q += e * d;
  const double slope = (model_.potential_energy(high) - model_.potential_energy(low)) / (2 * e);
  EXPECT_NEAR(slope, -f.dot(d), kTolerance * f.norm() * d.norm());
}

TEST_P(SystemContract, StiffnessIsMinusTheDerivativeOfForceInPosition) {
  State at = lively();
  for (Index i = 0; i < at.v.size(); i += 3) at.v.segment<3>(i) = sample().drift;
  const auto tangent = model_.assembled_tangent(Definiteness::exact);
  tangent->update(at);
  const Vector d = direction(model_.dofs());
  Vector Kd;
  tangent->apply_K(d, Kd);
  const double e = 1e-6;
  State low = at, high = at;
  low.q -= e * d;
  high.q += e * d;
  EXPECT_LT((Kd + difference(low, high, 2 * e)).norm(), kTolerance * Kd.norm());
}

TEST_P(SystemContract, DampingIsMinusTheDerivativeOfForceInVelocity) {
  const State at = lively();
  const auto tangent = model_.assembled_tangent(Definiteness::exact);
  tangent->update(at);
  const Vector d = direction(model_.dofs());
  Vector Dd;
  tangent->apply_D(d, Dd);
  const double e = 1e-4;
  State low = at, high = at;
  low.v -= e * d;
  high.v += e * d;
  const Vector df = difference(low, high, 2 * e);
  if (!tangent->D()) {
    EXPECT_EQ(df.norm(), 0);
  } else {
    EXPECT_GT(Dd.norm(), 0);
    EXPECT_LT((Dd + df).norm(), kTolerance * Dd.norm());
  }
}

TEST_P(SystemContract, LoadRateIsTheDerivativeOfForceInTime) {
  const State at = lively();
  const auto tangent = model_.assembled_tangent(Definiteness::exact);
  tangent->update(at);
  Vector g;
  tangent->load_rate(g);
  const double e = 1e-5;
  State low = at, high = at;
  low.t -= e;
  high.t += e;
  const Vector df = difference(low, high, 2 * e);
  EXPECT_LE((g - df).norm(), kTolerance * g.norm());
}

TEST_P(SystemContract, StiffnessAndDampingAreSymmetric) {
  for (Definiteness definiteness : {Definiteness::exact, Definiteness::projected}) {
    const auto tangent = model_.assembled_tangent(definiteness);
    tangent->update(lively());
    const auto K = tangent->K().to_eigen();
    // Both halves are sums of the same products, possibly rounded in another order.
    EXPECT_LE((K - Eigen::SparseMatrix<double, Eigen::RowMajor>(K.transpose())).norm(), 1e-13 * K.norm());
    if (!tangent->D()) continue;
    const auto D = tangent->D()->to_eigen();
    EXPECT_LE((D - Eigen::SparseMatrix<double, Eigen::RowMajor>(D.transpose())).norm(), 1e-13 * D.norm());
  }
}

TEST_P(SystemContract, TheProjectedStiffnessIsPositiveSemidefiniteAlongAnyDirection) {
  DeformableTangent tangent(model_, Definiteness::projected);
  tangent.update(lively());
  for (int k = 0; k < 20; ++k) {
    const Vector d = direction(model_.dofs() + k).tail(model_.dofs());
    Vector Kd;
    tangent.apply_K(d, Kd);
    EXPECT_GE(d.dot(Kd), -1e-12 * d.norm() * Kd.norm());
  }
}

TEST_P(SystemContract, TheStiffPartLeavesOutTheGeometricStiffnessOfSpringsAndNothingElse) {
  const auto stiff = model_.stiff_tangent(Definiteness::exact),
             whole = model_.assembled_tangent(Definiteness::exact);
  const State at = lively();
  Vector x, v, soft_all, soft, Kd, Ksd, Dd, Dsd, g, gs;
  model_.expand(at, x, v);
  const Vector d = direction(model_.dofs());
  // The direction over all vertices: what expands d, less the rest of the state.
  State ahead = at;
  ahead.q += d;
  Vector x_ahead;
  model_.expand(ahead, x_ahead, v);
  soft_all.setZero(x.size());
  bool has_springs = false;
  for (const TermPointer& term : model_.terms())
    if (const auto* springs = dynamic_cast<const SpringTerm*>(term.get())) {
      has_springs = true;
      springs->add_stiffness_product(x, StiffnessPart::geometric, x_ahead - x, soft_all);
    }
  ASSERT_EQ(stiff != nullptr, has_springs);
  if (!stiff) return;
  model_.constraints().gather(soft_all, soft);
  stiff->update(at);
  whole->update(at);
  whole->apply_K(d, Kd);
  stiff->apply_K(d, Ksd);
  // Positions of about 1 m are rounded to 1e-16, and d is 1 m at most.
  EXPECT_LT((Kd - Ksd - soft).norm(), 1e-13 * Kd.norm());
  whole->apply_D(d, Dd);
  stiff->apply_D(d, Dsd);
  EXPECT_EQ(Dd, Dsd);
  whole->load_rate(g);
  stiff->load_rate(gs);
  EXPECT_EQ(g, gs);
}

TEST_P(SystemContract, UpdatingATangentTwiceGivesTheSameBits) {
  DeformableTangent once(model_, Definiteness::exact), again(model_, Definiteness::exact);
  State other = lively();
  other.q *= 0.5;
  other.v *= -1;
  once.update(lively());
  again.update(other);
  again.update(lively());
  const auto same = [](const SparseMatrix& A, const SparseMatrix& B) {
    return std::equal(A.values(), A.values() + A.value_count(), B.values());
  };
  EXPECT_TRUE(same(once.K(), again.K()));
  EXPECT_TRUE(!once.D() || same(*once.D(), *again.D()));
}

TEST_P(SystemContract, ForceAndTangentHaveTheSameBitsForAnyNumberOfThreads) {
  const int threads = thread_count();
  const State at = lively();
  Vector f_one;
  DeformableTangent one(model_, Definiteness::exact);
  set_thread_count(1);
  model_.force(at, f_one);
  one.update(at);
  for (int count : {2, 3, 4, 8}) {
    set_thread_count(count);
    Vector f;
    model_.force(at, f);
    DeformableTangent tangent(model_, Definiteness::exact);
    tangent.update(at);
    EXPECT_TRUE(f == f_one) << count << " threads";
    EXPECT_TRUE(std::equal(one.K().values(), one.K().values() + one.K().value_count(), tangent.K().values()));
  }
  set_thread_count(threads);
}

// Large enough that every loop is cut into pieces for all threads.
TEST(LargeSystem, ForceEnergyAndTangentHaveTheSameBitsForAnyNumberOfThreads) {
  const std::vector<sample::Box> boxes = {
      {.size = {0.4, 0.2, 0.2}, .cells = {16, 8, 8}, .damping = {0.1, 0.01, DampedStiffness::current}},
      {.origin = {0, 0.3, 0},
       .cells = {12, 4, 4},
       .law = "stvk",
       .damping = {0, 0.01, DampedStiffness::rest}}};
  ModelDescription description = sample::describe(boxes, {{.height = 0.6, .cells = 30}});
  sample::hold(
      description, [](const Eigen::Vector3d& p) { return p[0] < 1e-6; }, sample::winding_path());
  sample::add_gravity(description, {0, -9.81, 0});
  sample::add_floor(description, 0, 1e3);
  sample::add_wind(description, boxes, {{.height = 0.6, .cells = 30}}, {{3, 1, 2}, 0.5, 1, 1.2, 1});
  const DeformableModel model(description);
  const State at = sample::lively_state(model, 0.7, 0.5);

  struct Result {
    Vector f, g, K, D;
    double energy = 0;
    bool operator==(const Result& other) const {
      return f == other.f && g == other.g && K == other.K && D == other.D && energy == other.energy;
    }
  };
  const auto result = [&](int threads) {
    set_thread_count(threads);
    Result r;
    DeformableTangent tangent(model, Definiteness::exact);
    model.force(at, r.f);
    tangent.update(at);
    tangent.load_rate(r.g);
    const auto values = [](const SparseMatrix& A) {
      return Vector(Eigen::Map<const Vector>(A.values(), Index(A.value_count())));
    };
    r.K = values(tangent.K());
    r.D = values(*tangent.D());
    r.energy = model.energies(at).total();
    return r;
  };
  const int threads = thread_count();
  const Result one = result(1);
  EXPECT_TRUE(std::isfinite(one.energy) && one.f.allFinite());
  for (int count : {2, 3, 4, 8}) EXPECT_TRUE(result(count) == one) << count << " threads";
  set_thread_count(threads);
}

INSTANTIATE_TEST_SUITE_P(Systems, SystemContract, ::testing::ValuesIn(sample::all_samples()),
                         [](const ::testing::TestParamInfo<sample::Sample>& parameter) {
                           std::string name = parameter.param.name;
                           for (char& c : name)
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           return name;
                         });

}  // namespace
}  // namespace phiflex
