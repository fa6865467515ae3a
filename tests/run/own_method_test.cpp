// An integrator of a program's own, with options of its own: a struct beside it and one call make them keys of scenes.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "phiflex/integrate/catalogue.h"
#include "phiflex/integrate/integrator.h"
#include "phiflex/run/run.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/scene.h"
#include "phiflex/scene/scene_io.h"

namespace phiflex {
namespace {

enum class Kick { early, late };

}  // namespace

template <>
struct Words<Kick> {
  static constexpr std::pair<Kick, const char*> all[] = {{Kick::early, "early"}, {Kick::late, "late"}};
};

namespace {

struct OwnEulerOptions {
  double drag = 0;  // 1/s
  Kick kick = Kick::early;
};
template <class V>
void fields(V& v, OwnEulerOptions& o) {
  v({.key = "drag", .doc = "rate at which velocities are lost", .unit = "1/s", .range = ranges::not_negative},
    o.drag);
  v({.key = "kick", .doc = "whether the force acts before or after the move"}, o.kick);
}

constexpr MethodInfo kOwnEuler{.name = "own-euler", .summary = "Euler's method with drag", .citation = ""};

class OwnEuler final : public Integrator {
 public:
  OwnEuler(const MechanicalSystem& system, const OwnEulerOptions& options)
      : system_(system), options_(options) {}
  const MethodInfo& info() const override { return kOwnEuler; }
  StepReport step(const State& now, double h, State& next) override {
    system_.force(now, f_);
    system_.mass().solve(f_, a_);
    next.t = now.t + h;
    next.v = (now.v + h * a_) / (1 + options_.drag * h);
    next.q = now.q + h * (options_.kick == Kick::early ? next.v : now.v);
    return {};
  }

 private:
  const MechanicalSystem& system_;
  OwnEulerOptions options_;
  Vector f_, a_;
};

void register_own_euler() {
  register_integrator({&kOwnEuler, described_options<OwnEulerOptions>(),
                       [](const MechanicalSystem& system, const IntegratorOptions& options) {
                         return std::make_unique<OwnEuler>(system, options.read<OwnEulerOptions>());
                       }});
}

Scene scene_by(const std::string& integrator) {
  std::vector<Problem> unused;
  return parse_scene(R"({ "time": { "step": 0.01, "end": 0.1 }, "gravity": [0, -10, 0],
    "integrator": )" + integrator +
                         R"(, "bodies": [ { "name": "box",
      "mesh": { "generate": "box", "size": [1, 1, 1], "cells": [1, 1, 1] },
      "material": { "type": "linear", "young": 1, "density": 1000 } } ] })",
                     "own.json", read_options({}), unused);
}

std::string refusal_of(const std::string& integrator) {
  try {
    scene_by(integrator);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(OwnMethod, ItsOptionsAreKeysOfScenes) {
  const std::string hash = scene_hash(scene_by(R"("be")"));
  EXPECT_NE(refusal_of(R"({ "type": "be", "drag": 1 })").find("drag"), std::string::npos);
  register_own_euler();
  EXPECT_EQ(scene_hash(scene_by(R"("be")")), hash);  // scenes without the keys stay what they are

  const Scene scene = scene_by(R"({ "type": "own-euler", "drag": 3, "kick": "late" })");
  EXPECT_EQ(scene.integrator.options, (IntegratorOptions{{"drag", 3.0}, {"kick", "late"}}));
  EXPECT_EQ(to_json(scene)["integrator"]["drag"], 3);
  EXPECT_EQ(scene_by(to_json(scene)["integrator"].dump()), scene);
  EXPECT_FALSE(to_json(scene_by(R"("be")"))["integrator"].contains("drag"));
  EXPECT_EQ(json_schema()["properties"]["integrator"]["oneOf"][1]["properties"]["kick"]["default"], "early");
}

TEST(OwnMethod, WrongValuesOfItsOptionsAreRefusedAsThoseOfTheTable) {
  register_own_euler();
  EXPECT_NE(refusal_of(R"({ "type": "own-euler", "drag": -1 })")
                .find("/integrator/drag: -1 is not allowed; expected a number >= 0"),
            std::string::npos)
      << refusal_of(R"({ "type": "own-euler", "drag": -1 })");
  EXPECT_NE(refusal_of(R"({ "type": "own-euler", "kick": "soon" })").find(R"("early", "late")"),
            std::string::npos);
  EXPECT_NE(refusal_of(R"({ "type": "own-euler", "drga": 1 })").find("drag"), std::string::npos);
}

// A free fall with drag d: the velocity of step n + 1 is (v_n - g h)/(1 + d h).
TEST(OwnMethod, TheSceneReachesIt) {
  register_own_euler();
  Simulation simulation(scene_by(R"({ "type": "own-euler", "drag": 3 })"), "own.json");
  double v = 0;
  for (int n = 0; n < 10; ++n) {
    ASSERT_EQ(simulation.advance(), StepStatus::ok);
    v = (v - 10 * 0.01) / (1 + 3 * 0.01);
  }
  EXPECT_NEAR(simulation.state().v[1], v, 1e-12);
}

}  // namespace
}  // namespace phiflex
