#include "phiflex/model/triangle_system.h"
#include "phiflex/linalg/dense_solvers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "tests/material/example_material.h"

namespace phiflex {
namespace {

constexpr Continuity kAll[] = {Continuity::continuous, Continuity::babuska_zlamal,
                               Continuity::interior_penalty};

std::vector<std::string> plane_laws() {
  std::vector<std::string> laws = test::all_laws();
  std::erase_if(laws, [](const std::string& law) { return !has_plane_law(law); });
  return laws;
}

TriangleSystem square(const std::string& law, Continuity continuity, double penalty, int cells = 2) {
  return TriangleSystem({.mesh = generate_square(0.5, cells),
                         .law = law,
                         .parameters = test::example_parameters(law, 100, 0.3),
                         .density = 1,
                         .continuity = continuity,
                         .penalty = penalty});
}

// Corners apart by a few percent of an edge of 0.25, triangles stretched by some ten percent.
Vector deformed(const TriangleSystem& system, double jump = 0.01) {
  Vector q(system.dofs());
  const TriangleMesh& mesh = system.body().mesh;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int a = 0; a < 3; ++a) {
      const Eigen::Vector2d X = mesh.vertices[mesh.triangles[t][a]];
      const int node = system.node(int(t), a);
      q.segment<2>(2 * node) << 0.1 * X[0] + 0.3 * X[1] * X[1], 0.2 * X[0] * X[0] - 0.1 * X[1];
      for (int i = 0; i < 2; ++i) q[2 * node + i] += jump * std::sin(12.9898 * (2 * node + i));
    }
  return q;
}

State at(const Vector& q) {
  return {0, q, Vector::Zero(q.size())};
}

// Five points, h = 1e-4: errors of h^4 and of eps/h, both below 1e-10 of numbers up to 100.
template <class Function>
auto derivative(const Function& g) -> decltype(g(0.0)) {
  constexpr double h = 1e-4;
  return (8 * (g(h) - g(-h)) - (g(2 * h) - g(-2 * h))) / (12 * h);
}

TEST(TriangleSystem, ItsForceIsMinusTheDerivativeOfItsEnergyForEveryFluxAndLaw) {
  for (const std::string& law : plane_laws())
    for (const Continuity continuity : kAll) {
      const TriangleSystem system = square(law, continuity, 300);
      const Vector q = deformed(system);
      Vector f;
      system.force(at(q), f);
      ASSERT_GT(f.norm(), 0.1);
      for (Index i = 0; i < q.size(); ++i) {
        const Vector e = Vector::Unit(q.size(), i);
        const double dW = derivative([&](double s) { return system.potential_energy(at(q + s * e)); });
        EXPECT_NEAR(-f[i], dW, 1e-8) << law << ", flux " << int(continuity) << ", " << i;
      }
    }
}

TEST(TriangleSystem, ItsStiffnessIsMinusTheDerivativeOfItsForceForEveryFluxAndLaw) {
  for (const std::string& law : plane_laws())
    for (const Continuity continuity : kAll) {
      const TriangleSystem system = square(law, continuity, 300);
      const Vector q = deformed(system);
      const auto tangent = system.assembled_tangent(Definiteness::exact);
      tangent->update(at(q));
      const Matrix K(tangent->K().to_eigen());
      EXPECT_LE((K - K.transpose()).norm(), 1e-12 * K.norm());
      for (Index i = 0; i < q.size(); ++i) {
        const Vector e = Vector::Unit(q.size(), i);
        const Vector df = derivative([&](double s) -> Vector {
          Vector f;
          system.force(at(q + s * e), f);
          return f;
        });
        EXPECT_LE((K.col(i) + df).norm(), 1e-7 * K.norm()) << law << ", flux " << int(continuity);
      }
    }
}

// An affine motion has no jumps and one stress: what edges add must cancel what triangles pull with, on every
// triangle that has no free edge. Babuska and Zlamal's flux does not know the stress: it fails this by
// design.
TEST(TriangleSystem, TheInteriorPenaltyFluxPassesThePatchTest) {
  for (const std::string& law : plane_laws()) {
    const TriangleSystem system = square(law, Continuity::interior_penalty, 300, 4);
    const TriangleMesh& mesh = system.body().mesh;
    Vector q(system.dofs()), f;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
      for (int a = 0; a < 3; ++a) {
        const Eigen::Vector2d X = mesh.vertices[mesh.triangles[t][a]];
        q.segment<2>(2 * system.node(int(t), a)) << 0.1 * X[0] + 0.2 * X[1], -0.15 * X[0] + 0.05 * X[1];
      }
    EXPECT_LE(system.largest_gap(q), 1e-15);
    system.force(at(q), f);
    int inner = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      bool inside = true;
      for (const int v : mesh.triangles[t])
        for (int i = 0; i < 2; ++i) inside &= mesh.vertices[v][i] > 0.01 && mesh.vertices[v][i] < 0.49;
      if (!inside) continue;
      ++inner;
      EXPECT_LE(f.segment<6>(6 * Index(t)).norm(), 1e-13 * f.norm()) << law;
    }
    EXPECT_EQ(inner, 8);
  }
}

double lowest(const TriangleSystem& system) {
  const auto tangent = system.assembled_tangent(Definiteness::exact);
  tangent->update(at(Vector::Zero(system.dofs())));
  Vector mass(system.dofs());
  system.mass().apply(Vector::Ones(system.dofs()), mass);
  const Vector scale = mass.cwiseSqrt().cwiseInverse();
  return Eigen::SelfAdjointEigenSolver<Matrix>(scale.asDiagonal() * Matrix(tangent->K().to_eigen()) *
                                               scale.asDiagonal())
      .eigenvalues()[3];  // above the rigid motions
}

TEST(TriangleSystem, AsThePenaltyGrowsItsFrequenciesTendToThoseOfContinuousTriangles) {
  const double continuous = lowest(square("linear", Continuity::continuous, 0));
  // The distance of both shrinks like 1/penalty; Babuska and Zlamal's comes from below.
  for (const Continuity continuity : {Continuity::babuska_zlamal, Continuity::interior_penalty}) {
    double before = 0;
    for (const double penalty : {1e4, 1e5, 1e6}) {
      const double distance = lowest(square("linear", continuity, penalty)) - continuous;
      if (continuity == Continuity::babuska_zlamal) {
        EXPECT_LT(distance, 0);
      }
      if (before != 0) {
        EXPECT_NEAR(distance / before, 0.1, 0.02) << int(continuity);
      }
      before = distance;
    }
    EXPECT_LT(std::abs(before), 1e-3 * continuous);
  }
}

TEST(TriangleSystem, BabuskaAndZlamalsFluxStiffensWithThePenalty) {
  double before = 0;
  for (double penalty = 0.01; penalty < 1e5; penalty *= 10) {
    const double here = lowest(square("linear", Continuity::babuska_zlamal, penalty));
    EXPECT_GT(here, before);
    before = here;
  }
}

TEST(TriangleSystem, ItsStiffPartIsThatOfTheTriangles) {
  const TriangleSystem system = square("neo-hookean", Continuity::interior_penalty, 300);
  const TriangleSystem apart = square("neo-hookean", Continuity::babuska_zlamal, 0);
  const Vector q = deformed(system);
  const auto stiff = system.stiff_tangent(Definiteness::exact),
             alone = apart.assembled_tangent(Definiteness::exact);
  stiff->update(at(q));
  alone->update(at(q));
  EXPECT_EQ(Matrix(stiff->K().to_eigen()), Matrix(alone->K().to_eigen()));
  EXPECT_EQ(square("linear", Continuity::continuous, 0).stiff_tangent(Definiteness::exact), nullptr);
}

TEST(TriangleSystem, LawsOfSingularVectorsAndTrianglesWithoutAreaAreMisuse) {
  EXPECT_THROW(square("corotated", Continuity::continuous, 0), std::invalid_argument);
  EXPECT_THROW(
      TriangleSystem({.mesh = {{{0, 0}, {1, 0}, {2, 0}}, {{0, 1, 2}}}, .parameters = {1, 0.3}, .density = 1}),
      std::invalid_argument);
}

}  // namespace
}  // namespace phiflex
