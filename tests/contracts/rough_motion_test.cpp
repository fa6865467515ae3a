// What em does with a motion that is too rough for its step, over many steps.
#include <cmath>
#include <random>

#include "phiflex/integrate/em_options.h"
#include "tests/integrate/method_test.h"
#include "tests/model/sample_models.h"

namespace phiflex::testing {
namespace {

TEST(RoughMotion, AlmostNoStepOfEmLeavesMoreThanATenthOfItsEnergyTolerance) {
  ModelDescription description = sample::describe({{.cells = {8, 3, 3}, .young = 1e5, .poisson = 0.45}});
  sample::hold(description, [](const Eigen::Vector3d& p) { return p[0] < 1e-6; });
  const DeformableModel model(std::move(description));
  State now = sample::lively_state(model, 0, 0), next;
  std::mt19937 random(1);
  for (double& v : now.v) v = 2 * (random() / 4294967296.) - 1;  // m/s

  IntegratorOptions options;
  options.set("substeps", 1);
  const auto em = make_integrator("em", model, options);
  const double h = 0.0025;
  const int steps = 400;
  int above = 0;
  for (int step = 0; step < steps; ++step) {
    ASSERT_EQ(em->step(now, h, next).status, StepStatus::ok);
    const double error = model.energies(next).total() - model.energies(now).total();
    const Vector w = (next.q - now.q) / h;
    const double allowed = EmOptions().energy_tolerance * model.mass().dot(w, w);
    EXPECT_LE(std::abs(error), allowed) << "step " << step;
    above += std::abs(error) > 0.1 * allowed;
    std::swap(now, next);
  }
  // Those that neither the secant nor the next iterate corrects. Without the latter there are 49 of them, most of
  // them gains, which add up over a long run; with it 8.
  EXPECT_LE(above, steps / 20);
}

}  // namespace
}  // namespace phiflex::testing
