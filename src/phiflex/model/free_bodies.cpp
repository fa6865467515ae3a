#include "phiflex/model/free_bodies.h"

#include <Eigen/Geometry>
#include <numeric>

#include "phiflex/linalg/small_symmetric.h"

namespace phiflex {
namespace {

// I^-1 l without the directions that have no inertia.
Eigen::Vector3d angular_velocity(const Eigen::Matrix3d& inertia, const Eigen::Vector3d& momentum) {
  constexpr double kLeast = 1e-12;  // of the largest moment of inertia
  Eigen::Matrix3d values = inertia, axes = Eigen::Matrix3d::Identity();
  diagonalize(3, {values.data(), 9}, {axes.data(), 9});
  const Eigen::Vector3d moment = values.diagonal();
  Eigen::Vector3d part = axes.transpose() * momentum;
  for (int i = 0; i < 3; ++i) part[i] = moment[i] > kLeast * moment.maxCoeff() ? part[i] / moment[i] : 0;
  return axes * part;
}

// The lowest vertex of each vertex's component.
std::vector<int> components(int vertices, const std::vector<Coupling>& couplings) {
  std::vector<int> parent(vertices);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const auto& [a, b] : couplings) {
    const int i = root(a), j = root(b);
    parent[std::max(i, j)] = std::min(i, j);
  }
  for (int v = 0; v < vertices; ++v) parent[v] = root(v);
  return parent;
}

}  // namespace

FreeBodies::FreeBodies(const ConstraintMap& map, const std::vector<Coupling>& couplings,
                       const MassMatrix& mass)
    : vertex_of_row_(map.free().vertex_of_row), positions_(map.dofs()), image_(map.dofs()) {
  Vector image(map.dofs());
  mass.apply(Vector::Ones(map.dofs()), image);
  row_mass_.resize(map.dofs() / 3);
  for (Index row = 0; row < row_mass_.size(); ++row) row_mass_[row] = image[3 * row];

  const std::vector<int> component = components(int(map.vertices()), couplings);
  const std::vector<int>& row_of_vertex = map.free().row_of_vertex;
  std::vector<bool> held(component.size(), false);
  for (std::size_t v = 0; v < component.size(); ++v)
    if (row_of_vertex[v] < 0) held[component[v]] = true;
  std::vector<int> body_of_component(component.size(), -1);
  for (std::size_t v = 0; v < component.size(); ++v) {
    if (held[component[v]]) continue;
    int& body = body_of_component[component[v]];
    if (body < 0) {
      body = int(bodies_.size());
      bodies_.push_back({{}, 0});
    }
    bodies_[body].rows.push_back(row_of_vertex[v]);
    bodies_[body].mass += row_mass_[row_of_vertex[v]];
  }
}

void FreeBodies::remove_rigid_part(const Vector& x, const Vector& residual, const MassMatrix& mass,
                                   Vector& w) {
  for (std::size_t row = 0; row < vertex_of_row_.size(); ++row)
    positions_.segment<3>(3 * Index(row)) = x.segment<3>(3 * Index(vertex_of_row_[row]));
  mass.apply(positions_, image_);
  for (const Body& body : bodies_) {
    Eigen::Vector3d center = Eigen::Vector3d::Zero(), p = center, l = center;
    for (int row : body.rows) center += image_.segment<3>(3 * Index(row));
    center /= body.mass;
    Eigen::Matrix3d Q = Eigen::Matrix3d::Zero();
    for (int row : body.rows) {  // (1)
      const Eigen::Vector3d arm = positions_.segment<3>(3 * Index(row)) - center;
      const Eigen::Vector3d r = residual.segment<3>(3 * Index(row));
      p += r;
      l += arm.cross(r);
      Q += arm * (image_.segment<3>(3 * Index(row)) - row_mass_[row] * center).transpose();
    }
    const Eigen::Matrix3d symmetric = 0.5 * (Q + Q.transpose());
    const Eigen::Vector3d spin =
        angular_velocity(symmetric.trace() * Eigen::Matrix3d::Identity() - symmetric, l);
    for (int row : body.rows) {  // (2)
      const Eigen::Vector3d arm = positions_.segment<3>(3 * Index(row)) - center;
      w.segment<3>(3 * Index(row)) -= p / body.mass + spin.cross(arm);
    }
  }
}

}  // namespace phiflex
