// Two bodies that fly at each other (cubes, balls, a ball at a held plate), as models without a scene: what an
// integrator makes of the energy, the momenta and the rebound, and what it costs.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>
#include <vector>

#include "bench/thread_clock.h"
#include "phiflex/build/model_builder.h"
#include "phiflex/energy/contact_term.h"
#include "phiflex/energy/gravity_term.h"
#include "phiflex/integrate/catalogue.h"
#include "phiflex/integrate/integrator.h"
#include "phiflex/mesh/generators.h"
#include "phiflex/model/deformable_model.h"

namespace phiflex::bench {

// The second body comes from +x with 2 m/s against the first, or each with 1 m/s where nothing is held.
struct Impact {
  std::string name;
  TetMesh first, second;   // placed, apart by more than the reach
  bool held = false;       // all of the first
  double aside = 0;        // of the second, m
  double young = 1e5;      // Pa
  double duration = 0.06;  // s
};

inline TetMesh placed(TetMesh mesh, const Eigen::Matrix3d& turn, const Eigen::Vector3d& shift) {
  for (Point3& p : mesh.vertices) {
    const Eigen::Vector3d x = turn * Eigen::Vector3d(p[0], p[1], p[2]) + shift;
    p = {x[0], x[1], x[2]};
  }
  return mesh;
}

// Moves the mesh along x so that its lowest x is at the place.
inline TetMesh starting_at(TetMesh mesh, double place) {
  double lowest = 1e300;
  for (const Point3& p : mesh.vertices) lowest = std::min(lowest, p[0]);
  return placed(std::move(mesh), Eigen::Matrix3d::Identity(), {place - lowest, 0, 0});
}

inline std::vector<Impact> impacts() {
  const Eigen::Matrix3d tilt =
      Eigen::AngleAxisd(5 * std::numbers::pi / 180, Eigen::Vector3d(0.3, 0.5, 1).normalized())
          .toRotationMatrix();
  const TetMesh cube = generate_box({{0.1, 0.1, 0.1}, {4, 4, 4}});
  const TetMesh ball = placed(generate_ball({.radius = 0.05, .resolution = 4}), Eigen::Matrix3d::Identity(),
                              {0.05, 0.05, 0.05});
  const TetMesh plate = generate_box({{0.02, 0.2, 0.2}, {1, 8, 8}});
  const double gap = 0.004;
  return {{.name = "cubes, head-on",
           .first = cube,
           .second = starting_at(placed(cube, tilt, {0, 0, 0}), 0.1 + gap)},
          {.name = "cubes, off-centre",
           .first = cube,
           .second = starting_at(placed(cube, tilt, {0, 0, 0}), 0.1 + gap),
           .aside = 0.05},
          {.name = "balls, head-on", .first = starting_at(ball, 0), .second = starting_at(ball, 0.1 + gap)},
          {.name = "balls, off-centre",
           .first = starting_at(ball, 0),
           .second = starting_at(ball, 0.1 + gap),
           .aside = 0.03},
          {.name = "ball on a plate",
           .first = placed(plate, Eigen::Matrix3d::Identity(), {0, -0.05, -0.05}),
           .second = starting_at(ball, 0.02 + gap),
           .held = true},
          // The ball's centre is 1 cm beyond the plate's edge: it strikes the edge, and turns away.
          {.name = "plate, off-centre",
           .first = placed(plate, Eigen::Matrix3d::Identity(), {0, -0.05, -0.05}),
           .second = starting_at(ball, 0.02 + gap),
           .held = true,
           .aside = 0.11}};
}

enum class Touch { yes, no };

// A model of both, with or without contact between them.
struct ImpactModel {
  std::unique_ptr<DeformableModel> model;
  std::unique_ptr<ContactForces> watch;  // for distances
  State start;
  double mass = 0;
};

inline ImpactModel make_impact(const Impact& impact, Touch touch, double apart = 0) {
  ModelBuilder builder;
  const Material material{"stable-neo-hookean", {{"young", impact.young}, {"poisson", 0.3}}, 1000};
  const TetMesh second = placed(impact.second, Eigen::Matrix3d::Identity(), {apart, impact.aside, 0});
  builder.add_solid({.name = "first", .mesh = impact.first, .material = material});
  builder.add_solid({.name = "second", .mesh = second, .material = material});
  ModelDescription description = builder.build().description(0);
  const Index half = Index(impact.first.vertices.size());
  if (impact.held) {
    VertexConstraint hold;
    for (int v = 0; v < int(half); ++v) hold.vertices.push_back(v);
    description.constraints.push_back(hold);
  }
  std::vector<SurfacePart> parts(2);
  for (const auto& [a, b, c] : boundary_triangles(impact.first)) parts[0].triangles.push_back({a, b, c});
  for (const auto& [a, b, c] : boundary_triangles(second))
    parts[1].triangles.push_back({a + int(half), b + int(half), c + int(half)});
  for (std::size_t i = 0; i < 2; ++i) {
    parts[i].name = i == 0 ? "first" : "second";
    parts[i].reach = 0.1 * mean_edge(parts[i], description.rest);
  }
  ContactCandidates candidates(
      std::make_shared<ContactSurface>(make_contact_surface(parts, description.rest)),
      PartPairs(2, true, false), description.rest,
      std::vector<char>(std::size_t(description.vertex_mass.size()), 1), parts[1].reach);
  ContactLaw law;
  law.modulus = 0.03 * impact.young;
  ImpactModel made;
  made.watch = std::make_unique<ContactForces>(candidates, law);
  if (touch == Touch::yes)
    description.shared_terms.push_back(std::make_shared<ContactTerm>(std::move(candidates), law));
  made.model = std::make_unique<DeformableModel>(std::move(description));
  Vector x = made.model->description().rest, v = Vector::Zero(x.size());
  for (Index i = 0; i < x.size() / 3; ++i) {
    v[3 * i] = i < half ? (impact.held ? 0 : 1) : impact.held ? -2 : -1;
    if (i >= half) made.mass += made.model->description().vertex_mass[i];
  }
  made.start = made.model->state(0, x, v);
  return made;
}

// Velocity of the second body less that of the first, along x, m/s.
inline double separation(const ImpactModel& impact, const State& at, Index half) {
  Vector x, v;
  impact.model->expand(at, x, v);
  const Vector& mass = impact.model->description().vertex_mass;
  double p[2] = {0, 0}, m[2] = {0, 0};
  for (Index i = 0; i < x.size() / 3; ++i) {
    p[i >= half] += mass[i] * v[3 * i];
    m[i >= half] += mass[i];
  }
  return p[1] / m[1] - p[0] / m[0];
}

struct ImpactRun {
  bool ok = true;
  double low = 0, high = 0;             // of the energy over that at the start, less 1
  double linear = 0, angular = 0;       // errors of momenta, over m v and m v L
  double restitution = 0, nearest = 1;  // nearest: over the reach
  Work work;
  long most_iterations = 0;
  double milliseconds = 0;         // a step
  double touching = 0, apart = 0;  // milliseconds of steps with contact, and of those without
  int steps = 0;
};

inline ImpactRun run_impact(const Impact& impact, const ImpactModel& with, const char* method, double h,
                            double duration) {
  const DeformableModel& model = *with.model;
  const auto integrator = make_integrator(method, model, {});
  State now = with.start, next;
  const double energy = model.energies(now).total(), size = with.mass * (impact.held ? 2 : 1);
  const Momenta momenta = model.momenta(now);
  ImpactRun made;
  double seconds[2] = {0, 0};
  int count[2] = {0, 0};
  Vector x, v;
  for (; made.steps < int(duration / h + 0.5); ++made.steps) {
    const double before = thread_seconds();
    const StepReport report = integrator->step(now, h, next);
    const double spent = thread_seconds() - before;
    made.work += report.work;
    made.most_iterations = std::max<long>(made.most_iterations, report.work.newton_iterations);
    if (report.status != StepStatus::ok) {
      std::printf("%s failed: %s\n", method, std::string(describe(report.status)).c_str());
      made.ok = false;
      break;
    }
    std::swap(now, next);
    const Energies at = model.energies(now);
    const bool touches = at.contact > 0;
    if (made.steps > 0) {
      seconds[touches] += spent;
      ++count[touches];
    }
    made.low = std::min(made.low, at.total() / energy - 1);
    made.high = std::max(made.high, at.total() / energy - 1);
    if (!impact.held) {
      const Momenta p = model.momenta(now);
      made.linear = std::max(made.linear, (p.linear - momenta.linear).norm() / size);
      made.angular = std::max(made.angular, (p.angular - momenta.angular).norm() / (size * 0.1));
    }
    model.expand(now, x, v);
    with.watch->look(x);
    made.nearest = std::min(made.nearest, with.watch->nearest());
  }
  made.restitution = separation(with, now, Index(impact.first.vertices.size())) / 2;
  made.touching = count[1] ? 1e3 * seconds[1] / count[1] : 0;
  made.apart = count[0] ? 1e3 * seconds[0] / count[0] : 0;
  made.milliseconds = 1e3 * (seconds[0] + seconds[1]) / std::max(count[0] + count[1], 1);
  return made;
}

// True when em keeps its promises: energy within 1e-3, nothing passes. steps: s.
inline bool impact_table(const std::vector<std::string>& methods, const std::vector<double>& steps) {
  std::printf(
      "two bodies of %g Pa fly at each other with 1 m/s each; verlet at 5e-5 s is the reference\n"
      "energy: least and largest change over the start; momenta over m v and m v L; iterations and what "
      "follows: of a step, cg of an "
      "iteration,\nparts and halved of the run; cost: a step in contact over a step of em in the same run in "
      "which nothing "
      "touches\n%-18s %-7s %6s %9s %9s %8s %8s %8s %8s %12s %6s %6s %6s %7s %8s %8s %6s\n",
      1e5, "impact", "method", "h ms", "low", "high", "linear", "angular", "rebound", "nearest", "iterations",
      "cg", "fact.", "parts", "halved", "touch ms", "apart ms", "cost");
  bool kept = true;
  for (const Impact& impact : impacts()) {
    const ImpactModel with = make_impact(impact, Touch::yes);
    double apart = 0;  // of em
    const auto run = [&](const std::string& method, double h) {
      const ImpactRun made = run_impact(impact, with, method.c_str(), h, impact.duration);
      if (method == "em") apart = made.apart;
      const double count = std::max(made.steps, 1), iterations = double(made.work.newton_iterations);
      std::printf(
          "%-18s %-7s %6.3g %+9.1e %+9.1e %8.0e %8.0e %8.3f %8.3f %6.1f (%3ld) %6.1f %6.2f %6ld %7ld %8.2f "
          "%8.2f %6.1f\n",
          impact.name.c_str(), method.c_str(), 1e3 * h, made.low, made.high, made.linear, made.angular,
          made.restitution, made.nearest, iterations / count, made.most_iterations,
          iterations > 0 ? double(made.work.cg_iterations) / iterations : 0,
          double(made.work.factorizations) / count, long(made.work.inner_steps), long(made.work.halved_steps),
          made.touching, made.apart, apart > 0 ? made.touching / apart : 0.);
      std::fflush(stdout);
      if (method == "em") kept = kept && made.ok && made.high < 1e-3 && made.low > -1e-3 && made.nearest > 0;
    };
    for (const std::string& method : methods)
      if (method == "verlet") run(method, 5e-5);
    for (const double h : steps)
      for (const std::string& method : methods)
        if (method != "verlet") run(method, h);
  }
  std::printf("em keeps the energy within 1e-3, and nothing passes: %s\n\n", kept ? "kept" : "NOT kept");
  return kept;
}

// Bodies that vibrate 1 m apart, or 1 m above a floor, and never meet: contact switched on over off. The same steps are
// made several times, on and off in turn; the least processor time of each step counts, whatever else the machine did.
inline bool never_met(const std::vector<std::string>& methods) {
  constexpr int kSteps = 60, kRepeats = 9;
  constexpr double h = 1e-3;
  std::printf(
      "contact switched on and never met: milliseconds of processor time a step, the least of %d repeats, on "
      "and off in turn\n%-18s %-8s %8s %8s %8s %9s\n",
      kRepeats, "bodies", "method", "h ms", "on", "off", "on/off");
  const auto above_floor = [](const TetMesh& mesh, bool floor) {
    ModelBuilder builder;
    builder.add_solid({.name = "body",
                       .mesh = mesh,
                       .material = {"stable-neo-hookean", {{"young", 1e5}, {"poisson", 0.3}}, 1000}});
    if (floor) builder.add_floor(-1);
    return builder.build().make_model(0);
  };
  bool kept = true;
  const auto compare = [&](const std::string& name, const DeformableModel& with,
                           const DeformableModel& without) {
    const DeformableModel* models[2] = {&with, &without};
    for (const std::string& method : methods) {
      std::vector<double> least[2];
      for (auto& times : least) times.assign(kSteps, 1e300);
      for (int repeat = 0; repeat < kRepeats; ++repeat) {
        std::unique_ptr<Integrator> integrators[2];
        State now[2], next;
        for (int i = 0; i < 2; ++i) {
          integrators[i] = make_integrator(method, *models[i], {});
          now[i].q = Vector::Zero(models[i]->dofs());
          now[i].v.resize(models[i]->dofs());
          for (Index j = 0; j < now[i].v.size(); ++j) now[i].v[j] = 0.3 * std::sin(0.7 * double(j));
        }
        for (std::size_t step = 0; step < kSteps; ++step)
          for (int i = 0; i < 2; ++i) {
            const double before = thread_seconds();
            kept = integrators[i]->step(now[i], h, next).status == StepStatus::ok && kept;
            least[i][step] = std::min(least[i][step], thread_seconds() - before);
            std::swap(now[i], next);
          }
      }
      double seconds[2] = {0, 0};
      for (int i = 0; i < 2; ++i)
        for (std::size_t step = 1; step < kSteps; ++step) seconds[i] += least[i][step];
      std::printf("%-18s %-8s %8.3g %8.3f %8.3f %9.4f\n", name.c_str(), method.c_str(), 1e3 * h,
                  1e3 * seconds[0] / (kSteps - 1), 1e3 * seconds[1] / (kSteps - 1), seconds[0] / seconds[1]);
      std::fflush(stdout);
      kept = kept && seconds[0] < 1.03 * seconds[1];
    }
  };
  for (const Impact& impact : {impacts()[0], impacts()[2]})
    compare(impact.name, *make_impact(impact, Touch::yes, 1).model, *make_impact(impact, Touch::no, 1).model);
  compare("ball over a floor", *above_floor(impacts()[2].first, true),
          *above_floor(impacts()[2].first, false));
  std::printf("below 3 %%: %s\n\n", kept ? "kept" : "NOT kept");
  return kept;
}

// Ten boxes on a held plate, friction 0.5, the usual contact dial: drift, cost and what was taken.
inline bool stack_of_boxes() {
  constexpr int kBoxes = 10;
  constexpr double kYoung = 1e7, kGap = 0.0054, h = 0.01;  // a column of 1e6 Pa would buckle under its weight
  ModelBuilder builder;
  const Material material{"stable-neo-hookean", {{"young", kYoung}, {"poisson", 0.3}}, 1000};
  std::vector<TetMesh> meshes = {
      placed(generate_box({{0.3, 0.05, 0.3}, {6, 1, 6}}), Eigen::Matrix3d::Identity(), {-0.1, -0.05, -0.1})};
  for (int i = 0; i < kBoxes; ++i)
    meshes.push_back(placed(generate_box({{0.1, 0.1, 0.1}, {2, 2, 2}}), Eigen::Matrix3d::Identity(),
                            {0.003 * (i % 3), kGap + i * (0.1 + kGap), 0.002 * (i % 2)}));
  for (const TetMesh& mesh : meshes)
    builder.add_solid(
        {.name = "box" + std::to_string(&mesh - meshes.data()), .mesh = mesh, .material = material});
  ModelDescription description = builder.build().description(0);
  VertexConstraint hold;
  for (int v = 0; v < int(meshes[0].vertices.size()); ++v) hold.vertices.push_back(v);
  description.constraints.push_back(hold);
  const Vector& m = description.vertex_mass;
  description.shared_terms.push_back(
      std::make_shared<GravityTerm>(std::vector<double>(m.data(), m.data() + m.size()),
                                    std::array<double, 3>{0, -9.81, 0}, description.rest));
  std::vector<SurfacePart> parts;
  int first = 0;
  for (const TetMesh& mesh : meshes) {
    SurfacePart part;
    part.name = "box" + std::to_string(parts.size());
    for (const auto& [a, b, c] : boundary_triangles(mesh))
      part.triangles.push_back({a + first, b + first, c + first});
    part.reach = 0.1 * mean_edge(part, description.rest);
    first += int(mesh.vertices.size());
    parts.push_back(std::move(part));
  }
  ContactLaw law;
  law.modulus = 0.03 * kYoung;
  law.rest = usual_rest_dial(9.81, parts[1].reach);
  law.friction.coefficient = 0.5;
  description.shared_terms.push_back(std::make_shared<ContactTerm>(
      ContactCandidates(std::make_shared<ContactSurface>(make_contact_surface(parts, description.rest)),
                        PartPairs(int(parts.size()), true, false), description.rest,
                        std::vector<char>(m.size(), 1), parts[1].reach),
      law));
  const DeformableModel model(std::move(description));
  const auto em = make_integrator("em", model, {});
  State now, next;
  now.q = now.v = Vector::Zero(model.dofs());
  const double energy = model.energies(now).total();
  double dissipated = 0, friction = 0, seconds = 0;
  Work work;
  std::printf(
      "ten boxes of 0.1 m and 1e7 Pa on each other, friction 0.5, em at 10 ms, reach %.2g mm, rest speed "
      "%.3g m/s\n"
      "%6s %12s %14s %12s %12s %14s %11s %6s %8s\n",
      1e3 * parts[1].reach, law.rest.speed, "t s", "kinetic J", "top aside mm", "dial took J", "friction J",
      "not booked J", "iterations", "cg", "ms/step");
  bool stands = true;
  for (int step = 1; step <= 1000; ++step) {
    const double before = thread_seconds();
    const StepReport report = em->step(now, h, next);
    seconds += thread_seconds() - before;
    work += report.work;
    if (report.status != StepStatus::ok) {
      std::printf("failed: %s\n", std::string(describe(report.status)).c_str());
      return false;
    }
    if (report.step_work) {
      dissipated += report.step_work->dissipated;
      friction += report.step_work->friction;
    }
    std::swap(now, next);
    if (step % 200 != 0) continue;
    const Index n = now.q.size();
    const double aside = std::hypot(now.q[n - 3], now.q[n - 1]);
    std::printf(
        "%6.1f %12.2e %14.2f %12.3f %12.4f %14.1e %11.1f %6.1f %8.1f\n", now.t, model.energies(now).kinetic,
        1e3 * aside, dissipated, friction, model.energies(now).total() + dissipated + friction - energy,
        double(work.newton_iterations) / step,
        double(work.cg_iterations) / double(std::max<long>(1, work.newton_iterations)), 1e3 * seconds / step);
    std::fflush(stdout);
    stands = stands && aside < 5e-3;
  }
  std::printf("the top moves by less than 5 mm: %s\n\n", stands ? "kept" : "NOT kept");
  return stands;
}

}  // namespace phiflex::bench
