// n^3 soft cubes of twelve tetrahedra each fall into a box, and against each other: what a step costs, and how that
// grows.
#pragma once

#include <cstdio>
#include <random>

#include "bench/impacts.h"
#include "bench/peak_memory.h"
#include "phiflex/energy/solid_shape.h"
#include "phiflex/model/energy_ledger.h"

namespace phiflex::bench {

struct PileCost {
  double cubes = 0, seconds = 0, candidates = 0;
};

inline PileCost run_pile(int n, int steps) {
  constexpr double side = 0.04, apart = 0.046, h = 5e-3;
  forget_peak();
  ModelBuilder builder;
  const Material jelly{"stable-neo-hookean", {{"young", 5e4}, {"poisson", 0.4}}, 1000};
  const TetMesh cube = placed(generate_box({{side, side, side}, {2, 1, 1}}), Eigen::Matrix3d::Identity(),
                              {-side / 2, -side / 2, -side / 2});
  std::mt19937 random(7);
  const auto any = [&] { return 2 * double(random()) / double(random.max()) - 1; };
  std::vector<SurfacePart> parts;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const Eigen::Matrix3d turn =
            Eigen::AngleAxisd(0.06 * any(), Eigen::Vector3d(any(), any(), any()).normalized())
                .toRotationMatrix();
        const TetMesh mesh = placed(cube, turn, apart * Eigen::Vector3d(i + 0.5, j + 0.5, k + 0.5));
        SurfacePart part;
        part.name = "cube" + std::to_string(parts.size());
        const int first = int(parts.size() * mesh.vertices.size());
        for (const auto& [a, b, c] : boundary_triangles(mesh))
          part.triangles.push_back({a + first, b + first, c + first});
        const int body = builder.add_solid({.name = part.name, .mesh = mesh, .material = jelly});
        const Point3 velocity = {0.4 * any(), -0.5 + 0.4 * any(), 0.4 * any()};
        builder.set_initial(body, mesh.vertices, std::vector<Point3>(mesh.vertices.size(), velocity));
        parts.push_back(std::move(part));
      }
  builder.set_gravity({0, -9.81, 0});
  builder.add_floor(0);
  const double end = n * apart;
  for (const int axis : {0, 2})
    for (const double s : {1., -1.}) {
      const Eigen::Vector3d normal = s * Eigen::Vector3d::Unit(axis);
      builder.add_obstacle(std::make_shared<PlaneSolid>(
          s > 0 ? Eigen::Vector3d::Zero() : Eigen::Vector3d(end, end, end), normal));
    }
  builder.add_body_contact({.self = BodyContactSettings::Self::none});
  const Assembly assembly = builder.build();
  const auto model = assembly.make_model(0);
  const Vector& rest = model->description().rest;
  for (SurfacePart& part : parts) part.reach = 0.1 * mean_edge(part, rest);
  ContactForces watch(
      ContactCandidates(std::make_shared<ContactSurface>(make_contact_surface(parts, rest)),
                        PartPairs(int(parts.size()), true, false), rest,
                        std::vector<char>(std::size_t(rest.size() / 3), 1), 2 * parts[0].reach),
      {});
  const auto em = make_integrator("em", *model, {});
  State now = assembly.initial_state(*model), next;
  const double kinetic = model->energies(now).kinetic, energy = model->energies(now).total();
  EnergyLedger ledger(*model, now);
  PileCost cost{.cubes = double(parts.size())};
  Work work;
  Vector x, v;
  constexpr int warm = 4;
  for (int step = 0; step < warm + steps; ++step) {
    const double before = thread_seconds();
    const StepReport report = em->step(now, h, next);
    if (step >= warm) {
      cost.seconds += (thread_seconds() - before) / steps;
      work += report.work;
    }
    if (report.status != StepStatus::ok) {
      std::printf("failed: %s\n", std::string(describe(report.status)).c_str());
      return {};
    }
    ledger.advance(*model, now, next, report);
    std::swap(now, next);
  }
  model->expand(now, x, v);
  watch.look(x);
  cost.candidates = double(watch.candidates().stencils().size());
  std::printf("%6.0f %9.0f %9.3f %11.3f %11.0f %9zu %9.3f %10.1f %7.1f %7.2f %7ld %10.0f %10.1e %12.1e\n",
              cost.cubes, 12 * cost.cubes, cost.seconds, 1e6 * cost.seconds / (12 * cost.cubes),
              cost.candidates, watch.active(), watch.nearest(), double(work.newton_iterations) / steps,
              double(work.cg_iterations) / double(std::max<long>(1, work.newton_iterations)),
              double(work.factorizations) / steps, long(work.halved_steps), peak_megabytes(),
              (model->energies(now).total() - energy) / kinetic, ledger.row().numerical_loss / kinetic);
  std::fflush(stdout);
  return cost;
}

// sizes: cubes along an edge of the heap.
inline bool pile(const std::vector<int>& sizes) {
  std::printf(
      "soft cubes of 4 cm and twelve tetrahedra fall into a box, em at 5 ms, ten steps in contact\n"
      "peak: of the resident memory of the process; energy: its change over the kinetic energy at the start, "
      "with what the rest dial took;\nnot booked: numerical_loss over the same\n"
      "%6s %9s %9s %11s %11s %9s %9s %10s %7s %7s %7s %10s %10s %12s\n",
      "cubes", "tets", "s/step", "us/tet", "candidates", "contacts", "nearest", "iterations", "cg", "fact.",
      "halved", "peak MiB", "energy", "not booked");
  PileCost before;
  double largest = 0;
  for (const int n : sizes) {
    const PileCost cost = run_pile(n, 10);
    if (!(cost.cubes > 0)) return false;
    if (before.cubes > 0) {
      const double growth = std::log(cost.seconds / before.seconds) / std::log(cost.cubes / before.cubes);
      std::printf("growth with the number of cubes: %.2f\n", growth);
      largest = std::max(largest, growth);
    }
    before = cost;
  }
  std::printf("at most 1.2: %s\n\n", largest <= 1.2 ? "kept" : "NOT kept");
  return largest <= 1.2;
}

}  // namespace phiflex::bench
