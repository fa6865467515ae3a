// Models built from arrays: what the builder makes, and what it refuses with which words.
#include "phiflex/build/model_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "phiflex/energy/elastic_term.h"
#include "phiflex/mesh/generators.h"
#include "phiflex/model/deformable_model.h"

namespace phiflex {
namespace {

TetMesh small_bar() {
  return generate_box({{0.4, 0.1, 0.1}, {4, 1, 1}});
}

SolidSettings rubber_bar() {
  return {.name = "bar",
          .mesh = small_bar(),
          .material = {"neo-hookean", {{"young", 2e5}, {"poisson", 0.4}}, 1000}};
}

SpringNetwork small_rope() {
  return generate_rope({{0, 1, 0}, {1, 1, 0}, 4, {SpringStrength::Measure::per_strain, 50}, 0.2});
}

std::vector<int> left_end(const Body& body) {
  std::vector<int> vertices;
  for (int v = 0; v < body.vertex_count(); ++v)
    if (body.rest()[std::size_t(v)][0] < 1e-9) vertices.push_back(v);
  return vertices;
}

// All messages of the InputError that the calls or build() end in; empty: there was none.
template <class Calls>
std::string refusal_of(Calls calls) {
  try {
    ModelBuilder builder;
    calls(builder);
    builder.build();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ModelBuilder, ASolidHasTheMassOfItsVolumeAndTheEnergyOfItsLaw) {
  ModelBuilder builder;
  const int bar = builder.add_solid(rubber_bar());
  const Assembly assembly = builder.build();
  const auto model = assembly.make_model(0);
  EXPECT_EQ(bar, 0);
  EXPECT_EQ(assembly.tetrahedra(), int(small_bar().tets.size()));
  // 0.4 x 0.1 x 0.1 m^3 of 1000 kg/m^3, to rounding.
  EXPECT_NEAR(model->total_mass(), 4, 1e-12);
  // psi of a uniform stretch along x by the law itself, over the volume: the elements are exact for it.
  State at = assembly.initial_state(*model);
  for (Index v = 0; v < model->vertices(); ++v) at.q[3 * v] = 0.1 * assembly.rest()[3 * v];
  const double mu = 2e5 / 2.8, lambda = 2e5 * 0.4 / (1.4 * 0.2);
  const double s = 1.1,
               psi = mu / 2 * (s * s - 1) - mu * std::log(s) + lambda / 2 * std::log(s) * std::log(s);
  EXPECT_NEAR(model->potential_energy(at), 0.004 * psi, 1e-10 * psi);
}

TEST(ModelBuilder, BodiesAreNumberedOneAfterTheOther) {
  ModelBuilder builder;
  const int bar = builder.add_solid(rubber_bar());
  const int rope = builder.add_springs({.name = "rope", .network = small_rope()});
  EXPECT_EQ(builder.body(rope).first_vertex, builder.body(bar).vertex_count());
  EXPECT_EQ(builder.number_of("rope"), rope);
  const Assembly assembly = builder.build();
  EXPECT_EQ(assembly.vertices(), int(small_bar().vertices.size()) + 5);
  EXPECT_EQ(assembly.springs(), 4);
  EXPECT_TRUE(assembly.bodies()[0].solid());
  EXPECT_TRUE(assembly.bodies()[1].springs());
  EXPECT_FALSE(assembly.bodies()[1].solid());
}

TEST(ModelBuilder, HoldsOfABodyCountItsOwnVerticesWhateverCameBefore) {
  ModelBuilder builder;
  builder.add_springs({.name = "rope", .network = small_rope()});
  const int bar = builder.add_solid(rubber_bar());
  const std::vector<int> held = left_end(builder.body(bar));
  builder.hold(bar, held, {}, 0.5);
  const Assembly assembly = builder.build();
  EXPECT_EQ(assembly.make_model(0)->dofs(), 3 * (assembly.vertices() - Index(held.size())));
  EXPECT_EQ(assembly.make_model(0.5)->dofs(), 3 * assembly.vertices());  // released
  EXPECT_EQ(assembly.release_times(), std::vector<double>{0.5});
  const auto model = assembly.make_model(0);
  for (const int v : held)
    EXPECT_LT(model->constraints().free().row_of_vertex[std::size_t(v + assembly.bodies()[1].first_vertex)],
              0);
}

TEST(ModelBuilder, LoadsPushWithWhatTheyMeasure) {
  using Measure = VertexLoad::Measure;
  const auto push_of = [](Measure measure) {
    ModelBuilder builder;
    const int bar = builder.add_solid(rubber_bar());
    builder.add_load(bar, {.measure = measure, .value = {0, 7, 0}});
    const auto model = builder.build().make_model(0);
    Vector f;
    model->force({0, Vector::Zero(model->dofs()), Vector::Zero(model->dofs())}, f);
    double sum = 0;
    for (Index v = 0; v < model->vertices(); ++v) sum += f[3 * v + 1];
    return sum;
  };
  // The bar has 20 vertices, 4 kg and 0.004 m^3; elastic forces at rest are rounding of 2e5 Pa times 0.01 m^2.
  const double rounding = 1e-9;
  EXPECT_NEAR(push_of(Measure::each_vertex), 20 * 7, rounding);
  EXPECT_NEAR(push_of(Measure::shared_by_mass), 7, rounding);
  EXPECT_NEAR(push_of(Measure::acceleration), 4 * 7, rounding);
  EXPECT_NEAR(push_of(Measure::per_volume), 0.004 * 7, rounding);
}

TEST(ModelBuilder, WhatCoversEveryBodyCoversBodiesThatComeLater) {
  ModelBuilder early, late;
  early.add_acceleration({0, -2, 0});
  early.add_floor(-1, {.mode = ContactMode::penalty});
  early.set_gravity({0, -9.81, 0});
  early.add_solid(rubber_bar());
  late.add_solid(rubber_bar());
  late.set_gravity({0, -9.81, 0});
  late.add_floor(-1, {.mode = ContactMode::penalty});
  late.add_acceleration({0, -2, 0});
  const auto one = early.build().make_model(0), other = late.build().make_model(0);
  State at{0, Vector::Constant(one->dofs(), -1.5),
           Vector::Zero(one->dofs())};  // 0.5 m under the floor and lower
  Vector f, g;
  one->force(at, f);
  other->force(at, g);
  EXPECT_EQ(f, g);
  EXPECT_GT(one->energies(at).contact, 0);
}

TEST(ModelBuilder, MaterialsMayChangeAtATimeAndKeepTheMass) {
  ModelBuilder builder;
  const int bar = builder.add_solid(rubber_bar());
  Body harder = builder.body(bar);
  scale_stiffness(harder, 3);
  builder.change_materials(bar, 1, *harder.materials());
  const Assembly assembly = builder.build();
  const auto before = assembly.make_model(0), after = assembly.make_model(1);
  State at = assembly.initial_state(*before);
  for (Index v = 0; v < before->vertices(); ++v) at.q[3 * v] = 0.1 * assembly.rest()[3 * v];
  // The energy is linear in Young's modulus.
  EXPECT_NEAR(after->potential_energy(at), 3 * before->potential_energy(at),
              1e-12 * after->potential_energy(at));
  EXPECT_EQ(after->total_mass(), before->total_mass());
}

TEST(ModelBuilder, AnAssemblyOutlivesItsBuilderAndItsCopiesShareIt) {
  std::unique_ptr<DeformableModel> model;
  {
    ModelBuilder builder;
    builder.add_solid(rubber_bar());
    const Assembly assembly = builder.build(), copy = assembly;
    EXPECT_EQ(assembly.bodies().data(), copy.bodies().data());
    model = copy.make_model(0);
  }
  EXPECT_EQ(model->dofs(), 60);
}

TEST(ModelBuilder, WhatAMaterialMayBeIsSaidAsForAScene) {
  SolidSettings bad = rubber_bar();
  bad.material.parameters["poisson"] = 0.7;
  const std::string refused = refusal_of([&](ModelBuilder& builder) { builder.add_solid(bad); });
  EXPECT_NE(
      refused.find("body \"bar\"/material/poisson: 0.7 is not allowed; expected a number > -1 and < 0.5"),
      std::string::npos)
      << refused;
  bad = rubber_bar();
  bad.materials.assign(bad.mesh.tets.size(), bad.material);
  bad.materials[5].density = -1;
  EXPECT_NE(refusal_of([&](ModelBuilder& builder) {
              builder.add_solid(bad);
            }).find("/material/density: tetrahedron 5: -1 is not allowed; expected a number > 0"),
            std::string::npos);
  bad.materials.pop_back();
  EXPECT_NE(refusal_of([&](ModelBuilder& builder) { builder.add_solid(bad); }).find("expected one for each"),
            std::string::npos);
  bad = rubber_bar();
  bad.material.law = "rubber";
  EXPECT_NE(refusal_of([&](ModelBuilder& builder) { builder.add_solid(bad); }).find("rubber is not allowed"),
            std::string::npos);
}

TEST(ModelBuilder, ALawTakesItsOwnParametersByName) {
  const auto refused = [](std::string law, decltype(Material::parameters) parameters) {
    SolidSettings bar = rubber_bar();
    bar.material = {std::move(law), std::move(parameters), 1000};
    return refusal_of([&](ModelBuilder& builder) { builder.add_solid(bar); });
  };
  const auto says = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in:\n" << text;
  };
  says(refused("mooney-rivlin", {{"c1", 1e4}, {"young", 1e5}, {"bulk", 1e6}}),
       "/material/young: \"mooney-rivlin\" has no such parameter; it has c1, c2, bulk");
  says(refused("mooney-rivlin", {{"c1", 1e4}, {"bulk", 1e6}}),
       "/material/c2: missing; expected a number >= 0");
  const decltype(Material::parameters) fibres = {{"mu", 1e4}, {"bulk", 1e5}, {"k1", 1e4}, {"k2", 1.0}};
  auto with_direction = fibres;
  with_direction["direction"] = 1.0;
  says(refused("holzapfel", with_direction), "/material/direction: expected a direction");
  with_direction["direction"] = Point3{0, 0, 0};
  says(refused("holzapfel", with_direction), "/material/direction: 0 is not allowed; expected a direction");
  says(refused("holzapfel", fibres), "/material/direction: missing");
  with_direction["direction"] = Point3{3, 0, 4};
  SolidSettings good = rubber_bar();
  good.material = {"holzapfel", with_direction, 1000};
  ModelBuilder builder;
  const int bar = builder.add_solid(good);
  // mu, bulk, k1, k2, the dispersion's default, and the direction.
  EXPECT_EQ(builder.body(bar).materials()->elements[0].parameters,
            (std::vector<double>{1e4, 1e5, 1e4, 1, 0, 3, 0, 4}));
}

TEST(ModelBuilder, EveryProblemIsReportedInOneError) {
  const std::string refused = refusal_of([](ModelBuilder& builder) {
    SolidSettings bad = rubber_bar();
    bad.material.parameters["young"] = 0.0;
    builder.add_solid(bad);
    const int rope = builder.add_springs({.name = "rope", .network = small_rope()});
    builder.hold(rope, {99});
    builder.add_load(rope, {.measure = VertexLoad::Measure::per_volume});
    builder.add_springs({.name = "rope", .network = small_rope()});
  });
  for (const char* part :
       {"body \"bar\"/material/young: 0 is not allowed",
        "body \"rope\": vertex 99 is not there: body \"rope\" has 5 vertices",
        "body 'rope' is made of springs and has no volume", "\"rope\" is the name of an earlier body"})
    EXPECT_NE(refused.find(part), std::string::npos) << part << " in:\n" << refused;
}

TEST(ModelBuilder, ModelsThatCannotMoveOrAreEmptyAreRefused) {
  EXPECT_NE(refusal_of([](ModelBuilder&) {}).find("there is no body"), std::string::npos);
  EXPECT_NE(refusal_of([](ModelBuilder& builder) {
              const int rope = builder.add_springs({.name = "rope", .network = small_rope()});
              builder.hold(rope, {0, 1, 2, 3, 4});
            }).find("every vertex is held"),
            std::string::npos);
  TetMesh turned = small_bar();
  std::swap(turned.tets[0][0], turned.tets[0][1]);
  EXPECT_NE(
      refusal_of([&](ModelBuilder& builder) {
        builder.add_solid({.name = "bar", .mesh = turned, .material = {"stvk", {{"young", 1e5}}, 1000}});
      }).find("body \"bar\"/mesh"),
      std::string::npos);
}

TEST(ModelBuilder, VerticesInsideAnObstacleAreRefusedOrPushedOut) {
  const auto build_with = [](std::optional<AtStart> at_start) {
    ModelBuilder builder;
    builder.add_solid(rubber_bar());
    builder.add_obstacle(std::make_shared<SphereSolid>(Eigen::Vector3d(0.4, 0, 0), 0.05),
                         {.mode = ContactMode::project, .at_start = at_start});
    return builder.build();
  };
  EXPECT_THROW(build_with(std::nullopt), InputError);
  const Assembly pushed = build_with(AtStart::push);
  ASSERT_EQ(pushed.messages().notes().size(), 1u);
  EXPECT_NE(pushed.messages().notes()[0].find("obstacle 0"), std::string::npos)
      << pushed.messages().notes()[0];
}

TEST(ModelBuilder, ABodyOfANanometreThatStartsInsideAnObstacleIsAProblemToo) {
  const auto build_with = [](double depth) {
    SolidSettings bar = rubber_bar();
    for (Point3& x : bar.mesh.vertices)
      for (double& coordinate : x) coordinate *= 1e-9;
    ModelBuilder builder;
    builder.add_solid(std::move(bar));
    builder.add_obstacle(std::make_shared<SphereSolid>(Eigen::Vector3d(4.5e-10 - depth, 0, 0), 5e-11),
                         {.mode = ContactMode::project});
    return builder.build();
  };
  EXPECT_NO_THROW(build_with(0));
  EXPECT_THROW(build_with(1e-11), InputError);
}

TEST(ModelBuilder, ABodyThatStartsWithinTheReachOfABarrierIsSetAtItsEdgeWithoutEnergy) {
  ModelBuilder builder;
  builder.set_gravity({0, -9.81, 0});
  const int bar = builder.add_solid(rubber_bar());
  double lowest = 1e9;
  for (const Point3& x : builder.initial_positions(bar)) lowest = std::min(lowest, x[1]);
  builder.add_floor(lowest);
  const Assembly free = builder.build();
  ASSERT_EQ(free.messages().notes().size(), 1u);
  EXPECT_NE(free.messages().notes()[0].find("body \"bar\" started 0 m from the obstacle obstacle 0"),
            std::string::npos)
      << free.messages().notes()[0];
  EXPECT_NE(free.messages().notes()[0].find("was moved by"), std::string::npos) << free.messages().notes()[0];
  auto model = free.make_model(0);
  Energies energies = model->energies(free.initial_state(*model));
  EXPECT_EQ(energies.contact, 0);
  EXPECT_LT(std::abs(energies.elastic), 1e-9) << "it is moved as a whole";

  builder.hold(bar, {0});  // then the floor gives way
  const Assembly held = builder.build();
  ASSERT_EQ(held.messages().notes().size(), 1u);
  EXPECT_NE(held.messages().notes()[0].find("finds its surface up to"), std::string::npos)
      << held.messages().notes()[0];
  model = held.make_model(0);
  energies = model->energies(held.initial_state(*model));
  EXPECT_EQ(energies.contact, 0);
  EXPECT_EQ(held.initial_state(*model).q.norm(), 0);
}

TEST(ModelBuilder, ABodyThatStartsDeepInsideABarrierIsRefusedByName) {
  EXPECT_NE(refusal_of([](ModelBuilder& builder) {
              builder.add_solid(rubber_bar());
              builder.add_floor(0.1);
            }).find("of body \"bar\" starts"),
            std::string::npos);
}

TEST(ModelBuilder, AReachLongerThanAnEdgeIsWarnedOf) {
  ModelBuilder builder;
  builder.add_solid(rubber_bar());
  builder.add_floor(-5, {.distance = 3});
  const Assembly assembly = builder.build();
  ASSERT_EQ(assembly.messages().warnings().size(), 1u);
  EXPECT_NE(assembly.messages().warnings()[0].find("longer than the mean edge of body \"bar\""),
            std::string::npos);
}

TEST(ModelBuilder, ABodyThatIsNotThereIsMisuse) {
  ModelBuilder builder;
  EXPECT_THROW(builder.hold(0, {1}), std::invalid_argument);
  EXPECT_THROW(builder.number_of("bar"), std::invalid_argument);
}

TEST(ModelBuilder, APlaneBodyIsAloneAndMovesInItsPlane) {
  SurfaceMesh square;
  square.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  square.triangles = {{0, 1, 2}, {0, 2, 3}};
  const PlaneSettings sheet{.name = "sheet", .mesh = square, .material = {"stvk", {{"young", 1e5}}, 1000}};
  ModelBuilder builder;
  const int number = builder.add_plane(sheet);
  builder.hold(number, {0});
  EXPECT_EQ(builder.build().make_model(0)->dofs(), 6);
  EXPECT_NE(refusal_of([&](ModelBuilder& other) {
              other.add_plane(sheet);
              other.add_solid(rubber_bar());
            }).find("exactly that one body"),
            std::string::npos);
  EXPECT_NE(refusal_of([&](ModelBuilder& other) {
              other.add_plane(sheet);
              other.set_gravity({0, 0, -1});
            }).find("along z move nothing"),
            std::string::npos);
}

}  // namespace
}  // namespace phiflex
