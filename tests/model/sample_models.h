// Small models that the tests of the model room and the contracts of systems share.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include "phiflex/build/model_builder.h"
#include "phiflex/energy/floor_term.h"
#include "phiflex/energy/gravity_term.h"
#include "phiflex/mesh/generators.h"
#include "phiflex/model/deformable_model.h"
#include "phiflex/model/grip_load.h"
#include "phiflex/model/modulation.h"
#include "phiflex/model/nodal_load.h"
#include "phiflex/model/wind_load.h"
#include "tests/material/example_material.h"

namespace phiflex::sample {

using Mass = MassKind;

struct Box {
  std::string name = "box";
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();  // about the world's origin
  std::array<double, 3> size = {0.3, 0.1, 0.1};        // m
  std::array<int, 3> cells = {3, 1, 1};
  std::string law = "neo-hookean";
  double young = 1e4, poisson = 0.3, density = 1000;
  Mass mass = Mass::lumped;
  BodyDamping damping = {};
  ElementOrder element = ElementOrder::linear;
};

// A square sheet of springs in the x-z plane.
struct Sheet {
  double height = 0;  // m
  double side = 0.4;  // m
  int cells = 3;
  BodyDamping damping = {};
};

inline TetMesh mesh_of(const Box& box) {
  return generate_box({box.size, box.cells});
}

// A cube of 3 x 3 x 3 cells without the one in the middle.
inline TetMesh hollow_cube(double side) {
  TetMesh mesh = generate_box({{side, side, side}, {3, 3, 3}});
  std::erase_if(mesh.tets, [&](const auto& tet) {
    bool inside = true;
    for (std::size_t i = 0; i < 3; ++i) {
      double centre = 0;
      for (const int v : tet) centre += mesh.vertices[std::size_t(v)][i] / 4;
      inside = inside && centre > side / 3 && centre < 2 * side / 3;
    }
    return inside;
  });
  return mesh;
}

// Laws without Young's modulus have their examples, scaled to it.
inline Material material_of(const Box& box) {
  Material material{box.law, {}, box.density};
  const std::vector<double> numbers = test::example_parameters(box.law, box.young, box.poisson);
  const double* next = numbers.data();
  for (const ParameterInfo& parameter : material_info(box.law).parameters) {
    if (parameter.kind == ParameterKind::number) material.parameters[parameter.key] = *next;
    if (parameter.kind == ParameterKind::direction)
      material.parameters[parameter.key] = Point3{next[0], next[1], next[2]};
    next += parameter.count();
  }
  return material;
}

inline SpringNetwork springs_of(const Sheet& sheet) {
  ClothShape shape;
  shape.size = {sheet.side, sheet.side};
  shape.cells = {sheet.cells, sheet.cells};
  shape.strength = {SpringStrength::Measure::per_strain, 20};
  shape.bending = 0.1;
  shape.area_density = 0.5;
  return generate_cloth(shape);
}

inline std::vector<double> vertex_masses(const ModelDescription& description) {
  return {description.vertex_mass.data(), description.vertex_mass.data() + description.vertex_mass.size()};
}

inline ModelDescription describe(const std::vector<Box>& boxes, const std::vector<Sheet>& sheets = {}) {
  ModelBuilder builder;
  // Bodies of the same name are told apart by their numbers.
  const auto unique = [&](const std::string& name) {
    for (const Body& other : builder.bodies())
      if (other.name == name) return name + " " + std::to_string(builder.bodies().size());
    return name;
  };
  for (const Box& box : boxes) {
    TetMesh mesh = mesh_of(box);
    for (Point3& p : mesh.vertices) {
      const Eigen::Vector3d placed = box.turn * (Eigen::Vector3d(p[0], p[1], p[2]) + box.origin);
      p = {placed[0], placed[1], placed[2]};
    }
    builder.add_solid({.name = unique(box.name),
                       .mesh = std::move(mesh),
                       .material = material_of(box),
                       .order = box.element,
                       .mass = box.mass,
                       .damping = box.damping});
  }
  for (const Sheet& sheet : sheets) {
    SpringNetwork network = springs_of(sheet);
    for (Point3& p : network.vertices) p[1] += sheet.height;
    builder.add_springs({.name = unique("sheet"), .network = std::move(network), .damping = sheet.damping});
  }
  ModelDescription description = builder.build().description(0);
  // Tests change rest positions and masses; by default these two follow from them.
  description.start = {};
  description.vertex_weight = {};
  return description;
}

inline void add_gravity(ModelDescription& description, const Eigen::Vector3d& gravity) {
  description.shared_terms.push_back(std::make_shared<GravityTerm>(
      vertex_masses(description), std::array<double, 3>{gravity[0], gravity[1], gravity[2]},
      description.rest));
}

inline void add_floor(ModelDescription& description, double height, double stiffness) {
  const int vertices = static_cast<int>(description.vertex_mass.size());
  description.shared_terms.push_back(std::make_shared<FloorTerm>(vertices, height, stiffness));
}

inline void add_uniform_acceleration(ModelDescription& description, const Eigen::Vector3d& acceleration,
                                     ActiveTime active) {
  std::vector<int> all(static_cast<std::size_t>(description.vertex_mass.size()));
  std::iota(all.begin(), all.end(), 0);
  description.loads.push_back(make_proportional_load(all, vertex_masses(description), acceleration, active));
}

// On the boundary of all bodies.
inline void add_wind(ModelDescription& description, const std::vector<Box>& boxes,
                     const std::vector<Sheet>& sheets, const Wind& wind, ActiveTime active = {}) {
  std::vector<std::array<int, 3>> triangles;
  const auto append = [&](const std::vector<std::array<int, 3>>& surface, int first) {
    for (const auto& [a, b, c] : surface) triangles.push_back({a + first, b + first, c + first});
  };
  for (std::size_t i = 0; i < boxes.size(); ++i)
    append(boundary_triangles(mesh_of(boxes[i])), description.bodies[i].first_vertex);
  for (std::size_t i = 0; i < sheets.size(); ++i)
    append(springs_of(sheets[i]).triangles, description.bodies[boxes.size() + i].first_vertex);
  description.loads.push_back(std::make_shared<WindLoad>(std::move(triangles), wind, active));
}

using Choice = std::function<bool(const Eigen::Vector3d& rest_position)>;
inline const Choice left_end = [](const Eigen::Vector3d& p) { return p[0] < 1e-6; };

inline std::vector<int> vertices_where(const ModelDescription& description, const Choice& choice) {
  std::vector<int> chosen;
  for (int vertex = 0; vertex < description.vertex_mass.size(); ++vertex)
    if (choice(description.rest.segment<3>(3 * Index(vertex)))) chosen.push_back(vertex);
  return chosen;
}

inline void hold(ModelDescription& description, const Choice& choice, Path path = {}) {
  description.constraints.push_back({vertices_where(description, choice), std::move(path)});
}

// Displacements and velocities that are smooth, large and unlike any symmetry; scale 1 strains by some 20 %.
inline State lively_state(const DeformableModel& model, double t, double scale = 1, double speed = 0.3) {
  const Vector& X = model.description().rest;
  Vector x = X, v(X.size());
  for (Index i = 0; i < X.size(); i += 3) {
    const Eigen::Vector3d p = X.segment<3>(i);
    x.segment<3>(i) += scale * 0.02 *
                       Eigen::Vector3d(std::sin(9 * p[0] + 5 * p[1]), std::sin(7 * p[0] - 6 * p[2] + 1),
                                       std::cos(8 * p[1] + 4 * p[0] - 3 * p[2]));
    v.segment<3>(i) = speed * Eigen::Vector3d(std::cos(6 * p[0] + 2), std::sin(5 * p[0] + 3 * p[2]),
                                              std::cos(4 * p[1] - 5 * p[0]));
  }
  return model.state(t, x, v);
}

// A path that moves all the time between 0 and 10 s, at different speeds.
inline Path winding_path() {
  return Path({{0, {0, 0, 0}}, {0.5, {0.02, 0, 0}}, {1, {0.01, 0.03, 0}}, {10, {0, 0.03, 0.5}}});
}

// Two boxes and a sheet, one of the boxes on a moved handle, with every kind of term, load and damping.
inline ModelDescription everything() {
  const std::vector<Box> boxes = {
      {.damping = {0.5, 0.01, DampedStiffness::rest}},
      {.origin = {0, 0.2, 0}, .mass = Mass::consistent, .damping = {0, 0.01, DampedStiffness::current}}};
  ModelDescription description = describe(boxes, {{.height = 0.5}});
  hold(
      description, [](const Eigen::Vector3d& p) { return p[0] < 1e-6 && p[1] < 0.15; }, winding_path());
  add_gravity(description, {0, -9.81, 0});
  add_floor(description, 0, 1e3);
  add_wind(description, boxes, {{.height = 0.5}}, {{3, 1, 2}, 0.5, 1, 1.2, 1});
  return description;
}

// Velocity Verlet; the implicit velocity of a velocity-dependent force is iterated to rounding.
//   q+ = q + h v + h^2/2 a,   v+ = v + h/2 (a + a(t+h, q+, v+))
class Verlet {
 public:
  explicit Verlet(const DeformableModel& model) : model_(model) {}
  void step(const State& now, double h, State& next);

 private:
  const DeformableModel& model_;
  Vector f_, a_, a_next_, v_;
};

inline void Verlet::step(const State& now, double h, State& next) {
  model_.force(now, f_);
  model_.mass().solve(f_, a_);
  next.t = now.t + h;
  next.q = now.q + h * now.v + 0.5 * h * h * a_;
  next.v = now.v + h * a_;
  for (int iteration = 0; iteration < 30; ++iteration) {
    v_ = next.v;
    model_.force(next, f_);
    model_.mass().solve(f_, a_next_);
    next.v = now.v + 0.5 * h * (a_ + a_next_);
    if ((next.v - v_).norm() <= 1e-15 * next.v.norm()) return;
  }
}

// One of each kind of system, for the contract tests.
struct Sample {
  std::string name;
  ModelDescription description;
  double t = 0.7;  // s, the moment of the test
  // With this common velocity the loads whose change with the positions is not in K vanish.
  Eigen::Vector3d drift = Eigen::Vector3d::Zero();
  double scale = 1;  // of lively_state
};
inline std::vector<Sample> all_samples() {
  std::vector<Sample> samples;
  const Eigen::Vector3d down(0, -9.81, 0);

  for (const std::string& law : test::all_laws())
    samples.push_back({"free box of " + law, describe({{.law = law}})});
  {
    Sample sample{"hanging box, consistent mass", describe({{.mass = Mass::consistent}})};
    hold(sample.description, left_end);
    add_gravity(sample.description, down);
    samples.push_back(std::move(sample));
  }
  {
    Sample sample{"box on a moved handle", describe({Box{}})};
    hold(sample.description, left_end, winding_path());
    add_gravity(sample.description, down);
    samples.push_back(std::move(sample));
  }
  {
    Sample sample{"damped box on a moved handle (rest stiffness)",
                  describe({{.damping = {0.3, 0.01, DampedStiffness::rest}}})};
    hold(sample.description, left_end, winding_path());
    samples.push_back(std::move(sample));
  }
  {
    Sample sample{"box damped by its current stiffness",
                  describe({{.damping = {0, 0.01, DampedStiffness::current}}})};
    hold(sample.description, left_end);
    samples.push_back(std::move(sample));
  }
  {
    Box soft{.name = "soft", .mass = Mass::consistent, .damping = {0.5, 0.02, DampedStiffness::rest}};
    Box hard{
        .name = "hard", .origin = {0, 0.3, 0}, .young = 5e4, .damping = {0, 0.03, DampedStiffness::current}};
    Box harder{.name = "harder",
               .origin = {0, 0.6, 0},
               .young = 9e4,
               .damping = {2, 0.01, DampedStiffness::current}};
    Sample sample{
        "three bodies, each with its own damping",
        describe({soft, hard, harder}, {{.height = 0.9, .damping = {1, 0, DampedStiffness::rest}}})};
    samples.push_back(std::move(sample));
  }
  {
    Sample sample{"sheet and box pressed into a floor", describe({Box{}}, {Sheet{}})};
    add_gravity(sample.description, down);
    add_floor(sample.description, 0.05, 300);
    sample.scale = 0.5;
    samples.push_back(std::move(sample));
  }
  {
    const std::vector<Box> boxes = {Box{}};
    const std::vector<Sheet> sheets = {{.height = 0.5}};
    Wind wind{{3, -2, 1}, 0.5, 0.7, 1.225, 1.1};
    Sample sample{"sheet and box in gusts", describe(boxes, sheets)};
    add_wind(sample.description, boxes, sheets, wind);
    add_uniform_acceleration(sample.description, {0, 5, 0}, {0, 1});
    sample.drift = wind.velocity * (1 + 0.5 * std::sin(2 * std::numbers::pi * 0.7 * sample.t));
    samples.push_back(std::move(sample));
  }
  {
    Sample sample{"nearly incompressible box on a moved handle",
                  describe({{.poisson = 0.49,
                             .damping = {0, 0.01, DampedStiffness::rest},
                             .element = ElementOrder::quadratic_mean}})};
    hold(sample.description, left_end, winding_path());
    sample.scale = 0.05;  // its pressure is a hundred times its shear stress
    samples.push_back(std::move(sample));
  }
  for (const ElementOrder order : {ElementOrder::linear, ElementOrder::quadratic}) {
    ModelBuilder builder;
    const Box box;
    const int bar = builder.add_solid(
        {.name = "muscle", .mesh = mesh_of(box), .material = material_of(box), .order = order});
    builder.add_muscle(bar, {0, 3, 5, 6, 11, 12, 13}, {{2, 1, -1}}, 8e3, {}, {0, 0, {{0, 0}, {1, 1}}});
    Sample sample{
        order == ElementOrder::linear ? "muscle on a moved handle" : "quadratic muscle on a moved handle",
        builder.build().description(0)};
    hold(sample.description, left_end, winding_path());
    samples.push_back(std::move(sample));
  }
  {
    ModelBuilder builder;
    const int cube =
        builder.add_solid({.name = "cube", .mesh = hollow_cube(0.3), .material = material_of({})});
    builder.add_chamber(cube, {}, 900, {}, {0, 0, {{0, 0}, {1, 1}}});
    Sample sample{"chamber in a cube on a moved handle", builder.build().description(0)};
    hold(
        sample.description, [](const Eigen::Vector3d& p) { return p[0] < 0.15; }, winding_path());
    samples.push_back(std::move(sample));
  }
  {
    ModelBuilder builder;
    const Box box;
    builder.add_solid({.name = "held", .mesh = mesh_of(box), .material = material_of(box)});
    const auto table = std::make_shared<GripTable>();
    table->times = {0, 1};
    Grip grip;
    grip.vertices = {3, 7, 8};
    grip.weights = {0.5, 0.3, 0.2};
    grip.offsets = {{0.1, 0, 0}, {0, 0.05, 0.02}, {0, 0, -0.1}};
    grip.track.values = {{0.3, 0.2, 0.1, 0}, {0.4, 0.1, 0.3, 900}, {0.2, 0.3, 0.2, 500}};
    table->grips.push_back(std::move(grip));
    builder.add_load(std::make_shared<GripLoad>(table));
    Sample sample{"grips on a moved handle", builder.build().description(0)};
    hold(sample.description, left_end, winding_path());
    samples.push_back(std::move(sample));
  }
  return samples;
}

}  // namespace phiflex::sample
