// Viscoelastic bodies in simulations: relaxation and creep against closed solutions, the ledger, restart, refusals.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "phiflex/integrate/catalogue.h"
#include "phiflex/integrate/integrator.h"
#include "phiflex/run/run.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/scene.h"
#include "tests/run/process.h"

namespace phiflex {
namespace {

using testing::ScratchFolder;

Scene viscous_scene(const std::string& text, std::vector<std::string> set = {}) {
  std::vector<Problem> unused;
  return parse_scene(text, "test.json", read_options(std::move(set)), unused);
}

// A cube of 0.2 m whose centre alone is free.
std::string half_free_cube(const std::string& material, const std::string& more, const std::string& rest,
                           double step, double end) {
  return fmt::format(R"({{ "time": {{ "step": {}, "end": {} }},
    "bodies": [ {{ "name": "cube", "mesh": {{ "generate": "box", "size": [0.2, 0.2, 0.2], "cells": [2, 2, 2] }},
                  "material": {{ {} }}{} }} ],
    "constraints": [ {{ "type": "fix", "body": "cube",
                       "where": {{ "not": {{ "sphere": {{ "center": [0.1, 0.1, 0.1], "radius": 0.05 }} }} }} }} ]{} }})",
                     step, end, material, more, rest);
}

const char* const kTwoBranches = R"("prony": [ { "ratio": 0.5, "time": 0.1 }, { "ratio": 1.5, "time": 1 } ])";

// Stretched at once by the factor s along x and held: F = diag(s, 1, 1). With mu the law's shear modulus at rest, J = s
// and E = (J^(-2/3) C - 1)/2, the stress beyond the law's is sum r_i exp(-t/tau_i) 2 mu J^(-5/3) F dev_C(E) F'.
TEST(Viscoelastic, AStretchedCubeRelaxesAlongTheClosedCurveWithEveryMethodAndStep) {
  constexpr double s = 1.3, mu = 1e5 / (2 * 1.3);
  const double m = std::pow(s, -2.0 / 3), Ex = (m * s * s - 1) / 2, Ey = (m - 1) / 2;
  const double EC = Ex * s * s + 2 * Ey;
  const double overstress_x = 2 * mu * m / s * (Ex - EC / 3 / (s * s)) * s * s;
  for (const char* element : {"tet4", "tet10", "tet10-mean"})
    for (const char* method : {"em", "be", "si", "midpoint", "newmark", "verlet"})
      for (const double h : {0.02, 0.2}) {
        if (element != std::string("tet4") && (method != std::string("em") || h < 0.1)) continue;
        const std::string more = fmt::format(
            R"(, "element": "{}", "initial": {{ "stretch": {{ "axis": "x", "factor": {} }} }})", element, s);
        const std::string rest = fmt::format(R"(, "integrator": "{}")", method);
        const auto text = [&](const std::string& series) {
          return half_free_cube(
              R"("type": "neo-hookean", "young": 1e5, "poisson": 0.3, "density": 1000)" + series, more, rest,
              h, 0.6);
        };
        const Scene scene = viscous_scene(text(std::string(", ") + kTwoBranches));
        const SceneModel world = build_scene(scene, "test.json"),
                         elastic = build_scene(viscous_scene(text("")), "test.json");
        Simulation simulation(scene, world, step_count(scene.time));
        for (;;) {
          Vector x, v;
          simulation.model().expand(simulation.state(), x, v);
          std::vector<ElementState> states, of_law;
          const double t = simulation.state().t;
          world.element_states(t, x, states, &simulation.model());
          elastic.element_states(t, x, of_law);
          const double left = 0.5 * std::exp(-t / 0.1) + 1.5 * std::exp(-t);
          for (std::size_t e = 0; e < states.size(); ++e) {
            const double beyond = states[e].stress(0, 0) - of_law[e].stress(0, 0);
            ASSERT_NEAR(beyond, left * overstress_x, 1e-8 * overstress_x)
                << element << " " << method << " " << t;
          }
          if (simulation.step() == simulation.steps()) break;
          ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
        }
      }
}

// A force along (1, 1, 1) on the free vertex moves it along itself (the mesh has that symmetry), against
// k = mu k_d + K k_b of the deviator and the volume. With one branch of the ratio r that is a standard linear solid,
//   u(t) = u_inf (1 - c exp(-t u_0/(tau u_inf))),   c = 1 - u_0/u_inf
// u_inf: of the law, u_0: of the law with the shear modulus mu (1 + r) and the same bulk modulus.
TEST(Viscoelastic, ALoadedVertexCreepsLikeAStandardLinearSolid) {
  constexpr double mu = 4e4, bulk = 1e5, r = 2, tau = 0.5;
  const auto text = [](double shear, const std::string& series, const std::string& method, double h) {
    const double young = 9 * bulk * shear / (3 * bulk + shear),
                 poisson = (3 * bulk - 2 * shear) / (2 * (3 * bulk + shear));
    return half_free_cube(
        fmt::format(R"("type": "stvk", "young": {}, "poisson": {}, "density": 1e-3{})", young, poisson,
                    series),
        "",
        R"(, "integrator": ")" + method +
            R"(", "forces": [ { "type": "point", "body": "cube", "at": [0.1, 0.1, 0.1], "force": [0.01, 0.01, 0.01] } ])",
        h, 1.5);
  };
  const auto settled = [&](double shear) {
    const Scene scene = viscous_scene(text(shear, "", "em", 0.5));
    Simulation simulation(scene);
    EXPECT_EQ(simulation.settle().status, StepStatus::ok);
    return simulation.state().q[0];
  };
  const double u_inf = settled(mu), u_0 = settled(mu * (1 + r));
  ASSERT_LT(u_0, 0.8 * u_inf);
  for (const auto& [method, h, tolerance] :
       {std::tuple{"be", 0.005, 0.01}, std::tuple{"be", 0.0025, 0.005}}) {
    const Scene scene = viscous_scene(
        text(mu, fmt::format(R"(, "prony": [ {{ "ratio": {}, "time": {} }} ])", r, tau), method, h));
    Simulation simulation(scene);
    while (simulation.step() < simulation.steps()) {
      ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
      const double t = simulation.state().t;
      const double exact = u_inf * (1 - (1 - u_0 / u_inf) * std::exp(-t * u_0 / (tau * u_inf)));
      if (simulation.step() > 2) {
        EXPECT_NEAR(simulation.state().q[0], exact, tolerance * u_inf) << method << " " << t;
      }
    }
  }
}

std::string viscous_bar(const std::string& method, double h, const std::string& element = "tet4") {
  return fmt::format(R"({{ "time": {{ "step": {}, "end": 0.2 }}, "integrator": {{ {} }},
    "bodies": [ {{ "name": "bar", "element": "{}", "mesh": {{ "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [4, 1, 1] }},
                  "initial": {{ "stretch": {{ "axis": "x", "factor": 1.15 }}, "bend": {{ "axis": "x", "toward": "y", "angle": 40 }} }},
                  "material": {{ "type": "neo-hookean", "young": 1e4, "poisson": 0.4, "density": 1000,
                                "prony": [ {{ "ratio": 0.5, "time": 0.004 }}, {{ "ratio": 1, "time": 0.05 }} ] }} }} ],
    "constraints": [ {{ "type": "fix", "body": "bar", "where": {{ "box": [[0, 0, 0], [0, 1, 1]] }} }} ] }})",
                     h, method, element);
}

TEST(Viscoelastic, TheLedgerOfAnEnergyMomentumRunClosesToItsTolerance) {
  for (const char* element : {"tet4", "tet10"}) {
    const Scene scene = viscous_scene(
        viscous_bar(R"("type": "em", "dissipation": 1, "em_tolerance": 1e-10, "energy_tolerance": 1e-11)",
                    0.01, element));
    Simulation simulation(scene);
    const double first = simulation.ledger().total();
    double before = 0;
    while (simulation.step() < simulation.steps()) {
      ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
      const LedgerRow& row = simulation.ledger();
      EXPECT_NEAR(row.numerical_loss, 0, 1e-8 * first) << simulation.step();
      EXPECT_GE(row.dissipated, before);
      before = row.dissipated;
    }
    EXPECT_GT(before, 0.2 * first);
    EXPECT_NEAR(simulation.ledger().total() + before, first, 1e-8 * first);
  }
}

Vector viscous_end_of(const std::string& method, double h) {
  const Scene scene = viscous_scene(viscous_bar(method, h));
  Simulation simulation(scene);
  while (simulation.step() < simulation.steps()) {
    EXPECT_EQ(simulation.advance(), StepStatus::ok) << method << simulation.failure();
    if (!simulation.failure().empty()) break;
  }
  return simulation.state().q;
}

TEST(Viscoelastic, MethodsThatWeighBothEndsOfAStepAreOfOrderTwo) {
  const Vector exact = viscous_end_of("\"type\": \"verlet\"", 0.000125);
  for (const char* method :
       {"em\", \"dissipation\": 1, \"comment\": \"", "midpoint", "newmark", "verlet", "tr-bdf2", "ere"}) {
    const std::string type = std::string("\"type\": \"") + method + "\"";
    const double coarse = (viscous_end_of(type, 0.002) - exact).norm(),
                 fine = (viscous_end_of(type, 0.001) - exact).norm();
    EXPECT_GT(coarse / fine, 3) << method << " " << coarse / exact.norm() << " " << fine / exact.norm();
    EXPECT_LT(fine, 0.02 * exact.norm()) << method;
  }
}

TEST(Viscoelastic, EveryMethodTakesItOrSaysWhyNot) {
  const Vector exact = viscous_end_of("\"type\": \"verlet\"", 0.000125);
  const auto ends_near = [&](const std::string& name) {
    const Vector end = viscous_end_of("\"type\": \"" + name + "\"", 0.001);
    EXPECT_LT((end - exact).norm(), 0.3 * exact.norm()) << name;
  };
  ends_near("auto");
  const std::string viscous = viscous_bar("\"type\": \"em\"", 0.01);
  for (const MethodEntry& entry : integrator_catalogue()) {
    const std::string name(entry.info->name), set = "integrator.type=" + name;
    const auto refusal = [&](std::vector<std::string> changes) -> std::string {
      try {
        Simulation simulation(viscous_scene(viscous, std::move(changes)));
      } catch (const InputError& error) {
        return error.what();
      }
      return "";
    };
    if (!refusal({set, "bodies.0.material.prony=[]"}).empty()) continue;  // not for solids
    if (entry.info->fixed_linear_part) {
      EXPECT_NE(refusal({set}).find("\"" + name + "\" builds on a linear part"), std::string::npos) << name;
    } else {
      EXPECT_EQ(refusal({set}), "") << name;
      ends_near(name);
    }
  }
}

TEST(Viscoelastic, AResumedRunRepeatsTheBits) {
  for (const char* method : {"auto", "em", "verlet", "generalized-alpha"}) {
    const Scene scene = viscous_scene(viscous_bar(std::string("\"type\": \"") + method + "\"", 0.005));
    Simulation whole(scene);
    ArchiveWriter saved;
    while (whole.step() < whole.steps()) {
      if (whole.step() == 13) whole.save(saved);
      ASSERT_EQ(whole.advance(), StepStatus::ok) << whole.failure();
    }
    Simulation resumed(scene);
    ArchiveReader in(saved.bytes());
    resumed.load(in);
    in.finish();
    while (resumed.step() < resumed.steps())
      ASSERT_EQ(resumed.advance(), StepStatus::ok) << resumed.failure();
    EXPECT_EQ(resumed.state().q, whole.state().q) << method;
    EXPECT_EQ(resumed.ledger().dissipated, whole.ledger().dissipated) << method;
    EXPECT_EQ(resumed.ledger().numerical_loss, whole.ledger().numerical_loss) << method;
  }
}

// Where a constraint ends, another model takes over with the memory of the one before: with none its energy would jump,
// and that would be booked as work of the mover.
TEST(Viscoelastic, ABodyThatIsLetGoRemembersItsPast) {
  std::string text = viscous_bar("\"type\": \"em\"", 0.005);
  text.replace(
      text.rfind(" ] }"), 4,
      R"(, { "type": "fix", "body": "bar", "until": 0.1, "where": { "box": [[0.3, 0, 0], [1, 1, 1]] } } ] })");
  Simulation simulation(viscous_scene(text));
  const double first = simulation.ledger().total();
  double relaxed = 0;
  while (simulation.step() < simulation.steps()) {
    ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
    if (simulation.step() == 19) relaxed = simulation.ledger().dissipated;
  }
  EXPECT_GT(relaxed, 0.2 * first);
  EXPECT_NEAR(simulation.ledger().external_work, 0, 1e-9 * first);
}

TEST(Viscoelastic, ASettledBodyHasRelaxed) {
  const auto text = [](const std::string& series) {
    return R"({ "time": { "step": 0.01, "end": 0.1 }, "gravity": [0, -9.81, 0], "integrator": "em",
    "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [4, 1, 1] },
                  "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.4, "density": 1000)" +
           series + R"( } } ],
    "constraints": [ { "type": "fix", "body": "bar", "where": { "box": [[0, 0, 0], [0, 1, 1]] } } ] })";
  };
  Simulation elastic(viscous_scene(text(""))), viscous(viscous_scene(text(std::string(", ") + kTwoBranches)));
  ASSERT_EQ(elastic.settle().status, StepStatus::ok);
  ASSERT_EQ(viscous.settle().status, StepStatus::ok);
  const Vector start = viscous.state().q;
  EXPECT_LE((start - elastic.state().q).norm(), 1e-9 * start.norm());
  while (viscous.step() < viscous.steps()) ASSERT_EQ(viscous.advance(), StepStatus::ok);
  EXPECT_LE((viscous.state().q - start).norm(), 1e-6 * start.norm());
}

TEST(Viscoelastic, WhatCannotRelaxIsRefusedWithTheReason) {
  const std::string good = viscous_bar("\"type\": \"em\"", 0.01);
  const auto problem = [&](std::vector<std::string> set) -> std::string {
    try {
      Simulation simulation(viscous_scene(good, std::move(set)));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(problem({}), "");
  EXPECT_NE(problem({"bodies.0.material.type=linear"}).find("takes a turned body for a strained one"),
            std::string::npos);
  EXPECT_NE(problem({"bodies.0.material.prony.0.time=0"}).find("/bodies/0/material/prony/0/time"),
            std::string::npos);
  EXPECT_NE(problem({"bodies.0.material.prony.0.ratio=-1"}).find("expected a number > 0"), std::string::npos);
  EXPECT_NE(problem({R"(coarsening={"type":"eigenfit","ratios":[0.5]})"}).find("modes that stay"),
            std::string::npos)
      << problem({R"(coarsening={"type":"eigenfit","ratios":[0.5]})"});
  EXPECT_EQ(problem({"bodies.0.material.prony=[]", "bodies.0.material.type=linear"}), "");
}

}  // namespace
}  // namespace phiflex
