#include "phiflex/model/muscle_load.h"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>

#include "phiflex/fem/tet_element.h"

namespace phiflex {
namespace {

using Slopes = std::array<double, 4>;  // n.grad L_a of the corners

template <std::size_t n>
void add_pairs(const std::array<int, n>& nodes, const std::array<double, n>& c, double factor,
               std::vector<MusclePair>& pairs) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j)
      pairs.push_back(
          {std::min(nodes[i], nodes[j]), std::max(nodes[i], nodes[j]), factor * c[i] * c[j]});  // (3)
}

// dN/dL of tet_element.h, (3), times the slopes of L.
std::array<double, 10> quadratic_slopes(const Slopes& s, int point) {
  std::array<double, 10> c{};
  for (int a = 0; a < 4; ++a) c[std::size_t(a)] = Tet10::at_corner(point, a) * s[std::size_t(a)];
  for (std::size_t e = 0; e < 6; ++e) {
    const int a = kTetEdges[e][0], b = kTetEdges[e][1];
    c[4 + e] = Tet10::at_edge(point, b) * s[std::size_t(a)] + Tet10::at_edge(point, a) * s[std::size_t(b)];
  }
  return c;
}

class MuscleStiffness final : public LoadStiffness {
 public:
  MuscleStiffness(const MuscleLoad& load, const FreeVertices& free, const SparsityPattern& pattern)
      : load_(load) {
    for (const MusclePair& pair : load.pairs()) {
      const int i = free.row_of_vertex[std::size_t(pair.i)], j = free.row_of_vertex[std::size_t(pair.j)];
      blocks_.push_back({i < 0 ? -1 : pattern.diagonal(i), j < 0 ? -1 : pattern.diagonal(j),
                         i < 0 || j < 0 ? -1 : pattern.find(i, j), i < 0 || j < 0 ? -1 : pattern.find(j, i)});
    }
  }

  void add_stiffness(const Motion& at, Definiteness definiteness, SparseMatrix& K) const override {
    const double a = load_.activation(at.t);
    if (a == 0 || (a < 0 && definiteness == Definiteness::projected)) return;
    for (std::size_t n = 0; n < blocks_.size(); ++n) {
      const double A = a * load_.pairs()[n].A;
      const auto& [ii, jj, ij, ji] = blocks_[n];
      for (const int block : {ii, jj}) add(block, -A, K);
      for (const int block : {ij, ji}) add(block, A, K);
    }
  }

 private:
  static void add(int block, double value, SparseMatrix& K) {
    if (block < 0) return;
    double* entries = K.block(block);
    for (const int diagonal : {0, 4, 8}) entries[diagonal] += value;  // (4)
  }

  const MuscleLoad& load_;
  std::vector<std::array<int, 4>> blocks_;  // ii, jj, ij, ji; -1: held
};

}  // namespace

std::vector<MusclePair> muscle_pairs(const Vector& rest, std::span<const Tet> tets,
                                     std::span<const QuadraticTet> quadratic,
                                     std::span<const Eigen::Vector3d> directions, double stress) {
  std::vector<MusclePair> all;
  for (std::size_t e = 0; e < tets.size(); ++e) {
    const double length = directions[e].norm();
    if (length == 0) continue;
    const auto at = [&](std::size_t corner) -> Eigen::Vector3d {
      return rest.segment<3>(3 * Index(tets[e][corner]));
    };
    Eigen::Matrix3d edges;
    for (int a = 0; a < 3; ++a) edges.col(a) = at(std::size_t(a) + 1) - at(0);
    const Eigen::Vector3d of_edges = edges.inverse() * (directions[e] / length);
    const Slopes s{-of_edges.sum(), of_edges[0], of_edges[1], of_edges[2]};
    const double tension = stress * std::abs(edges.determinant()) / 6;  // T V
    if (quadratic.empty())
      add_pairs(tets[e], s, tension, all);
    else
      for (int point = 0; point < Tet10::kPoints; ++point)
        add_pairs(quadratic[e], quadratic_slopes(s, point), Tet10::kWeight * tension, all);
  }
  // Equal pairs in the order of their elements: the same sums whatever the sort does with equals.
  std::stable_sort(all.begin(), all.end(), [](const MusclePair& a, const MusclePair& b) {
    return a.i != b.i ? a.i < b.i : a.j < b.j;
  });
  std::vector<MusclePair> merged;
  for (const MusclePair& pair : all) {
    if (!merged.empty() && merged.back().i == pair.i && merged.back().j == pair.j)
      merged.back().A += pair.A;
    else
      merged.push_back(pair);
  }
  return merged;
}

void MuscleLoad::add(double factor, const Vector& x, Vector& f) const {
  if (factor == 0) return;
  for (const MusclePair& pair : pairs_) {
    const Index i = 3 * Index(pair.i), j = 3 * Index(pair.j);
    const Eigen::Vector3d pull = (-factor * pair.A) * (x.segment<3>(j) - x.segment<3>(i));  // (3)
    f.segment<3>(i) += pull;
    f.segment<3>(j) -= pull;
  }
}

void MuscleLoad::add_force(const Motion& at, Vector& f) const {
  add(activation(at.t), at.x, f);
}

void MuscleLoad::add_force_rate(const Motion& at, Vector& g) const {
  if (active_.covers(at.t)) add(activation_.rate(at.t), at.x, g);
}

void MuscleLoad::add_couplings(std::vector<Coupling>& couplings) const {
  for (const MusclePair& pair : pairs_) couplings.push_back({pair.i, pair.j});
}

std::unique_ptr<LoadStiffness> MuscleLoad::make_stiffness(const FreeVertices& free,
                                                          const SparsityPattern& pattern) const {
  return std::make_unique<MuscleStiffness>(*this, free, pattern);
}

void MuscleLoad::add_stiffness_product(const Motion& at, const Vector& dx, Vector& y) const {
  add(-activation(at.t), dx, y);  // K dx
}

}  // namespace phiflex
