// Friction of barriers: a box that slides down a slope, on a floor and on a held plate, and a spinning top.
#pragma once

#include <cstdio>
#include <cstring>
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

// turned: the box about the vertical, degrees.
inline Slide slide(const std::string& below, double mu, double h, double duration, double tolerance,
                   double turned = 0) {
  const double slope = 20 * std::numbers::pi / 180;
  char gravity[120], more[200], place[120];
  std::snprintf(gravity, sizeof gravity, "[%.17g, %.17g, 0]", 9.81 * std::sin(slope),
                -9.81 * std::cos(slope));
  std::snprintf(place, sizeof place, R"({ "translate": [0, 0.0001, 0], "rotate": [[0, 1, 0], %.17g] })",
                turned);
  const bool plate = below == "plate";
  std::snprintf(more, sizeof more, R"("contacts": [ { "type": "%s", "friction": %.17g } ])",
                plate ? "bodies" : "floor", mu);
  const std::string box = R"({ "name": "box",
      "mesh": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2] },
      "material": { "type": "neo-hookean", "young": 1e6, "poisson": 0.3, "density": 1000 },
      "transform": )" + std::string(place) +
                          " }";
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
        kept = kept && made.ok && (mu == 0 || std::abs(seen - mu) < 0.02 * mu) &&
               (mu > 0.2 || std::abs(made.acceleration / theory - 1) < 0.02);
      }
  std::printf("the acceleration up to mu = 0.2, and the coefficient that it tells of, within 2 %%: %s\n",
              kept ? "kept" : "NOT kept");
  std::printf(
      "friction as booked against "
      "the ledger at a solver tolerance of 1e-10, and what holds (mu 0.8, the second half of 0.4 s)\n"
      "(on the plate: the box turned by 7 degrees, and with all edges parallel to those of the plate)\n");
  struct Case {
    const char* below;
    double turned;
  };
  for (const auto& [below, turned] : {Case{"floor", 0}, Case{"plate", 7}, Case{"plate", 0}}) {
    const Slide exact = slide(below, 0.2, 5e-3, 0.2, 1e-10, turned);
    const double relative = exact.not_booked / exact.friction;
    std::printf("sliding on the %s, turned by %g degrees: booked %.6f J, not booked %.1e of it\n", below,
                turned, exact.friction, relative);
    std::fflush(stdout);
    kept = kept && exact.ok && relative < 1e-9;
  }
  for (const char* below : {"floor", "plate"}) {
    const Slide held = slide(below, 0.8, 5e-3, 0.4, 1e-3);
    std::printf("held on the %s: the speed changes by %.1e m/s\n", below, held.acceleration * 0.2);
    kept = kept && held.ok && std::abs(held.acceleration * 0.2) < 2e-3;
  }
  std::printf("friction takes what is booked to 1e-9, and holds: %s\n\n", kept ? "kept" : "NOT kept");
  return kept;
}

// A cone that stands on its tip, leans and spins about its axis.
struct Top {
  TetMesh cone;          // upright, its tip at the origin
  int top = 0, tip = 0;  // vertices on the axis
  double friction = 0;
  double reach = 0;  // m; 0: as it is chosen
};

constexpr double kTopRadius = 0.05, kTopHeight = 0.06;  // m

// Tetrahedra about the axis: its tip is one vertex.
inline Top sharp_cone() {
  Top made{.cone = {}, .top = 1, .tip = 0, .reach = 5e-4};
  constexpr int kSlices = 12;
  made.cone.vertices = {{0, 0, 0}, {0, kTopHeight, 0}};
  for (int i = 0; i < kSlices; ++i) {
    const double a = 2 * std::numbers::pi * i / kSlices;
    made.cone.vertices.push_back({kTopRadius * std::sin(a), kTopHeight, kTopRadius * std::cos(a)});
    made.cone.tets.push_back({0, 1, 2 + i, 2 + (i + 1) % kSlices});
  }
  return made;
}

// A cylinder with a flat end of 6 mm.
inline Top blunt_cone() {
  Top made{.cone = generate_cylinder(
               {.radius = kTopRadius, .length = kTopHeight, .resolution = 2, .cells_along = 3}),
           .friction = 0.3};
  for (std::size_t v = 0; v < made.cone.vertices.size(); ++v) {
    Point3& p = made.cone.vertices[v];  // the cylinder lies along x
    const double up = p[0], wide = 0.06 + 0.94 * up / kTopHeight, across = std::hypot(p[1], p[2]);
    if (across < 1e-9 && up > kTopHeight - 1e-9) made.top = int(v);
    if (across < 1e-9 && up < 1e-9) made.tip = int(v);
    p = {-wide * p[1], up, wide * p[2]};
  }
  return made;
}

struct Spun {
  bool ok = true;
  double theory = 0, rate = 0;     // rad/s
  double least = 10, largest = 0;  // lean, rad
  double momentum = 0;             // about the vertical, change over it
  double kinetic = 0;              // at the start, J
  LedgerRow row;
};

// It starts in the steady precession of a rigid top whose tip slides freely, so that its centre goes up and down alone.
// With C and A the moments of inertia about the axis and across it through the centre, l from the tip to the centre, w
// the spin about the axis and th the lean, its rate W is the smaller root of
//
//   A cos(th) W^2 - C w W + m g l = 0                                                                       (1)
//
// (with a held tip A would be A + m l^2).
inline Spun spin_top(const Top& top, double spin, double tilt, double h, int steps) {
  const Eigen::Matrix3d lean = Eigen::AngleAxisd(tilt, Eigen::Vector3d::UnitX()).toRotationMatrix();
  const TetMesh cone = placed(top.cone, lean, {0, 0.004, 0});
  const Eigen::Vector3d along = lean * Eigen::Vector3d::UnitY();
  const auto at = [&](int v) { return Eigen::Vector3d(cone.vertices[std::size_t(v)].data()); };
  const int count = int(cone.vertices.size());
  Spun made;
  const auto build = [&](const std::vector<Point3>& velocities) {
    ModelBuilder builder;
    const int body =
        builder.add_solid({.name = "top",
                           .mesh = cone,
                           .material = {"stable-neo-hookean", {{"young", 1e7}, {"poisson", 0.3}}, 1000}});
    builder.set_gravity({0, -9.81, 0});
    ObstacleSettings floor{.friction = top.friction};
    if (top.reach > 0) floor.distance = top.reach;
    builder.add_floor(0, floor);
    if (!velocities.empty()) builder.set_initial(body, cone.vertices, velocities);
    return builder.build();
  };
  const Vector m = build({}).make_model(0)->description().vertex_mass;
  const double mass = m.sum();
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  for (int v = 0; v < count; ++v) centre += m[v] / mass * at(v);
  double C = 0, A = 0;
  for (int v = 0; v < count; ++v) {
    const Eigen::Vector3d p = at(v) - centre;
    const double up = p.dot(along);
    C += m[v] * (p.squaredNorm() - up * up);
    A += m[v] * (0.5 * (p.squaredNorm() - up * up) + up * up);
  }
  const double l = (centre - at(top.tip)).norm(), b = C * spin, a = A * std::cos(tilt);
  made.theory = 2 * mass * 9.81 * l / (b + std::sqrt(b * b - 4 * a * mass * 9.81 * l));  // (1)
  const double own = spin - made.theory * std::cos(tilt);
  std::vector<Point3> velocities;
  for (int v = 0; v < count; ++v) {
    const Eigen::Vector3d u = (made.theory * Eigen::Vector3d::UnitY() + own * along).cross(at(v) - centre);
    velocities.push_back({u[0], u[1], u[2]});
  }
  const Assembly assembly = build(velocities);
  const auto model = assembly.make_model(0);
  const auto em = make_integrator("em", *model, {});
  State now = assembly.initial_state(*model), next;
  EnergyLedger ledger(*model, now);
  made.kinetic = model->energies(now).kinetic;
  const auto angle = [&] {
    Vector x, v;
    model->expand(now, x, v);
    const Eigen::Vector3d axis = x.segment<3>(3 * Index(top.top)) - x.segment<3>(3 * Index(top.tip));
    return std::pair(std::atan2(axis[0], axis[2]), std::acos(axis[1] / axis.norm()));
  };
  double turned = 0, last = angle().first;
  const double momentum = model->momenta(now).angular[1];
  for (int step = 0; step < steps; ++step) {
    const StepReport report = em->step(now, h, next);
    if (report.status != StepStatus::ok) {
      std::printf("the top: %s\n", std::string(describe(report.status)).c_str());
      made.ok = false;
      return made;
    }
    ledger.advance(*model, now, next, report);
    std::swap(now, next);
    const auto [here, leaning] = angle();
    turned += std::remainder(here - last, 2 * std::numbers::pi);
    last = here;
    made.largest = std::max(made.largest, leaning);
    made.least = std::min(made.least, leaning);
  }
  made.row = ledger.row();
  made.rate = turned / (steps * h);
  made.momentum = model->momenta(now).angular[1] / momentum - 1;
  std::printf(
      "a %s top (cone of 5 cm and 6 cm, 1e7 Pa, friction %g) that spins with %g rad/s and leans by %.2f rad, "
      "em at %g ms, %d steps:\n"
      "it goes round with %.3f rad/s (steady precession: %.3f), leans by %.3f to %.3f rad; angular momentum "
      "about the vertical %+.2e of it;\n"
      "friction took %.3g J, the rest dial %.3g J of %.3g J, not booked %+.1e of that\n",
      top.reach > 0 ? "sharp" : "blunt", top.friction, spin, tilt, 1e3 * h, steps, made.rate, made.theory,
      made.least, made.largest, made.momentum, made.row.friction, made.row.dissipated, made.kinetic,
      made.row.numerical_loss / made.kinetic);
  return made;
}

inline bool sharp_top() {
  constexpr double tilt = 0.15;
  const Spun made = spin_top(sharp_cone(), 120, tilt, 1e-3, 1000);
  const bool kept = made.ok && std::abs(made.rate / made.theory - 1) < 0.03 && made.row.friction == 0 &&
                    made.largest < tilt + 0.03 && made.least > tilt - 0.03 &&
                    std::abs(made.row.numerical_loss) < 1e-3 * made.kinetic;
  std::printf("it goes round within 3 %% of theory, keeps its lean, and energy is booked to 1e-3: %s\n\n",
              kept ? "kept" : "NOT kept");
  return kept;
}

// Friction at a blunt tip makes a top rise.
inline bool blunt_top() {
  constexpr double tilt = 0.15;
  const Spun made = spin_top(blunt_cone(), 120, tilt, 1e-3, 300);
  const bool kept = made.ok && made.largest < 1.5 * tilt && made.least < 0.5 * tilt &&
                    made.row.friction > 0 && std::abs(made.row.numerical_loss) < 1e-3 * made.kinetic;
  std::printf("it stands, rises, and energy is booked to 1e-3: %s\n\n", kept ? "kept" : "NOT kept");
  return kept;
}

}  // namespace phiflex::bench
