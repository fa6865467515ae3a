// Scenes that are filled or changed in code are checked like files, and models built from them outlive them.
#include <gtest/gtest.h>

#include <memory>

#include "phiflex/base/errors.h"
#include "phiflex/record/state_hash.h"
#include "phiflex/run/scene_model.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/scene.h"
#include "phiflex/scene/scene_io.h"
#include "tests/run/small_scenes.h"

namespace phiflex {
namespace {

Scene eventful_in_code() {
  std::vector<Problem> unused;
  return parse_scene(testing::eventful_scene("be"), "test.json", {}, unused);
}

std::string refusal_in_code(const Scene& scene) {
  try {
    build_scene(scene, "test.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(SceneInCode, IsRefusedWithTheSentencesAndPlacesOfAFile) {
  Scene scene = eventful_in_code();
  scene.bodies[0].material->law.numbers["poisson"] = 0.7;
  scene.bodies[1].name = "bar";
  scene.time.step = -1;
  const std::string refused = refusal_in_code(scene);
  for (const char* part :
       {"test.json: /bodies/0/material/poisson: 0.7 is not allowed; expected a number > -1 and < 0.5",
        "test.json: /bodies/1/name: \"bar\" is the name of an earlier body",
        "test.json: /time/step: -1.0 is not allowed"})
    EXPECT_NE(refused.find(part), std::string::npos) << part << " in:\n" << refused;
}

TEST(SceneInCode, ThatAFileCouldHoldIsBuilt) {
  EXPECT_EQ(refusal_in_code(eventful_in_code()), "");
}

TEST(SceneInCode, ASimulationOutlivesTheSceneAndTheModelItWasMadeOf) {
  const auto hash_after = [](Simulation& simulation) {
    for (int step = 0; step < 15; ++step)  // constraints are released at step 12
      EXPECT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
    return state_hash(simulation.state());
  };
  std::unique_ptr<Simulation> alone;
  {
    const Scene scene = eventful_in_code();
    const SceneModel model = build_scene(scene, "test.json");
    alone = std::make_unique<Simulation>(scene, model, 24);
  }
  const Scene scene = eventful_in_code();
  Simulation kept(scene, "test.json");
  EXPECT_EQ(kept.steps(), 24);
  EXPECT_EQ(hash_after(*alone), hash_after(kept));
}

TEST(SceneInCode, VelocitiesThatAreSetAreWorkFromOutsideAndNoLoss) {
  const Scene scene = eventful_in_code();
  Simulation simulation(scene, "test.json");
  for (int step = 0; step < 3; ++step) ASSERT_EQ(simulation.advance(), StepStatus::ok);
  const LedgerRow before = simulation.ledger();
  Vector x, v;
  simulation.model().expand(simulation.state(), x, v);
  const Vector held = v;
  v.array() += 0.5;
  simulation.set_velocities(v);
  const LedgerRow& after = simulation.ledger();
  EXPECT_GT(after.energies.kinetic, before.energies.kinetic);
  EXPECT_NEAR(after.external_work - before.external_work, after.energies.kinetic - before.energies.kinetic,
              1e-12 * after.energies.kinetic);
  EXPECT_NEAR(after.numerical_loss, before.numerical_loss, 1e-12 * after.energies.kinetic);
  // Free vertices have theirs, held ones keep their own.
  Vector now;
  simulation.model().expand(simulation.state(), x, now);
  const FreeVertices& free = simulation.model().constraints().free();
  for (std::size_t vertex = 0; vertex < free.row_of_vertex.size(); ++vertex)
    EXPECT_EQ(now[3 * Index(vertex)],
              free.row_of_vertex[vertex] < 0 ? held[3 * Index(vertex)] : v[3 * Index(vertex)]);
  EXPECT_EQ(simulation.advance(), StepStatus::ok);
}

}  // namespace
}  // namespace phiflex
