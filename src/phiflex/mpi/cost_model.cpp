#include "phiflex/mpi/cost_model.h"

#include "phiflex/integrate/catalogue.h"
#include "phiflex/scene/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace phiflex {
namespace {

constexpr double kTetsOfVertex = 5.68;

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

// The largest part, and the whole.
struct Sizes {
  double V, E, G, vertices, tets;
  int ranks;
};

// What is said of time and memory.
std::vector<std::string> predict(const Sizes& of, const std::string& method) {
  const double V = of.V, E = of.E, G = of.G;
  constexpr double B = 5e9, network = 25e9;
  const double force = 24.5e-9 * E, stiffness = 83e-9 * E;                                       // (1)
  const double halo = of.ranks > 1 ? 2e-6 + 11.5 * 0.5e-6 + 24 * G * (1 / network + 1 / B) : 0;  // (2)
  const double reduction = 2e-6 * std::log2(double(of.ranks)), product = 1150 * V / B + halo;    // (3)
  const double levels = 4 + std::max(0.0, std::log(of.vertices / 17000) / std::log(16.0));
  const double iteration = 15.2e3 * V / B + (of.ranks > 1 ? 6 * (levels - 1) * 7.75e-6 : 0) +
                           6 * 24 * G / network + 3 * reduction;  // (4)
  const double set_up = 170e-6 * V / 20;                          // (5)
  const MethodEntry* entry = find_integrator(method);
  const UsualStep step = entry && entry->info->on_ranks ? *entry->info->on_ranks : UsualStep{};
  const double seconds = step.forces * (force + 2 * halo + 2 * reduction) + step.matrices * stiffness +
                         step.products * product + step.iterations * iteration +
                         (step.iterations > 0 ? set_up : 0);
  const auto counted = [](double number, const char* one, const char* many) {
    return number > 0 ? fmt::format(", {} {}", number, number == 1 ? one : many) : "";
  };
  const double bytes = step.matrices > 0 ? 3.6e3 : 0.8e3;
  return {
      fmt::format("memory, by the model: {:.3g} MB a rank, {:.3g} MB of it the whole scene",
                  1e-6 * (40e6 + bytes * E + 600 * of.tets), 1e-6 * 600 * of.tets),  // (6)
      fmt::format("time, by the model: {:.2g} s for {}{}{}{}", seconds,
                  counted(step.forces, "evaluation of the force", "evaluations of the force").substr(2),
                  counted(step.matrices, "matrix", "matrices"), counted(step.products, "product", "products"),
                  counted(step.iterations, "iteration", "iterations"))};
}

}  // namespace

std::vector<std::string> describe_parts(const SceneModel& whole, const Scene& scene,
                                        const std::vector<int>& owner, int ranks) {
  const PartSizes sizes = measure(whole, owner, ranks);
  const auto most = [](const std::vector<double>& of) { return *std::max_element(of.begin(), of.end()); };
  const double evaluated = std::accumulate(sizes.evaluated.begin(), sizes.evaluated.end(), 0.0);
  const Sizes of{most(sizes.owned),
                 most(sizes.evaluated),
                 most(sizes.ghosts),
                 double(std::max(1, whole.vertices())),
                 double(std::max(1, whole.tetrahedra())),
                 ranks};
  std::vector<std::string> sentences = {
      fmt::format("{} ranks: {:.0f} vertices each, {:.2f} of the mean at most, {:.0f} tetrahedra at most",
                  ranks, of.vertices / ranks, of.V * ranks / of.vertices, of.E),
      fmt::format(
          "halo: {:.0f} vertices at most, {:.1f} kB for each exchange; {:.1f} % of the tetrahedra are "
          "evaluated by more than one rank",
          of.G, 24e-3 * of.G, 100 * (evaluated / of.tets - 1))};
  for (std::string& sentence : predict(of, scene.integrator.type)) sentences.push_back(std::move(sentence));
  return sentences;
}

std::vector<std::string> describe_size(double tetrahedra, const Scene& scene, int ranks) {
  const double vertices = tetrahedra / kTetsOfVertex, V = vertices / ranks;
  const double G = ranks > 1 ? 6 * std::pow(V, 2.0 / 3) : 0;  // (7)
  const Sizes of{V, kTetsOfVertex * (V + G / 2), G, vertices, tetrahedra, ranks};
  std::vector<std::string> sentences = {
      fmt::format("{} ranks, as if the scene had {:.0f} tetrahedra: {:.0f} vertices each", ranks, tetrahedra,
                  V),
      fmt::format("halo: {:.0f} vertices, {:.1f} kB for each exchange", G, 24e-3 * G)};
  for (std::string& sentence : predict(of, scene.integrator.type)) sentences.push_back(std::move(sentence));
  return sentences;
}

}  // namespace phiflex
