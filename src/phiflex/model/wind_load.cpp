#include "phiflex/model/wind_load.h"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <optional>

namespace phiflex {

namespace {

using Triangle = std::array<int, 3>;

// The air of (1) and its rate of change.
Eigen::Vector3d air_velocity(const Wind& wind, double t) {
  const double phase = 2 * std::numbers::pi * wind.gust_frequency * t;
  return wind.velocity * (1 + wind.gust_amplitude * std::sin(phase));
}
Eigen::Vector3d air_acceleration(const Wind& wind, double t) {
  const double omega = 2 * std::numbers::pi * wind.gust_frequency;
  return wind.velocity * (wind.gust_amplitude * omega * std::cos(omega * t));
}

// A triangle in the wind.
struct Face {
  Eigen::Vector3d n;
  double w_n;       // (2)
  double strength;  // rho C A |w_n|
};

// Nothing when the triangle has no area.
std::optional<Face> face(const Motion& at, const Triangle& triangle, const Eigen::Vector3d& air,
                         const Wind& wind) {
  const auto x = [&](int corner) { return at.x.segment<3>(3 * Index(triangle[corner])); };
  const auto v = [&](int corner) { return at.v.segment<3>(3 * Index(triangle[corner])); };
  const Eigen::Vector3d edge1 = x(1) - x(0), edge2 = x(2) - x(0);
  const Eigen::Vector3d normal = edge1.cross(edge2);
  const double twice_area = normal.norm();
  if (twice_area == 0) return std::nullopt;
  const Eigen::Vector3d n = normal / twice_area;
  const Eigen::Vector3d mean = (v(0) + v(1) + v(2)) / 3;
  const double w_n = (air - mean).dot(n);
  return Face{n, w_n, wind.air_density * wind.drag_coefficient * twice_area / 2 * std::fabs(w_n)};
}

void add_thirds(const Triangle& triangle, const Eigen::Vector3d& force, Vector& f) {
  for (int vertex : triangle) f.segment<3>(3 * Index(vertex)) += force / 3;
}

class WindDrag : public DragAssembler {
 public:
  WindDrag(const std::vector<Triangle>& triangles, const Wind& wind, ActiveTime active,
           const FreeVertices& free, const SparsityPattern& pattern)
      : triangles_(triangles), wind_(wind), active_(active) {
    blocks_.reserve(triangles.size());
    for (const Triangle& triangle : triangles) {
      std::array<int, 9> blocks;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          const int row = free.row_of_vertex[triangle[i]], col = free.row_of_vertex[triangle[j]];
          blocks[3 * i + j] = row < 0 || col < 0 ? -1 : pattern.find(row, col);
        }
      blocks_.push_back(blocks);
    }
  }

  void add_drag(const Motion& at, SparseMatrix& D) const override {
    if (!active_.covers(at.t)) return;
    const Eigen::Vector3d air = air_velocity(wind_, at.t);
    for (std::size_t i = 0; i < triangles_.size(); ++i) {
      const std::optional<Face> side = face(at, triangles_[i], air, wind_);
      if (!side) continue;
      const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> share =
          side->strength / 9 * side->n * side->n.transpose();  // (4)
      for (int k : blocks_[i])
        if (k >= 0) Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(D.block(k)) += share;
    }
  }

 private:
  const std::vector<Triangle>& triangles_;
  Wind wind_;
  ActiveTime active_;
  std::vector<std::array<int, 9>> blocks_;  // -1: a corner is held
};

}  // namespace

WindLoad::WindLoad(std::vector<Triangle> triangles, Wind wind, ActiveTime active)
    : triangles_(std::move(triangles)), wind_(wind), active_(active) {}

void WindLoad::add_force(const Motion& at, Vector& f) const {
  if (!active_.covers(at.t)) return;
  const Eigen::Vector3d air = air_velocity(wind_, at.t);
  for (const Triangle& triangle : triangles_)
    if (const std::optional<Face> side = face(at, triangle, air, wind_))
      add_thirds(triangle, 0.5 * side->strength * side->w_n * side->n, f);  // (3)
}

void WindLoad::add_force_rate(const Motion& at, Vector& g) const {
  if (!active_.covers(at.t)) return;
  const Eigen::Vector3d air = air_velocity(wind_, at.t), rate = air_acceleration(wind_, at.t);
  for (const Triangle& triangle : triangles_)
    if (const std::optional<Face> side = face(at, triangle, air, wind_))
      add_thirds(triangle, side->strength * rate.dot(side->n) * side->n, g);  // (5)
}

void WindLoad::add_couplings(std::vector<Coupling>& couplings) const {
  for (const auto& [a, b, c] : triangles_) {
    couplings.push_back({a, b});
    couplings.push_back({b, c});
    couplings.push_back({c, a});
  }
}

std::unique_ptr<DragAssembler> WindLoad::make_drag_assembler(const FreeVertices& free,
                                                             const SparsityPattern& pattern) const {
  return std::make_unique<WindDrag>(triangles_, wind_, active_, free, pattern);
}

}  // namespace phiflex
