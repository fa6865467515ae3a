// Bodies that touch themselves: a rod that is twisted until it buckles into itself, and a loose knot that is pulled
// tight. In every step all edges of the surface are compared with all of its triangles, by exact signs of volumes
// (tests/contact/exact_crossings.h).
#pragma once

#include <Eigen/Geometry>
#include <cstdio>
#include <numbers>

#include "bench/impacts.h"
#include "phiflex/model/energy_ledger.h"
#include "tests/contact/exact_crossings.h"

namespace phiflex::bench {

struct SelfContact {
  const char* name;
  TetMesh mesh;
  std::vector<int> left = {}, right = {};     // held ends
  std::vector<PathKnot> way = {}, back = {};  // of the ends
  Eigen::Vector3d left_pivot = Eigen::Vector3d::Zero(), right_pivot = Eigen::Vector3d::Zero();
  double young = 1e5, friction = 0, h = 0.01;
  int steps = 100;
};

// A rod of square section along x from 0 to length, its middle line on the x axis.
inline TetMesh straight_rod(double length, double width, int along, int across) {
  return placed(generate_box({{length, width, width}, {along, across, across}}), Eigen::Matrix3d::Identity(),
                {0, -width / 2, -width / 2});
}

// Puts it along a curve, with a frame that turns as little as it can.
template <class Curve>
TetMesh bent_along(TetMesh rod, double length, int along, Curve curve) {
  std::vector<Eigen::Vector3d> at, side;
  for (int i = 0; i <= along; ++i) at.push_back(curve(double(i) / along));
  Eigen::Vector3d n = Eigen::Vector3d::UnitZ();
  for (int i = 0; i <= along; ++i) {
    const Eigen::Vector3d t =
        (at[std::size_t(std::min(i + 1, along))] - at[std::size_t(std::max(i - 1, 0))]).normalized();
    n = (n - n.dot(t) * t).normalized();
    side.push_back(n);
  }
  for (Point3& p : rod.vertices) {
    const int i = int(std::lround(p[0] / length * along));
    const Eigen::Vector3d t =
        (at[std::size_t(std::min(i + 1, along))] - at[std::size_t(std::max(i - 1, 0))]).normalized();
    const Eigen::Vector3d x =
        at[std::size_t(i)] + p[1] * side[std::size_t(i)] + p[2] * t.cross(side[std::size_t(i)]);
    p = {x[0], x[1], x[2]};
  }
  return rod;
}

inline std::vector<int> vertices_where(const TetMesh& mesh, double x) {
  std::vector<int> found;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (std::abs(mesh.vertices[v][0] - x) < 1e-9) found.push_back(int(v));
  return found;
}

// The ends are turned against each other by three and a half turns, and come nearer by half of the length.
inline SelfContact twisted_rod() {
  constexpr double length = 0.6, width = 0.03, turns = 3.5, time = 0.8;
  SelfContact made{.name = "twisted rod", .mesh = straight_rod(length, width, 30, 2)};
  made.left = vertices_where(made.mesh, 0);
  made.right = vertices_where(made.mesh, length);
  made.left_pivot = {0, 0, 0};
  made.right_pivot = {length, 0, 0};
  for (const double s : {1., -1.}) {
    PathKnot end;
    end.time = time;
    end.offset = {s * 0.25 * length, 0, 0};
    end.angle = s * turns * std::numbers::pi;
    (s > 0 ? made.way : made.back) = {PathKnot{}, end};
  }
  made.steps = 100;
  return made;
}

// An overhand knot: a trefoil that is opened at its outermost place, with ends that lead away from it.
inline SelfContact tight_knot() {
  constexpr double unit = 0.04, width = 0.018, open = 0.16, lead = 6;
  constexpr int along = 110;
  const auto trefoil = [](double t) {
    return Eigen::Vector3d((2 + std::cos(3 * t)) * std::cos(2 * t), (2 + std::cos(3 * t)) * std::sin(2 * t),
                           std::sin(3 * t));
  };
  // Ends of the trefoil at t = open and 2 pi - open; each goes on along a quarter of a circle and then straight, away
  // from it.
  std::vector<Eigen::Vector3d> points;
  const auto lead_out = [&](const Eigen::Vector3d& from, const Eigen::Vector3d& direction, double side) {
    std::vector<Eigen::Vector3d> out;
    const Eigen::Vector3d d = direction.normalized();
    const Eigen::Vector3d away(0.5, side, 0);
    Eigen::Vector3d at = from, heading = d;
    for (double s = 0; s < lead; s += 0.1) {
      heading = (heading + 0.12 * away.normalized()).normalized();
      at += 0.1 * heading;
      out.push_back(at);
    }
    return out;
  };
  const double first = open, last = 2 * std::numbers::pi - open;
  const std::vector<Eigen::Vector3d> begin =
      lead_out(trefoil(first), trefoil(first - 1e-3) - trefoil(first), 1);
  points.assign(begin.rbegin(), begin.rend());
  for (int i = 0; i <= 300; ++i) points.push_back(trefoil(first + (last - first) * i / 300));
  for (const Eigen::Vector3d& p : lead_out(trefoil(last), trefoil(last + 1e-3) - trefoil(last), -1))
    points.push_back(p);
  std::vector<double> way = {0};
  for (std::size_t i = 1; i < points.size(); ++i)
    way.push_back(way.back() + (points[i] - points[i - 1]).norm());
  const auto curve = [&](double s) {
    const double at = s * way.back();
    std::size_t i = 1;
    while (i + 1 < way.size() && way[i] < at) ++i;
    const double part = (at - way[i - 1]) / (way[i] - way[i - 1]);
    return Eigen::Vector3d(unit * ((1 - part) * points[i - 1] + part * points[i]));
  };
  const double length = unit * way.back();
  SelfContact made{.name = "knot", .mesh = straight_rod(length, width, along, 1)};
  made.left = vertices_where(made.mesh, 0);
  made.right = vertices_where(made.mesh, length);
  made.mesh = bent_along(made.mesh, length, along, curve);
  made.left_pivot = unit * points.front();
  made.right_pivot = unit * points.back();
  const Eigen::Vector3d apart = (points.back() - points.front()).normalized();
  for (const double s : {-1., 1.}) {
    PathKnot end;
    end.time = 1.2;
    end.offset = s * 0.30 * apart;
    (s < 0 ? made.way : made.back) = {PathKnot{}, end};
  }
  made.young = 5e5;
  made.friction = 0.1;
  made.steps = 120;
  return made;
}

inline bool run_self_contact(const SelfContact& of) {
  ModelBuilder builder;
  const int body =
      builder.add_solid({.name = of.name,
                         .mesh = of.mesh,
                         .material = {"stable-neo-hookean", {{"young", of.young}, {"poisson", 0.35}}, 1000},
                         .damping = {.alpha = 2, .beta = 2e-3}});
  builder.hold(body, of.left, Path(of.way, PathForm::smooth, of.left_pivot));
  builder.hold(body, of.right, Path(of.back, PathForm::smooth, of.right_pivot));
  builder.add_body_contact({.friction = of.friction});
  const Assembly assembly = builder.build();
  const auto model = assembly.make_model(0);
  SurfacePart part;
  for (const auto& [a, b, c] : boundary_triangles(of.mesh)) part.triangles.push_back({a, b, c});
  const Vector& rest = model->description().rest;
  part.reach = 0.1 * mean_edge(part, rest);
  ContactForces watch(ContactCandidates(std::make_shared<ContactSurface>(make_contact_surface({part}, rest)),
                                        PartPairs(1, false, true), rest,
                                        std::vector<char>(of.mesh.vertices.size(), 1), 2 * part.reach),
                      {});
  const auto em = make_integrator("em", *model, {});
  State now = assembly.initial_state(*model), next;
  EnergyLedger ledger(*model, now);
  double nearest = 1, seconds = 0, largest = 0;
  std::size_t most = 0;
  int crossings = 0, touching = 0, step = 0;
  Work work;
  Vector x, v;
  for (; step < of.steps; ++step) {
    const double before = thread_seconds();
    const StepReport report = em->step(now, of.h, next);
    seconds += thread_seconds() - before;
    work += report.work;
    if (report.status != StepStatus::ok) {
      std::printf("%s, step %d: %s\n", of.name, step, std::string(describe(report.status)).c_str());
      return false;
    }
    ledger.advance(*model, now, next, report);
    std::swap(now, next);
    model->expand(now, x, v);
    watch.look(x);
    nearest = std::min(nearest, watch.nearest());
    most = std::max(most, watch.active());
    touching += watch.active() > 0;
    crossings += testing::count_exact_crossings(x, part.triangles);
    largest = std::max(largest, ledger.row().energies.elastic);
  }
  const LedgerRow& row = ledger.row();
  std::printf("%-12s %6zu %6d %9d %9zu %9.3f %9d %11.3g %10.3g %10.3g %11.1e %10.1f %7ld %8.1f\n", of.name,
              of.mesh.tets.size(), step, touching, most, nearest, crossings, row.external_work,
              row.dissipated, row.friction, row.numerical_loss / largest,
              double(work.newton_iterations) / step, long(work.halved_steps), 1e3 * seconds / step);
  std::fflush(stdout);
  return crossings == 0 && touching > 0;
}

inline bool self_contact() {
  std::printf(
      "bodies that touch themselves, em at 10 ms; nearest: over the reach; crossings: edges through "
      "triangles "
      "in any step, by exact signs\n%-12s %6s %6s %9s %9s %9s %9s %11s %10s %10s %11s %10s %7s %8s\n",
      "body", "tets", "steps", "touching", "contacts", "nearest", "crossings", "movers J", "damping J",
      "friction J", "loss/elastic", "iterations", "halved", "ms/step");
  bool kept = run_self_contact(twisted_rod());
  kept = run_self_contact(tight_knot()) && kept;
  std::printf("no crossing in any step, and they touch: %s\n\n", kept ? "kept" : "NOT kept");
  return kept;
}

}  // namespace phiflex::bench
