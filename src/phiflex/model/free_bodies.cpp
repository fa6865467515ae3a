#include "phiflex/model/free_bodies.h"

#include <Eigen/Geometry>
#include <numeric>

#include "phiflex/linalg/small_symmetric.h"

namespace phiflex {
namespace {

constexpr double kLeastFall = 0.5;  // of a rigid part, against the first one

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
                       const MassMatrix& mass, const Share* share)
    : vertex_of_row_(map.free().vertex_of_row), positions_(map.dofs()), image_(map.dofs()) {
  Vector image(map.dofs());
  mass.apply(Vector::Ones(map.dofs()), image);
  row_mass_.resize(map.dofs() / 3);
  for (Index row = 0; row < row_mass_.size(); ++row) row_mass_[row] = image[3 * row];

  const std::vector<int> component = share ? share->component : components(int(map.vertices()), couplings);
  const std::size_t sets = share ? std::size_t(share->components) : component.size();
  const std::vector<int>& row_of_vertex = map.free().row_of_vertex;
  std::vector<bool> held(sets, false);
  for (std::size_t v = 0; v < component.size(); ++v)
    if (row_of_vertex[v] < 0) held[component[v]] = true;
  std::vector<int> body_of_component(sets, -1);
  if (share) {  // every rank has a place for each of them
    std::vector<double> on_some_rank(held.begin(), held.end());
    share->team().largest(on_some_rank);
    for (std::size_t set = 0; set < sets; ++set) {
      held[set] = on_some_rank[set] != 0;
      if (held[set]) continue;
      body_of_component[set] = int(bodies_.size());
      bodies_.emplace_back();
    }
  }
  body_of_row_.assign(vertex_of_row_.size(), -1);
  for (std::size_t v = 0; v < component.size(); ++v) {
    if (held[component[v]] || row_of_vertex[v] >= int(vertex_of_row_.size())) continue;
    int& body = body_of_component[component[v]];
    if (body < 0) {
      body = int(bodies_.size());
      bodies_.emplace_back();
    }
    bodies_[body].rows.push_back(row_of_vertex[v]);
    bodies_[body].mass += row_mass_[row_of_vertex[v]];
    body_of_row_[std::size_t(row_of_vertex[v])] = body;
  }
  if (share)
    for (Body& body : bodies_) body.mass = sum(share->team(), body.mass);
  touched_.resize(bodies_.size());
}

void FreeBodies::begin_removal(const Vector& w, const StencilBlocks* contacts) {
  before_ = w;
  for (Body& body : bodies_) {
    body.next = -1;
    body.follows = body.left_alone = false;
    body.first_part = -1;
  }
  if (!contacts || contacts->empty()) return;
  std::iota(touched_.begin(), touched_.end(), 0);
  for (const StencilBlocks::Term& term : contacts->terms()) {
    int first = -1;
    for (const int row : term.rows) {
      const int body = row < 0 ? -1 : body_of_row_[std::size_t(row)];
      if (body < 0) continue;
      const int a = lowest(body), b = first < 0 ? a : lowest(first);
      touched_[std::size_t(std::max(a, b))] = std::min(a, b);
      first = body;
    }
  }
  for (int body = int(bodies_.size()); body-- > 0;) {
    const int chain = lowest(body);
    if (chain == body) continue;
    bodies_[std::size_t(body)].follows = true;
    bodies_[std::size_t(body)].next = bodies_[std::size_t(chain)].next;
    bodies_[std::size_t(chain)].next = body;
  }
}

// The lowest of the bodies that touch this one.
int FreeBodies::lowest(int body) {
  while (touched_[std::size_t(body)] != body) {
    int& to = touched_[std::size_t(body)];
    body = to = touched_[std::size_t(to)];
  }
  return body;
}

void FreeBodies::remove_rigid_part(const Vector& x, const Vector& residual, const MassMatrix& mass,
                                   Vector& w) {
  for (std::size_t row = 0; row < vertex_of_row_.size(); ++row)
    positions_.segment<3>(3 * Index(row)) = x.segment<3>(3 * Index(vertex_of_row_[row]));
  mass.apply(positions_, image_);
  for (Body& first : bodies_) {
    if (first.follows || first.left_alone) continue;
    const auto for_rows = [&](const auto& visit) {
      for (const Body* body = &first; body;
           body = body->next < 0 ? nullptr : &bodies_[std::size_t(body->next)])
        for (const int row : body->rows) visit(row);
    };
    double whole = 0;
    for (const Body* body = &first; body; body = body->next < 0 ? nullptr : &bodies_[std::size_t(body->next)])
      whole += body->mass;
    Eigen::Vector3d center = Eigen::Vector3d::Zero(), p = center, l = center;
    for_rows([&](int row) { center += image_.segment<3>(3 * Index(row)); });
    mass.team().sum({center.data(), 3});
    center /= whole;
    Eigen::Matrix3d Q = Eigen::Matrix3d::Zero();
    for_rows([&](int row) {  // (1)
      const Eigen::Vector3d arm = positions_.segment<3>(3 * Index(row)) - center;
      const Eigen::Vector3d r = residual.segment<3>(3 * Index(row));
      p += r;
      l += arm.cross(r);
      Q += arm * (image_.segment<3>(3 * Index(row)) - row_mass_[row] * center).transpose();
    });
    mass.team().sum({p.data(), 3});
    mass.team().sum({l.data(), 3});
    mass.team().sum({Q.data(), 9});
    const Eigen::Matrix3d symmetric = 0.5 * (Q + Q.transpose());
    const Eigen::Vector3d spin =
        angular_velocity(symmetric.trace() * Eigen::Matrix3d::Identity() - symmetric, l);
    const double part = p.squaredNorm() / whole + spin.dot(l);
    if (first.first_part < 0) {
      first.first_part = part;
    } else if (!(part <= kLeastFall * kLeastFall * first.first_part)) {
      first.left_alone = true;
      for_rows([&](int row) { w.segment<3>(3 * Index(row)) = before_.segment<3>(3 * Index(row)); });
      continue;
    }
    for_rows([&](int row) {  // (2)
      const Eigen::Vector3d arm = positions_.segment<3>(3 * Index(row)) - center;
      w.segment<3>(3 * Index(row)) -= p / whole + spin.cross(arm);
    });
  }
}

}  // namespace phiflex
