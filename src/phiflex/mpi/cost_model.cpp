#include "phiflex/mpi/cost_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace phiflex {
namespace {

struct PartSizes {
  std::vector<double> owned, evaluated, ghosts;  // of each rank
};

PartSizes measure(const SceneModel& whole, const std::vector<int>& owner, int ranks) {
  PartSizes sizes;
  for (auto* of : {&sizes.owned, &sizes.evaluated, &sizes.ghosts}) of->assign(std::size_t(ranks), 0);
  for (const int rank : owner) ++sizes.owned[std::size_t(rank)];
  std::vector<std::pair<int, int>> ghosts;  // rank, vertex
  for (const Body& body : whole.bodies()) {
    const auto visit = [&](const auto& elements) {
      std::vector<int> ranks_here;
      for (const auto& nodes : elements) {
        ranks_here.clear();
        for (const int v : nodes) ranks_here.push_back(owner[std::size_t(v + body.first_vertex)]);
        std::sort(ranks_here.begin(), ranks_here.end());
        ranks_here.erase(std::unique(ranks_here.begin(), ranks_here.end()), ranks_here.end());
        for (const int rank : ranks_here) ++sizes.evaluated[std::size_t(rank)];
        if (ranks_here.size() == 1) continue;
        for (const int rank : ranks_here)
          for (const int v : nodes)
            if (owner[std::size_t(v + body.first_vertex)] != rank)
              ghosts.emplace_back(rank, v + body.first_vertex);
      }
    };
    if (body.solid()->quadratic.empty())
      visit(body.solid()->mesh.tets);
    else
      visit(body.solid()->quadratic);
  }
  std::sort(ghosts.begin(), ghosts.end());
  ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
  for (const auto& [rank, vertex] : ghosts) ++sizes.ghosts[std::size_t(rank)];
  return sizes;
}

}  // namespace

std::vector<std::string> describe_parts(const SceneModel& whole, const Scene& scene,
                                        const std::vector<int>& owner, int ranks) {
  const PartSizes sizes = measure(whole, owner, ranks);
  const auto most = [](const std::vector<double>& of) { return *std::max_element(of.begin(), of.end()); };
  const double V = most(sizes.owned), E = most(sizes.evaluated), G = most(sizes.ghosts);
  const double evaluated = std::accumulate(sizes.evaluated.begin(), sizes.evaluated.end(), 0.0);
  const double tets = std::max(1, whole.tetrahedra()), vertices = std::max(1, whole.vertices());

  constexpr double B = 5e9, network = 25e9;
  const double force = 24.5e-9 * E, stiffness = 83e-9 * E;                                    // (1)
  const double halo = ranks > 1 ? 2e-6 + 11.5 * 0.5e-6 + 24 * G * (1 / network + 1 / B) : 0;  // (2)
  const double reduction = 2e-6 * std::log2(double(ranks)), product = 1150 * V / B + halo;    // (3)
  const double levels = 4 + std::max(0.0, std::log(vertices / 17000) / std::log(16.0));
  const double iteration = 15.2e3 * V / B + (ranks > 1 ? 6 * (levels - 1) * 7.75e-6 : 0) +
                           6 * 24 * G / network + 3 * reduction;  // (4)
  const double set_up = 21.6e-6 * V / 4;                          // (5)
  const std::string& method = scene.integrator.type;
  double seconds = force + 2 * halo + 2 * reduction;
  std::string basis = "a step of one force evaluation";
  double bytes = 0.8e3;
  if (method == "rk4") {
    seconds *= 4;
    basis = "a step of four force evaluations";
  } else if (method == "verlet") {
    basis = "a force evaluation; `check` of `phiflex` says how many a step takes";
  } else if (method == "si") {
    seconds += stiffness + product + 19 * iteration + set_up;
    basis = "a step with one solve of 19 iterations";
  } else if (method == "siere") {
    constexpr double columns = 8;
    seconds += stiffness + (1 + columns) * product + (19 + columns) * iteration + set_up;
    basis = "a step with one solve of 19 iterations and one sweep of the modes";
  } else if (method == "ere") {
    constexpr double products = 200;
    seconds += stiffness + 2 * products * product;
    basis = "a step with 200 products of two columns, as many as h w_max = 290 takes";
  } else if (method == "be" || method == "midpoint" || method == "newmark") {
    seconds = 3 * (seconds + stiffness + 8 * iteration) + set_up;
    basis = "a step with three solves of 8 iterations";
  } else if (method == "em") {
    seconds = 5 * (seconds + 11 * iteration) + set_up;
    basis = "a step with five solves of 11 iterations";
  }
  if (method != "rk4" && method != "verlet" && method != "symplectic-euler") bytes = 2e3;
  return {fmt::format("{} ranks: {:.0f} vertices each, {:.2f} of the mean at most, {:.0f} tetrahedra at most",
                      ranks, vertices / ranks, V * ranks / vertices, E),
          fmt::format(
              "halo: {:.0f} vertices at most, {:.1f} kB for each exchange; {:.1f} % of the tetrahedra are "
              "evaluated by more than one rank",
              G, 24e-3 * G, 100 * (evaluated / tets - 1)),
          fmt::format("memory, by the model: {:.3g} MB a rank, and {:.3g} MB while it is built",
                      1e-6 * bytes * E, 1e-6 * 600 * tets),
          fmt::format("time, by the model: {:.3g} s, {}", seconds, basis)};
}

}  // namespace phiflex
