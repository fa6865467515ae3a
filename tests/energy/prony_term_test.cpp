// Viscoelastic branches: their potential within a step, how they relax, and what they dissipate.
#include "phiflex/energy/prony_term.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "phiflex/energy/two_state_term.h"
#include "tests/energy/term_cases.h"

namespace phiflex {
namespace {

std::unique_ptr<PronyTerm> branches_of(const ElasticBox& box) {
  PronyElements elements;
  elements.series = {{0.5, 0.02}, {0.3, 0.5}};
  elements.tets = box.mesh.tets;
  elements.quadratic = box.elements.quadratic;
  for (std::size_t e = 0; e < box.mesh.tets.size(); ++e) {
    elements.modulus.push_back(400 + 10 * double(e % 7));
    elements.elements.push_back(int(e));
    elements.number.push_back(int(e));
  }
  return make_prony_term(box.rest, elements);
}

struct BranchBox {
  explicit BranchBox(bool quadratic)
      : box(quadratic ? quadratic_box(2) : elastic_box(2)),
        term(branches_of(box)),
        x(deformed(box.rest, 4)),
        y(box.rest + 0.03 * wiggle(box.rest.size(), 3.0)) {}
  ElasticBox box;
  std::unique_ptr<PronyTerm> term;
  Vector x, y;
};

TEST(PronyFactors, AreThoseOfASpringForShortStepsAndOfADashpotForLongOnes) {
  const PronyFactors brief(1e-9), lasting(1e6);
  EXPECT_NEAR(brief.phi, 1, 1e-9);
  EXPECT_NEAR(brief.kappa, 1, 1e-9);
  EXPECT_NEAR(lasting.phi * 1e6, 1, 1e-5);
  EXPECT_NEAR(lasting.kappa * 1e6, 2, 1e-5);
  for (const double x :
       {1e-6, 0.01, 0.0999, 0.1001, 1.0, 10.0}) {  // of the mean of exp over a step, by the midpoint rule
    const PronyFactors f(x);
    double phi = 0, kappa = 0;
    constexpr int pieces = 2000;
    for (int i = 0; i < pieces; ++i) {
      const double s = (i + 0.5) / pieces;
      phi += std::exp(-x * s) / pieces;
      kappa += 2 * (1 - s) * std::exp(-x * s) / pieces;  // 2 integral of (integral of exp)
    }
    EXPECT_NEAR(f.phi, phi, 1e-6) << x;
    EXPECT_NEAR(f.kappa, kappa, 1e-6) << x;
    EXPECT_NEAR(f.rest, f.kappa - f.phi * f.phi, 1e-14) << x;
    EXPECT_GE(f.rest, 0) << x;
  }
}

TEST(PronyTerm, ForceAndStiffnessAreDerivativesAlsoWithAPastAndWithinAStep) {
  for (const bool quadratic : {false, true}) {
    BranchBox box(quadratic);
    PronyTerm& term = *box.term;
    term.begin_step(box.x, 0.01);
    term.end_step(box.y);
    for (const bool within : {false, true}) {
      if (within) term.begin_step(box.y, 0.03);
      const Vector f = force(term, box.x), d = wiggle(box.x.size(), 1.0);
      const double dW = derivative([&](double s) { return term.energy(box.x + s * d); });
      EXPECT_NEAR(-f.dot(d), dW, 1e-7 * f.norm() * d.norm());
      const Vector Kd = stiffness_product(term, box.x, d);
      const Vector df = derivative([&](double s) -> Vector { return force(term, box.x + s * d); });
      EXPECT_LE((Kd + df).norm(), 1e-7 * (Kd.norm() + f.norm()));
      const FreeVertices free = free_except(box.x.size() / 3, 0);
      const Matrix K = dense(stiffness(term, box.x, free, Definiteness::exact));
      EXPECT_LE((K * d - Kd).norm(), 1e-12 * Kd.norm());
      const Matrix projected = dense(stiffness(term, box.x, free, Definiteness::projected));
      for (int k = 0; k < 10; ++k) {
        const Vector e = wiggle(box.x.size(), 2.0 + k);
        EXPECT_GE(e.dot(projected * e), -1e-12 * e.squaredNorm() * projected.norm());
      }
    }
  }
}

TEST(PronyTerm, BetweenTwoStatesTheWorkIsThatOfThePotentialOfTheStepWithoutResultantAndTorque) {
  for (const bool quadratic : {false, true}) {
    BranchBox box(quadratic);
    PronyTerm& term = *box.term;
    term.begin_step(box.x, 0.01);
    term.end_step(box.y);
    term.begin_step(box.y, 0.03);
    const FreeVertices free = free_except(box.x.size() / 3, 0);
    const auto pattern = free_pattern(term, free);
    const auto two_state = term.make_two_state(free, *pattern);
    two_state->begin(box.y, {});
    const Vector dx = box.x - box.y;
    Vector f = Vector::Zero(dx.size());
    two_state->add_force(dx, f);
    const double change = term.energy(box.x) - term.energy(box.y);
    EXPECT_NEAR(dx.dot(f), -change, 1e-11 * std::abs(change));
    Eigen::Vector3d resultant = Eigen::Vector3d::Zero(), torque = resultant;
    for (Index v = 0; v < f.size() / 3; ++v) {
      resultant += f.segment<3>(3 * v);
      torque += Eigen::Vector3d(box.y.segment<3>(3 * v) + 0.5 * dx.segment<3>(3 * v))
                    .cross(Eigen::Vector3d(f.segment<3>(3 * v)));
    }
    EXPECT_LE(resultant.norm(), 1000 * kEps * f.lpNorm<1>());
    EXPECT_LE(torque.norm(), 1000 * kEps * f.lpNorm<1>());
  }
}

// What the potential of the step took, less what is stored, is what was dissipated.
TEST(PronyTerm, WhatAStepDissipatesIsWhatItsPotentialTookBeyondTheStoredEnergy) {
  for (const bool quadratic : {false, true})
    for (const double h : {1e-4, 0.01, 0.2, 30.0}) {
      BranchBox box(quadratic);
      PronyTerm& term = *box.term;
      term.begin_step(box.x, 0.01);  // a past
      term.end_step(box.y);
      const double stored = term.energy(box.y);
      term.begin_step(box.y, h);
      const double took = term.energy(box.x) - term.energy(box.y);
      const double dissipated = term.end_step(box.x);
      EXPECT_NEAR(took - (term.energy(box.x) - stored), dissipated, 1e-12 * stored) << h;
      EXPECT_GT(dissipated, 0) << h;
    }
}

TEST(PronyTerm, AStepThatIsCancelledOrTakenBackLeavesNoTrace) {
  BranchBox box(true);
  PronyTerm& term = *box.term;
  term.begin_step(box.x, 0.01);
  term.end_step(box.y);
  const double energy = term.energy(box.x);
  const Vector f = force(term, box.x);
  term.begin_step(box.y, 0.1);
  term.cancel_step();
  EXPECT_EQ(term.energy(box.x), energy);
  term.begin_step(box.y, 0.1);
  term.end_step(box.x);
  EXPECT_NE(term.energy(box.x), energy);
  term.undo_step();
  EXPECT_EQ(term.energy(box.x), energy);
  EXPECT_EQ(force(term, box.x), f);
  term.slacken();
  EXPECT_EQ(force(term, box.x).norm(), 0);
  term.relax_at(box.x);
  EXPECT_NEAR(force(term, box.x).norm(), 0, 1e-12 * f.norm());
  EXPECT_GT(force(term, box.y).norm(), 0.01 * f.norm());
}

// At constant strain every branch decays by its own time, whatever the steps are.
TEST(PronyTerm, AtConstantStrainTheForceRelaxesAsTheSeriesSays) {
  for (const double h : {0.001, 0.05}) {
    BranchBox box(false);
    const Vector first = force(*box.term, box.x);
    for (double t = 0; t < 0.2 - 1e-9; t += h) {
      box.term->begin_step(box.x, h);
      box.term->end_step(box.x);
    }
    const double left = (0.5 * std::exp(-0.2 / 0.02) + 0.3 * std::exp(-0.2 / 0.5)) / 0.8;
    EXPECT_LE((force(*box.term, box.x) - left * first).norm(), 1e-11 * first.norm()) << h;
  }
}

}  // namespace
}  // namespace phiflex
