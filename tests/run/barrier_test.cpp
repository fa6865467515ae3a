// Barriers as users meet them: scenes that say nothing but what touches what.
#include <gtest/gtest.h>

#include <numbers>

#include "phiflex/base/parallel.h"
#include "phiflex/build/model_builder.h"
#include "phiflex/integrate/catalogue.h"
#include "phiflex/mesh/generators.h"
#include "phiflex/run/run.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/scene.h"
#include "tests/contact/exact_crossings.h"
#include "tests/run/process.h"
#include "tests/scratch_folder.h"

namespace phiflex {
namespace {

Scene barrier_scene(const std::string& text, const std::vector<std::string>& overrides = {}) {
  std::vector<Problem> unused;
  return parse_scene(text, "test.json", {overrides, method_words()}, unused);
}

std::string refusal(const std::string& text) {
  try {
    const SceneModel world = build_scene(barrier_scene(text), "test.json");
  } catch (const InputError& error) {
    return error.problems()[0].place + ": " + error.problems()[0].message;
  }
  return "none";
}

Vector places(const Simulation& simulation) {
  Vector x, v;
  simulation.model().expand(simulation.state(), x, v);
  return x;
}

double lowest(const Vector& x) {
  double low = x[1];
  for (Index i = 1; i < x.size(); i += 3) low = std::min(low, x[i]);
  return low;
}

// A ball of 6 cm, 5 cm above a floor of which nothing is said.
const std::string falling_ball =
    R"({ "phiflex": 1, "time": { "step": 0.005, "end": 0.2 }, "integrator": { "type": "em" },
    "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "ball", "mesh": { "generate": "ball", "radius": 0.03, "resolution": 2 },
      "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.4, "density": 1000 },
      "transform": { "translate": [0, 0.08, 0] } } ],
    "contacts": [ { "type": "floor" } ] })";

class FallingBall : public ::testing::TestWithParam<const char*> {};

TEST_P(FallingBall, BouncesOffTheDefaultFloorAboveItAndGainsNothing) {
  const std::string method = GetParam();
  Simulation simulation(barrier_scene(falling_ball, {"integrator.type=" + method}), "test.json");
  double kinetic = 0, contact = 0, gain = 0, loss = 0;
  while (simulation.step() < simulation.steps()) {
    ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
    EXPECT_GT(lowest(places(simulation)), 0) << "step " << simulation.step();
    kinetic = std::max(kinetic, simulation.ledger().energies.kinetic);
    contact = std::max(contact, simulation.ledger().energies.contact);
    gain = std::max(gain, -simulation.ledger().numerical_loss);
    loss = std::max(loss, simulation.ledger().numerical_loss);
  }
  EXPECT_GT(contact, 0.02 * kinetic) << "it met the floor";
  EXPECT_LT(gain, 0.001 * kinetic);
  if (method == "em" || method == "auto") {
    EXPECT_LT(loss, 0.01 * kinetic);
  }
  EXPECT_EQ(simulation.ledger().contact_work, 0);
  EXPECT_EQ(simulation.ledger().friction, 0);
}

INSTANTIATE_TEST_SUITE_P(Methods, FallingBall, ::testing::Values("auto", "em", "be", "verlet"));

// A soft bar that falls by 5 cm, flat: all of its lower side meets the floor at once.
class FallingBar : public ::testing::TestWithParam<const char*> {};

TEST_P(FallingBar, OnTheDefaultFloorGainsNothing) {
  const std::string method = GetParam();
  Simulation simulation(
      barrier_scene(R"({ "phiflex": 1, "time": { "step": 0.005, "end": 0.3 }, "gravity": [0, -9.81, 0],
    "integrator": { "type": ")" +
                    method + R"(" },
    "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [4, 1, 1] },
      "material": { "type": "neo-hookean", "young": 1e4, "poisson": 0.4, "density": 1000 },
      "transform": { "translate": [0, 0.05, 0] } } ],
    "contacts": [ { "type": "floor" } ] })"),
      "test.json");
  EXPECT_EQ(simulation.method().name, "em");
  double kinetic = 0, contact = 0, gain = 0;
  while (simulation.step() < simulation.steps()) {
    ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
    const LedgerRow& row = simulation.ledger();
    kinetic = std::max(kinetic, row.energies.kinetic);
    contact = std::max(contact, row.energies.contact);
    gain = std::max(gain, -row.numerical_loss);
  }
  EXPECT_GT(kinetic, 1) << "4 kg fell by 5 cm";
  EXPECT_GT(contact, 0.001 * kinetic) << "it met the floor";
  EXPECT_LT(gain, 0.001 * kinetic);
}

INSTANTIATE_TEST_SUITE_P(Methods, FallingBar, ::testing::Values("em", "auto"));

// Its impact rings vibrations that steps at the limit of stability would let swing by 4 % of the motion.
TEST(Barrier, ABarOfJellyThatRingsGainsNothingByExplicitSteps) {
  Simulation simulation(
      barrier_scene(R"({ "phiflex": 1, "time": { "step": 0.005, "end": 0.2 }, "gravity": [0, -9.81, 0],
    "integrator": { "type": "verlet" },
    "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [0.3, 0.04, 0.04], "cells": [7, 1, 1] },
      "material": { "type": "stable-neo-hookean", "young": 3e4, "poisson": 0.45, "density": 1000 },
      "transform": { "translate": [0, 0.036, 0], "rotate": [[0, 0, 1], 5] } } ],
    "contacts": [ { "type": "floor" } ] })"),
      "test.json");
  double kinetic = 0, gain = 0;
  while (simulation.step() < simulation.steps()) {
    ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
    kinetic = std::max(kinetic, simulation.ledger().energies.kinetic);
    gain = std::max(gain, -simulation.ledger().numerical_loss);
  }
  EXPECT_LT(gain, 0.001 * kinetic);
}

TEST(Barrier, ABoxThatStartsOnTheFloorRestsThere) {
  Simulation simulation(
      barrier_scene(R"({ "phiflex": 1, "time": { "step": 0.005, "end": 0.3 }, "integrator": { "type": "em" },
    "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "box", "mesh": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [3, 3, 3] },
      "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.4, "density": 1000 } } ],
    "contacts": [ { "type": "floor" } ] })"),
      "test.json");
  EXPECT_EQ(simulation.ledger().energies.contact, 0);
  EXPECT_LT(simulation.ledger().energies.elastic, 1e-12);
  const double start = lowest(places(simulation));
  EXPECT_NEAR(start, 0.1 * 0.1 / 3 * 1.1, 0.002) << "a tenth of an edge above the floor";
  while (simulation.step() < simulation.steps()) {
    ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
    const double low = lowest(places(simulation));
    EXPECT_GT(low, 0);
    EXPECT_LT(low, start + 0.001) << "it is not thrown";
  }
}

// One kilogram on a slope of 0.5, which falls onto its barrier first.
TEST(Barrier, ItsFrictionHoldsInsideTheConeAndSlidesOutsideWithWhatItShould) {
  const std::string text =
      R"({ "phiflex": 1, "time": { "step": 0.002, "end": 0.6 }, "integrator": { "type": "em" },
    "gravity": [4.3872, -8.7744, 0],
    "bodies": [ { "name": "box", "mesh": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2] },
      "material": { "type": "neo-hookean", "young": 1e6, "poisson": 0.3, "density": 1000 },
      "transform": { "translate": [0, 0.0001, 0] } } ],
    "contacts": [ { "type": "floor", "friction": 0 } ] })";
  struct Case {
    double mu, h;
  };
  for (const Case& c : {Case{0.2, 0.002}, Case{0.8, 0.001}, Case{0.8, 0.002}, Case{0.8, 0.01}}) {
    Simulation simulation(barrier_scene(text, {"contacts.0.friction=" + std::to_string(c.mu),
                                               "time.step=" + std::to_string(c.h)}),
                          "test.json");
    double speed = 0, time = 0, along = 0;
    const Index late = 2 * simulation.steps() / 3;
    while (simulation.step() < simulation.steps()) {
      ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
      if (simulation.step() == late) {
        speed = simulation.model().momenta(simulation.state()).linear[0];
        time = simulation.state().t;
        along = places(simulation)[0];
      }
    }
    const double elapsed = simulation.state().t - time;
    if (c.mu < 0.5) {
      const double acceleration =
          (simulation.model().momenta(simulation.state()).linear[0] - speed) / elapsed;
      EXPECT_NEAR(acceleration, 4.3872 - c.mu * 8.7744, 0.02 * (4.3872 - c.mu * 8.7744));
    } else {
      EXPECT_LT(std::abs(places(simulation)[0] - along) / elapsed, 0.002)
          << "it creeps faster than twice the slip speed, in steps of " << c.h;
    }
    EXPECT_GT(simulation.ledger().friction, 0);
    EXPECT_NEAR(simulation.ledger().external_work, 0, 1e-12);
    EXPECT_LT(std::abs(simulation.ledger().numerical_loss), 1e-3) << "0.05 J are rubbed away, or more";
  }
}

TEST(Barrier, ThatMovesGivesTheWorkOfItsMoverAndGoesOnBitForBit) {
  const Scene scene = barrier_scene(R"({ "phiflex": 1, "time": { "step": 0.002, "end": 0.2 },
    "integrator": { "type": "em", "em_tolerance": 1e-9, "energy_tolerance": 1e-10 },
    "bodies": [ { "name": "box", "mesh": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2] },
      "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.3, "density": 1000 },
      "transform": { "translate": [0, 0.02, 0] } } ],
    "contacts": [ { "type": "floor", "friction": 0.2,
      "motion": { "keys": [ { "time": 0 }, { "time": 1, "translate": [0.2, 1, 0] } ] } } ] })");
  const SceneModel world = build_scene(scene, "test.json");
  Simulation whole(scene, world, 100);
  ArchiveWriter saved;
  while (whole.step() < 100) {
    ASSERT_EQ(whole.advance(), StepStatus::ok) << whole.failure();
    if (whole.step() == 30) whole.save(saved);
  }
  EXPECT_GT(whole.ledger().external_work, 0.2) << "1 kg at 1 m/s or more";
  EXPECT_GT(whole.ledger().friction, 0);
  EXPECT_LT(std::abs(whole.ledger().numerical_loss), 1e-6);
  Simulation resumed(scene, world, 100);
  ArchiveReader reader(saved.bytes());
  resumed.load(reader);
  set_thread_count(3);
  while (resumed.step() < 100) ASSERT_EQ(resumed.advance(), StepStatus::ok);
  set_thread_count(1);
  EXPECT_EQ(resumed.state().q, whole.state().q);
  EXPECT_EQ(resumed.ledger().friction, whole.ledger().friction);
}

// A closed surface that is lifted under a box of 1 kg, which friction and the barrier carry.
TEST(Barrier, OfAClosedSurfaceThatIsLiftedCarriesABody) {
  Simulation simulation(barrier_scene(R"({ "phiflex": 1, "time": { "step": 0.005, "end": 0.4 },
    "integrator": { "type": "em" }, "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "box", "mesh": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2] },
      "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.3, "density": 1000 },
      "transform": { "translate": [0.45, 1.01, 0.45] } } ],
    "contacts": [ { "type": "surface", "mesh": { "generate": "box", "size": [1, 1, 1], "cells": [1, 1, 1] },
      "friction": 0.3,
      "motion": { "keys": [ { "time": 0 }, { "time": 0.4, "translate": [0, 0.2, 0] } ] } } ] })"),
                        "test.json");
  while (simulation.step() < simulation.steps()) {
    ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
    EXPECT_GT(lowest(places(simulation)), 1 + 0.5 * simulation.state().t) << "step " << simulation.step();
  }
  EXPECT_GT(simulation.ledger().external_work, 0.2 * 9.81 * 0.8) << "what lifted it";
  EXPECT_LT(std::abs(simulation.ledger().numerical_loss), 1e-3);
}

// A cloth that falls on its lower edge and folds: without self-contact it passes through itself, with it never, by
// exact signs of volumes.
TEST(SelfContact, AClothThatFoldsDoesNotPassThroughItself) {
  const std::string text = R"({ "phiflex": 1, "time": { "step": 0.005, "end": 1 },
    "integrator": { "type": "em" }, "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "cloth",
      "springs": { "generate": "cloth", "size": [0.4, 0.2], "cells": [12, 6], "stiffness": 20, "shear": 0.3,
                   "bending": 0.05, "area_density": 0.3 },
      "damping": { "stiffness": 0.002 },
      "transform": { "translate": [0, 0.03, 0], "rotate": [[0, 0, 1], 80] } } ],
    "contacts": [ { "type": "floor", "friction": 0.5 }, { "type": "bodies", "between": "all", "self": )";
  for (const bool self : {true, false}) {
    const Scene scene = barrier_scene(text + (self ? "true" : "false") + " } ] }");
    const SceneModel world = build_scene(scene, "test.json");
    const std::vector<std::array<int, 3>>& triangles = world.bodies()[0].surface;
    ASSERT_FALSE(triangles.empty());
    Simulation simulation(scene, world, 200);
    int crossed = 0;
    while (simulation.step() < simulation.steps()) {
      ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
      const Vector x = places(simulation);
      for (const auto& [a, b, c] : triangles)
        for (const auto& triangle : triangles)
          for (const std::array<int, 2>& edge : {std::array{a, b}, std::array{b, c}, std::array{c, a}})
            crossed += testing::crosses_exactly(x, edge, triangle);
      ASSERT_TRUE(crossed == 0 || !self) << "step " << simulation.step();
    }
    EXPECT_TRUE(crossed > 0 || self) << "it folds onto itself";
  }
}

// Two arms of a bent bar close with 2 m/s at their tips: with self-contact they never pass through each other, by exact
// signs of volumes, and the energy is kept; without it they do pass.
TEST(SelfContact, ArmsOfABentSolidDoNotPassThroughEachOther) {
  constexpr double arm = 0.1, radius = 0.02, width = 0.02, arc = std::numbers::pi * radius,
                   length = 2 * arm + arc;
  TetMesh mesh = generate_box({{length, width, width}, {14, 1, 1}});
  std::vector<Point3> velocities;
  for (Point3& p : mesh.vertices) {  // along the lower arm, half a circle, and back along the upper one
    const double s = p[0], out = radius - (p[1] - 0.5 * width), back = s - arm - arc;
    const double angle = std::clamp((s - arm) / radius, 0., std::numbers::pi);
    p = {s < arm ? s : arm + (back > 0 ? -back : 0) + out * std::sin(angle), -out * std::cos(angle), p[2]};
    velocities.push_back({0, s < arm ? 1 - s / arm : back > 0 ? -back / arm : 0, 0});
  }
  for (const bool self : {true, false}) {
    ModelBuilder builder;
    const int body =
        builder.add_solid({.name = "bar",
                           .mesh = mesh,
                           .material = {"stable-neo-hookean", {{"young", 1e5}, {"poisson", 0.3}}, 1000}});
    builder.set_initial(body, mesh.vertices, velocities);
    if (self) builder.add_body_contact({});
    const Assembly assembly = builder.build();
    const auto model = assembly.make_model(0);
    const std::vector<std::array<int, 3>> triangles = boundary_triangles(mesh);
    const auto em = make_integrator("em", *model, {});
    State now = assembly.initial_state(*model), next;
    const Energies start = model->energies(now);
    EXPECT_EQ(start.contact, 0);
    double contact = 0;
    int crossed = 0;
    Vector x, v;
    for (int step = 0; step < 20; ++step) {
      ASSERT_EQ(em->step(now, 0.002, next).status, StepStatus::ok) << "step " << step;
      std::swap(now, next);
      model->expand(now, x, v);
      crossed += testing::count_exact_crossings(x, triangles);
      contact = std::max(contact, model->energies(now).contact);
      EXPECT_NEAR(model->energies(now).total(), start.total(), 1e-3 * start.kinetic) << "step " << step;
    }
    EXPECT_EQ(crossed == 0, self);
    EXPECT_EQ(contact > 0.001 * start.kinetic, self);
  }
}

// Half of a cloth is laid over its other half, at half of the reach.
TEST(SelfContact, SheetsHaveItWhereNothingIsSaidOfContactAndThereAreTwoBodies) {
  const std::string text =
      R"({ "phiflex": 1, "time": { "step": 0.005, "end": 0.1 }, "integrator": { "type": "em" },
    "bodies": [ { "name": "cloth", "springs": { "generate": "cloth", "size": [0.6, 0.6], "cells": [6, 6],
        "stiffness": 20, "area_density": 0.3 } },
      { "name": "box", "mesh": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [1, 1, 1] },
        "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.3, "density": 1000 },
        "transform": { "translate": [0, 5, 0] } } ])";
  const auto energy_of = [&](const std::string& contacts) {
    const SceneModel world = build_scene(barrier_scene(text + contacts + " }"), "test.json");
    const auto model = world.make_model(0);
    Vector x = model->description().rest, v = Vector::Zero(x.size());
    for (Index i = 0; i < 3 * Index(world.bodies()[0].vertex_count()); i += 3)
      if (x[i] > 0.3 + 1e-9) {
        x[i] = 0.6 - x[i];
        x[i + 1] += 0.005;
      }
    return model->energies(model->state(0, x, v)).contact;
  };
  EXPECT_GT(energy_of(""), 0);
  EXPECT_EQ(energy_of(R"(, "contacts": [ { "type": "bodies", "self": false } ])"), 0);
  EXPECT_EQ(energy_of(""), energy_of(R"(, "contacts": [ { "type": "bodies" } ])"));
}

// Friction between bodies, by methods that know forces alone: a box of 1 kg on a held plate.
class RubbingBodies : public ::testing::TestWithParam<const char*> {};

TEST_P(RubbingBodies, FrictionHoldsInsideTheConeAndSlidesOutsideWithWhatItShould) {
  const std::string text =
      R"({ "phiflex": 1, "time": { "step": 0.002, "end": 0.3 }, "integrator": { "type": "be" },
    "gravity": [4.3872, -8.7744, 0],
    "bodies": [
      { "name": "plate", "mesh": { "generate": "box", "size": [0.6, 0.05, 0.3], "cells": [6, 1, 3] },
        "material": { "type": "neo-hookean", "young": 1e6, "poisson": 0.3, "density": 1000 },
        "transform": { "translate": [-0.1, -0.05, -0.1] } },
      { "name": "box", "mesh": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [1, 1, 1] },
        "material": { "type": "neo-hookean", "young": 1e6, "poisson": 0.3, "density": 1000 },
        "transform": { "translate": [0, 0.0001, 0] } } ],
    "constraints": [ { "type": "fix", "body": "plate", "where": { "box": [[-1, -1, -1], [1, 1, 1]] } } ],
    "contacts": [ { "type": "bodies", "friction": 0 } ] })";
  for (const double mu : {0.2, 0.8}) {
    Simulation simulation(barrier_scene(text, {"contacts.0.friction=" + std::to_string(mu),
                                               std::string("integrator.type=") + GetParam()}),
                          "test.json");
    double speed = 0, time = 0;
    while (simulation.step() < simulation.steps()) {
      ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
      if (simulation.step() != 75) continue;
      speed = simulation.model().momenta(simulation.state()).linear[0];
      time = simulation.state().t;
    }
    const double after = simulation.model().momenta(simulation.state()).linear[0];
    if (mu < 0.5)
      EXPECT_NEAR((after - speed) / (simulation.state().t - time), 4.3872 - mu * 8.7744, 0.15);
    else
      EXPECT_LT(std::abs(after), 0.02) << "it creeps";
    EXPECT_GT(simulation.ledger().friction, 0);
    EXPECT_NEAR(simulation.ledger().external_work, 0, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, RubbingBodies, ::testing::Values("be", "si", "ere", "em", "verlet"),
                         [](const auto& instance) { return std::string(instance.param); });

std::string two_boxes(const std::string& contacts, double height) {
  return R"({ "phiflex": 1, "time": { "step": 0.005, "end": 0.2 }, "integrator": { "type": "em" },
    "bodies": [ { "name": "low", "mesh": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2] },
      "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.3, "density": 1000 } },
      { "name": "high", "mesh": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2] },
      "material": { "type": "neo-hookean", "young": 3e5, "poisson": 0.3, "density": 1000 },
      "transform": { "translate": [0.01, )" +
         std::to_string(height) + R"(, 0.02] },
      "initial": { "velocity": [0, -1, 0] } } ])" +
         contacts + " }";
}

TEST(Bodies, MeetByDefaultAndPassThroughEachOtherWhenLeftOut) {
  for (const bool meet : {true, false}) {
    const std::string contacts =
        meet ? "" : R"(, "contacts": [ { "type": "bodies", "between": "none", "self": false } ])";
    Simulation simulation(barrier_scene(two_boxes(contacts, 0.11)), "test.json");
    while (simulation.step() < simulation.steps())
      ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
    const Vector x = places(simulation);
    const Index half = x.size() / 2;
    EXPECT_EQ(lowest(x.head(half)) < lowest(x.tail(half)), meet);
    EXPECT_LT(std::abs(simulation.ledger().numerical_loss), 0.01 * 0.5);
  }
}

// A box falls flat on a held plate, with the edges of both parallel and its vertices above the middles of cells, edges
// and vertices of the plate.
std::string flat_drop(const std::string& place, double mu, const std::string& step) {
  const std::string material =
      R"("material": { "type": "neo-hookean", "young": 1e6, "poisson": 0.4, "density": 1000 }, "transform": { )";
  return R"({ "phiflex": 1, "time": { "end": 0.06, "step": )" + step + R"( }, "integrator": { "type": "em" },
    "gravity": [0, -9.81, 0], "bodies": [
      { "name": "plate", "mesh": { "generate": "box", "size": [0.4, 0.4, 0.4], "cells": [4, 4, 4] }, )" +
         material + R"("translate": [-0.2, -0.05, -0.2] } },
      { "name": "box", "mesh": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2] }, )" +
         material + R"("translate": )" + place + R"( } } ],
    "contacts": [ { "type": "bodies", "friction": )" +
         std::to_string(mu) + R"( } ],
    "constraints": [ { "type": "fix", "body": "plate", "where": { "box": [[-1, -1, -1], [1, -0.04, 1]] } } ] })";
}

// Each of these failed in the step of the first touch: friction jumped there (contact/stencil_friction.h, (5)).
TEST(Bodies, ThatLandFlatOnAPlateWithFrictionAreSolvedAndGoOnBitForBit) {
  struct Drop {
    std::string scene;
    long steps;
  };
  const Drop drops[] = {{flat_drop("[0, 0.36, 0]", 0.5, "0.005"), 12},
                        {flat_drop("[0, 0.4, 0]", 0.3, "0.005"), 22},
                        {flat_drop("[0.025, 0.36, 0.025]", 0.5, "0.002"), 30}};
  for (const Drop& drop : drops) {
    const Scene scene = barrier_scene(drop.scene);
    const SceneModel world = build_scene(scene, "test.json");
    Simulation whole(scene, world, drop.steps);
    ArchiveWriter saved;
    double took = 0;
    while (whole.step() < drop.steps) {
      ASSERT_EQ(whole.advance(), StepStatus::ok) << whole.failure();
      EXPECT_GE(whole.ledger().friction, took);
      if (took == 0 && whole.ledger().friction > 0) whole.save(saved);  // at the first touch
      took = whole.ledger().friction;
    }
    ASSERT_GT(took, 0);
    EXPECT_LT(std::abs(whole.ledger().numerical_loss), 1e-4 * 0.49);
    Simulation resumed(scene, world, drop.steps);
    ArchiveReader reader(saved.bytes());
    resumed.load(reader);
    while (resumed.step() < drop.steps) ASSERT_EQ(resumed.advance(), StepStatus::ok);
    EXPECT_EQ(resumed.state().q, whole.state().q);
    EXPECT_EQ(resumed.ledger().friction, whole.ledger().friction);
  }
}

TEST(Bodies, ThatLandFlatBookWhatFrictionTakesWithParallelEdgesToo) {
  Simulation simulation(barrier_scene(flat_drop("[0, 0.36, 0]", 0.5, "0.005"),
                                      {"integrator.em_tolerance=1e-10", "integrator.energy_tolerance=1e-10"}),
                        "test.json");
  while (simulation.step() < simulation.steps())
    ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
  EXPECT_LT(std::abs(simulation.ledger().numerical_loss), 1e-9 * 0.14);
}

TEST(Bodies, ThatStartIntersectedAreRefusedByNameUnlessLeftOut) {
  const std::string said = refusal(two_boxes("", 0.05));
  EXPECT_NE(said.find("\"low\""), std::string::npos) << said;
  EXPECT_NE(said.find("\"high\""), std::string::npos) << said;
  EXPECT_NE(said.find("start intersected"), std::string::npos) << said;
  EXPECT_EQ(
      refusal(two_boxes(R"(, "contacts": [ { "type": "bodies", "between": "none", "self": false } ])", 0.05)),
      "none");
  EXPECT_EQ(
      refusal(two_boxes(R"(, "contacts": [ { "type": "bodies", "between": [], "self": true } ])", 0.05)),
      "none");
}

// No edge of theirs passes through a triangle.
TEST(Bodies, ThatStartInsideAnotherOrOverlapOnOneGridAreRefusedToo) {
  const auto of = [](const std::string& size, int cells, const std::string& shift) {
    const std::string material =
        R"("material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.3, "density": 1000 })";
    return refusal(R"({ "phiflex": 1, "time": { "step": 0.005, "end": 0.2 }, "integrator": { "type": "em" },
      "bodies": [ { "name": "large", "mesh": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2] }, )" +
                   material + R"( }, { "name": "small", "mesh": { "generate": "box", "size": )" + size +
                   R"(, "cells": [)" + std::to_string(cells) + ", " + std::to_string(cells) + ", " +
                   std::to_string(cells) + "] }, " + material + R"(, "transform": { "translate": )" + shift +
                   " } } ] }");
  };
  const std::string said = of("[0.02, 0.02, 0.02]", 1, "[0.04, 0.04, 0.04]");
  EXPECT_NE(
      said.find("\"small\" and \"large\" start intersected: vertex 0 of \"small\" lies inside \"large\""),
      std::string::npos)
      << said;
  EXPECT_NE(of("[0.1, 0.1, 0.1]", 2, "[0.05, 0, 0]").find("start intersected"), std::string::npos);
  EXPECT_EQ(of("[0.1, 0.1, 0.1]", 2, "[0.1, 0, 0]"), "none");
}

TEST(Bodies, ThatStartTouchingAreMovedApartWithoutEnergyAndItIsSaid) {
  const Scene scene = barrier_scene(two_boxes("", 0.1));
  const SceneModel world = build_scene(scene, "test.json");
  const Simulation simulation(scene, world, 20);
  ASSERT_EQ(world.messages().notes().size(), 1u);
  EXPECT_NE(world.messages().notes()[0].find("moved apart"), std::string::npos)
      << world.messages().notes()[0];
  EXPECT_EQ(world.messages().notes()[0].find("shorter"), std::string::npos) << world.messages().notes()[0];
  // Along the normal of the faces, by the reach: no farther, and not aside.
  const Vector x = places(simulation);
  const Eigen::Vector3d way = x.segment<3>(x.size() / 2) - x.head<3>() - Eigen::Vector3d(0.01, 0.1, 0.02);
  EXPECT_LE(std::hypot(way[0], way[2]), 1e-9);
  EXPECT_GT(way[1], 0);
  EXPECT_LT(way[1], 0.1 * 0.071);
  EXPECT_LT(simulation.ledger().energies.contact, 1e-30);
  EXPECT_LT(simulation.ledger().energies.elastic, 1e-10);
}

TEST(Bodies, BadSettingsAreRefusedInClearWords) {
  const auto of = [](const std::string& more) {
    return refusal(two_boxes(R"(, "contacts": [ { "type": "bodies", )" + more + " } ]", 0.2));
  };
  const auto parse_error = [](const std::string& more) {
    try {
      barrier_scene(two_boxes(R"(, "contacts": [ { "type": "bodies", )" + more + " } ]", 0.2));
    } catch (const InputError& error) {
      return error.problems()[0].place + ": " + error.problems()[0].message;
    }
    return std::string("none");
  };
  EXPECT_EQ(parse_error(R"("friction": -0.1)").find("/contacts/0/friction: "), 0u);
  EXPECT_EQ(parse_error(R"("distance": 0)").find("/contacts/0/distance: "), 0u);
  EXPECT_EQ(parse_error(R"("between": "some")").find("/contacts/0/between: "), 0u);
  EXPECT_EQ(parse_error(R"("between": [["low", "nobody"]])").find("/contacts/0/between/0/1: "), 0u);
  EXPECT_EQ(parse_error(R"("between": [["low", "low"]])")
                .find("/contacts/0/between/0: \"low\" is paired with itself"),
            0u);
  EXPECT_EQ(of(R"("between": [["low", "high"]], "self": false)"), "none");
  EXPECT_NE(of(R"("distance": 1)").find("expected at most half of the mean edge"), std::string::npos);
}

TEST(Bodies, SurfacesThatAreNoneAreRefusedWithTheirPlace) {
  const testing::ScratchFolder folder;
  const auto written = [&](const char* name, const std::string& text) {
    const std::filesystem::path file = folder.path() / name;
    std::ofstream(file) << text;
    return file.string();
  };
  const std::string scene =
      R"({ "phiflex": 1, "time": { "step": 0.005, "end": 0.2 }, "integrator": { "type": "em" },
    "bodies": [ { "name": "box", "mesh": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [1, 1, 1] },
      "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.3, "density": 1000 } } ],
    "contacts": [ )";
  const auto obstacle = [&](const std::string& file) {
    return refusal(scene + R"({ "type": "surface", "mesh": { "file": ")" + file + R"(" } } ] })");
  };
  // A tetrahedron without one of its faces.
  const std::string open =
      written("open.obj", "v 0 -1 0\nv 1 -1 0\nv 0 -1 1\nv 0 -0.5 0\nf 1 3 2\nf 1 2 4\nf 2 3 4\n");
  EXPECT_NE(obstacle(open).find("a closed surface is needed"), std::string::npos) << obstacle(open);
  EXPECT_NE(obstacle(open).find("3 triangles with 3 open"), std::string::npos) << obstacle(open);
  EXPECT_NE(obstacle(open).find("the edge of vertices 0 and 2 at (0, -1, 0.5) m has one triangle"),
            std::string::npos)
      << obstacle(open);
  const std::string slit = written(
      "slit.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 0 1 0\nv 0 0 0\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 5\n");
  EXPECT_NE(obstacle(slit).find("vertices 0 and 4 lie at one place, (0, 0, 0) m"), std::string::npos)
      << obstacle(slit);
  // A cloth with a triangle of no area, and one with two vertices at one place.
  const auto cloth = [&](const std::string& file) {
    return refusal(R"({ "phiflex": 1, "time": { "step": 0.005, "end": 0.2 }, "integrator": { "type": "em" },
      "bodies": [ { "name": "cloth", "springs": { "file": ")" +
                   file + R"(", "stiffness": 10, "area_density": 1 } } ],
      "contacts": [ { "type": "bodies", "self": true } ] })");
  };
  const std::string flat =
      written("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 0 1\nf 1 2 4\nf 2 3 4\nf 1 2 3\n");
  EXPECT_NE(cloth(flat).find("/contacts/0: body \"cloth\": triangle"), std::string::npos) << cloth(flat);
  EXPECT_NE(cloth(flat).find("no area"), std::string::npos) << cloth(flat);
  const std::string twice = written("twice.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 0 0 1\nf 1 2 3\nf 2 4 3\n");
  EXPECT_NE(cloth(twice).find("has the length 0 m"), std::string::npos) << cloth(twice);
}

}  // namespace
}  // namespace phiflex
