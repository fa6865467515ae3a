#include "phiflex/model/triangle_system.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <map>
#include <stdexcept>

namespace phiflex {
namespace {

constexpr int kBlock = 2;

// The positive part of a symmetric matrix.
template <class Matrix>
Matrix positive_part(const Matrix& A) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(A);
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).asDiagonal() *
         eigen.eigenvectors().transpose();
}

}  // namespace

TriangleMesh generate_square(double side, int cells) {
  if (!(side > 0) || cells < 1) throw std::invalid_argument("generate_square: nothing to make");
  TriangleMesh mesh;
  for (int j = 0; j <= cells; ++j)
    for (int i = 0; i <= cells; ++i) mesh.vertices.emplace_back(side * i / cells, side * j / cells);
  const int row = cells + 1;
  for (int j = 0; j < cells; ++j)
    for (int i = 0; i < cells; ++i) {
      const int v = j * row + i;
      mesh.triangles.push_back({v, v + 1, v + row + 1});
      mesh.triangles.push_back({v, v + row + 1, v + row});
    }
  return mesh;
}

TriangleSystem::TriangleSystem(TriangleBody body)
    : body_(std::move(body)), law_(make_plane_law(body_.law, body_.young, body_.poisson)) {
  for (const auto& [a, b, c] : body_.mesh.triangles) {
    const auto& X = body_.mesh.vertices;
    Eigen::Matrix2d edges;
    edges << X[b] - X[a], X[c] - X[a];
    if (!(edges.determinant() > 0)) throw std::invalid_argument("TriangleSystem: a triangle has no area");
    Triangle triangle;
    triangle.area = edges.determinant() / 2;
    triangle.gradients.rightCols<2>() = edges.inverse().transpose();
    triangle.gradients.col(0) = -triangle.gradients.rightCols<2>().rowwise().sum();
    triangles_.push_back(triangle);
  }
  if (body_.continuity != Continuity::continuous) find_edges();

  const int count = static_cast<int>(triangles_.size());
  const int nodes =
      body_.continuity == Continuity::continuous ? static_cast<int>(body_.mesh.vertices.size()) : 3 * count;
  std::vector<Coupling> couplings;
  for (int t = 0; t < count; ++t)
    for (int a = 0; a < 3; ++a)
      for (int b = a + 1; b < 3; ++b) couplings.push_back({node(t, a), node(t, b)});
  for (const Edge& edge : edges_)
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) couplings.push_back({node(edge.triangle[0], a), node(edge.triangle[1], b)});
  pattern_ = std::make_shared<const SparsityPattern>(kBlock, nodes, std::move(couplings));
  Vector lumped = Vector::Zero(kBlock * Index(nodes));
  for (int t = 0; t < count; ++t)
    for (int a = 0; a < 3; ++a)
      lumped.segment<2>(kBlock * Index(node(t, a))).array() += body_.density * triangles_[t].area / 3;
  mass_ = std::make_unique<MassMatrix>(std::move(lumped));
}

int TriangleSystem::node(int triangle, int corner) const {
  return body_.continuity == Continuity::continuous ? body_.mesh.triangles[triangle][corner]
                                                    : 3 * triangle + corner;
}

void TriangleSystem::find_edges() {
  std::map<std::pair<int, int>, std::pair<int, int>>
      open;  // the ends of an edge: its triangle and first corner
  for (int t = 0; t < static_cast<int>(triangles_.size()); ++t) {
    for (int a = 0; a < 3; ++a) {
      const int b = (a + 1) % 3, from = body_.mesh.triangles[t][a], to = body_.mesh.triangles[t][b];
      const auto found = open.find({to, from});  // the neighbour goes the other way
      if (found == open.end()) {
        open[{from, to}] = {t, a};
        continue;
      }
      const auto [other, start] = found->second;
      const Eigen::Vector2d along = body_.mesh.vertices[from] - body_.mesh.vertices[to];
      edges_.push_back({{other, t},
                        {{start, (start + 1) % 3}, {b, a}},
                        Eigen::Vector2d(along[1], -along[0]).normalized(),
                        along.norm()});
    }
  }
}

Eigen::Matrix<double, 6, 1> TriangleSystem::corners(int triangle, const Vector& q) const {
  Eigen::Matrix<double, 6, 1> u;
  for (int a = 0; a < 3; ++a) u.segment<2>(2 * a) = q.segment<2>(kBlock * Index(node(triangle, a)));
  return u;
}

// F_ij = sum_a u_a,i g_a,j, beside the identity.
Eigen::Matrix<double, 4, 6> TriangleSystem::strain_map(int triangle) const {
  Eigen::Matrix<double, 4, 6> B = Eigen::Matrix<double, 4, 6>::Zero();
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) B(2 * i + j, 2 * a + i) = triangles_[triangle].gradients(j, a);
  return B;
}

PlaneLaw::Strain TriangleSystem::deformation(int triangle, const Vector& q) const {
  return PlaneLaw::Strain(1, 0, 0, 1) + strain_map(triangle) * corners(triangle, q);
}

namespace {

using Vector2 = Eigen::Vector2d;

// (P n) as a map of P by rows.
Eigen::Matrix<double, 2, 4> normal_map(const Vector2& n) {
  Eigen::Matrix<double, 2, 4> N;
  N << n[0], n[1], 0, 0, 0, 0, n[0], n[1];
  return N;
}
PlaneLaw::Strain outer(const Vector2& m, const Vector2& n) {
  return {m[0] * n[0], m[0] * n[1], m[1] * n[0], m[1] * n[1]};
}

}  // namespace

double TriangleSystem::potential_energy(const State& at) const {
  double W = 0;
  for (std::size_t t = 0; t < triangles_.size(); ++t)
    W += triangles_[t].area * law_->psi(deformation(int(t), at.q));  // (1)
  for (const Edge& edge : edges_) {
    Vector2 jump[2], traction = Vector2::Zero();
    for (int end = 0; end < 2; ++end)
      jump[end] = at.q.segment<2>(2 * Index(node(edge.triangle[0], edge.corner[0][end]))) -
                  at.q.segment<2>(2 * Index(node(edge.triangle[1], edge.corner[1][end])));
    // int |d|^2 of a linear d.
    W += body_.penalty * edge.length / 3 *
         (jump[0].squaredNorm() + jump[0].dot(jump[1]) + jump[1].squaredNorm());  // (2)
    if (body_.continuity != Continuity::interior_penalty) continue;
    for (const int t : edge.triangle)
      traction += 0.5 * normal_map(edge.normal) * law_->P(deformation(t, at.q));
    W -= edge.length * (0.5 * (jump[0] + jump[1])).dot(traction);  // (3)
  }
  return W;
}

void TriangleSystem::force(const State& at, Vector& f) const {
  f.setZero(dofs());
  const auto add = [&](int triangle, const Eigen::Matrix<double, 6, 1>& of_corners) {
    for (int a = 0; a < 3; ++a) f.segment<2>(2 * Index(node(triangle, a))) += of_corners.segment<2>(2 * a);
  };
  for (int t = 0; t < static_cast<int>(triangles_.size()); ++t)
    add(t, -triangles_[t].area * strain_map(t).transpose() * law_->P(deformation(t, at.q)));
  for (const Edge& edge : edges_) {
    const auto place = [&](int side, int end) {
      return 2 * Index(node(edge.triangle[side], edge.corner[side][end]));
    };
    Vector2 jump[2], pull[2];  // pull: -dW/dd at the ends
    for (int end = 0; end < 2; ++end)
      jump[end] = at.q.segment<2>(place(0, end)) - at.q.segment<2>(place(1, end));
    for (int end = 0; end < 2; ++end)
      pull[end] = -body_.penalty * edge.length / 3 * (2 * jump[end] + jump[1 - end]);
    if (body_.continuity == Continuity::interior_penalty) {  // (4)
      const PlaneLaw::Strain A = outer(0.5 * (jump[0] + jump[1]), edge.normal);
      Vector2 traction = Vector2::Zero();
      for (const int t : edge.triangle) {
        const PlaneLaw::Strain F = deformation(t, at.q);
        traction += 0.5 * normal_map(edge.normal) * law_->P(F);
        add(t, 0.5 * edge.length * strain_map(t).transpose() * (law_->dP(F) * A));
      }
      for (Vector2& of_end : pull) of_end += 0.5 * edge.length * traction;
    }
    for (int end = 0; end < 2; ++end) {
      f.segment<2>(place(0, end)) += pull[end];
      f.segment<2>(place(1, end)) -= pull[end];
    }
  }
}

TriangleSystem::LocalMatrix TriangleSystem::edge_stiffness(const Edge& edge, const Vector& q) const {
  Eigen::Matrix<double, 2, 12> D[2] = {Eigen::Matrix<double, 2, 12>::Zero(),
                                       Eigen::Matrix<double, 2, 12>::Zero()};
  for (int end = 0; end < 2; ++end)
    for (int i = 0; i < 2; ++i) {
      D[end](i, 2 * edge.corner[0][end] + i) = 1;
      D[end](i, 6 + 2 * edge.corner[1][end] + i) = -1;
    }
  LocalMatrix K = body_.penalty * edge.length / 3 *
                  (2 * D[0].transpose() * D[0] + 2 * D[1].transpose() * D[1] + D[0].transpose() * D[1] +
                   D[1].transpose() * D[0]);
  if (body_.continuity != Continuity::interior_penalty) return K;

  const Eigen::Matrix<double, 2, 12> mean = 0.5 * (D[0] + D[1]);
  Local u;
  u << corners(edge.triangle[0], q), corners(edge.triangle[1], q);
  const PlaneLaw::Strain A = outer(mean * u, edge.normal);
  for (int side = 0; side < 2; ++side) {  // (5)
    Eigen::Matrix<double, 4, 12> B = Eigen::Matrix<double, 4, 12>::Zero();
    B.middleCols<6>(6 * side) = strain_map(edge.triangle[side]);
    const PlaneLaw::Strain F = deformation(edge.triangle[side], q);
    const LocalMatrix across = mean.transpose() * normal_map(edge.normal) * law_->dP(F) * B;
    K -= 0.5 * edge.length * (across + across.transpose() + B.transpose() * law_->d2P(F, A) * B);
  }
  return K;
}

void TriangleSystem::add_stiffness(const Vector& q, Definiteness definiteness, Part part,
                                   SparseMatrix& K) const {
  const auto add = [&](const auto& local, std::initializer_list<int> triangles) {
    std::vector<int> nodes;
    for (const int t : triangles)
      for (int a = 0; a < 3; ++a) nodes.push_back(node(t, a));
    for (std::size_t a = 0; a < nodes.size(); ++a)
      for (std::size_t b = 0; b < nodes.size(); ++b) {
        double* block = K.block(pattern_->find(nodes[a], nodes[b]));
        for (int i = 0; i < 2; ++i)
          for (int j = 0; j < 2; ++j) block[2 * i + j] += local(2 * Index(a) + i, 2 * Index(b) + j);
      }
  };
  for (int t = 0; t < static_cast<int>(triangles_.size()); ++t) {
    const PlaneLaw::Strain F = deformation(t, q);
    const PlaneLaw::Hessian H = definiteness == Definiteness::exact ? law_->dP(F) : law_->projected_dP(F);
    const Eigen::Matrix<double, 4, 6> B = strain_map(t);
    const Eigen::Matrix<double, 6, 6> local = triangles_[t].area * B.transpose() * H * B;
    add(local, {t});
  }
  if (part == Part::triangles) return;
  for (const Edge& edge : edges_) {
    const LocalMatrix local = edge_stiffness(edge, q);
    add(definiteness == Definiteness::exact ? local : positive_part(local),
        {edge.triangle[0], edge.triangle[1]});
  }
}

class TriangleSystem::Assembled final : public AssembledTangent {
 public:
  Assembled(const TriangleSystem& system, Definiteness definiteness, Part part)
      : system_(system), definiteness_(definiteness), part_(part), K_(system.pattern()) {}
  void update(const State& at) override {
    K_.set_zero();
    system_.add_stiffness(at.q, definiteness_, part_, K_);
  }
  const SparseMatrix& K() const override { return K_; }
  const SparseMatrix* D() const override { return nullptr; }
  void load_rate(Vector& g) const override { g.setZero(system_.dofs()); }

 private:
  const TriangleSystem& system_;
  Definiteness definiteness_;
  Part part_;
  SparseMatrix K_;
};

std::unique_ptr<AssembledTangent> TriangleSystem::assembled_tangent(Definiteness definiteness) const {
  return std::make_unique<Assembled>(*this, definiteness, Part::all);
}
std::unique_ptr<AssembledTangent> TriangleSystem::stiff_tangent(Definiteness definiteness) const {
  if (body_.continuity == Continuity::continuous) return nullptr;
  return std::make_unique<Assembled>(*this, definiteness, Part::triangles);
}

double TriangleSystem::largest_gap(const Vector& q) const {
  double largest = 0;
  for (const Edge& edge : edges_)
    for (int end = 0; end < 2; ++end)
      largest = std::max(largest, (q.segment<2>(2 * Index(node(edge.triangle[0], edge.corner[0][end]))) -
                                   q.segment<2>(2 * Index(node(edge.triangle[1], edge.corner[1][end]))))
                                      .norm());
  return largest;
}

}  // namespace phiflex
