// Held vertices that move, on a device, run by the serial back end, against those of the host.
#include <gtest/gtest.h>

#include "tests/cuda/method_cases.h"

namespace phiflex::device {
namespace {

// The held end is pushed and turned.
struct Pushed : BodyOnBoth {
  explicit Pushed(const std::string& law, const BodyDamping& damping = {})
      : BodyOnBoth(
            law, true, {0, -9.81, 0}, {}, damping,
            Path({{.time = 0},
                  {.time = 0.05, .offset = {0.02, 0.01, 0}, .axis = Eigen::Vector3d::UnitX(), .angle = 0.3},
                  {.time = 0.2, .offset = {-0.01, 0, 0.02}}},
                 PathForm::smooth)) {}
};

TEST(DeviceMotion, EveryMethodFollowsMovedVerticesAsTheHost) {
  for (const MethodCase& method : kMethods) {
    Pushed c("neo-hookean");
    expect_steps_of_the_host(c, method, 0.01, 6);
  }
}

// Damping by stiffness feels their velocities.
TEST(DeviceMotion, DampedBodiesFollowThemAsOnTheHost) {
  for (const DampedStiffness stiffness : {DampedStiffness::rest, DampedStiffness::current})
    for (const MethodCase& method : kMethods) {
      Pushed c("neo-hookean", {.alpha = 2, .beta = 1e-3, .stiffness = stiffness});
      expect_steps_of_the_host(c, method, 0.01, 4);
    }
}

TEST(DeviceMotion, TheyAreWhereTheHostHasThem) {
  Pushed c("neo-hookean");
  c.body->set_time(0.04);
  ASSERT_EQ(c.body->step_newton(0.02, {}).status, DeviceStatus::ok);
  c.read();
  Vector x, v;
  c.model->expand({0.06, Vector::Zero(c.model->dofs()), Vector::Zero(c.model->dofs())}, x, v);
  for (const int vertex : c.model->constraints().moved_vertices()) {
    EXPECT_LE((c.x - x).segment<3>(3 * vertex).norm(), 1e-15);
    EXPECT_LE((c.v - v).segment<3>(3 * vertex).norm(), 1e-15);
  }
}

// Their motion is no kinetic energy of the body; what it costs is work from outside, and em's is exact.
TEST(DeviceMotion, TheEnergyIsThatOfTheMoversWork) {
  Pushed c("stable-neo-hookean");
  const DeviceEmOptions options{.em_tolerance = 1e-10, .energy_tolerance = 1e-12};
  for (int step = 0; step < 8; ++step) {
    const double before = c.body->energy().total();
    const DeviceStep report = c.body->step_em(0.01, options);
    ASSERT_EQ(report.status, DeviceStatus::ok);
    const DeviceEnergy after = c.body->energy();
    EXPECT_NEAR(after.total() - before, report.external_work, 1e-9 * (after.kinetic + after.elastic)) << step;
  }
}

}  // namespace
}  // namespace phiflex::device
