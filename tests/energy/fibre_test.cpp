// Fibres of cuboids against the theory of beams, and where they grow.
#include "phiflex/energy/fibre.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "phiflex/energy/fibre_roots.h"
#include "phiflex/linalg/dense_solvers.h"
#include "tests/energy/term_cases.h"

namespace phiflex {
namespace {

// Bristles and hair of the papers, and a stubby rod.
struct Case {
  const char* name;
  FibreShape shape;
};
const Case kCases[] = {
    {"hair", {0.16, 8, {9e-5, 9e-5}, 3.6e9, 1e9, 1300}},
    {"bristle", {0.01, 4, {1.2e-4, 1.2e-4}, 3.2e10, 1e9, 1100}},
    {"rod", {0.5, 10, {0.05, 0.05}, 2e9, 0.8e9, 1000}},
};

// Stiffness at rest of a fibre along x from the origin, its root clamped.
struct Clamped {
  SpringNetwork network;
  Matrix K;

  explicit Clamped(const FibreShape& shape) {
    const FibreRoot root{{0, 0, 0}, {1, 0, 0}};
    network = generate_fibres({&root, 1}, shape);
    K = whole_stiffness(network).bottomRightCorner(size(), size()).eval();
  }
  Index size() const { return 3 * Index(network.vertices.size()) - 12; }

  static Matrix whole_stiffness(const SpringNetwork& network) {
    const Vector rest = stacked(network.vertices);
    const FreeVertices free = free_except(rest.size() / 3, 0);
    return dense(stiffness(SpringTerm(network.springs), rest, free, Definiteness::exact)) +
           dense(stiffness(ScissorSpringTerm(network.scissors), rest, free, Definiteness::exact));
  }
  // Displacements of the last section's four particles under forces on them.
  Matrix bend(const Matrix& forces) const {
    Vector f = Vector::Zero(size());
    for (int c = 0; c < 4; ++c) f.segment<3>(size() - 12 + 3 * c) = forces.col(c);
    const Vector u = K.ldlt().solve(f);
    Matrix moved(3, 4);
    for (int c = 0; c < 4; ++c) moved.col(c) = u.segment<3>(size() - 12 + 3 * c);
    return moved;
  }
  Matrix tip() const {  // places of the last section's particles about their centre
    Matrix places(3, 4);
    for (int c = 0; c < 4; ++c)
      for (int i = 0; i < 3; ++i) places(i, c) = network.vertices[network.vertices.size() - 4 + c][i];
    return places.colwise() - places.rowwise().mean();
  }
};

double area(const FibreShape& s) {
  return s.thickness[0] * s.thickness[0];
}

TEST(Fibre, UnderATipLoadItBendsAsTimoshenkosBeam) {
  for (const auto& [name, shape] : kCases) {
    const Clamped fibre(shape);
    const double w = shape.thickness[0], L = shape.length, I = w * w * w * w / 12;
    const double bending = L * L * L / (3 * shape.young * I),
                 shear = L / (5.0 / 6 * shape.shear_modulus * area(shape));
    for (int axis : {1, 2}) {
      Matrix forces = Matrix::Zero(3, 4);
      forces.row(axis).setConstant(0.25);
      const double deflection = fibre.bend(forces).row(axis).mean();
      // One segment takes the moment of its middle: short by 1/(4 n^2), 1.6 % for four segments.
      EXPECT_NEAR(deflection, bending + shear, 0.02 * bending) << name;
      EXPECT_NEAR(deflection, bending, 0.05 * bending) << name << ": Euler and Bernoulli";
    }
  }
}

TEST(Fibre, TheErrorOfBendingFallsWithTheSquareOfTheSegments) {
  FibreShape shape = kCases[2].shape;  // of hair the stiffness has a condition of 1e14, which shows here
  shape.thickness = {0.005, 0.005};
  const double w = shape.thickness[0], L = shape.length, E = shape.young;
  const double theory = 4 * L * L * L / (E * w * w * w * w);
  Matrix forces = Matrix::Zero(3, 4);
  forces.row(1).setConstant(0.25);
  for (int segments : {2, 4, 8, 16}) {
    shape.segments = segments;
    const double deflection = Clamped(shape).bend(forces).row(1).mean();
    EXPECT_NEAR(deflection / theory, 1 - 0.25 / (segments * segments), 1e-3) << segments;
  }
}

TEST(Fibre, ItTwistsBySaintVenantsTorsion) {
  for (const auto& [name, shape] : kCases) {
    const Clamped fibre(shape);
    const Matrix tip = fibre.tip();
    const double w = shape.thickness[0], J = 0.140577 * w * w * w * w;
    // Forces across the radii with a moment of 1 N m about x.
    Matrix forces = Matrix::Zero(3, 4);
    const double polar = tip.squaredNorm();
    for (int c = 0; c < 4; ++c) forces.col(c) = Eigen::Vector3d(0, -tip(2, c), tip(1, c)) / polar;
    const Matrix moved = fibre.bend(forces);
    const double angle = (forces.array() * moved.array()).sum();
    EXPECT_NEAR(angle, shape.length / (shape.shear_modulus * J), 1e-6 * angle) << name;
  }
}

TEST(Fibre, ItStretchesByYoungsModulusAlone) {
  for (const auto& [name, shape] : kCases) {
    Matrix forces = Matrix::Zero(3, 4);
    forces.row(0).setConstant(0.25);
    const double stretch = Clamped(shape).bend(forces).row(0).mean();
    EXPECT_NEAR(stretch, shape.length / (shape.young * area(shape)), 1e-6 * stretch) << name;
  }
}

TEST(Fibre, ATaperedOneBendsAsTheIntegralOfItsCurvature) {
  FibreShape shape = kCases[0].shape;
  shape.thickness = {9e-5, 4e-5};
  Matrix forces = Matrix::Zero(3, 4);
  forces.row(2).setConstant(0.25);
  const double deflection = Clamped(shape).bend(forces).row(2).mean();
  double theory = 0;  // of (L - x)^2/(E I(x))
  const int n = 10000;
  for (int i = 0; i < n; ++i) {
    const double s = (i + 0.5) / n, w = 9e-5 + s * (4e-5 - 9e-5), arm = shape.length * (1 - s);
    theory += arm * arm / (shape.young * std::pow(w, 4) / 12) * shape.length / n;
  }
  EXPECT_NEAR(deflection, theory, 0.05 * theory);
}

TEST(Fibre, ItsOnlyMotionsWithoutStiffnessAreTheRigidOnes) {
  for (const auto& [name, shape] : kCases) {
    const FibreRoot root{{0.1, 0, 0}, {1, 2, -1}};
    const Matrix K = Clamped::whole_stiffness(generate_fibres({&root, 1}, shape));
    const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(K).eigenvalues();
    // The softest of n segments bends with some E I/L^3/n^4 of the stiffest, E L: of hair 1e-14.
    EXPECT_GT(values[0], -1e-13 * values[values.size() - 1]) << name;
    if (std::string(name) == "rod") {
      EXPECT_LT(std::abs(values[5]), 1e-12 * values[values.size() - 1]);
      EXPECT_GT(values[6], 1e-7 * values[values.size() - 1]);
    }
  }
}

TEST(Fibre, HasTheMassOfItsVolumeAndNineSectionsOfFourParticles) {
  const std::vector<FibreRoot> roots = roots_on_sphere({0, 0, 0}, 0.1, 2.0, 50);
  FibreShape shape = kCases[0].shape;
  shape.thickness = {9e-5, 4e-5};
  const SpringNetwork hair = generate_fibres(roots, shape);
  EXPECT_EQ(hair.vertices.size(), 50u * 36);
  const double volume = shape.length * (81 + 36 + 16) * 1e-10 / 3;
  EXPECT_NEAR(std::accumulate(hair.masses.begin(), hair.masses.end(), 0.0), 50 * 1300 * volume,
              1e-6 * 1300 * volume);
  EXPECT_EQ(hair.scissors.size(), 50u * 32);
  EXPECT_EQ(hair.springs.size(), 50u * (32 + 54));
  for (const ScissorSpring& s : hair.scissors) EXPECT_NEAR(s.rest_length, 0, 1e-16);
}

TEST(FibreRoots, AreSpreadEvenlyOverTheirSurface) {
  // Halves of the area hold halves of the roots.
  const auto sphere = roots_on_sphere({0, 1, 0}, 0.5, std::numbers::pi, 1000);
  int upper = 0, right = 0;
  for (const FibreRoot& root : sphere) {
    const auto& p = root.point;
    EXPECT_NEAR(std::hypot(p[0], p[1] - 1, p[2]), 0.5, 1e-15);
    upper += p[1] > 1;
    right += p[0] > 0;
  }
  EXPECT_EQ(upper, 500);
  EXPECT_NEAR(right, 500, 5);
  for (const FibreRoot& root : roots_on_sphere({0, 0, 0}, 1, 0.5, 100))
    EXPECT_GT(root.point[1], std::cos(0.5));

  int quarter = 0;
  for (const FibreRoot& root : roots_on_plate({1, 2, 3}, {0.4, 0.2}, 1000)) {
    EXPECT_LE(std::abs(root.point[0] - 1), 0.2);
    EXPECT_LE(std::abs(root.point[2] - 3), 0.1);
    quarter += root.point[0] > 1 && root.point[2] > 3;
  }
  EXPECT_NEAR(quarter, 250, 5);

  const TetMesh box = generate_box({.size = {1, 2, 3}, .cells = {2, 3, 2}});
  int bottom = 0;
  const auto on_box = roots_on_surface(extract_surface(box), 2200);
  ASSERT_EQ(on_box.size(), 2200u);
  for (const FibreRoot& root : on_box) {
    if (root.point[1] != 0) continue;
    ++bottom;
    EXPECT_LT(root.direction[1], 0) << "outward";
  }
  EXPECT_NEAR(bottom, 300, 10);  // 3 of 22 parts of the area
  EXPECT_TRUE(roots_on_surface({}, 10).empty());
}

TEST(Fibre, WithoutSegmentsOrDirectionIsRefused) {
  FibreShape shape = kCases[0].shape;
  const FibreRoot nowhere{{0, 0, 0}, {0, 0, 0}};
  EXPECT_THROW(generate_fibres({&nowhere, 1}, shape), std::invalid_argument);
  shape.segments = 0;
  EXPECT_THROW(generate_fibres({}, shape), std::invalid_argument);
}

}  // namespace
}  // namespace phiflex
