// What every term promises of its energy-momentum force (energy/two_state_term.h).
#include "phiflex/energy/two_state_term.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cstring>
#include <vector>

#include "phiflex/base/parallel.h"
#include "phiflex/linalg/dense_solvers.h"
#include "tests/energy/term_cases.h"

namespace phiflex {
namespace {

bool is_springs(const TermCase& c) {
  return c.name.starts_with("springs");
}

// Vertices that turned by an angle about an oblique axis through a point off the body, and wiggled by `amount`
// of an edge.
Vector moved(const Vector& x, double angle, double amount, int cells) {
  const Eigen::Vector3d pivot(0.2, -0.3, 0.4), axis = Eigen::Vector3d(1, 2, -1).normalized();
  const Eigen::Matrix3d R = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
  Vector y(x.size());
  for (Index v = 0; v < x.size() / 3; ++v)
    y.segment<3>(3 * v) = pivot + R * (Eigen::Vector3d(x.segment<3>(3 * v)) - pivot);
  return y + amount / cells * wiggle(x.size(), 5.0);
}

// A term at work between two states.
struct Step {
  std::unique_ptr<TwoStateTerm> two_state;
  std::shared_ptr<const SparsityPattern> pattern;

  Step(const TermCase& c, const StepDamping& damping = {}) {
    const FreeVertices free = free_except(c.x.size() / 3, 0);
    pattern = free_pattern(*c.term, free);
    two_state = c.term->make_two_state(free, *pattern);
    two_state->begin(c.x, damping);
  }
  Vector force(const Vector& dx) const {
    Vector f = Vector::Zero(dx.size());
    two_state->add_force(dx, f);
    return f;
  }
  Matrix tangent(const Vector& dx, Definiteness definiteness) const {
    SparseMatrix K(pattern);
    two_state->add_tangent(dx, definiteness, K);
    return dense(K);
  }
};

// The sum over elements of what an energy loses by rounding: each of psi's terms is of the size of its moduli
// times strains of order one. A thousand times the unit covers sums, factorizations and quotients.
double energy_rounding(const TermCase& c, const Vector& x) {
  return 1000 * kEps * (std::abs(c.term->energy(c.x)) + std::abs(c.term->energy(x)) + 1000);
}

TEST(EveryTwoStateForce, ItsWorkIsMinusTheChangeOfTheEnergyWhateverTheStep) {
  for (const TermCase& c : term_cases(3)) {
    const Step step(c);
    for (double angle : {0.0, 0.1, 1.0, 3.0})
      for (double amount : {1e-6, 1e-4, 1e-3, 1e-2, 0.08}) {
        const Vector x = moved(c.x, angle, amount, 3), dx = x - c.x, f = step.force(dx);
        EXPECT_NEAR(dx.dot(f), c.term->energy(c.x) - c.term->energy(x),
                    energy_rounding(c, x) + 100 * kEps * dx.norm() * f.norm())
            << c.name << ", angle " << angle << ", amount " << amount;
      }
  }
}

TEST(EveryTwoStateForce, OfASmallStepItIsTheForceInTheMiddle) {
  for (const TermCase& c : term_cases(3)) {
    const Vector dx = 1e-4 * wiggle(c.x.size(), 6.0), f = force(*c.term, c.x + 0.5 * dx);
    // The difference is of second order in strains of 3e-4 (edges are a third long).
    EXPECT_LE((Step(c).force(dx) - f).norm(), 1e-5 * f.norm()) << c.name;
    EXPECT_LE((Step(c).force(0 * dx) - force(*c.term, c.x)).norm(), 1e-12 * f.norm()) << c.name;
  }
}

TEST(EveryTwoStateForce, FromWithinABodyItHasNoResultantAndNoTorqueAboutTheMiddle) {
  for (const TermCase& c : term_cases(3)) {
    if (!c.internal) continue;
    const Step step(c);
    for (double angle : {0.0, 1.0, 3.0}) {
      const Vector dx = moved(c.x, angle, 0.08, 3) - c.x, f = step.force(dx), middle = c.x + 0.5 * dx;
      Eigen::Vector3d resultant = Eigen::Vector3d::Zero(), torque = resultant;
      for (Index v = 0; v < f.size() / 3; ++v) {
        resultant += f.segment<3>(3 * v);
        torque += Eigen::Vector3d(middle.segment<3>(3 * v)).cross(Eigen::Vector3d(f.segment<3>(3 * v)));
      }
      EXPECT_GT(f.norm(), 0);
      EXPECT_LE(resultant.norm(), 1000 * kEps * f.lpNorm<1>()) << c.name;
      EXPECT_EQ(step.two_state->turns_bodies(), is_small_strain(c)) << c.name;
      if (!is_small_strain(c)) {
        EXPECT_LE(torque.norm(), 1000 * kEps * f.lpNorm<1>()) << c.name << ", angle " << angle;
      }
    }
  }
}

TEST(EveryTwoStateForce, OfARigidRotationFromRestItVanishesAtAnyAngle) {
  for (TermCase& c : term_cases(3)) {
    if (!c.internal || is_small_strain(c)) continue;
    const double scale = force(*c.term, c.x).norm();
    c.x = c.rest;
    const Step step(c, {.h = 0.01, .eta = 0.1, .chi = 0.1});
    for (double angle : {0.01, 0.5, 1.5, 3.0, 3.14159265})
      EXPECT_LE(step.force(moved(c.x, angle, 0, 3) - c.x).norm(), 1e-11 * scale) << c.name << ", " << angle;
  }
}

// -2 df/dx+ without symmetrization.
Matrix difference_tangent(const Step& step, const Vector& dx) {
  Matrix K(dx.size(), dx.size());
  for (Index j = 0; j < dx.size(); ++j) {
    const Vector unit = Vector::Unit(dx.size(), j);
    K.col(j) = -2 * derivative([&](double s) -> Vector { return step.force(dx + s * unit); });
  }
  return K;
}

TEST(EveryTwoStateForce, ItsTangentIsTheSymmetricPartOfMinusTwiceItsDerivative) {
  for (const TermCase& c : term_cases(2)) {
    const StepDamping damping{.h = 0.01, .eta = 0.005, .chi = 0.1, .ratio = 0.5};
    // Small steps for all; a large one where the energy is quadratic in the strain (or in the length, or in
    // the depth), so that the quotient of the correction, which the tangent leaves out, is zero.
    for (double amount : {2e-4, 0.05}) {
      const bool quadratic = law_of(c) ? law_of(c)->properties.quadratic : is_springs(c) || !c.internal;
      if (amount > 1e-3 && !quadratic) continue;
      const Step step(c, c.name == "gravity" || c.name == "floor" ? StepDamping{} : damping);
      const Vector dx = moved(c.x, amount > 1e-3 ? 0.7 : 0.0, amount, 2) - c.x;
      const Matrix K = step.tangent(dx, Definiteness::exact), difference = difference_tangent(step, dx);
      const double size = K.norm() + 1e-3;
      EXPECT_LE((K - K.transpose()).norm(), 100 * kEps * size) << c.name;
      // Differences err by 1e-7 (term_contract_test.cpp); the rounding that (3) magnifies, by 1e-12/1e-4.
      EXPECT_LE((K - 0.5 * (difference + difference.transpose())).norm(), 1e-6 * size)
          << c.name << ", amount " << amount;
    }
  }
}

TEST(EveryTwoStateForce, ItsTangentForgetsLittleOfALargeStep) {
  for (const TermCase& c : term_cases(2)) {
    const Step step(c);
    // A node of a quadratic element strains it by up to four times as much.
    const Vector dx = moved(c.x, 0.3, c.name.ends_with("tet10") ? 0.02 : 0.08, 2) - c.x;
    const Matrix K = step.tangent(dx, Definiteness::exact), difference = difference_tangent(step, dx);
    // What is left out is of the order of the quadrature's error: strains of 0.1 to the third power.
    EXPECT_LE((K - 0.5 * (difference + difference.transpose())).norm(), 5e-3 * (K.norm() + 1e-3)) << c.name;
  }
}

TEST(EveryTwoStateForce, ItsTangentAtEqualEndsIsTheStiffness) {
  for (const TermCase& c : term_cases(2)) {
    const FreeVertices free = free_except(c.x.size() / 3, 0);
    const Matrix K = dense(stiffness(*c.term, c.x, free, Definiteness::exact));
    EXPECT_LE((Step(c).tangent(0 * c.x, Definiteness::exact) - K).norm(), 1e-11 * (K.norm() + 1)) << c.name;
  }
}

TEST(EveryTwoStateForce, ItsProjectedTangentIsPositiveSemidefinite) {
  for (TermCase& c : term_cases(2)) {
    for (Index v = 0; v < c.x.size() / 3; ++v) c.x[3 * v] *= 0.6;
    const Step step(c, {.h = 0.01, .eta = 0.001, .chi = 0.1});
    for (double angle : {0.0, 1.0}) {
      const Vector dx = moved(c.x, angle, 0.05, 2) - c.x;
      const Matrix K = step.tangent(dx, Definiteness::projected);
      EXPECT_LE((K - K.transpose()).norm(), 100 * kEps * (K.norm() + 1)) << c.name;
      EXPECT_GE(Eigen::SelfAdjointEigenSolver<Matrix>(K).eigenvalues()[0], -1e-11 * K.norm()) << c.name;
    }
  }
}

TEST(EveryTwoStateForce, WhereTheExactTangentIsIndefiniteTheProjectedOneIsNot) {
  int indefinite = 0;
  for (TermCase& c : term_cases(2)) {
    for (Index v = 0; v < c.x.size() / 3; ++v) c.x[3 * v] *= 0.6;
    const Matrix K = Step(c).tangent(moved(c.x, 0, 0.02, 2) - c.x, Definiteness::exact);
    indefinite += Eigen::SelfAdjointEigenSolver<Matrix>(K).eigenvalues()[0] < -1e-6 * K.norm();
  }
  EXPECT_GT(indefinite, 3);
}

TEST(EveryTwoStateForce, KelvinVoigtDampingTakesWhatItSays) {
  for (const TermCase& c : term_cases(3)) {
    if (!c.internal) continue;
    const Step elastic(c), damped(c, {.h = 0.02, .eta = 0.01});
    for (double angle : {0.0, 1.0}) {
      const Vector dx = moved(c.x, angle, 0.05, 3) - c.x;
      const Vector f = damped.force(dx) - elastic.force(dx);
      const double taken = damped.two_state->dissipated(dx);
      EXPECT_GT(taken, 0) << c.name;
      EXPECT_NEAR(-dx.dot(f), taken, 1e-11 * (taken + dx.norm() * elastic.force(dx).norm())) << c.name;
    }
  }
}

TEST(EveryTwoStateForce, ForSmallMotionAboutRestKelvinVoigtDampingIsRayleighsWithTheRestStiffness) {
  for (TermCase& c : term_cases(3)) {
    if (!c.internal) continue;
    c.x = c.rest;
    const StepDamping damping{.h = 0.02, .eta = 0.01};
    const Vector dx = 1e-6 * wiggle(c.x.size(), 7.0);
    const Vector Kv = damping.eta / damping.h * stiffness_product(*c.term, c.rest, dx);
    const Vector f = Step(c, damping).force(dx) - Step(c).force(dx);
    // Relative to strains of 3e-6; a net of springs meets geometric changes of the same order.
    EXPECT_LE((f + Kv).norm(), 1e-4 * Kv.norm()) << c.name;
  }
}

TEST(EveryTwoStateForce, TheDialTakesTheGrowthOfItsEnergyAndHalfTheSquareOfTheStrainsSecondDifference) {
  for (const TermCase& c : term_cases(3)) {
    if (!c.internal) continue;
    const double chi = 0.1;
    const Step first(c);
    const Index size = first.two_state->memory_size();
    ASSERT_GT(size, 0);
    Vector before(size), after(size);
    const Vector dx_before = moved(c.x, 0.2, 0.05, 3) - c.x;
    first.two_state->strain_change(dx_before, before.data());

    const Step dialled(c, {.h = 0.01, .chi = chi, .ratio = 1, .memory = before.data()});
    const Vector dx = moved(c.x, -0.4, 0.03, 3) - c.x;
    dialled.two_state->strain_change(dx, after.data());
    const Vector second = after - before;
    const double taken = -dx.dot(dialled.force(dx) - first.force(dx));
    const auto energy = [&](const Vector& memory) {
      return dialled.two_state->dial_energy(chi, memory.data());
    };
    // chi (a - b):a = chi/2 (|a|^2 - |b|^2 + |a - b|^2)
    const double expected = energy(after) - energy(before) + energy(second);
    EXPECT_GT(energy(second), 0) << c.name;
    EXPECT_NEAR(taken, expected,
                1e-11 * (energy(after) + energy(before) + dx.norm() * first.force(dx).norm()))
        << c.name;
  }
}

TEST(EveryTwoStateForce, ItGivesTheSameBitsForAnyNumberOfThreads) {
  for (const TermCase& c : term_cases(8)) {  // 3,071 tetrahedra: a dozen chunks
    const Vector dx = moved(c.x, 0.5, 0.08, 8) - c.x;
    struct Results {
      Vector force, memory;
      SparseMatrix exact, projected;
      double dissipated;
    };
    const auto compute = [&](int threads) {
      set_thread_count(threads);
      const Step step(c, {.h = 0.01, .eta = 0.01, .chi = 0.1});
      Results r{step.force(dx), Vector(step.two_state->memory_size()), SparseMatrix(step.pattern),
                SparseMatrix(step.pattern), step.two_state->dissipated(dx)};
      step.two_state->strain_change(dx, r.memory.data());
      step.two_state->add_tangent(dx, Definiteness::exact, r.exact);
      step.two_state->add_tangent(dx, Definiteness::projected, r.projected);
      set_thread_count(1);
      return r;
    };
    const auto same = [](const double* a, const double* b, std::size_t count) {
      return count == 0 || std::memcmp(a, b, count * sizeof(double)) == 0;
    };
    const Results one = compute(1);
    for (int threads : {2, 4}) {
      const Results many = compute(threads);
      EXPECT_TRUE(same(many.force.data(), one.force.data(), std::size_t(dx.size()))) << c.name;
      EXPECT_TRUE(same(many.memory.data(), one.memory.data(), std::size_t(one.memory.size()))) << c.name;
      EXPECT_TRUE(same(many.exact.values(), one.exact.values(), one.exact.value_count())) << c.name;
      EXPECT_TRUE(same(many.projected.values(), one.projected.values(), one.projected.value_count()))
          << c.name;
      EXPECT_EQ(many.dissipated, one.dissipated) << c.name;
    }
  }
}

TEST(EveryTwoStateForce, RatesOfARigidMotionAreItsAngularVelocityAndNoStrain) {
  for (const TermCase& c : term_cases(2)) {
    const Step step(c);
    const auto count = std::size_t(step.two_state->elements());
    if (count == 0) continue;
    const Eigen::Vector3d omega(0.3, -0.5, 0.7);
    Vector spinning(c.x.size());
    for (Index v = 0; v < c.x.size() / 3; ++v)
      spinning.segment<3>(3 * v) = omega.cross(Eigen::Vector3d(c.x.segment<3>(3 * v)));
    std::vector<double> spin(count), strain(count);
    step.two_state->rates(c.x, spinning, spin, strain);
    for (std::size_t e = 0; e < count; ++e) {
      // A spring does not see the rotation about itself.
      if (is_springs(c))
        EXPECT_LE(spin[e], omega.norm() * (1 + 1e-12));
      else
        EXPECT_NEAR(spin[e], omega.norm(), 1e-12) << c.name;
      EXPECT_NEAR(strain[e], 0, 1e-12) << c.name;
    }
    step.two_state->rates(c.x, 2 * c.x, spin, strain);  // grows evenly: L = 2
    for (std::size_t e = 0; e < count; ++e) {
      EXPECT_NEAR(spin[e], 0, 1e-12) << c.name;
      EXPECT_NEAR(strain[e], is_springs(c) ? 2 : 2 * std::sqrt(3.0), 1e-12) << c.name;
    }
  }
}

// -- Elements that leave the domain of functions of C

Vector mirrored(const Vector& x) {
  Vector y = x;
  for (Index v = 0; v < x.size() / 3; ++v) y[3 * v + 2] = -y[3 * v + 2];
  return y;
}

TEST(ElasticTwoState, AnInvertedEndIsNotFiniteForLawsThatNeedPositiveJ) {
  for (const MaterialInfo& info : material_catalogue()) {
    const TermCase c = elastic_case(std::string(info.name), 2);
    // A mirror image has the same C: only F tells.
    for (const Vector& x : {mirrored(c.x), Vector(-1.0 * c.x)}) {
      const Vector f = Step(c).force(x - c.x);
      EXPECT_EQ(f.allFinite(), !info.needs_positive_J) << c.name;
    }
  }
}

TEST(ElasticTwoState, KeepsTheEnergyThroughInversionToo) {
  for (const MaterialInfo& info : material_catalogue()) {
    if (info.needs_positive_J) continue;
    TermCase c = elastic_case(std::string(info.name), 3);
    const Vector squashed = mirrored(c.x) + 0.02 * wiggle(c.x.size(), 8.0);
    for (const bool from_inverted : {false, true}) {
      TermCase start = elastic_case(std::string(info.name), 3);
      if (from_inverted) start.x = squashed;
      const Vector x = from_inverted ? Vector(c.x + 0.01 * wiggle(c.x.size(), 9.0)) : squashed;
      const Step step(start);
      const Vector dx = x - start.x, f = step.force(dx);
      EXPECT_NEAR(dx.dot(f), c.term->energy(start.x) - c.term->energy(x), 1e-11 * dx.norm() * f.norm())
          << c.name;
      EXPECT_EQ(step.two_state->turns_bodies(), info.function_of_C != FunctionOfC::everywhere) << c.name;
    }
  }
}

// One tetrahedron is pressed flat and through, and its top turns and shifts: where it turns inside out the force goes
// from one rule to the other without a jump.
TEST(ElasticTwoState, TheForceDoesNotJumpWhereAnElementTurnsInsideOut) {
  for (const MaterialInfo& info : material_catalogue()) {
    if (info.needs_positive_J) continue;
    TermCase c = elastic_case(std::string(info.name), 1);
    const Step step(c);
    const Vector sideways = 0.1 * wiggle(c.x.size(), 7.0);
    const auto at = [&](double height) {
      Vector dx = sideways;
      for (Index v = 0; v < c.x.size() / 3; ++v) dx[3 * v + 2] += (height - 1) * c.x[3 * v + 2];
      return step.force(dx);
    };
    double largest = 0;
    constexpr int kSteps = 20000;
    Vector before = at(0.5);
    const double size = before.norm();
    for (int i = 1; i <= kSteps; ++i) {
      const Vector f = at(0.5 - double(i) / kSteps);
      largest = std::max(largest, (f - before).norm() / size);
      before = f;
    }
    EXPECT_LT(largest, 0.02) << c.name;
  }
}

// -- The floor

TEST(FloorTwoState, AVertexThatEntersOrLeavesTheFloorMeetsTheMeanForceOfItsPath) {
  const double k = 300, height = 0.5;
  TermCase c{"floor", std::make_unique<FloorTerm>(4, height, k), Vector(12), Vector(12), false};
  c.x << 0, 0.6, 0, 0, 0.4, 0, 0, 0.4, 0, 0, 0.6, 0;
  Vector x = c.x;
  x[1] = 0.3, x[4] = 0.6, x[7] = 0.35, x[10] = 0.7;  // enters, leaves, stays under, stays above
  const Vector f = Step(c).force(x - c.x);
  EXPECT_NEAR(f[1], 0.5 * k * 0.2 * 0.2 / 0.3, 1e-10);
  EXPECT_NEAR(f[4], 0.5 * k * 0.1 * 0.1 / 0.2, 1e-10);
  EXPECT_NEAR(f[7], 0.5 * k * (0.1 + 0.15), 1e-10);
  EXPECT_EQ(f[10], 0);
}

TEST(SpringTwoState, ASpringThatTurnsInsideOutStaysFiniteAndKeepsItsEnergy) {
  for (double rest_length : {0.0, 0.5}) {
    TermCase c{"spring", std::make_unique<SpringTerm>(std::vector<Spring>{{0, 1, 40, rest_length}}),
               Vector(6), Vector(6), true};
    c.x << 0, 0, 0, 1, 0, 0;
    const Step step(c, {.h = 0.1, .eta = 0});
    for (double end : {0.0, -1.0, -0.5, 1e-300}) {
      Vector dx = Vector::Zero(6);
      dx[3] = end - 1;
      const Vector f = step.force(dx);
      ASSERT_TRUE(f.allFinite());
      EXPECT_NEAR(dx.dot(f), c.term->energy(c.x) - c.term->energy(c.x + dx), 1e-12 * 40) << end;
      EXPECT_TRUE(step.tangent(dx, Definiteness::exact).allFinite());
    }
  }
}

}  // namespace
}  // namespace phiflex
