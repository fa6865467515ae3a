// The mean dilatation of quadratic tetrahedra: an energy, its derivatives, and its force between two states.
#include "phiflex/energy/dilatation_term.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "phiflex/energy/two_state_term.h"
#include "phiflex/linalg/dense_solvers.h"
#include "tests/energy/term_cases.h"

namespace phiflex {
namespace {

struct DilatedBox {
  explicit DilatedBox(int cells = 2) : box(quadratic_box(cells)) {
    std::vector<double> kappa;
    for (std::size_t e = 0; e < box.mesh.tets.size(); ++e) kappa.push_back(500 + 10 * double(e % 7));
    term = std::make_unique<DilatationTerm>(box.rest, box.elements.quadratic, kappa);
    x = deformed(box.rest, 2 * cells);
  }
  ElasticBox box;
  std::unique_ptr<DilatationTerm> term;
  Vector x;
};

TEST(DilatationTerm, OfAnAffineDeformationItsEnergyIsThatOfTheVolume) {
  const DilatedBox box;
  Eigen::Matrix3d A;
  A << 1.2, 0.1, 0, -0.2, 0.9, 0.3, 0, 0.1, 1.1;
  Vector x = box.box.rest;
  for (Index i = 0; i < x.size(); i += 3) x.segment<3>(i) = (A * x.segment<3>(i)).eval();
  double expected = 0;
  for (const DilatationTerm::Element& element : box.term->elements())
    expected += 0.5 * element.kappa * element.volume * std::pow(A.determinant() - 1, 2);
  EXPECT_NEAR(box.term->energy(x), expected, 1e-12 * expected);
  EXPECT_NEAR(box.term->mean_J(3, x), A.determinant(), 1e-12);
}

TEST(DilatationTerm, ForceAndStiffnessAreDerivativesAndTheAssembledStiffnessIsThatOfProducts) {
  const DilatedBox box;
  const Vector f = force(*box.term, box.x), d = wiggle(box.x.size(), 1.0);
  const double dW = derivative([&](double s) { return box.term->energy(box.x + s * d); });
  EXPECT_NEAR(-f.dot(d), dW, 1e-7 * f.norm() * d.norm());
  const Vector Kd = stiffness_product(*box.term, box.x, d);
  const Vector df = derivative([&](double s) -> Vector { return force(*box.term, box.x + s * d); });
  EXPECT_LE((Kd + df).norm(), 1e-7 * (Kd.norm() + f.norm()));
  const FreeVertices free = free_except(box.x.size() / 3, 0);
  const Matrix K = dense(stiffness(*box.term, box.x, free, Definiteness::exact));
  EXPECT_LE((K * d - Kd).norm(), 1e-12 * Kd.norm());
  EXPECT_LE((K - K.transpose()).norm(), 1e-13 * K.norm());
  const Matrix projected = dense(stiffness(*box.term, box.x, free, Definiteness::projected));
  for (int k = 0; k < 20; ++k) {
    const Vector e = wiggle(box.x.size(), 2.0 + k);
    EXPECT_GE(e.dot(projected * e), -1e-12 * e.squaredNorm() * projected.norm());
  }
}

// Vertices that turn by an angle and wiggle.
Vector turned_and_moved(const Vector& x, double angle, double amount) {
  const Eigen::Matrix3d R =
      Eigen::AngleAxisd(angle, Eigen::Vector3d(1, 2, -1).normalized()).toRotationMatrix();
  Vector y(x.size());
  for (Index i = 0; i < x.size(); i += 3) y.segment<3>(i) = R * x.segment<3>(i);
  return y + amount * wiggle(x.size(), 5.0);
}

struct DilatedStep {
  DilatedStep(const DilatedBox& box, const Vector& from, const StepDamping& damping = {}) : x(from) {
    const FreeVertices free = free_except(x.size() / 3, 0);
    pattern = free_pattern(*box.term, free);
    two_state = box.term->make_two_state(free, *pattern);
    two_state->begin(x, damping);
  }
  Vector force(const Vector& dx) const {
    Vector f = Vector::Zero(dx.size());
    two_state->add_force(dx, f);
    return f;
  }
  Vector x;
  std::shared_ptr<const SparsityPattern> pattern;
  std::unique_ptr<TwoStateTerm> two_state;
};

TEST(DilatationTerm, ItsWorkInAStepIsMinusTheChangeOfTheEnergyAndItHasNoResultantOrTorque) {
  const DilatedBox box;
  const DilatedStep step(box, box.x);
  for (const double angle : {0.0, 0.1, 1.0, 3.0})
    for (const double amount : {1e-6, 1e-3, 0.02}) {
      const Vector next = turned_and_moved(box.x, angle, amount), dx = next - box.x, f = step.force(dx),
                   middle = box.x + 0.5 * dx;
      EXPECT_NEAR(dx.dot(f), box.term->energy(box.x) - box.term->energy(next),
                  1e-12 * (box.term->energy(box.x) + dx.norm() * f.norm()))
          << angle << ", " << amount;
      Eigen::Vector3d resultant = Eigen::Vector3d::Zero(), torque = resultant;
      for (Index i = 0; i < f.size(); i += 3) {
        resultant += f.segment<3>(i);
        torque += Eigen::Vector3d(middle.segment<3>(i)).cross(Eigen::Vector3d(f.segment<3>(i)));
      }
      EXPECT_FALSE(step.two_state->turns_bodies());
      EXPECT_LE(resultant.norm(), 1e-12 * f.lpNorm<1>());
      EXPECT_LE(torque.norm(), 1e-12 * f.lpNorm<1>()) << angle << ", " << amount;
    }
}

TEST(DilatationTerm, WhereElementsTurnInsideOutItsWorkIsStillExactAndItSaysThatItTurnsBodies) {
  const DilatedBox box;
  const DilatedStep step(box, box.x);
  Vector next = box.x;
  for (Index i = 0; i < next.size(); i += 3) next[i] *= -1;  // the mirror image
  const Vector dx = next - box.x, f = step.force(dx);
  EXPECT_TRUE(step.two_state->turns_bodies());
  EXPECT_NEAR(dx.dot(f), box.term->energy(box.x) - box.term->energy(next), 1e-12 * dx.norm() * f.norm());
}

TEST(DilatationTerm, DampingTakesWhatItSaysAndRigidTurnsAreNotDamped) {
  const DilatedBox box;
  const StepDamping damping{.h = 0.01, .eta = 0.003};
  const DilatedStep step(box, box.x, damping);
  const Vector next = turned_and_moved(box.x, 0.5, 0.02), dx = next - box.x, f = step.force(dx);
  const double taken = step.two_state->dissipated(dx);
  EXPECT_GT(taken, 0);
  EXPECT_NEAR(dx.dot(f), box.term->energy(box.x) - box.term->energy(next) - taken,
              1e-12 * dx.norm() * f.norm());
  const DilatedStep from_rest(box, box.box.rest, {.h = 0.01, .eta = 0.1, .chi = 0.1});
  const double scale = force(*box.term, box.x).norm();
  for (const double angle : {0.01, 1.5, 3.0})
    EXPECT_LE(from_rest.force(turned_and_moved(box.box.rest, angle, 0) - box.box.rest).norm(), 1e-11 * scale);
}

TEST(DilatationTerm, ItsTangentOfASmallStepIsTheDerivativeOfItsForce) {
  const DilatedBox box;
  const DilatedStep step(box, box.x, {.h = 0.01, .eta = 0.003});
  const Vector dx = 1e-5 * wiggle(box.x.size(), 6.0), d = wiggle(box.x.size(), 7.0);
  SparseMatrix K(step.pattern);
  step.two_state->add_tangent(dx, Definiteness::exact, K);
  Vector Kd(K.rows());
  K.apply(d, Kd);
  const Vector df = derivative([&](double s) -> Vector { return step.force(dx + s * d); });
  // What a step of 1e-5 of an edge changes, and what is not symmetric, is of that size.
  EXPECT_LE((Kd + 2 * df).norm(), 1e-4 * Kd.norm());
}

}  // namespace
}  // namespace phiflex
