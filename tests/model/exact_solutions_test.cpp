// Known motions of elastic bodies.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

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
double frequency_over_exact(int cells, double poisson) {
  const double L = 1, young = 1e4, density = 1000, pi = std::numbers::pi;
  const DeformableModel model(describe({{.origin = {-L / 2, -L / 2, -L / 2},
                                         .size = {L, L, L},
                                         .cells = {cells, cells, cells},
                                         .law = "linear",
                                         .young = young,
                                         .poisson = poisson,
                                         .density = density,
                                         .mass = sample::Mass::consistent}}));
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

}  // namespace
}  // namespace phiflex
