// Equilibria with their stresses and reactions, against closed solutions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>

#include "phiflex/build/model_builder.h"
#include "phiflex/integrate/equilibrium.h"
#include "phiflex/record/csv_table.h"
#include "phiflex/record/motion_reader.h"
#include "phiflex/record/run_json.h"
#include "phiflex/run/element_fields.h"
#include "phiflex/run/run.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/material_keys.h"
#include "phiflex/scene/scene.h"
#include "tests/material/example_material.h"
#include "tests/run/process.h"

namespace phiflex {
namespace {

using testing::ScratchFolder;

Scene scene_of(const std::string& text) {
  std::vector<Problem> unused;
  return parse_scene(text, "test.json", {{}, method_words()}, unused);
}

// A scene put to its equilibrium.
struct Settled {
  explicit Settled(const std::string& text)
      : scene(scene_of(text)), world(build_scene(scene, "test.json")), simulation(scene, world, 1) {
    report = simulation.settle();
    EXPECT_EQ(report.status, StepStatus::ok) << simulation.failure();
    simulation.model().expand(simulation.state(), x, v);
    world.element_states(0, x, states);
    Reactions measured = world.make_reactions();
    names = measured.names();
    reactions = measured.update(simulation.model(), simulation.state(), 0, {});
  }
  // Mean over the deformed volume.
  Sym3<double> mean_stress() const {
    Sym3<double> sum = Sym3<double>::zero();
    double volume = 0;
    for (const ElementState& state : states) {
      sum += (state.volume * state.J) * state.stress;
      volume += state.volume * state.J;
    }
    return (1 / volume) * sum;
  }
  Scene scene;
  SceneModel world;
  Simulation simulation;
  EquilibriumReport report;
  Vector x, v;
  std::vector<ElementState> states;
  std::vector<std::string> names;
  std::vector<Wrench> reactions;
};

std::string pulled_bar(const std::string& material, double traction) {
  return R"({ "time": { "step": 0.01, "end": 0.01 },
    "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [1, 0.2, 0.2], "cells": [5, 2, 2] },
                  "material": { )" +
         material + R"(, "density": 1000 } } ],
    "constraints": [ { "type": "fix", "name": "wall", "body": "bar", "where": { "box": [[0, 0, 0], [0, 1, 1]] } } ],
    "forces": [ { "type": "traction", "body": "bar", "where": { "box": [[1, 0, 0], [1, 1, 1]] },
                  "traction": [)" +
         fmt::format("{}", traction) + R"(, 0, 0] } ] })";
}

// A law as the scene's material, soft: its Young's modulus is about `young`, in Pa.
std::string example_of(const std::string& name, double young) {
  const MaterialInfo& law = material_info(name);
  const std::vector<double> numbers = test::example_parameters(name, young, 0.3);
  std::string text = fmt::format(R"("type": "{}")", name);
  for (const ParameterInfo& parameter : law.parameters) {
    const int place = law.place_of(parameter.key);
    if (place < 0) continue;  // a curve: absent, the law's own
    const double* of = &numbers[std::size_t(place)];
    text += parameter.kind == ParameterKind::direction
                ? fmt::format(R"(, "{}": [{}, {}, {}])", parameter.key, of[0], of[1], of[2])
                : fmt::format(R"(, "{}": {})", parameter.key, of[0]);
  }
  return text;
}

// The mean stress of a bar that is clamped at x = 0 is the traction at its end: sum of x f over its volume.
TEST(Statics, ABarInTensionHasTheStressOfItsTractionWhateverTheLaw) {
  for (const std::string& law : LawName::names()) {
    const Settled bar(pulled_bar(example_of(law, 1e6), 100));
    ::testing::Test::RecordProperty("stress_error_" + law,
                                    fmt::format("{:.2e}", bar.mean_stress()(0, 0) / 100 - 1));
    // A strain of 1e-4: what is nonlinear is of that size.
    EXPECT_NEAR(bar.mean_stress()(0, 0), 100, 0.05) << law;
    EXPECT_NEAR(bar.reactions[0].force[0], -100 * 0.2 * 0.2, 1e-8) << law;
  }
}

// The pressure of the mean volume change is part of the stress.
TEST(Statics, ANearlyIncompressibleBarInTensionHasTheStressOfItsTraction) {
  for (const std::string material : {R"("type": "neo-hookean", "young": 1e6, "poisson": 0.4999)",
                                     R"("type": "stvk", "young": 1e6, "poisson": 0.4999)",
                                     R"("type": "corotated", "young": 1e6, "poisson": 0.4999)",
                                     R"("type": "stable-neo-hookean", "young": 1e6, "poisson": 0.4999)",
                                     R"("type": "mooney-rivlin", "c1": 1e5, "c2": 6.7e4, "bulk": 1.67e9)"}) {
    std::string scene = pulled_bar(material, 100);
    scene.replace(scene.find("\"name\": \"bar\""), 13, R"("name": "bar", "element": "tet10-mean")");
    const Settled bar(scene);
    EXPECT_NEAR(bar.mean_stress()(0, 0), 100, 0.05) << material;
    // 1e-8 of the load. Volume changes are rounded to 1e-16, which the bulk modulus of 1.67e9 Pa and the area of 0.04
    // m^2 make 7e-9 N.
    EXPECT_NEAR(bar.reactions[0].force[0], -100 * 0.2 * 0.2, 4e-8) << material;
    double volume = 0, rest = 0;
    for (const ElementState& state : bar.states) {
      rest += state.volume;
      volume += state.volume * state.J;
    }
    const Sym3<double> stress = bar.mean_stress();
    const double expected =
        (stress(0, 0) + stress(1, 1) + stress(2, 2)) / (3 * 1.667e9);  // by the bulk modulus
    EXPECT_NEAR(volume / rest - 1, expected, 0.01 * expected) << material;
  }
}

// The tip of a clamped beam of Euler, Bernoulli and Timoshenko sags by F L^3/(3 E I) + F L/(5/6 G A), here 4 % of its
// length: far more than what rounding of positions does to the pressure, and few enough to be linear to some
// thousandths.
double sag_over_exact(const std::string& element, const std::string& cells, double poisson) {
  const double L = 1, c = 0.1, E = 1e6, F = 1, I = c * c * c * c / 12, G = E / (2 * (1 + poisson));
  const Settled beam(R"({ "time": { "step": 0.01, "end": 0.01 },
    "bodies": [ { "name": "beam", "mesh": { "generate": "box", "size": [1, 0.1, 0.1], "cells": )" +
                     cells + R"( }, "element": ")" + element + R"(",
                  "material": { "type": "neo-hookean", "young": 1e6, "density": 1000, "poisson": )" +
                     fmt::format("{}", poisson) + R"( } } ],
    "constraints": [ { "type": "fix", "body": "beam", "where": { "box": [[0, 0, 0], [0, 1, 1]] } } ],
    "forces": [ { "type": "traction", "body": "beam", "where": { "box": [[1, 0, 0], [1, 1, 1]] },
                  "traction": [0, -100, 0] } ] })");
  double sag = 0, count = 0;
  for (std::size_t v = 0; v < beam.world.bodies()[0].rest().size(); ++v)
    if (const Point3& rest = beam.world.bodies()[0].rest()[v]; rest[0] > L - 1e-9) {
      sag += rest[1] - beam.x[3 * Index(v) + 1];
      ++count;
    }
  return sag / count / (F * L * L * L / (3 * E * I) + F * L / (5.0 / 6 * G * c * c));
}

// The clamp keeps the section from contracting: all of them are a percent or two stiffer than the beam of the formula.
TEST(Statics, ANearlyIncompressibleBeamBendsWithTheMeanVolumeChangeAndLocksWithout) {
  const auto sag = [](const std::string& element, const std::string& cells, double poisson) {
    const double value = sag_over_exact(element, cells, poisson);
    ::testing::Test::RecordProperty(fmt::format("sag_{}_{}_{}", element, cells, poisson),
                                    fmt::format("{:.4f}", value));
    return value;
  };
  const std::string coarse = "[10, 2, 2]", fine = "[20, 4, 4]";
  EXPECT_EQ(sag("tet10-mean", coarse, 0.3), sag("tet10", coarse, 0.3));  // nothing is stiff there
  const double mean = sag("tet10-mean", coarse, 0.4999), mean_fine = sag("tet10-mean", fine, 0.4999);
  EXPECT_NEAR(mean, sag("tet10-mean", coarse, 0.49), 0.01);  // it does not depend on how nearly
  EXPECT_GT(mean, 0.93);
  EXPECT_GT(mean_fine, 0.96);
  EXPECT_LT(mean_fine, 1.0);
  // With points alone twice the error, and with linear tetrahedra on as many nodes nearly six times.
  EXPECT_GT(1 - sag("tet10", coarse, 0.4999), 1.8 * (1 - mean));
  EXPECT_GT(1 - sag("tet10", fine, 0.4999), 1.3 * (1 - mean_fine));
  EXPECT_GT(1 - sag("tet4", fine, 0.4999), 5 * (1 - mean));
}

TEST(Statics, TheMeanVolumeChangeNeedsALawThatHasOne) {
  const auto build = [](const std::string& law) {
    std::string scene = pulled_bar("\"type\": \"" + law + "\", \"young\": 1e6, \"poisson\": 0.3", 100);
    scene.replace(scene.find("\"name\": \"bar\""), 13, R"("name": "bar", "element": "tet10-mean")");
    build_scene(scene_of(scene), "test.json");
  };
  for (const std::string law : {"linear", "arap", "spline"}) EXPECT_THROW(build(law), InputError) << law;
  for (const std::string law : {"corotated", "stvk", "neo-hookean"}) EXPECT_NO_THROW(build(law)) << law;
}

// Between two states the work of the mean volume change is exact, as that of the laws is.
TEST(Statics, ANearlyIncompressibleBarThatSwingsKeepsItsEnergyWithEm) {
  ScratchFolder scratch;
  RunOptions options;
  options.folder = scratch.path() / "run";
  options.frames = Frames::none;
  options.control.threads = 1;
  const RunSummary summary =
      run_scene(scene_of(R"({ "time": { "step": 0.01, "end": 0.5 }, "gravity": [0, -9.81, 0],
    "integrator": { "type": "em", "em_tolerance": 1e-10, "energy_tolerance": 1e-11 },
    "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [4, 1, 1] },
                  "element": "tet10-mean",
                  "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.4999, "density": 1000 } } ],
    "constraints": [ { "type": "fix", "body": "bar", "where": { "box": [[0, 0, 0], [0, 1, 1]] } } ] })"),
                "test.json", {}, options);
  ASSERT_EQ(summary.status, RunStatus::done) << summary.reason;
  const CsvTable energy = read_csv(options.folder / "energy.csv");
  double kinetic = 0;
  for (const double k : *energy.column("kinetic")) kinetic = std::max(kinetic, k);
  EXPECT_GT(kinetic, 0.1);
  for (const double loss : *energy.column("numerical_loss")) EXPECT_LT(std::abs(loss), 1e-8 * kinetic);
}

// Neo-Hookean with nu = 0 keeps its width, and P = mu (s - 1/s): with P = mu the stretch s is the golden ratio. The
// section stays, so that sigma = P.
TEST(Statics, ALongStretchOfANeoHookeanBarIsTheClosedOne) {
  const double golden = (1 + std::sqrt(5.0)) / 2, mu = 5e5;
  const Settled bar(pulled_bar("\"type\": \"neo-hookean\", \"young\": 1e6, \"poisson\": 0", mu));
  double worst = 0;
  for (const ElementState& state : bar.states) worst = std::max(worst, std::abs(state.stress(0, 0) / mu - 1));
  ::testing::Test::RecordProperty("stress_error", fmt::format("{:.2e}", worst));
  for (const ElementState& state : bar.states) {
    EXPECT_NEAR(principal_stretches(state)[0], golden, 1e-8);
    EXPECT_NEAR(state.stress(0, 0), mu, 1e-8 * mu);
    EXPECT_NEAR(von_mises(state.stress), mu, 1e-8 * mu);
    EXPECT_NEAR(state.J, golden, 1e-8);
  }
}

// A spherical shell: the triangles of an icosahedron divided into four `times` times, in layers of prisms of three
// tetrahedra each.
TetMesh spherical_shell(double inner, double outer, int times, int layers) {
  const double g = (1 + std::sqrt(5.0)) / 2;
  std::vector<Eigen::Vector3d> points;
  for (const double a : {-1.0, 1.0})
    for (const double b : {-g, g}) points.insert(points.end(), {{0, a, b}, {a, b, 0}, {b, 0, a}});
  std::vector<std::array<int, 3>> triangles;
  for (int i = 0; i < 12; ++i)
    for (int j = i + 1; j < 12; ++j)
      for (int k = j + 1; k < 12; ++k) {
        const auto are_near = [&](int a, int b) { return (points[a] - points[b]).norm() < 2.1; };
        if (are_near(i, j) && are_near(j, k) && are_near(k, i)) triangles.push_back({i, j, k});
      }
  for (int n = 0; n < times; ++n) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [entry, is_new] = middles.try_emplace(std::minmax(a, b), int(points.size()));
      if (is_new) points.push_back(points[a].normalized() + points[b].normalized());
      return entry->second;
    };
    std::vector<std::array<int, 3>> finer;
    for (const auto& [a, b, c] : triangles) {
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
    }
    triangles = finer;
  }
  TetMesh mesh;
  const int n = int(points.size());
  for (int layer = 0; layer <= layers; ++layer)
    for (const Eigen::Vector3d& p : points) {
      const Eigen::Vector3d x = (inner + (outer - inner) * layer / layers) * p.normalized();
      mesh.vertices.push_back({x[0], x[1], x[2]});
    }
  for (int layer = 0; layer < layers; ++layer)
    for (std::array<int, 3> t : triangles) {
      std::sort(t.begin(), t.end());  // the diagonals of neighbouring prisms meet
      const int a = t[0] + layer * n, b = t[1] + layer * n, c = t[2] + layer * n;
      for (std::array<int, 4> tet :
           {std::array{a, b, c, c + n}, {a, b, b + n, c + n}, {a, a + n, b + n, c + n}}) {
        const auto at = [&](int v) {
          return Eigen::Map<const Eigen::Vector3d>(mesh.vertices[tet[v]].data());
        };
        if ((at(1) - at(0)).cross(at(2) - at(0)).dot(at(3) - at(0)) < 0) std::swap(tet[2], tet[3]);
        mesh.tets.push_back(tet);
      }
    }
  return mesh;
}

// Lame's thick sphere with inner radius a under the pressure p, its outer radius b held: u = A r + B/r^2,
//   A = -B/b^3,   p = B ((3 lambda + 2 mu)/b^3 + 4 mu/a^3),   sigma_theta - sigma_r = 6 mu B/r^3,
// which is von Mises' stress; its mean over the volume is 18 mu B ln(b/a) / (b^3 - a^3).
TEST(Statics, AThickSphereUnderPressureHasTheStressOfLame) {
  const double a = 0.5, b = 1, p = 10, E = 1e6, nu = 0.3, a3 = a * a * a, b3 = b * b * b;
  const double mu = E / (2 * (1 + nu)), lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
  const double B = p / ((3 * lambda + 2 * mu) / b3 + 4 * mu / a3);
  const double expected = 18 * mu * B * std::log(b / a) / (b3 - a3);
  std::vector<double> errors;
  for (const int times : {1, 2}) {
    const TetMesh mesh = spherical_shell(a, b, times, 3 * times);
    std::vector<int> inside, outside;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
      const double r = std::hypot(mesh.vertices[v][0], mesh.vertices[v][1], mesh.vertices[v][2]);
      if (r < 1.01 * a) inside.push_back(int(v));
      if (r > 0.99 * b) outside.push_back(int(v));
    }
    ModelBuilder builder;
    const int ball = builder.add_solid(
        {.name = "ball", .mesh = mesh, .material = {"linear", {{"young", E}, {"poisson", nu}}, 1000}});
    builder.hold(ball, outside);
    builder.add_pressure(ball, inside, p);
    const Assembly assembly = builder.build();
    const auto model = assembly.make_model(0);
    State at = assembly.initial_state(*model);
    const EquilibriumReport report = find_equilibrium(*model, at);
    ASSERT_EQ(report.status, StepStatus::ok) << report.iterations;
    Vector x, v;
    model->expand(at, x, v);
    std::vector<ElementState> states;
    assembly.element_states(0, x, states);
    double sum = 0, volume = 0;
    for (const ElementState& state : states) {
      sum += state.volume * von_mises(state.stress);
      volume += state.volume;
    }
    errors.push_back(std::abs(sum / volume - expected) / expected);
    ::testing::Test::RecordProperty(fmt::format("stress_error_{}_tetrahedra", mesh.tets.size()),
                                    fmt::format("{:.2e}", errors.back()));
  }
  EXPECT_LT(errors[1], 0.05);
  EXPECT_LT(errors[1], 0.5 * errors[0]) << errors[0] << " to " << errors[1];  // it converges
}

// A neo-Hookean bar with nu = 0 keeps its width. Its fibres pull with T s, the bar resists with mu (1/s - s): it
// shortens to s^2 = mu / (mu + T), with T = 3 mu to the half.
TEST(Statics, AMuscleShortensABarToItsClosedStretch) {
  for (const std::string element : {"tet4", "tet10"}) {
    const Settled bar(R"({ "time": { "step": 0.01, "end": 0.01 },
    "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [1, 0.2, 0.2], "cells": [5, 2, 2] },
                  "element": ")" +
                      element + R"(",
                  "material": { "type": "neo-hookean", "young": 1e6, "poisson": 0, "density": 1000 } } ],
    "constraints": [ { "type": "fix", "body": "bar", "where": { "box": [[0, 0, 0], [0, 1, 1]] } } ],
    "forces": [ { "type": "muscle", "body": "bar", "direction": [2, 0, 0], "stress": 3e6,
                  "activation": [ { "time": 0, "factor": 0.5 } ] } ] })");
    for (const ElementState& state : bar.states) {
      EXPECT_NEAR(principal_stretches(state)[2], std::sqrt(5e5 / (5e5 + 0.5 * 3e6)), 1e-8) << element;
      EXPECT_NEAR(principal_stretches(state)[0], 1, 1e-8) << element;
    }
    EXPECT_LT(bar.reactions[0].force.norm(), 1e-3) << element;  // a muscle pulls within its body
    EXPECT_LE(bar.report.iterations, 15) << element;            // Newton's method has its stiffness
  }
}

// Of fibres in a field of the mesh file the direction counts and not the length; elements with none do not pull. The
// body is turned by 90 degrees about z, and its fibres with it: the bar with nu = 0 shortens along y, by half of its
// length with fibres.
TEST(Statics, AMuscleWithAFieldOfTheMeshPullsAlongItsFibresWhereThereAreSome) {
  const Settled plain(pulled_bar("\"type\": \"neo-hookean\", \"young\": 1e6, \"poisson\": 0", 0));
  const TetMesh& mesh = plain.world.bodies()[0].solid()->mesh;
  std::string vtk = "# vtk DataFile Version 3.0\nbar\nASCII\nDATASET UNSTRUCTURED_GRID\n";
  vtk += fmt::format("POINTS {} double\n", mesh.vertices.size());
  for (const Point3& at : mesh.vertices) vtk += fmt::format("{} {} {}\n", at[0], at[1], at[2]);
  vtk += fmt::format("CELLS {} {}\n", mesh.tets.size(), 5 * mesh.tets.size());
  for (const Tet& tet : mesh.tets) vtk += fmt::format("4 {} {} {} {}\n", tet[0], tet[1], tet[2], tet[3]);
  vtk += fmt::format("CELL_TYPES {}\n", mesh.tets.size());
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) vtk += "10\n";
  vtk += fmt::format("CELL_DATA {}\nVECTORS fibre double\n", mesh.tets.size());
  std::vector<bool> pulls;
  for (const Tet& tet : mesh.tets) {
    double x = 0;
    for (const int v : tet) x += mesh.vertices[std::size_t(v)][0] / 4;
    pulls.push_back(x < 0.6);
    vtk += pulls.back() ? fmt::format("{} 0 0\n", 0.5 + x) : "0 0 0\n";
  }
  const ScratchFolder scratch;
  const std::string file = scratch.write("bar.vtk", vtk).string();
  const Settled bar(R"({ "time": { "step": 0.01, "end": 0.01 },
    "bodies": [ { "name": "bar", "mesh": { "file": ")" +
                    file + R"(" }, "transform": { "rotate": [[0, 0, 1], 90] },
                  "material": { "type": "neo-hookean", "young": 1e6, "poisson": 0, "density": 1000 } } ],
    "constraints": [ { "type": "fix", "body": "bar", "where": { "half_space": { "point": [0, 1e-6, 0],
                                                                              "normal": [0, 1, 0] } } } ],
    "forces": [ { "type": "muscle", "body": "bar", "field": "fibre", "stress": 1.5e6 } ] })");
  const double shortened = std::sqrt(5e5 / (5e5 + 1.5e6));
  ASSERT_EQ(bar.states.size(), pulls.size());
  for (std::size_t e = 0; e < pulls.size(); ++e) {
    EXPECT_NEAR(principal_stretches(bar.states[e])[2], pulls[e] ? shortened : 1, 1e-8) << e;
    EXPECT_NEAR(bar.states[e].C(1, 1), pulls[e] ? shortened * shortened : 1, 1e-8) << e;
  }
}

// Lame's sphere again, by a chamber: a pressure of 10 Pa on its wall, u(a) = A a + B/a^2 and a volume that grows by
// 4 pi a^2 u(a).
TEST(Statics, AChamberInASphereGrowsAsLameSaysAndIsThePressureOnItsWall) {
  const double a = 0.5, b = 1, p = 10, E = 1e6, nu = 0.3, a3 = a * a * a, b3 = b * b * b;
  const double mu = E / (2 * (1 + nu)), lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
  const double B = p / ((3 * lambda + 2 * mu) / b3 + 4 * mu / a3);
  const double expected = 4 * std::numbers::pi * a * a * (-B / b3 * a + B / (a * a));
  std::vector<double> errors;
  for (const int times : {1, 2}) {
    const TetMesh mesh = spherical_shell(a, b, times, 3 * times);
    std::vector<int> inside, outside;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
      const double r = std::hypot(mesh.vertices[v][0], mesh.vertices[v][1], mesh.vertices[v][2]);
      if (r < 1.01 * a) inside.push_back(int(v));
      if (r > 0.99 * b) outside.push_back(int(v));
    }
    std::vector<Vector> ends;
    for (const bool chamber : {true, false}) {
      ModelBuilder builder;
      const int ball = builder.add_solid(
          {.name = "ball", .mesh = mesh, .material = {"linear", {{"young", E}, {"poisson", nu}}, 1000}});
      builder.hold(ball, outside);
      if (chamber)
        builder.add_chamber(ball, {}, p);
      else
        builder.add_pressure(ball, inside, p);
      const Assembly assembly = builder.build();
      const auto model = assembly.make_model(0);
      State at = assembly.initial_state(*model);
      ASSERT_EQ(find_equilibrium(*model, at).status, StepStatus::ok);
      Vector x, v;
      model->expand(at, x, v);
      ends.push_back(x);
      if (!chamber) continue;
      const ChamberLoad& hollow = *assembly.chambers().front();
      errors.push_back(std::abs(hollow.volume(x) - hollow.volume(assembly.rest()) - expected) / expected);
      ::testing::Test::RecordProperty(fmt::format("volume_error_{}_tetrahedra", mesh.tets.size()),
                                      fmt::format("{:.2e}", errors.back()));
    }
    // Two solves to 1e-10 of a displacement of some 1e-5 m.
    EXPECT_LT((ends[0] - ends[1]).lpNorm<Eigen::Infinity>(), 1e-12);
  }
  EXPECT_LT(errors[1], 0.1);
  EXPECT_LT(errors[1], 0.5 * errors[0]) << errors[0] << " to " << errors[1];  // it converges
}

// A cantilever of length L, width and height c under a shear force F at its end:
// sigma_xx = F (L - x) y / I, I = c^4/12.
TEST(Statics, ABentBeamHasTheStressOfItsMoment) {
  const double L = 1, c = 0.1, F = 0.01;
  const Settled beam(R"({ "time": { "step": 0.01, "end": 0.01 },
    "bodies": [ { "name": "beam", "mesh": { "generate": "box", "size": [1, 0.1, 0.1], "cells": [16, 4, 1] },
                  "element": "tet10",
                  "material": { "type": "linear", "young": 1e6, "poisson": 0, "density": 1000 } } ],
    "constraints": [ { "type": "fix", "body": "beam", "where": { "box": [[0, 0, 0], [0, 1, 1]] } } ],
    "forces": [ { "type": "traction", "body": "beam", "where": { "box": [[1, 0, 0], [1, 1, 1]] },
                  "traction": [0, -1, 0] } ] })");
  const double I = c * c * c * c / 12, largest = F * L * (c / 2) / I;
  const Body& body = beam.world.bodies()[0];
  double worst = 0;
  for (std::size_t e = 0; e < beam.states.size(); ++e) {
    double x = 0, y = 0;
    for (const int v : body.solid()->mesh.tets[e]) {
      x += body.rest()[std::size_t(v)][0] / 4;
      y += body.rest()[std::size_t(v)][1] / 4;
    }
    if (x < 0.2 || x > 0.8) continue;
    worst = std::max(worst, std::abs(beam.states[e].stress(0, 0) - F * (L - x) * (y - c / 2) / I));
  }
  ::testing::Test::RecordProperty("stress_error", fmt::format("{:.2e}", worst / largest));
  EXPECT_LT(worst, 0.02 * largest);
  EXPECT_NEAR(beam.reactions[0].force[1], F, 1e-8 * F);
  EXPECT_NEAR(beam.reactions[0].torque[2], F * L, 1e-3 * F * L);  // to the sag, which moves the end
}

// Reaction, weight: forces and torques about the origin cancel in the deformed shape.
TEST(Statics, ReactionsBalanceTheWeightOfASaggingBar) {
  const Settled bar(R"({ "time": { "step": 0.01, "end": 0.01 }, "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [8, 2, 2] },
                  "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.4, "density": 1000 } } ],
    "constraints": [ { "type": "fix", "name": "wall", "body": "bar", "where": { "box": [[0, 0, 0], [0, 1, 1]] } } ] })");
  ASSERT_EQ(bar.names, (std::vector<std::string>{"wall"}));
  EXPECT_GT(bar.report.moved, 0.05);  // it hangs far down: nothing linear
  Eigen::Vector3d force = bar.reactions[0].force, torque = bar.reactions[0].torque;
  const Vector& mass = bar.simulation.model().description().vertex_mass;
  for (Index i = 0; i < mass.size(); ++i) {
    const Eigen::Vector3d weight = mass[i] * Eigen::Vector3d(0, -9.81, 0), at = bar.x.segment<3>(3 * i);
    force += weight;
    torque += at.cross(weight);
  }
  EXPECT_NEAR(bar.reactions[0].force[1], 4 * 9.81, 1e-7);
  EXPECT_LT(force.norm(), 1e-8 * 4 * 9.81);
  EXPECT_LT(torque.norm(), 1e-8 * 4 * 9.81 * 0.4);
}

// A dead pressure is p per area at rest, against the normal at rest, however the beam bends. One that follows the
// surface turns with it: the wall has to bear a part of it along the beam.
TEST(Statics, ADeadPressureStaysAsItWasAtRestAndAFollowerTurnsWithTheSurface) {
  const auto wall = [](const char* follower) {
    const Settled bar(std::string(R"({ "time": { "step": 0.01, "end": 0.01 },
    "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [8, 2, 2] },
                  "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.4, "density": 1000 } } ],
    "constraints": [ { "type": "fix", "body": "bar", "where": { "box": [[0, 0, 0], [0, 1, 1]] } } ],
    "forces": [ { "type": "pressure", "body": "bar", "where": { "box": [[0, 0.1, 0], [1, 0.1, 1]] },
                  "pressure": 100, "follower": )") +
                      follower + " } ] }");
    EXPECT_GT(bar.report.moved, 0.01) << "it bends visibly";
    return bar.reactions[0].force;
  };
  const double load = 100 * 0.4 * 0.1;
  const Eigen::Vector3d dead = wall("false"), following = wall("true");
  ::testing::Test::RecordProperty("dead_force_error",
                                  fmt::format("{:.2e}", (dead - Eigen::Vector3d(0, load, 0)).norm() / load));
  ::testing::Test::RecordProperty("follower_along_beam", fmt::format("{:.3f}", following[0] / load));
  EXPECT_LT((dead - Eigen::Vector3d(0, load, 0)).norm(), 1e-8 * load);
  EXPECT_GT(std::abs(following[0]), 0.01 * load);
}

TEST(Statics, AnObstacleBearsTheWeightOfWhatRestsOnIt) {
  const Settled block(R"({ "time": { "step": 0.01, "end": 0.01 }, "gravity": [0, -10, 0],
    "bodies": [ { "name": "block", "mesh": { "generate": "box", "size": [1, 1, 1], "cells": [2, 2, 2] },
                  "material": { "type": "stvk", "young": 1e6, "poisson": 0.3, "density": 100 } } ],
    "contacts": [ { "type": "floor", "height": 0, "mode": "penalty", "stiffness": 1e5 } ] })");
  ASSERT_EQ(block.names, (std::vector<std::string>{"contact0"}));
  EXPECT_NEAR(block.reactions[0].force[1], 1000, 1e-5);
  EXPECT_NEAR(block.reactions[0].torque[2], 500, 1e-3);  // about the origin, the corner
}

TEST(Statics, WhatNothingHoldsHasNoEquilibrium) {
  const Scene scene = scene_of(R"({ "time": { "step": 0.01, "end": 0.01 }, "gravity": [0, -10, 0],
    "bodies": [ { "name": "block", "mesh": { "generate": "box", "size": [1, 1, 1], "cells": [1, 1, 1] },
                  "material": { "type": "stvk", "young": 1e6, "poisson": 0.3, "density": 100 } } ] })");
  Simulation simulation(scene);
  EXPECT_NE(simulation.settle().status, StepStatus::ok);
  EXPECT_NE(simulation.failure().find("no constraint holds the bodies"), std::string::npos)
      << simulation.failure();
}

// A balloon of the neo-Hookean law bears no more than a limit pressure, p = 2 mu t/R (1/s - 1/s^7) of the stretch s for
// a thin one: twice as much has no equilibrium, and it is said how far the loads went.
TEST(Statics, WhereNoEquilibriumBearsAllLoadsTheShareThatIsBorneIsSaid) {
  const double a = 0.8, b = 1, E = 1e6, nu = 0.3;
  const TetMesh mesh = spherical_shell(a, b, 1, 1);
  const auto inflate = [&](double pressure) {
    ModelBuilder builder;
    const int ball = builder.add_solid(
        {.name = "ball", .mesh = mesh, .material = {"neo-hookean", {{"young", E}, {"poisson", nu}}, 1000}});
    builder.hold(ball, {0});
    builder.add_chamber(ball, {}, pressure);
    const Assembly assembly = builder.build();
    const auto model = assembly.make_model(0);
    State at = assembly.initial_state(*model);
    return find_equilibrium(*model, at);
  };
  const EquilibriumReport little = inflate(0.01 * E), much = inflate(10 * E);
  EXPECT_EQ(little.status, StepStatus::ok);
  EXPECT_EQ(little.reached, 1);
  EXPECT_NE(much.status, StepStatus::ok);
  EXPECT_LT(much.reached, 1);
  ::testing::Test::RecordProperty("reached", fmt::format("{:.4f}", much.reached));
}

TEST(Statics, ATorqueIsBorneByTheWall) {
  const Settled bar(R"({ "time": { "step": 0.01, "end": 0.01 },
    "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [1, 0.2, 0.2], "cells": [10, 2, 2] },
                  "material": { "type": "corotated", "young": 1e6, "poisson": 0.3, "density": 1000 } } ],
    "constraints": [ { "type": "fix", "body": "bar", "where": { "box": [[0, 0, 0], [0, 1, 1]] } } ],
    "forces": [ { "type": "torque", "body": "bar", "where": { "box": [[1, 0, 0], [1, 1, 1]] },
                  "torque": [0.5, 0, 0] } ] })");
  EXPECT_NEAR(bar.reactions[0].torque[0], -0.5, 1e-7);
  EXPECT_LT(bar.reactions[0].force.norm(), 1e-7);
}

// With "settle" the motion begins at rest and stays there.
TEST(Statics, ARunThatBeginsInItsEquilibriumDoesNotMove) {
  const std::string bar =
      R"({ "time": { "step": 0.01, "end": 0.2 }, "gravity": [0, -9.81, 0], "integrator": "em",
    "settle": true,
    "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [4, 1, 1] },
                  "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.4, "density": 1000 } } ],
    "constraints": [ { "type": "fix", "name": "wall", "body": "bar", "where": { "box": [[0, 0, 0], [0, 1, 1]] } } ],
    "output": { "fields": ["von_mises", "stress", "J"] } })";
  ScratchFolder scratch;
  RunOptions options;
  options.folder = scratch.path() / "run";
  options.control.threads = 1;
  const RunSummary summary = run_scene(scene_of(bar), "test.json", {}, options);
  ASSERT_EQ(summary.status, RunStatus::done) << summary.reason;
  ASSERT_TRUE(summary.settled);
  EXPECT_LT(summary.settled->residual, 1e-8);
  EXPECT_EQ(read_run_json(options.folder / "run.json")["loads_reached"], 1);
  const CsvTable energy = read_csv(options.folder / "energy.csv"),
                 reactions = read_csv(options.folder / "reactions.csv"),
                 measures = read_csv(options.folder / "measures.csv");
  for (const double kinetic : *energy.column("kinetic")) EXPECT_LT(kinetic, 1e-12);
  for (const double force : *reactions.column("wall.fy")) EXPECT_NEAR(force, 4 * 9.81, 1e-4);
  ASSERT_TRUE(measures.column("bar.von_mises_peak"));
  const double peak = measures.column("bar.von_mises_peak")->back(),
               mean = measures.column("bar.von_mises_mean")->back();
  EXPECT_GT(peak, mean);
  EXPECT_GT(mean, 0);
  EXPECT_TRUE(measures.column("bar.stress_xx_mean"));
  EXPECT_TRUE(measures.column("bar.J_peak"));
}

// Two halves with nu = 0, one twice as stiff, pulled by P: each keeps its width and has the stretch s of P = mu (s -
// 1/s) throughout, and all of the bar has the stress P. So say the tables, by region, and the frame, at every vertex.
TEST(Statics, TablesByRegionAndFramesOfARunHaveTheStateOfTwoHalvesInTension) {
  const double P = 4e5, soft = 5e5, stiff = 1e6;
  std::string text = pulled_bar("\"type\": \"neo-hookean\", \"young\": 1e6, \"poisson\": 0", P);
  text.replace(text.find("\"name\": \"bar\""), 13, R"("name": "bar",
      "regions": [ { "where": { "half_space": { "point": [0.6, 0, 0], "normal": [-1, 0, 0] } },
                     "material": { "young": 2e6 } } ])");
  text.replace(text.find("{ \"time\""), 1, R"({ "settle": true, "integrator": "em",
      "output": { "fields": ["von_mises", "J"] },)");
  const ScratchFolder scratch;
  RunOptions options;
  options.folder = scratch.path() / "run";
  options.control.threads = 1;
  const RunSummary summary = run_scene(scene_of(text), "test.json", {}, options);
  ASSERT_EQ(summary.status, RunStatus::done) << summary.reason;
  const CsvTable measures = read_csv(options.folder / "measures.csv");
  const auto last = [&](const char* name) {
    const std::vector<double>* column = measures.column(name);
    EXPECT_TRUE(column) << name;
    return column ? column->back() : 0;
  };
  const auto stretch = [&](double mu) { return P / (2 * mu) + std::hypot(P / (2 * mu), 1); };
  for (const char* of : {"mean", "peak"}) {
    EXPECT_NEAR(last(fmt::format("bar.region0.J_{}", of).c_str()), stretch(soft), 1e-7) << of;
    EXPECT_NEAR(last(fmt::format("bar.region1.J_{}", of).c_str()), stretch(stiff), 1e-7) << of;
    EXPECT_NEAR(last(fmt::format("bar.von_mises_{}", of).c_str()), P, 1e-6 * P) << of;
    EXPECT_NEAR(last(fmt::format("bar.region1.von_mises_{}", of).c_str()), P, 1e-6 * P) << of;
  }
  EXPECT_NEAR(last("bar.J_mean"), 0.6 * stretch(soft) + 0.4 * stretch(stiff), 1e-7);
  EXPECT_NEAR(last("bar.J_peak"), stretch(soft), 1e-7);

  const MotionReader reader(RunFolder{options.folder});
  ASSERT_GE(reader.frames(), 2u);
  VisibleFrame frame;
  reader.read(reader.frames() - 1, frame, FrameParts::motion_and_fields);
  const FrameField* stress = frame.field("vertex_von_mises");
  ASSERT_TRUE(stress);
  ASSERT_EQ(stress->values.size(), reader.shape().rest.size());
  for (const double value : stress->values) EXPECT_NEAR(value, P, 1e-6 * P);  // in single precision
}

// The impulses by which a floor that projects stops a block bear its weight on average; the first step is free.
TEST(Statics, AProjectingFloorBearsTheWeightByItsImpulses) {
  ScratchFolder scratch;
  RunOptions options;
  options.folder = scratch.path() / "run";
  options.control.threads = 1;
  const RunSummary summary =
      run_scene(scene_of(R"({ "time": { "step": 0.01, "end": 0.5 }, "gravity": [0, -10, 0],
    "integrator": "be",
    "bodies": [ { "name": "block", "mesh": { "generate": "box", "size": [1, 1, 1], "cells": [2, 2, 2] },
                  "material": { "type": "stvk", "young": 1e6, "poisson": 0.3, "density": 100 } } ],
    "contacts": [ { "type": "floor", "height": 0, "mode": "project" } ] })"),
                "test.json", {}, options);
  ASSERT_EQ(summary.status, RunStatus::done) << summary.reason;
  const CsvTable reactions = read_csv(options.folder / "reactions.csv"),
                 energy = read_csv(options.folder / "energy.csv");
  double impulse = 0;
  for (std::size_t i = 1; i < reactions.rows(); ++i) impulse += 0.01 * (*reactions.column("contact0.fy"))[i];
  // What the floor gave, and the weight 100 kg 10 m/s^2 over 0.5 s, make the momentum.
  EXPECT_NEAR(impulse - 100 * 10 * 0.5, energy.column("momentum_y")->back(), 1e-6 * impulse);
}

// Two vertices of 0.05 kg and a weak spring: the first is drawn at 1 m/s from t = 0 on, which takes m v / h in one
// step.
TEST(Statics, AMoverBearsTheInertiaOfWhatItMoves) {
  ScratchFolder scratch;
  RunOptions options;
  options.folder = scratch.path() / "run";
  options.control.threads = 1;
  run_scene(scene_of(R"({ "time": { "step": 0.01, "end": 0.03 }, "integrator": "be",
    "bodies": [ { "name": "rope", "springs": { "generate": "rope", "from": [0, 0, 0], "to": [1, 0, 0], "segments": 1,
                  "stiffness": 1e-9, "linear_density": 0.1 } } ],
    "constraints": [ { "type": "move", "body": "rope", "where": { "vertices": [0] },
                       "path": [ { "time": 0, "offset": [0, 0, 0] }, { "time": 1, "offset": [0, 1, 0] } ] } ] })"),
            "test.json", {}, options);
  const CsvTable reactions = read_csv(options.folder / "reactions.csv");
  const std::vector<double>& force = *reactions.column("constraint0.fy");
  ASSERT_EQ(force.size(), 4u);
  EXPECT_NEAR(force[1], 0.05 * 1 / 0.01, 1e-6);
  EXPECT_NEAR(force[2], 0, 1e-6);
  EXPECT_NEAR(force[3], 0, 1e-6);
}

}  // namespace
}  // namespace phiflex
