// Friction of barriers: a box that slides down a slope, on a floor and on a held plate, and a spinning top.
#pragma once

#include <cstdio>
#include <numbers>
#include <string>

#include "bench/impacts.h"
#include "bench/race.h"
#include "phiflex/model/energy_ledger.h"

namespace phiflex::bench {

struct Slide {
  double acceleration = 0;  // along the slope, m/s^2
  double friction = 0;      // booked, J
  double not_booked = 0;    // the largest |numerical_loss|, J
  bool ok = true;
};

inline Slide slide(const std::string& below, double mu, double h, double duration, double tolerance) {
  const double slope = 20 * std::numbers::pi / 180;
  char gravity[120], more[200];
  std::snprintf(gravity, sizeof gravity, "[%.17g, %.17g, 0]", 9.81 * std::sin(slope),
                -9.81 * std::cos(slope));
  const bool plate = below == "plate";
  std::snprintf(more, sizeof more, R"("contacts": [ { "type": "%s", "friction": %.17g } ])",
                plate ? "bodies" : "floor", mu);
  const std::string box = R"({ "name": "box",
      "mesh": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2] },
      "material": { "type": "neo-hookean", "young": 1e6, "poisson": 0.3, "density": 1000 },
      "transform": { "translate": [0, 0.0001, 0] } })";
  const std::string under = R"(, { "name": "plate",
      "mesh": { "generate": "box", "size": [0.8, 0.05, 0.3], "cells": [4, 1, 2] },
      "material": { "type": "neo-hookean", "young": 1e6, "poisson": 0.3, "density": 1000 },
      "transform": { "translate": [-0.1, -0.05, -0.1] } })";
  const std::string text =
      R"({ "phiflex": 1, "time": { "step": 0.005, "end": 1 }, "integrator": { "type": "em" }, "gravity": )" +
      std::string(gravity) + R"(, "bodies": [ )" + box + (plate ? under : "") + " ], " +
      (plate ? R"("constraints": [ { "type": "fix", "body": "plate",
                   "where": { "box": [[-1, -1, -1], [1, 1, 1]] } } ], )"
             : "") +
      more + " }";
  char set[3][60];
  std::snprintf(set[0], sizeof set[0], "time.step=%.17g", h);
  std::snprintf(set[1], sizeof set[1], "integrator.em_tolerance=%g", tolerance);
  std::snprintf(set[2], sizeof set[2], "integrator.energy_tolerance=%g", 0.1 * tolerance);
  const int steps = int(duration / h + 0.5), late = steps / 2;
  Runner runner(text, {set[0], set[1], set[2]}, steps);
  Slide made;
  double speed = 0, time = 0, mass = 0;
  const auto momentum = [&] { return runner.simulation().model().momenta(runner.simulation().state()); };
  while (runner.simulation().step() < steps && runner.advance()) {
    made.not_booked = std::max(made.not_booked, std::abs(runner.simulation().ledger().numerical_loss));
    if (runner.simulation().step() != late) continue;
    speed = momentum().linear[0];
    time = runner.simulation().state().t;
  }
  mass = 1;  // 1000 kg/m^3 times 1e-3 m^3; the plate is held and has no momentum
  made.ok = runner.ok();
  if (!made.ok) std::printf("failed: %s\n", runner.simulation().failure().c_str());
  made.acceleration = (momentum().linear[0] - speed) / (mass * (runner.simulation().state().t - time));
  made.friction = runner.simulation().ledger().friction;
  return made;
}

inline bool slopes() {
  std::printf(
      "a box of 1 kg and 1e6 Pa on a slope of 20 degrees (tan 0.364), em: acceleration over the second half "
      "of "
      "0.4 s, g (sin - mu cos)\n%-7s %6s %6s %13s %9s %8s %12s %13s\n",
      "on", "mu", "h ms", "acceleration", "theory", "mu seen", "friction J", "not booked J");
  bool kept = true;
  const double slope = 20 * std::numbers::pi / 180;
  for (const char* below : {"floor", "plate"})
    for (const double mu : {0., 0.1, 0.2, 0.3})
      for (const double h : {2e-3, 5e-3, 1e-2}) {
        const Slide made = slide(below, mu, h, 0.4, 1e-3);
        const double theory = 9.81 * (std::sin(slope) - mu * std::cos(slope)),
                     seen = std::tan(slope) - made.acceleration / (9.81 * std::cos(slope));
        std::printf("%-7s %6.2f %6.0f %13.4f %9.4f %8.4f %12.5f %13.1e\n", below, mu, 1e3 * h,
                    made.acceleration, theory, seen, made.friction, made.not_booked);
        std::fflush(stdout);
        kept = kept && made.ok && std::abs(seen - mu) < 0.02 * std::max(mu, 0.2) &&
               (mu > 0.2 || std::abs(made.acceleration / theory - 1) < 0.02);
      }
  std::printf("the acceleration up to mu = 0.2, and the coefficient that it tells of, within 2 %%: %s\n",
              kept ? "kept" : "NOT kept");
  std::printf(
      "friction as booked against "
      "the ledger at a solver tolerance of 1e-10, and what holds (mu 0.8, the second half of 0.4 s)\n");
  const Slide exact = slide("floor", 0.2, 5e-3, 0.2, 1e-10);
  const double relative = exact.not_booked / exact.friction;
  std::printf("sliding on the floor: booked %.6f J, not booked %.1e of it\n", exact.friction, relative);
  kept = kept && exact.ok && relative < 1e-9;
  for (const char* below : {"floor", "plate"}) {
    const Slide held = slide(below, 0.8, 5e-3, 0.4, 1e-3);
    std::printf("held on the %s: the speed changes by %.1e m/s\n", below, held.acceleration * 0.2);
    kept = kept && held.ok && std::abs(held.acceleration * 0.2) < 2e-3;
  }
  std::printf("friction takes what is booked to 1e-9, and holds: %s\n\n", kept ? "kept" : "NOT kept");
  return kept;
}

// A cone on its tip, with a flat end of 6 mm, that spins about its axis. Without friction it goes round with m g l/(I w); friction
// at a blunt tip makes a top rise.
inline bool spinning_top(double friction) {
  constexpr double radius = 0.05, height = 0.06, spin = 120, tilt = 0.15, h = 1e-3;
  TetMesh cone = generate_cylinder({.radius = radius, .length = height, .resolution = 2, .cells_along = 3});
  int top = 0, tip = 0;  // vertices on the axis
  for (std::size_t v = 0; v < cone.vertices.size(); ++v) {
    Point3& p = cone.vertices[v];  // the cylinder lies along x
    const double up = p[0], wide = 0.06 + 0.94 * up / height, across = std::hypot(p[1], p[2]);
    if (across < 1e-9 && up > height - 1e-9) top = int(v);
    if (across < 1e-9 && up < 1e-9) tip = int(v);
    p = {-wide * p[1], up, wide * p[2]};
  }
  const Eigen::Matrix3d lean = Eigen::AngleAxisd(tilt, Eigen::Vector3d::UnitX()).toRotationMatrix();
  cone = placed(cone, lean, {0, 0.004, 0});
  ModelBuilder builder;
  const int body =
      builder.add_solid({.name = "top",
                         .mesh = cone,
                         .material = {"stable-neo-hookean", {{"young", 1e7}, {"poisson", 0.3}}, 1000}});
  builder.set_gravity({0, -9.81, 0});
  builder.add_floor(0, {.friction = friction});
  const Eigen::Vector3d along = lean * Eigen::Vector3d::UnitY();
  const auto at = [&](int v) { return Eigen::Vector3d(cone.vertices[std::size_t(v)].data()); };
  std::vector<Point3> velocities;
  for (int v = 0; v < int(cone.vertices.size()); ++v) {
    const Eigen::Vector3d u = spin * along.cross(at(v) - at(tip));
    velocities.push_back({u[0], u[1], u[2]});
  }
  builder.set_initial(body, cone.vertices, velocities);
  const Assembly assembly = builder.build();
  const auto model = assembly.make_model(0);
  // Of the mesh: mass, centre above the tip, moment of inertia about the axis.
  const Vector& m = model->description().vertex_mass;
  double mass = 0, l = 0, inertia = 0;
  for (int v = 0; v < int(cone.vertices.size()); ++v) {
    const Eigen::Vector3d p = at(v) - at(tip);
    mass += m[v];
    l += m[v] * p.dot(along);
    inertia += m[v] * (p - p.dot(along) * along).squaredNorm();
  }
  l /= mass;
  const double theory = mass * 9.81 * l / (inertia * spin);
  const auto em = make_integrator("em", *model, {});
  State now = assembly.initial_state(*model), next;
  EnergyLedger ledger(*model, now);
  const double kinetic = model->energies(now).kinetic;
  const auto angle = [&] {
    Vector x, v;
    model->expand(now, x, v);
    const Eigen::Vector3d a = x.segment<3>(3 * Index(top)) - x.segment<3>(3 * Index(tip));
    return std::pair(std::atan2(a[0], a[2]), std::acos(a[1] / a.norm()));
  };
  double turned = 0, last = angle().first, largest = 0, least = 10;
  const double momentum = model->momenta(now).angular[1];
  constexpr int steps = 300;
  for (int step = 0; step < steps; ++step) {
    const StepReport report = em->step(now, h, next);
    if (report.status != StepStatus::ok) {
      std::printf("the top: %s\n", std::string(describe(report.status)).c_str());
      return false;
    }
    ledger.advance(*model, now, next, report);
    std::swap(now, next);
    const auto [here, leaning] = angle();
    turned += std::remainder(here - last, 2 * std::numbers::pi);
    last = here;
    largest = std::max(largest, leaning);
    least = std::min(least, leaning);
  }
  const LedgerRow& row = ledger.row();
  const double rate = std::abs(turned) / (steps * h);
  std::printf(
      "a top (cone of 5 cm and 6 cm, 1e7 Pa, friction %g) that spins with %g rad/s and leans by %.2f rad, "
      "em at 1 "
      "ms, %d steps:\n"
      "it goes round with %.2f rad/s (m g l/(I w) = %.2f), leans by %.3f to %.3f rad; angular momentum about "
      "the "
      "vertical %+.2e of it;\n"
      "friction took %.3g J, the rest dial %.3g J of %.3g J, not booked %+.1e of that\n",
      friction, spin, tilt, steps, rate, theory, least, largest,
      model->momenta(now).angular[1] / momentum - 1, row.friction, row.dissipated, kinetic,
      row.numerical_loss / kinetic);
  const bool moves_as_it_should = friction > 0 ? least < 0.5 * tilt && row.friction > 0
                                               : std::abs(rate / theory - 1) < 0.15 && row.friction == 0;
  const bool kept =
      largest < 1.5 * tilt && moves_as_it_should && std::abs(row.numerical_loss) < 1e-3 * kinetic;
  std::printf("it stands, %s, and energy is booked to 1e-3: %s\n\n",
              friction > 0 ? "rises" : "goes round within 15 % of theory", kept ? "kept" : "NOT kept");
  return kept;
}

}  // namespace phiflex::bench
