// Known motions of elastic bodies.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "phiflex/linalg/cholesky.h"
#include "tests/model/sample_models.h"

namespace phiflex {
namespace {

using sample::Box;
using sample::describe;

// A thin bar of length L hangs at x = 0; gravity is switched on along it. For nu = 0 the motion is that of a
// string of length L with wave speed c = sqrt(E/rho): each point falls freely until the wave from the support
// arrives, and at t = 2 L/c the tip turns at u = rho g L^2/E.
double tip_over_exact(int cells) {
  const double L = 1, g = 1e-3, young = 1e4, density = 1000;
  const double width = L / cells;  // cubes: as thin as the mesh is fine
  ModelDescription description = describe({{.size = {L, width, width},
                                            .cells = {cells, 1, 1},
                                            .law = "linear",
                                            .young = young,
                                            .poisson = 0,
                                            .density = density}});
  sample::hold(description, [](const Eigen::Vector3d& p) { return p[0] < 1e-6; });
  sample::add_gravity(description, {g, 0, 0});
  const DeformableModel model(description);

  const double c = std::sqrt(young / density), end = 2 * L / c;
  // Stable: the highest frequency of a cube's lumped tetrahedra is below 6 c/width; a tenth of 2/w_max makes
  // the error of Verlet, (w h)^2/24 for waves that matter, negligible.
  const int steps = static_cast<int>(std::ceil(end / (0.05 * width / c)));
  State now = model.state(0, description.rest, Vector::Zero(description.rest.size())), next;
  sample::Verlet verlet(model);
  for (int step = 0; step < steps; ++step) {
    verlet.step(now, end / steps, next);
    std::swap(now, next);
  }
  Vector x, v;
  model.expand(now, x, v);
  double tip = 0;
  const std::vector<int> end_vertices =
      sample::vertices_where(description, [&](const Eigen::Vector3d& p) { return p[0] > L - 1e-6; });
  for (int vertex : end_vertices) tip += (x[3 * vertex] - L) / double(end_vertices.size());
  return tip / (density * g * L * L / young);
}

TEST(ExactSolutions, ABarUnderSuddenGravityReachesTwiceItsStaticElongation) {
  const double coarse = std::fabs(tip_over_exact(10) - 1), fine = std::fabs(tip_over_exact(40) - 1);
  // The worst wave error of n cells is (pi/n)^2/24 in phase, and the tip turns at that moment: it is still.
  EXPECT_LT(coarse, 4e-3);
  EXPECT_LT(fine, 2.5e-4);
  EXPECT_LT(fine, coarse / 4);
}

// A free cube of side L, its centre at the origin, vibrates in the mode
//   u = (sin(pi x/L) cos(pi y/L), -cos(pi x/L) sin(pi y/L), 0)
// with w = sqrt(2) pi c_s/L, whatever Poisson's ratio. Its Rayleigh quotient on the mesh is u'K u/u'M u.
double frequency_over_exact(int cells, double poisson, ElementOrder element = ElementOrder::linear) {
  const double L = 1, young = 1e4, density = 1000, pi = std::numbers::pi;
  const DeformableModel model(describe({{.origin = {-L / 2, -L / 2, -L / 2},
                                         .size = {L, L, L},
                                         .cells = {cells, cells, cells},
                                         .law = "linear",
                                         .young = young,
                                         .poisson = poisson,
                                         .density = density,
                                         .mass = sample::Mass::consistent,
                                         .element = element}}));
  const Vector& X = model.description().rest;
  Vector u(X.size()), Ku;
  for (Index i = 0; i < X.size(); i += 3)
    u.segment<3>(i) << std::sin(pi * X[i] / L) * std::cos(pi * X[i + 1] / L),
        -std::cos(pi * X[i] / L) * std::sin(pi * X[i + 1] / L), 0;
  const auto tangent = model.assembled_tangent(Definiteness::exact);
  tangent->update(model.state(0, X, Vector::Zero(X.size())));
  tangent->apply_K(u, Ku);
  const double shear_speed = std::sqrt(young / (2 * (1 + poisson)) / density);
  return std::sqrt(u.dot(Ku) / model.mass().dot(u, u)) / (std::sqrt(2.0) * pi * shear_speed / L);
}

TEST(ExactSolutions, AFreeCubesShearModeConvergesFromAboveWithOrderTwoForAnyPoissonRatio) {
  for (double poisson : {0.0, 0.3, 0.45}) {
    const double coarse = frequency_over_exact(6, poisson), fine = frequency_over_exact(12, poisson);
    EXPECT_GT(fine, 1);
    EXPECT_GT(coarse, fine);
    // The interpolated mode's energy error is of second order in the size of the elements.
    EXPECT_NEAR(std::log2((coarse - 1) / (fine - 1)), 2, 0.15) << "poisson " << poisson;
  }
}

TEST(ExactSolutions, OnQuadraticTetrahedraTheCubesModeConvergesWithOrderFour) {
  for (double poisson : {0.0, 0.3, 0.45}) {
    const double coarse = frequency_over_exact(3, poisson, ElementOrder::quadratic);
    const double fine = frequency_over_exact(6, poisson, ElementOrder::quadratic);
    EXPECT_GT(fine, 1);
    EXPECT_NEAR(std::log2((coarse - 1) / (fine - 1)), 4, 0.3) << "poisson " << poisson;
    // As many nodes as six cells of linear tetrahedra have.
    EXPECT_LT(coarse - 1, (frequency_over_exact(6, poisson) - 1) / 5) << "poisson " << poisson;
  }
}

// A clamped beam under a transverse tip load P bends by the elastica: y/L at the tip for P L^2/EI = 1, 2, 5,
// 10. With the corotated law and no lateral contraction stress is linear in stretch, as the elastica assumes;
// shear and stretch along the axis add some (t/L)^2 = 4e-4 each.
std::vector<double> tip_deflections(const std::vector<double>& loads, ElementOrder element, int cells) {
  const double L = 1, t = 0.02, young = 1e9, bending = young * t * t * t * t / 12;
  ModelDescription description = describe({{.size = {L, t, t},
                                            .cells = {cells, 1, 1},
                                            .law = "corotated",
                                            .young = young,
                                            .poisson = 0,
                                            .element = element}});
  const Vector X = description.rest;
  std::vector<int> tip;
  std::vector<double> shares;
  VertexConstraint clamp;
  for (int v = 0; v < static_cast<int>(X.size() / 3); ++v) {
    if (X[3 * v] < 1e-9) clamp.vertices.push_back(v);
    if (X[3 * v] < L - 1e-9) continue;
    tip.push_back(v);
    shares.push_back(description.vertex_mass[v]);
  }
  description.constraints.push_back(clamp);

  std::vector<double> deflections;
  Vector x = X;
  double before = 0;
  for (const double load : loads) {
    // In steps of a quarter, each by Newton's method.
    const int steps = std::max(1, int(std::ceil((load - before) * 4)));
    for (int step = 1; step <= steps; ++step) {
      const double P = (before + (load - before) * step / steps) * bending / (L * L);
      ModelDescription loaded = description;
      loaded.loads.push_back(make_shared_load(tip, shares, {0, P, 0}, ActiveTime{}));
      const DeformableModel model(std::move(loaded));
      State at = model.state(0, x, Vector::Zero(x.size()));
      const auto tangent = model.assembled_tangent(Definiteness::exact);
      CholeskyFactorization factor(model.pattern());
      Vector f, dq, v;
      int round = 0;
      for (; round < 50; ++round) {
        model.force(at, f);
        if (f.norm() < 1e-5 * P) break;  // axial forces, 1e5 P, round to 1e-8 P
        tangent->update(at);
        if (factor.factorize(tangent->K()) != FactorStatus::ok) return {};
        factor.solve(f, dq);
        at.q += dq;
      }
      if (round == 50) return {};
      model.expand(at, x, v);
    }
    before = load;
    double y = 0, sum = 0;
    for (std::size_t i = 0; i < tip.size(); ++i) {
      y += shares[i] * (x[3 * tip[i] + 1] - X[3 * tip[i] + 1]);
      sum += shares[i];
    }
    deflections.push_back(y / sum / L);
  }
  return deflections;
}

TEST(ExactSolutions, AQuadraticBeamBendsAsTheElasticaAndALinearOneLocks) {
  const std::vector<double> loads = {1, 2, 5, 10}, exact = {0.30172077, 0.49345748, 0.71379152, 0.81060902};
  const std::vector<double> quadratic = tip_deflections(loads, ElementOrder::quadratic, 40);
  ASSERT_EQ(quadratic.size(), exact.size());
  for (std::size_t i = 0; i < loads.size(); ++i)
    EXPECT_NEAR(quadratic[i], exact[i], 0.01 * exact[i]) << "P L^2/EI = " << loads[i];
  const std::vector<double> linear = tip_deflections({1}, ElementOrder::linear, 80);
  ASSERT_EQ(linear.size(), 1u);
  EXPECT_LT(linear[0], 0.7 * exact[0]);  // with as many nodes along the beam
}

}  // namespace
}  // namespace phiflex
