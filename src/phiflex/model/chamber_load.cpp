#include "phiflex/model/chamber_load.h"

#include <Eigen/Geometry>

#include "phiflex/model/surface_load.h"

namespace phiflex {
namespace {

using WallBlock = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

Eigen::Vector3d wall_vertex(const Vector& x, int vertex) {
  return x.segment<3>(3 * Index(vertex));
}

// The three edges of a triangle with the vertex opposite to each.
std::array<std::array<int, 3>, 3> wall_edges(const std::array<int, 3>& t) {
  return {{{t[0], t[1], t[2]}, {t[1], t[2], t[0]}, {t[2], t[0], t[1]}}};
}

class ChamberStiffness final : public LoadStiffness {
 public:
  ChamberStiffness(const ChamberLoad& load, const FreeVertices& free, const SparsityPattern& pattern)
      : load_(load) {
    for (const std::array<int, 3>& triangle : load.wall())
      for (const auto& [a, b, c] : wall_edges(triangle)) {
        const int i = free.row_of_vertex[std::size_t(a)], j = free.row_of_vertex[std::size_t(b)];
        if (i >= 0 && j >= 0) edges_.push_back({pattern.find(i, j), pattern.find(j, i), c});
      }
  }

  void add_stiffness(const Motion& at, Definiteness definiteness, SparseMatrix& K) const override {
    const double p = load_.pressure(at.t);
    if (p == 0 || definiteness == Definiteness::projected) return;
    const Eigen::Vector3d origin = wall_vertex(at.x, load_.wall().front()[0]);
    for (const Edge& edge : edges_) {
      const Eigen::Vector3d y = -p / 6 * (wall_vertex(at.x, edge.opposite) - origin);  // (3)
      WallBlock cross;
      cross << 0, -y[2], y[1], y[2], 0, -y[0], -y[1], y[0], 0;
      Eigen::Map<WallBlock>(K.block(edge.ab)) += cross;
      Eigen::Map<WallBlock>(K.block(edge.ba)) -= cross;
    }
  }

 private:
  struct Edge {
    int ab, ba;  // blocks
    int opposite;
  };
  const ChamberLoad& load_;
  std::vector<Edge> edges_;  // between free vertices
};

}  // namespace

double hollow_volume(const std::vector<std::array<int, 3>>& wall, const Vector& x) {
  if (wall.empty()) return 0;
  const Eigen::Vector3d origin = wall_vertex(x, wall.front()[0]);  // any: the wall is closed
  double sum = 0;
  for (const auto& [a, b, c] : wall)
    sum += (wall_vertex(x, a) - origin).dot((wall_vertex(x, b) - origin).cross(wall_vertex(x, c) - origin));
  return -sum / 6;  // (1)
}

void ChamberLoad::add(double pressure, const Vector& x, Vector& f) const {
  if (pressure == 0) return;
  for (const std::array<int, 3>& triangle : wall_) {
    const Eigen::Vector3d share = -pressure / 3 * area_vector(triangle, x);  // (2)
    for (const int vertex : triangle) f.segment<3>(3 * Index(vertex)) += share;
  }
}

void ChamberLoad::add_force(const Motion& at, Vector& f) const {
  add(pressure(at.t), at.x, f);
}

void ChamberLoad::add_force_rate(const Motion& at, Vector& g) const {
  if (active_.covers(at.t)) add(pressure_ * strength_.rate(at.t), at.x, g);
}

void ChamberLoad::add_couplings(std::vector<Coupling>& couplings) const {
  for (const std::array<int, 3>& triangle : wall_)
    for (const auto& [a, b, c] : wall_edges(triangle)) couplings.push_back({a, b});
}

std::unique_ptr<LoadStiffness> ChamberLoad::make_stiffness(const FreeVertices& free,
                                                           const SparsityPattern& pattern) const {
  return std::make_unique<ChamberStiffness>(*this, free, pattern);
}

void ChamberLoad::add_stiffness_product(const Motion& at, const Vector& dx, Vector& y) const {
  const double p = pressure(at.t);
  if (p == 0) return;
  const Eigen::Vector3d origin = wall_vertex(at.x, wall_.front()[0]);
  for (const std::array<int, 3>& triangle : wall_)
    for (const auto& [a, b, c] : wall_edges(triangle)) {
      const Eigen::Vector3d z = -p / 6 * (wall_vertex(at.x, c) - origin);  // (3)
      y.segment<3>(3 * Index(a)) += z.cross(wall_vertex(dx, b));
      y.segment<3>(3 * Index(b)) -= z.cross(wall_vertex(dx, a));
    }
}

}  // namespace phiflex
