// Contacts and prescribed motion in whole scenes.
#include <gtest/gtest.h>

#include <fstream>

#include "phiflex/base/parallel.h"
#include "phiflex/run/run.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/scene.h"
#include "tests/run/process.h"

namespace phiflex {
namespace {

using testing::ScratchFolder;

Scene contact_scene(const std::string& text, const std::vector<std::string>& overrides = {}) {
  std::vector<Problem> unused;
  return parse_scene(text, "test.json", {overrides, method_words()}, unused);
}

// The cloth of 11 x 11 particles with springs of 100 N/m falls on a sphere and a floor, beside a rope that meets it.
const std::string falling_cloth = R"({ "phiflex": 1, "time": { "step": 0.0166666666666666667, "end": 1 },
    "integrator": { "type": "si" }, "gravity": [0, -9.81, 0],
    "bodies": [
      { "name": "cloth", "springs": { "generate": "cloth", "size": [1, 1], "cells": [10, 10],
                                      "spring_constant": 100, "area_density": 5 },
        "damping": { "mass": 0.01, "stiffness": 0.001 } },
      { "name": "rope", "springs": { "generate": "rope", "from": [0.45, 0.15, 0], "to": [0.45, 0.15, 1], "segments": 10,
                                     "stiffness": 20, "linear_density": 1 }, "damping": { "stiffness": 0.001 } } ],
    "contacts": [
      { "type": "sphere", "center": [0.55, -0.5, 0.5], "radius": 0.25, "mode": "project", "friction": 0.2 },
      { "type": "floor", "height": -0.8, "mode": "project", "friction": 0.4 },
      { "type": "particles", "distance": 0.05, "friction": 0.1 } ] })";

double deepest(const Simulation& simulation) {
  Vector x, v;
  simulation.model().expand(simulation.state(), x, v);
  double depth = 0;
  for (Index i = 0; i < x.size(); i += 3) {
    const Eigen::Vector3d from_centre = Eigen::Vector3d(x.segment<3>(i)) - Eigen::Vector3d(0.55, -0.5, 0.5);
    depth = std::max({depth, 0.25 - from_centre.norm(), -0.8 - x[i + 1]});
  }
  return depth;
}

class FallingCloth : public ::testing::TestWithParam<const char*> {};

TEST_P(FallingCloth, HasNoParticleInsideTheSphereAtAnyStepAndGoesOnBitForBit) {
  const Scene scene = contact_scene(falling_cloth, {std::string("integrator.type=") + GetParam()});
  const SceneModel world = build_scene(scene, "test.json");
  Simulation whole(scene, world, 60);
  ArchiveWriter saved;
  while (whole.step() < 60) {
    ASSERT_EQ(whole.advance(), StepStatus::ok) << whole.failure();
    // Places of a metre: the push is rounded.
    EXPECT_LE(deepest(whole), 1e-15) << "step " << whole.step();
    if (whole.step() == 33) whole.save(saved);
  }
  EXPECT_GT(whole.work().contacts_projected, 100);
  EXPECT_GT(whole.work().contact_impulses, 0);
  // First-order methods lose while the cloth rests on the sphere what the push gives back: the sum is what is gone.
  const LedgerRow& row = whole.ledger();
  EXPECT_GT(row.dissipated + row.friction - row.contact_work + row.numerical_loss, 1);
  EXPECT_GT(row.friction, 0);

  Simulation resumed(scene, world, 60);
  ArchiveReader reader(saved.bytes());
  resumed.load(reader);
  set_thread_count(3);
  while (resumed.step() < 60) ASSERT_EQ(resumed.advance(), StepStatus::ok);
  set_thread_count(1);
  EXPECT_EQ(resumed.state().q, whole.state().q);
  EXPECT_EQ(resumed.state().v, whole.state().v);
  EXPECT_EQ(resumed.ledger().dissipated, whole.ledger().dissipated);
  EXPECT_EQ(resumed.ledger().contact_work, whole.ledger().contact_work);
  EXPECT_EQ(resumed.ledger().friction, whole.ledger().friction);
  EXPECT_EQ(resumed.work().contact_impulses, whole.work().contact_impulses);
}

INSTANTIATE_TEST_SUITE_P(Methods, FallingCloth,
                         ::testing::Values("si", "be", "ere", "bdf2", "generalized-alpha", "em", "verlet"),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// A cloth of 50 g whose springs are stiff for the step (h w about 10): tension pulls particles into the sphere in every
// step. Pushed out without more ado they had 2.5 J with springs of 100 N/m and 34 J with 1000 N/m, out of the 0.3 J of
// the fall.
class StiffCloth : public ::testing::TestWithParam<const char*> {};

TEST_P(StiffCloth, GetsNoEnergyFromAnObstacleThatProjects) {
  for (const char* stiffness : {"100", "1000"}) {
    Simulation simulation(
        contact_scene(falling_cloth,
                      {std::string("integrator.type=") + GetParam(),
                       std::string("bodies.0.springs.spring_constant=") + stiffness,
                       "bodies.0.springs.area_density=0.05", "contacts.0.center=[0.55, -0.3, 0.5]"}),
        "test.json");
    double contact_work = 0, dissipated = 0, fell = 0;
    const LedgerRow start = simulation.ledger();
    for (int step = 0; step < 40; ++step) {
      ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
      const LedgerRow& row = simulation.ledger();
      fell = std::max(fell, start.energies.gravity - row.energies.gravity);
      // In a step contact gives at most what damping took in it.
      EXPECT_LE(row.contact_work, contact_work + row.dissipated - dissipated + 1e-10 * (1 + fell))
          << stiffness << " N/m, step " << step;
      EXPECT_LE(row.total(), start.total() + 1e-9 * (1 + fell) - std::min(0., row.numerical_loss));
      EXPECT_LE(row.energies.kinetic + row.energies.elastic,
                start.energies.kinetic + start.energies.elastic + 1.01 * fell)
          << stiffness << " N/m, step " << step;
      contact_work = row.contact_work;
      dissipated = row.dissipated;
    }
    EXPECT_GT(simulation.work().contacts_projected, 20);
    EXPECT_LE(contact_work, 1e-12);
  }
}

// (si, ere and generalized-alpha gain energy by themselves on springs that are pressed together so much.)
INSTANTIATE_TEST_SUITE_P(Methods, StiffCloth, ::testing::Values("be", "bdf2", "em", "verlet"),
                         [](const auto& instance) { return std::string(instance.param); });

// Energy-momentum steps solved until nothing but rounding is lost.
std::vector<std::string> solved_by(const std::string& method) {
  if (method == "em")
    return {"integrator.type=em", "integrator.em_tolerance=1e-10", "integrator.energy_tolerance=1e-11"};
  return {"integrator.type=" + method};
}

TEST(Friction, HoldsAParticleOnASlopeInsideTheConeAndLetsItSlideOutside) {
  // Slope 0.5; gravity in the x-y plane. Outside the cone it slides with g sin a (1 - mu / tan a).
  const std::string text =
      R"({ "phiflex": 1, "time": { "step": 0.001, "end": 0.5 }, "integrator": { "type": "si" },
    "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "twig", "springs": { "generate": "rope", "from": [0, 0, 0], "to": [0, 0, 0.1], "segments": 1,
                  "stiffness": 100, "linear_density": 1 } } ],
    "contacts": [ { "type": "plane", "point": [0, 0, 0], "normal": [-1, 2, 0], "mode": "project", "friction": 0 } ] })";
  const double angle = std::atan(0.5), g = 9.81;
  for (const double mu : {0.0, 0.3, 0.49, 0.51, 2.0}) {
    const Scene scene = contact_scene(text, {"contacts.0.friction=" + std::to_string(mu)});
    const SceneModel world = build_scene(scene, "test.json");
    Simulation simulation(scene, world, 500);
    while (simulation.step() < 500) ASSERT_EQ(simulation.advance(), StepStatus::ok);
    const double speed = simulation.state().v.head<3>().norm();
    const double expected = std::max(0.0, g * 0.5 * (std::sin(angle) - mu * std::cos(angle)));
    EXPECT_NEAR(speed, expected, 1e-10) << "friction " << mu;
    EXPECT_NEAR(simulation.ledger().numerical_loss, 0, 0.05) << "friction is no loss of the method";
  }
}

TEST(Friction, OfAPenaltyHoldsInsideTheConeUpToItsSlipSpeedAndSlidesOutside) {
  // As above, but the plane lies m g cos a/k higher along its normal: pressed in so far, nothing bounces.
  const std::string text =
      R"({ "phiflex": 1, "time": { "step": 0.001, "end": 0.5 }, "integrator": { "type": "be" },
    "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "twig", "springs": { "generate": "rope", "from": [0, 0, 0], "to": [0, 0, 0.1], "segments": 1,
                  "stiffness": 100, "linear_density": 1 } } ],
    "contacts": [ { "type": "plane", "point": [-0.0001962, 0.0003924, 0], "normal": [-1, 2, 0], "mode": "penalty",
                    "stiffness": 1000, "friction": 0, "slip_speed": 0.001 } ] })";
  const double angle = std::atan(0.5), g = 9.81, slip = 0.001;
  for (const char* method : {"be", "em", "midpoint"})
    for (const double mu : {0.3, 0.4, 0.6, 2.0}) {
      std::vector<std::string> overrides = solved_by(method);
      overrides.push_back("contacts.0.friction=" + std::to_string(mu));
      const Scene scene = contact_scene(text, overrides);
      const SceneModel world = build_scene(scene, "test.json");
      Simulation simulation(scene, world, 500);
      while (simulation.step() < 500) ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
      const Eigen::Vector3d down(-2 / std::sqrt(5.0), -1 / std::sqrt(5.0), 0);
      const double along = simulation.state().v.head<3>().dot(down);
      if (mu * std::cos(angle) > std::sin(angle)) {
        // Where mu k p v/sqrt(v^2 + s^2) is the pull of gravity.
        const double part = std::tan(angle) / mu, creep = slip * part / std::sqrt(1 - part * part);
        EXPECT_NEAR(along, creep, 0.05 * creep) << method << " friction " << mu;
      } else {
        // Up to what friction is less while the speed is small: mu g cos a for about the time of s/a, 1 ms.
        EXPECT_NEAR(along, g * 0.5 * (std::sin(angle) - mu * std::cos(angle)), 0.01)
            << method << " friction " << mu;
      }
      EXPECT_GT(simulation.ledger().friction, 0);
      EXPECT_NEAR(simulation.ledger().external_work, 0, 1e-15) << "the plane rests";
      if (std::string(method) == "em") {
        EXPECT_NEAR(simulation.ledger().numerical_loss, 0, 1e-11) << "3e-5 to 0.06 J are rubbed away";
      }
    }
}

// Where a vertex comes to rest on the floor, friction damps it with mu k p/s: stiffer than all there was before.
TEST(Friction, ThatTakesHoldOfABodyIsFollowedByExplicitSubsteps) {
  const Scene scene = contact_scene(R"({ "phiflex": 1, "time": { "step": 0.005, "end": 1.25 },
    "integrator": { "type": "verlet" }, "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [16, 4, 4] },
      "material": { "type": "neo-hookean", "young": 2e5, "poisson": 0.4, "density": 1000 },
      "damping": { "mass": 0.1, "stiffness": 0.0005 } } ],
    "constraints": [ { "body": "bar", "where": { "box": [[-1e-6, -1, -1], [1e-6, 1, 1]] }, "type": "fix" },
      { "body": "bar", "where": { "box": [[0.3999, -1, -1], [0.4001, 0.001, 1]] }, "type": "move", "until": 0.9,
        "path": [ { "time": 0, "offset": [0, 0, 0] }, { "time": 0.5, "offset": [0, 0.03, 0] } ] } ],
    "forces": [ { "type": "wind", "velocity": [0, 0, 5], "gust": { "amplitude": 0.5, "frequency": 0.7 } } ],
    "contacts": [ { "type": "floor", "height": -0.05, "stiffness": 1e4, "mode": "penalty", "friction": 0.2 } ] })");
  const SceneModel world = build_scene(scene, "test.json");
  Simulation simulation(scene, world, 250);
  while (simulation.step() < 250) ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
  EXPECT_GT(simulation.work().rejected_steps, 0) << "friction took hold";
}

TEST(Friction, OfAMovingPenaltyTakesABodyAlong) {
  const Scene scene =
      contact_scene(R"({ "phiflex": 1, "time": { "step": 0.001, "end": 1 }, "integrator": { "type": "em" },
    "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "twig", "springs": { "generate": "rope", "from": [0, 0, 0], "to": [0, 0, 0.1], "segments": 1,
                  "stiffness": 100, "linear_density": 1 } } ],
    "contacts": [ { "type": "floor", "stiffness": 2000, "friction": 0.2, "slip_speed": 0.001,
                    "motion": { "keys": [ { "time": 0 }, { "time": 1, "translate": [0.5, 0, 0] } ] } } ] })",
                    solved_by("em"));
  const SceneModel world = build_scene(scene, "test.json");
  Simulation simulation(scene, world, 1000);
  while (simulation.step() < 1000) ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
  // mu g = 2 m/s^2 reaches the belt's 0.5 m/s after a quarter of a second.
  EXPECT_NEAR(simulation.state().v[0], 0.5, 0.002);
  EXPECT_NEAR(simulation.ledger().numerical_loss, 0, 1e-6);
  // m/2 v^2 = 0.0125 J, and as much for the slip meanwhile, both from the belt.
  EXPECT_NEAR(simulation.ledger().external_work, 0.025, 0.001);
  EXPECT_NEAR(simulation.ledger().friction, 0.0125, 0.001);
}

TEST(Penalty, ItsEnergyIsInTheLedgerAndComesBack) {
  const Scene scene =
      contact_scene(R"({ "phiflex": 1, "time": { "step": 0.001, "end": 0.6 }, "integrator": { "type": "em" },
    "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "twig", "springs": { "generate": "rope", "from": [-0.05, 0.6, 0], "to": [0.05, 0.6, 0],
                  "segments": 1, "stiffness": 100, "linear_density": 1 } } ],
    "contacts": [ { "type": "sphere", "center": [0, 0, 0], "radius": 0.4, "mode": "penalty", "stiffness": 200 } ] })");
  const SceneModel world = build_scene(scene, "test.json");
  Simulation simulation(scene, world, 600);
  double stored = 0;
  while (simulation.step() < 600) {
    ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
    stored = std::max(stored, simulation.ledger().energies.contact);
  }
  EXPECT_GT(stored, 0.1) << "0.1 kg from 0.2 m";
  EXPECT_LT(std::abs(simulation.ledger().numerical_loss), 1e-3 * stored);
  EXPECT_EQ(simulation.ledger().dissipated, 0);
}

// k_v = Y A_v/l. Of a cube of side a with a diagonal on every face, the upper and the lower vertices have half of the
// surface each, and the mean edge is (12 + 6 sqrt 2) a/18.
TEST(Penalty, ItsDefaultStiffnessIsYoungsModulusTimesTheAreaOverTheMeanEdge) {
  constexpr double a = 0.1, young = 1e5, high = 2;
  const Scene scene =
      contact_scene(R"({ "phiflex": 1, "time": { "step": 0.001, "end": 0.1 }, "integrator": { "type": "em" },
    "bodies": [ { "name": "cube", "mesh": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [1, 1, 1] },
                  "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.3, "density": 1000 } } ],
    "contacts": [ { "type": "floor", "height": 2, "mode": "penalty" } ] })");
  const double edge = (12 + 6 * std::sqrt(2.)) * a / 18, half = 3 * a * a;
  const double expected = 0.5 * young / edge * half * (high * high + (high - a) * (high - a));
  // Sums of eight products: rounding.
  EXPECT_NEAR(Simulation(scene, "test.json").ledger().energies.contact, expected, 1e-12 * expected);
}

// A twig falls by 1 mm and rests. What damping takes of its fall in a step, the obstacle gives back in the same one: by
// the end 3 % of the energy exchanged with a damping of 4/s, 19 % with 4.3/s.
TEST(Projection, ThatAddsMoreThanATwentiethOfTheEnergyIsToldAtTheEnd) {
  const auto warnings_of = [](const std::string& mode, const std::string& damping) {
    const ScratchFolder scratch;
    const Scene scene =
        contact_scene(R"({ "phiflex": 1, "time": { "step": 0.01, "end": 1 }, "integrator": { "type": "em" },
      "gravity": [0, -9.81, 0],
      "bodies": [ { "name": "twig", "springs": { "generate": "rope", "from": [0, 0.001, 0], "to": [0.1, 0.001, 0],
                    "segments": 1, "stiffness": 100, "linear_density": 1 }, "damping": { "mass": )" +
                      damping + R"( } } ],
      "contacts": [ { "type": "floor", "mode": ")" +
                      mode + R"(" } ] })");
    RunOptions options;
    options.folder = scratch.path() / "run";
    options.frames = Frames::none;
    Messages said;
    options.control.said = [&](const Messages& fresh) { said.warn(fresh.warnings()); };
    const RunSummary summary = run_scene(scene, "test.json", {}, options);
    EXPECT_EQ(summary.status, RunStatus::done) << summary.reason;
    const auto is_this = [](const std::string& words) {
      return words.find("projected obstacles added") != std::string::npos;
    };
    const auto count_in = [&](const std::vector<std::string>& texts) {
      return std::count_if(texts.begin(), texts.end(), is_this);
    };
    EXPECT_EQ(count_in(said.warnings()), count_in(summary.messages.warnings()));
    return count_in(summary.messages.warnings());
  };
  EXPECT_EQ(warnings_of("project", "4.3"), 1);
  EXPECT_EQ(warnings_of("project", "4"), 0);
  EXPECT_EQ(warnings_of("barrier", "4.3"), 0);
}

// A twig of 0.1 kg rests where the obstacle comes, or flies there while the obstacle rests: two views of one motion.
std::string twig(const std::string& obstacle, bool obstacle_moves) {
  return R"({ "phiflex": 1, "time": { "step": 0.001, "end": 0.4 }, "integrator": { "type": "em" },
    "bodies": [ { "name": "twig", "springs": { "generate": "rope", "from": [-0.05, 0.03, 0], "to": [0.05, 0.04, 0.01],
                  "segments": 2, "stiffness": 100, "linear_density": 1 })" +
         std::string(obstacle_moves ? "" : R"(, "initial": { "velocity": [0, 2, 0] })") + R"( } ],
    "contacts": [ { )" +
         obstacle + R"(, "mode": "penalty", "stiffness": 300)" +
         (obstacle_moves
              ? R"(, "motion": { "keys": [ { "time": 0 }, { "time": 1, "translate": [0, -2, 0] } ] })"
              : "") +
         " } ] }";
}

class MovingPenalty : public ::testing::TestWithParam<const char*> {};

TEST_P(MovingPenalty, MeetsABodyAsTheBodyWouldMeetItAndItsWorkIsInTheLedger) {
  for (const char* obstacle :
       {R"("type": "sphere", "center": [0.01, 0.5, 0], "radius": 0.4)",
        R"("type": "plane", "point": [0, 0.15, 0], "normal": [0.2, -1, 0])",
        R"("type": "capsule", "from": [-0.1, 0.3, 0], "to": [0.1, 0.3, 0.3], "radius": 0.2)",
        R"("type": "box", "center": [0, 0.3, 0], "size": [0.3, 0.3, 0.3], "rotate": [[0, 0, 1], 10])"}) {
    const Scene one = contact_scene(twig(obstacle, true), solved_by(GetParam()));
    const Scene other = contact_scene(twig(obstacle, false), solved_by(GetParam()));
    const SceneModel moving = build_scene(one, "test.json"), resting = build_scene(other, "test.json");
    Simulation pushed(one, moving, 400), flying(other, resting, 400);
    double stored = 0;
    while (pushed.step() < 400) {
      ASSERT_EQ(pushed.advance(), StepStatus::ok) << pushed.failure();
      ASSERT_EQ(flying.advance(), StepStatus::ok) << flying.failure();
      stored = std::max(stored, pushed.ledger().energies.contact);
    }
    EXPECT_GT(stored, 0.05) << obstacle << ": 0.2 J of approach";
    // The frames differ by 0.8 m in the end: y_flying = y_pushed + 2 t. Newton and Krylov tolerances are felt.
    Vector difference = flying.state().q - pushed.state().q;
    for (Index i = 1; i < difference.size(); i += 3) difference[i] -= 0.8;
    EXPECT_LT(difference.lpNorm<Eigen::Infinity>(), 2e-5) << obstacle;
    // An elastic push: the mover gave 2 m u^2 = 0.8 J at most; what the method itself loses is the same in both frames
    // up to its own error.
    EXPECT_GT(pushed.ledger().external_work, 0.1) << obstacle;
    const std::string method = GetParam();
    const double loss = method == "em" ? 1e-7 : method == "be" ? 0.15 : 0.05;  // be: of order one
    EXPECT_LT(std::abs(pushed.ledger().numerical_loss), loss * pushed.ledger().external_work) << obstacle;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, MovingPenalty,
                         ::testing::Values("em", "midpoint", "pexprb43", "ere", "be"));

TEST(TurningPenalty, ThatIsAPaddleDrivesATwigAndGoesOnBitForBit) {
  const Scene scene =
      contact_scene(R"({ "phiflex": 1, "time": { "step": 0.001, "end": 0.5 }, "integrator": { "type": "em" },
    "bodies": [ { "name": "twig", "springs": { "generate": "rope", "from": [0.3, 0.2, 0], "to": [0.5, 0.2, 0.02],
                  "segments": 2, "stiffness": 100, "linear_density": 1 } } ],
    "contacts": [ { "type": "box", "center": [0.5, 0, 0], "size": [1, 0.1, 0.4], "mode": "penalty", "stiffness": 2000,
                    "motion": { "keys": [ { "time": 0 }, { "time": 1, "rotate": [[0, 0, 1], 180] } ] } } ] })",
                    solved_by("em"));
  const SceneModel world = build_scene(scene, "test.json");
  Simulation whole(scene, world, 500);
  ArchiveWriter saved;
  while (whole.step() < 500) {
    ASSERT_EQ(whole.advance(), StepStatus::ok) << whole.failure();
    if (whole.step() == 170) whole.save(saved);
  }
  EXPECT_GT(whole.ledger().energies.kinetic, 0.05) << "0.2 kg at about 1 m/s";
  EXPECT_GT(whole.ledger().external_work, 0.05);
  EXPECT_LT(std::abs(whole.ledger().numerical_loss), 1e-7) << "the mover's work is exact for em";
  Simulation resumed(scene, world, 500);
  ArchiveReader reader(saved.bytes());
  resumed.load(reader);
  while (resumed.step() < 500) ASSERT_EQ(resumed.advance(), StepStatus::ok);
  EXPECT_EQ(resumed.state().q, whole.state().q);
  EXPECT_EQ(resumed.ledger().external_work, whole.ledger().external_work);
}

const std::string inside =
    R"({ "phiflex": 1, "time": { "step": 0.01, "end": 0.05 }, "integrator": { "type": "si" },
    "bodies": [ { "name": "rope", "springs": { "generate": "rope", "from": [0, 0, 0], "to": [1, 0, 0], "segments": 4,
                  "stiffness": 100, "linear_density": 1 } } ],
    "contacts": [ { "type": "sphere", "center": [0.5, -0.1, 0], "radius": 0.2, "mode": "project" } ] })";

TEST(AtStart, VerticesInsideAnObstacleAreAnErrorThatSaysHowDeep) {
  try {
    const SceneModel world = build_scene(contact_scene(inside), "test.json");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(
        std::string(error.what()),
        "test.json: /contacts/0: 1 vertices start inside this obstacle, up to 0.1 m deep; expected bodies "
        "outside, or \"at_start\": \"push\"");
  }
}

TEST(AtStart, OrArePushedOutAndReported) {
  ScratchFolder scratch;
  RunOptions options;
  options.folder = scratch.path() / "run";
  options.control.threads = 1;
  const RunSummary summary =
      run_scene(contact_scene(inside, {"contacts.0.at_start=push"}), "test.json", {}, options);
  ASSERT_EQ(summary.status, RunStatus::done);
  ASSERT_FALSE(summary.messages.notes().empty());
  EXPECT_EQ(summary.messages.notes()[0],
            "1 vertices started inside the obstacle /contacts/0 and were pushed out, by up to 0.1 m");
}

TEST(Surface, OfABoxStopsWhatFallsOnIt) {
  const Scene scene =
      contact_scene(R"({ "phiflex": 1, "time": { "step": 0.01, "end": 1 }, "integrator": { "type": "be" },
    "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "cloth", "springs": { "generate": "cloth", "size": [0.4, 0.4], "cells": [4, 4], "stiffness": 50,
                  "area_density": 0.2 }, "transform": { "translate": [0.3, 1.2, 0.3] } } ],
    "contacts": [ { "type": "surface", "mesh": { "generate": "box", "size": [1, 1, 1], "cells": [1, 1, 1] },
                    "mode": "project", "friction": 0.5, "thickness": 0.01, "motion": { "keys": [ { "time": 0 },
                      { "time": 1, "translate": [0, 0.5, 0] } ] } } ] })");
  const SceneModel world = build_scene(scene, "test.json");
  Simulation simulation(scene, world, 100);
  while (simulation.step() < 100) ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
  Vector x, v;
  simulation.model().expand(simulation.state(), x, v);
  for (Index i = 0; i < x.size(); i += 3)
    EXPECT_NEAR(x[i + 1], 1.51, 1e-12) << "on the lifted box, 1 cm above";
  EXPECT_GT(simulation.ledger().external_work, 0) << "the box lifts it";
}

std::string with_motion(const std::filesystem::path& file, const std::string& more = "") {
  return R"({ "phiflex": 1, "time": { "step": 0.01, "end": 0.5 }, "integrator": { "type": "be" },
    "bodies": [ { "name": "rope", "springs": { "generate": "rope", "from": [0, 0, 0], "to": [1, 0, 0], "segments": 4,
                  "stiffness": 100, "linear_density": 1 } } ],
    "constraints": [ { "type": "motion", "body": "rope", "file": ")" +
         file.string() + "\"" + more + " } ] }";
}

std::string complaint(const std::string& scene) {
  try {
    const SceneModel world = build_scene(contact_scene(scene), "test.json");
  } catch (const InputError& error) {
    return error.problems()[0].place + ": " + error.problems()[0].message;
  }
  return "none";
}

TEST(MotionFile, MovesItsVertices) {
  ScratchFolder scratch;
  const auto file = scratch.path() / "motion.csv";
  std::ofstream(file) << "time,4_x,4_y,4_z,0_x,0_y,0_z\n0,1,0,0,0,0,0\n0.5,1.1,0.2,0,0,0,0\n";
  const Scene scene = contact_scene(with_motion(file));
  const SceneModel world = build_scene(scene, "test.json");
  Simulation simulation(scene, world, 50);
  while (simulation.step() < 50) ASSERT_EQ(simulation.advance(), StepStatus::ok);
  Vector x, v;
  simulation.model().expand(simulation.state(), x, v);
  EXPECT_EQ(Eigen::Vector3d(x.segment<3>(12)), Eigen::Vector3d(1.1, 0.2, 0));
  EXPECT_EQ(simulation.model().dofs(), 9);
  EXPECT_GT(simulation.ledger().external_work, 0);
}

TEST(Sine, ShakesAnEndAndItsForceSwings) {
  const Scene scene = contact_scene(R"({ "time": { "step": 0.01, "end": 0.3 }, "integrator": { "type": "si" },
      "bodies": [ { "name": "rope", "springs": { "generate": "rope", "from": [0, 0, 0], "to": [1, 0, 0], "segments": 4,
                    "stiffness": 20, "linear_density": 0.4 } } ],
      "constraints": [ { "type": "move", "body": "rope", "where": { "vertices": [0] },
          "sine": [ { "translate": [0.05, 0, 0], "frequency": 1.25, "until": 0.2 } ] },
        { "type": "frame", "body": "rope", "where": { "vertices": [4] }, "pivot": [0, 0, 0],
          "sine": [ { "rotate": [[0, 0, 1], 30], "frequency": 1.25, "until": 0.2 } ] } ],
      "forces": [ { "type": "uniform", "acceleration": [0, 1, 0], "gust": { "amplitude": 1, "frequency": 2 } } ] })");
  const SceneModel world = build_scene(scene, "test.json");
  Simulation simulation(scene, world, 30);
  while (simulation.step() < 30) ASSERT_EQ(simulation.advance(), StepStatus::ok);
  Vector x, v;
  simulation.model().expand(simulation.state(), x, v);
  EXPECT_NEAR(x[0], 0.05, 1e-14);  // a quarter of a period, then still
  EXPECT_EQ(v[0], 0);
  EXPECT_NEAR(x[12], std::cos(std::acos(-1.0) / 6), 1e-14);
  EXPECT_NEAR(x[13], 0.5, 1e-14);
  EXPECT_NE(simulation.ledger().external_work, 0);
}

TEST(MotionFile, ThatIsWrongIsRefusedInClearWords) {
  ScratchFolder scratch;
  const auto file = scratch.path() / "motion.csv";
  const auto says = [&](const char* text, const std::string& more = "") {
    std::ofstream(file) << text;
    return complaint(with_motion(file, more));
  };
  const char* shorter = "time,4_x,4_y,4_z\n0,1,0,0\n0.3,1,0,0\n";
  EXPECT_EQ(says(shorter), "line 3: the motion ends at 0.3 s, before the constraint does, at 0.5 s");
  EXPECT_EQ(says(shorter, ", \"until\": 0.3"), "none") << "released in time";
  EXPECT_EQ(says("time,9_x,9_y,9_z\n0,1,0,0\n1,1,0,0\n"),
            "line 1: vertex 9 is not there: body \"rope\" has 5 vertices");
  EXPECT_EQ(says("time,4_x,4_y\n0,1,0\n1,1,0\n"), "line 1: vertex 4 needs all three of 4_x, 4_y and 4_z");
  EXPECT_EQ(says("time,4_x,4_y,4_z\n0,1,0,0\n0,1,0,0\n"),
            "line 3: expected times that ascend from row to row");
  EXPECT_EQ(says("time,4_x,4_y,4_z\n0,1,nan,0\n1,1,0,0\n"), "line 2: vertex 4 is at no finite place");
  EXPECT_EQ(says("a,b\n1,2\n"),
            "line 1: has no column \"time\"; expected time,<vertex>_x,<vertex>_y,<vertex>_z,...");
  EXPECT_EQ(says("time\n1\n"),
            "line 1: moves no vertex; expected columns <vertex>_x, <vertex>_y, <vertex>_z");
}

}  // namespace
}  // namespace phiflex
