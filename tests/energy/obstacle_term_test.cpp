// Obstacles, penalties and barriers: derivatives of every shape, and the energy-momentum force.
#include "phiflex/energy/obstacle_term.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "phiflex/energy/two_state_term.h"
#include "phiflex/linalg/dense_solvers.h"
#include "phiflex/mesh/generators.h"
#include "tests/energy/term_cases.h"
#include "tests/held_memory.h"

namespace phiflex {
namespace {

struct ShapeCase {
  const char* name;
  std::shared_ptr<const SolidShape> shape;
};

std::vector<ShapeCase> shapes() {
  const Eigen::Matrix3d turn =
      Eigen::AngleAxisd(0.4, Eigen::Vector3d(1, 2, -1).normalized()).toRotationMatrix();
  return {
      {"plane", std::make_shared<PlaneSolid>(Eigen::Vector3d(0, 0.1, 0), Eigen::Vector3d(1, 3, -1))},
      {"sphere", std::make_shared<SphereSolid>(Eigen::Vector3d(0.1, 0, 0), 0.7)},
      {"capsule",
       std::make_shared<CapsuleSolid>(Eigen::Vector3d(-0.6, 0, 0.1), Eigen::Vector3d(0.5, 0.2, 0), 0.4)},
      {"box",
       std::make_shared<CuboidShape>(Eigen::Vector3d(0, 0.1, 0), Eigen::Vector3d(1.2, 0.6, 0.9), turn)},
  };
}

// Points inside, near and outside; a thickness of 0.2 makes edges and corners of the box count.
constexpr int kPoints = 60;
constexpr double kThickness = 0.2, kStiffness = 300;

Vector points() {
  return 1.1 * wiggle(3 * kPoints, 0.5);
}

ObstacleTerm term_of(const ShapeCase& c) {
  std::vector<int> all(kPoints);
  std::iota(all.begin(), all.end(), 0);
  return ObstacleTerm(c.shape, std::move(all), kThickness, kStiffness);
}

// The differences of a kink (an edge of the box, its middle planes) are not the derivative: such points are left
// out, a few of 60.
bool smooth_around(const SolidShape& shape, const Eigen::Vector3d& x, double step) {
  const SurfaceDistance here = shape.at(x);
  if (std::abs(here.distance - kThickness) < 10 * step) return false;
  for (int i = 0; i < 3; ++i)
    for (const double sign : {-1., 1.}) {
      const Eigen::Vector3d there = x + sign * 10 * step * Eigen::Vector3d::Unit(i);
      if ((shape.at(there).curvature - here.curvature).norm() > 0.01 * (1 + here.curvature.norm()))
        return false;
      if ((shape.at(there).normal - here.normal).norm() > 0.01) return false;
    }
  return true;
}

TEST(SolidShape, NormalAndCurvatureAreTheDerivativesOfTheDistance) {
  constexpr double step = 1e-5;
  for (const ShapeCase& c : shapes()) {
    int checked = 0;
    for (int k = 0; k < kPoints; ++k) {
      const Eigen::Vector3d x = points().segment<3>(3 * k);
      if (!smooth_around(*c.shape, x, step)) continue;
      ++checked;
      const SurfaceDistance here = c.shape->at(x);
      EXPECT_NEAR(here.normal.norm(), 1, 1e-14);
      for (int i = 0; i < 3; ++i) {
        const Eigen::Vector3d e = step * Eigen::Vector3d::Unit(i);
        const SurfaceDistance up = c.shape->at(x + e), down = c.shape->at(x - e);
        // Central differences: step^2/6 times a third derivative of up to 1/r^2 ~ 1e4, and rounding over step.
        EXPECT_NEAR((up.distance - down.distance) / (2 * step), here.normal[i], 1e-6) << c.name;
        EXPECT_LT(((up.normal - down.normal) / (2 * step) - here.curvature.col(i)).norm(), 1e-4) << c.name;
      }
    }
    EXPECT_GT(checked, kPoints / 2) << c.name;
  }
}

TEST(ObstacleTerm, ForceAndStiffnessAreTheDerivativesOfTheEnergy) {
  constexpr double step = 1e-5;
  for (const ShapeCase& c : shapes()) {
    const ObstacleTerm term = term_of(c);
    const Vector x = points(), f = force(term, x);
    for (int k = 0; k < kPoints; ++k) {
      if (!smooth_around(*c.shape, x.segment<3>(3 * k), step)) continue;
      for (int i = 0; i < 3; ++i) {
        Vector e = Vector::Zero(x.size());
        e[3 * k + i] = step;
        EXPECT_NEAR((term.energy(x + e) - term.energy(x - e)) / (2 * step), -f[3 * k + i], 1e-4) << c.name;
        const Vector df = (force(term, x + e) - force(term, x - e)) / (2 * step);
        EXPECT_LT((df + stiffness_product(term, x, e / step)).norm(), 1e-3 * kStiffness) << c.name;
      }
    }
    // The assembled matrix is the same as the products, over the free vertices.
    const FreeVertices free = free_except(kPoints, 3);
    const Matrix K = dense(stiffness(term, x, free, Definiteness::exact));
    for (std::size_t row = 0; row < free.vertex_of_row.size(); ++row) {
      Vector e = Vector::Zero(x.size());
      e[3 * free.vertex_of_row[row] + 1] = 1;
      const Vector y = stiffness_product(term, x, e);
      EXPECT_EQ((K.col(3 * Index(row) + 1).segment<3>(3 * Index(row))),
                (y.segment<3>(3 * Index(free.vertex_of_row[row]))));
    }
  }
}

TEST(ObstacleTerm, ProjectedItIsPositiveSemidefinite) {
  for (const ShapeCase& c : shapes()) {
    const ObstacleTerm term = term_of(c);
    for (int k = 0; k < kPoints; ++k) {
      const Eigen::Matrix3d A =
          term.block(std::size_t(k), points().segment<3>(3 * k), Definiteness::projected);
      EXPECT_GE(Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(A).eigenvalues()[0], -1e-12 * kStiffness)
          << c.name;
    }
  }
}

TEST(ObstacleTerm, AlongAnyStepItsForceDoesTheChangeOfEnergy) {
  for (const ShapeCase& c : shapes()) {
    const ObstacleTerm term = term_of(c);
    const FreeVertices free = free_except(kPoints, 0);
    const auto two = term.make_two_state(free, *free_pattern(term, free));
    const Vector x = points();
    for (const double length : {1e-6, 0.01, 1.0}) {
      const Vector dx = length * wiggle(x.size(), 0.8);
      Vector f = Vector::Zero(x.size());
      two->begin(x, {});
      two->add_force(dx, f);
      const double change = term.energy(x + dx) - term.energy(x);
      // Rounding of distances (1e-16) over the step, times stiffness and depth, for 60 points.
      EXPECT_NEAR(dx.dot(f), -change, 1e-13 * term.energy(x)) << c.name << " by " << length;
    }
  }
}

TEST(ObstacleTerm, ItsTangentIsThatOfTheEnergyForSmallSteps) {
  for (const ShapeCase& c : shapes()) {
    const ObstacleTerm term = term_of(c);
    const FreeVertices free = free_except(kPoints, 0);
    const auto pattern = free_pattern(term, free);
    const auto two = term.make_two_state(free, *pattern);
    const Vector x = points();
    SparseMatrix K(pattern);
    two->begin(x, {});
    two->add_tangent(Vector::Zero(x.size()), Definiteness::exact, K);
    const Matrix exact = dense(stiffness(term, x, free, Definiteness::exact));
    EXPECT_LT((dense(K) - exact).norm(), 1e-12 * exact.norm()) << c.name;
  }
}

// -- Barriers

constexpr double kReach = 0.4;

// Points outside of the shape, many of them within reach, pushed there along the normal.
Vector points_outside(const SolidShape& shape) {
  Vector x = points();
  for (int k = 0; k < kPoints; ++k) {
    const SurfaceDistance near = shape.at(x.segment<3>(3 * k));
    const double wanted = 0.05 + 0.5 * (k % 10) / 10.0;
    x.segment<3>(3 * k) += (wanted - near.distance) * near.normal;
  }
  return x;
}

ObstacleTerm barrier_of(const ShapeCase& c, double mu = 0, double gamma = 0) {
  std::vector<int> all(kPoints);
  std::iota(all.begin(), all.end(), 0);
  std::vector<double> weights(kPoints), lowered(kPoints, 0.0);
  for (int k = 0; k < kPoints; ++k) weights[std::size_t(k)] = 2 + 0.1 * k;
  lowered[3] = 0.01;
  return ObstacleTerm(c.shape, std::move(all),
                      {.kind = ObstacleLaw::Kind::barrier,
                       .thickness = 0.01,
                       .reach = kReach,
                       .rest = {.gamma = gamma},
                       .friction = {mu, 1e-3}},
                      std::move(weights), std::move(lowered));
}

TEST(Barrier, ForceAndStiffnessAreTheDerivativesOfTheEnergy) {
  constexpr double step = 1e-6;
  for (const ShapeCase& c : shapes()) {
    const ObstacleTerm term = barrier_of(c);
    const Vector x = points_outside(*c.shape), f = force(term, x);
    EXPECT_GT(f.norm(), 1);
    int checked = 0;
    for (int k = 0; k < kPoints; ++k) {
      if (!smooth_around(*c.shape, x.segment<3>(3 * k), step)) continue;
      ++checked;
      for (int i = 0; i < 3; ++i) {
        Vector e = Vector::Zero(x.size());
        e[3 * k + i] = step;
        const double scale = 1 + std::abs(f[3 * k + i]);
        // Third derivatives of (0.1)^-2 and powers of it: step^2 of these, and rounding of all energies over the step.
        EXPECT_NEAR((term.energy(x + e) - term.energy(x - e)) / (2 * step), -f[3 * k + i], 1e-4 * scale)
            << c.name;
        const Vector df = (force(term, x + e) - force(term, x - e)) / (2 * step);
        const Vector y = stiffness_product(term, x, e / step);
        EXPECT_LT((df + y).norm(), 1e-4 * (1 + y.norm())) << c.name << " " << k;
      }
    }
    EXPECT_GT(checked, kPoints / 3) << c.name;
  }
}

TEST(Barrier, IsInfiniteInsideAndNothingOutsideOfItsReach) {
  const ObstacleTerm term = barrier_of(shapes()[0]);
  const Vector out = points_outside(term.shape());
  Vector far = out;
  for (int k = 0; k < kPoints; ++k)
    far.segment<3>(3 * k) += 2 * kReach * term.shape().at(far.segment<3>(3 * k)).normal;
  EXPECT_EQ(term.energy(far), 0);
  EXPECT_TRUE(force(term, far).isZero(0));
  EXPECT_TRUE(std::isfinite(term.energy(out)));
  EXPECT_EQ(term.diagnose(out), "");
  Vector inside = out;
  inside.segment<3>(6) -=
      (term.shape().at(inside.segment<3>(6)).distance + 0.1) * term.shape().at(inside.segment<3>(6)).normal;
  EXPECT_EQ(term.energy(inside), std::numeric_limits<double>::infinity());
  EXPECT_FALSE(force(term, inside).allFinite());
  EXPECT_EQ(term.diagnose(inside), "vertex 2 of the model is inside an obstacle, 0.11 m deep");
}

TEST(Barrier, AlongAnyStepItsForceDoesTheChangeOfEnergyLessWhatIsBooked) {
  for (const ShapeCase& c : shapes())
    for (const double mu : {0.0, 0.4})
      for (const double gamma : {0.0, 1.0}) {
        const ObstacleTerm term = barrier_of(c, mu, gamma);
        const FreeVertices free = free_except(kPoints, 0);
        const auto two = term.make_two_state(free, *free_pattern(term, free));
        const Vector x = points_outside(*c.shape);
        for (const double length : {1e-6, 0.01, 0.3}) {
          Vector dx = length * wiggle(x.size(), 0.8);
          dx *= 0.9 * term.free_way(x, dx);
          Vector f = Vector::Zero(x.size());
          two->begin(x, {.h = 0.01});
          two->add_force(dx, f);
          const double change = term.energy(x + dx) - term.energy(x);
          const double friction = two->friction(dx), dial = two->dissipated(dx);
          EXPECT_EQ(friction > 0, mu > 0);
          EXPECT_EQ(dial > 0, gamma > 0);
          const double scale = term.energy(x) + term.energy(x + dx) + f.cwiseAbs().dot(dx.cwiseAbs());
          EXPECT_NEAR(dx.dot(f), -change - friction - dial, 1e-13 * scale)
              << c.name << " by " << length << " with " << mu << ", " << gamma;
        }
      }
}

TEST(Barrier, ItsBlocksAreTheTangentOfASmallStep) {
  const ShapeCase c = shapes()[1];
  const ObstacleTerm term = barrier_of(c, 0.3);
  const FreeVertices free = free_except(kPoints, 2);
  const auto two = term.make_two_state(free, *free_pattern(term, free));
  const Vector x = points_outside(*c.shape);
  const Vector dx = 1e-6 * wiggle(x.size(), 0.8);  // a slip below h s0, where friction is linear
  Vector f = Vector::Zero(x.size());
  two->begin(x, {.h = 0.01});
  two->add_force(dx, f);
  StencilBlocks blocks;
  two->add_blocks(blocks);
  Vector along = Vector::Zero(x.size()), y = Vector::Zero(3 * Index(free.vertex_of_row.size()));
  for (std::size_t row = 0; row < free.vertex_of_row.size(); ++row)
    along.segment<3>(3 * free.vertex_of_row[row]) =
        wiggle(x.size(), 0.3).segment<3>(3 * free.vertex_of_row[row]);
  Vector z(y.size());
  for (std::size_t row = 0; row < free.vertex_of_row.size(); ++row)
    z.segment<3>(3 * Index(row)) = along.segment<3>(3 * free.vertex_of_row[row]);
  blocks.add_product(1, z, y);
  constexpr double step = 1e-8;
  Vector low = Vector::Zero(x.size()), high = Vector::Zero(x.size());
  two->add_force(dx - step * along, low);
  two->add_force(dx + step * along, high);
  const Vector df = (low - high) / step;  // -2 df/dx+
  double difference = 0, size = 0;
  for (std::size_t row = 0; row < free.vertex_of_row.size(); ++row) {
    const Index v = 3 * free.vertex_of_row[row];
    difference += (df.segment<3>(v) - y.segment<3>(3 * Index(row))).squaredNorm();
    size += df.segment<3>(v).squaredNorm();
  }
  // Left out: the curvature of the sphere, and that friction changes with the pressure.
  EXPECT_LT(std::sqrt(difference / size), 0.3);
}

TEST(Barrier, IsNotPassedOnTheFreePartOfAWay) {
  for (const ShapeCase& c : shapes()) {
    const ObstacleTerm term = barrier_of(c);
    const Vector x = points_outside(*c.shape),
                 dx = -1.5 * x + 0.3 * wiggle(x.size(), 0.7);  // through the shape
    const double part = term.free_way(x, dx);
    EXPECT_GT(part, 0) << c.name;
    EXPECT_LT(part, 1) << c.name;
    for (int n = 0; n <= 100; ++n)
      EXPECT_TRUE(std::isfinite(term.energy(x + 0.01 * n * part * dx))) << c.name;
  }
  const TetMesh mesh = generate_box({.size = {1, 2, 1}, .cells = {2, 2, 2}});
  const ObstacleTerm term =
      barrier_of({"surface", std::make_shared<SurfaceSolid>(ClosedSurface(extract_surface(mesh), "box"))});
  const Vector x = points_outside(term.shape()), dx = 3 * wiggle(x.size(), 0.7);
  const double part = term.free_way(x, dx);
  EXPECT_GT(part, 0);
  for (int n = 0; n <= 100; ++n) EXPECT_TRUE(std::isfinite(term.energy(x + 0.01 * n * part * dx)));
}

// The floor, which counts how often it is asked.
class CountedFloor final : public SolidShape {
 public:
  SurfaceDistance at(const Eigen::Vector3d& x) const override {
    ++asked;
    return {.distance = x[1], .normal = Eigen::Vector3d::UnitY()};
  }
  mutable int asked = 0;
};

// A barrier before a body of four vertices, the last ones of a scene of so many.
struct BodyInScene {
  explicit BodyInScene(int vertices)
      : term(floor, {vertices - 4, vertices - 3, vertices - 2, vertices - 1},
             {.kind = ObstacleLaw::Kind::barrier, .reach = 0.1}, {1, 1, 1, 1}, {0, 0, 0, 0}),
        free(free_except(vertices, 0)),
        pattern(free_pattern(term, free)),
        x(Vector::Zero(3 * vertices)) {
    place(1);
  }
  void place(double height) {
    for (const int vertex : term.vertices()) x[3 * vertex + 1] = height;
  }
  // Of all but the body.
  Vector motion_of_others(double length) const {
    Vector dx = Vector::Zero(x.size());
    dx.head(x.size() - 12).setConstant(length);
    return dx;
  }

  std::shared_ptr<CountedFloor> floor = std::make_shared<CountedFloor>();
  ObstacleTerm term;
  FreeVertices free;
  std::shared_ptr<const SparsityPattern> pattern;
  Vector x;
};

TEST(Barrier, OfABodyAsksForNoDistancesBecauseOthersMove) {
  BodyInScene scene(100);
  const auto two = scene.term.make_two_state(scene.free, *scene.pattern);
  two->begin(scene.x, {.h = 0.01});
  const int asked = scene.floor->asked;
  EXPECT_EQ(asked, 4);
  const Vector moved = scene.motion_of_others(5);
  Vector f = Vector::Zero(scene.x.size());
  two->add_force(moved, f);
  EXPECT_EQ(two->approach_rate(scene.x, moved / 0.01, 0.01), 0);
  scene.x += moved;
  two->begin(scene.x, {.h = 0.01});
  two->add_force(moved, f);
  EXPECT_TRUE(f.isZero(0));
  EXPECT_GT(two->room(), 0.5);
  EXPECT_EQ(scene.floor->asked, asked);
}

// A scene of n bodies has n of them for each obstacle.
TEST(Barrier, OfABodyKeepsAsMuchInALargeSceneAsAlone) {
  PHIFLEX_SKIP_WITHOUT_HELD_BYTES();
  const auto kept_in = [](int vertices) {
    BodyInScene scene(vertices);
    const Vector dx = scene.motion_of_others(0.1);
    Vector f = Vector::Zero(scene.x.size());
    const long bytes = testing::held_bytes_of([&] {
      auto two = scene.term.make_two_state(scene.free, *scene.pattern);
      two->begin(scene.x, {.h = 0.01});  // out of reach, and then within it
      scene.place(0.05);
      two->begin(scene.x, {.h = 0.01});
      two->add_force(dx, f);
      return two;
    });
    EXPECT_GT(f.norm(), 0);
    return bytes;
  };
  EXPECT_LT(kept_in(20000), 10000);  // 20,000 vertices have 480,000 bytes of coordinates
  EXPECT_GE(testing::held_bytes_of([] { return std::vector<double>(60000); }), 480000) << "they are counted";
}

TEST(SurfaceSolid, OfABoxAgreesWithTheBox) {
  const TetMesh mesh = generate_box({.size = {1, 2, 1}, .cells = {2, 2, 2}});
  const SurfaceSolid surface(ClosedSurface(extract_surface(mesh), "box"));
  const CuboidShape box({0.5, 1, 0.5}, {1, 2, 1}, Eigen::Matrix3d::Identity());
  for (int k = 0; k < kPoints; ++k) {
    const Eigen::Vector3d x = Eigen::Vector3d(0.5, 1, 0.5) + points().segment<3>(3 * k);
    EXPECT_NEAR(surface.at(x).distance, box.at(x).distance, 1e-14);
    EXPECT_LT((surface.at(x).normal - box.at(x).normal).norm(), 1e-12);
  }
}

}  // namespace
}  // namespace phiflex
