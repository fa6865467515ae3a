// Discontinuous triangles in motion: the method DGSI of Chen's thesis (2019), section 5.3.2, `dgsi`;
// and the study of the penalty.
#include <gtest/gtest.h>

#include <cmath>

#include "phiflex/integrate/catalogue.h"
#include "phiflex/integrate/integrator.h"
#include "phiflex/linalg/dense_solvers.h"
#include "phiflex/model/triangle_system.h"
#include "phiflex/study/penalty_study.h"

namespace phiflex {
namespace {

// 1 kg, 50 triangles, in its lowest elastic mode with an amplitude of 2 % of an edge.
TriangleSystem body(Continuity continuity) {
  return TriangleSystem({.mesh = generate_square(0.5, 5),
                         .law = "neo-hookean",
                         .parameters = {1e5, 0.48},
                         .density = 4,
                         .continuity = continuity,
                         .penalty = 1e2});
}

State in_first_mode(const TriangleSystem& system) {
  State at{0, Vector::Zero(system.dofs()), Vector::Zero(system.dofs())};
  const auto tangent = system.assembled_tangent(Definiteness::exact);
  tangent->update(at);
  Vector mass(system.dofs());
  system.mass().apply(Vector::Ones(system.dofs()), mass);
  const Vector scale = mass.cwiseSqrt().cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(scale.asDiagonal() * Matrix(tangent->K().to_eigen()) *
                                                    scale.asDiagonal());
  at.q = scale.asDiagonal() * eigen.eigenvectors().col(3);
  at.q *= 0.002 / at.q.cwiseAbs().maxCoeff();
  return at;
}

struct Energies {
  double start, end, largest, largest_gap;
};

Energies energies(Continuity continuity, const char* method) {
  const TriangleSystem system = body(continuity);
  const auto integrator = make_integrator(method, system, {});
  State now = in_first_mode(system), next;
  Energies result{system.potential_energy(now), 0, 0, 0};
  for (int step = 1; step <= 1000; ++step) {
    EXPECT_EQ(integrator->step(now, 0.01, next).status, StepStatus::ok) << step;
    std::swap(now, next);
    result.largest_gap = std::max(result.largest_gap, system.largest_gap(now.q));
    result.end = system.potential_energy(now) + system.kinetic_energy(now);
    result.largest = std::max(result.largest, result.end);
  }
  return result;
}

TEST(Discontinuous, TrianglesStayTogetherAndKeepTheEnergyThatContinuousOnesLose) {
  const Energies dgsi = energies(Continuity::babuska_zlamal, "dgsi");
  EXPECT_LT(dgsi.largest_gap, 0.1 * 0.1);  // a tenth of an edge
  const Energies cgsi = energies(Continuity::continuous, "si");
  EXPECT_LT(dgsi.largest, 1.05 * dgsi.start);
  // The strain of the triangles is damped as by si, within some 50 steps; what swings in the edges stays.
  EXPECT_GT(dgsi.end, 1e-2 * dgsi.start);
  EXPECT_LT(cgsi.end, 1e-12 * cgsi.start);
}

TEST(Discontinuous, ThePenaltyTunesTheStiffnessFromFarBelowTheContinuousOne) {
  const PenaltyCurves curves = study_penalty({});
  ASSERT_EQ(curves.penalty.size(), 61u);
  for (std::size_t i = 1; i < curves.penalty.size(); ++i)
    EXPECT_GT(curves.babuska_zlamal[i], curves.babuska_zlamal[i - 1]);
  EXPECT_LT(curves.babuska_zlamal.front(), 0.01 * curves.continuous);
  EXPECT_GT(curves.babuska_zlamal.back(), 0.9 * curves.continuous);
  EXPECT_LT(curves.interior_penalty.front(), 0);  // unstable without enough penalty
}

}  // namespace
}  // namespace phiflex
