#include "phiflex/energy/triangle_term.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "phiflex/energy/two_state_term.h"
#include "phiflex/linalg/small_symmetric.h"

namespace phiflex {
namespace {

constexpr int kBlock = 2;
using Vector2 = Eigen::Vector2d;

// Whether a projection did more than round.
template <class Matrix>
bool differ(const Matrix& A, const Matrix& B) {
  return (A - B).norm() > 1e-12 * A.norm();
}

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

TriangleTerm::TriangleTerm(const Vector& rest, TriangleElements elements)
    : elements_(std::move(elements)), rest_(rest) {
  if (elements_.corners.empty()) elements_.corners = elements_.nodes;
  if (elements_.materials.size() != elements_.nodes.size() ||
      elements_.corners.size() != elements_.nodes.size())
    throw std::invalid_argument("TriangleTerm: one material and three corners for each triangle are needed");
  add_shapes();
  if (elements_.continuity != Continuity::continuous) find_edges();
}

void TriangleTerm::add_shapes() {
  std::map<TriangleMaterial, const PlaneLaw*> laws;
  for (std::size_t t = 0; t < elements_.nodes.size(); ++t) {
    const auto X = [&](int corner) -> Vector2 { return rest_.segment<2>(place(int(t), corner)); };
    Eigen::Matrix2d edges;
    edges << X(1) - X(0), X(2) - X(0);
    const double twice_area = edges(0, 0) * edges(1, 1) - edges(0, 1) * edges(1, 0);
    if (!(twice_area > 0)) throw std::invalid_argument("TriangleTerm: a triangle has no area");
    Shape shape;
    shape.area = twice_area / 2;
    Eigen::Matrix2d cofactors;  // edges^-T = cofactors / det(edges)
    cofactors << edges(1, 1), -edges(1, 0), -edges(0, 1), edges(0, 0);
    shape.gradients.rightCols<2>() = cofactors / twice_area;
    shape.gradients.col(0) = -shape.gradients.rightCols<2>().rowwise().sum();
    const TriangleMaterial& material = elements_.materials[t];
    const PlaneLaw*& law = laws[material];
    if (!law) law = laws_.emplace_back(make_plane_law(material.law, material.parameters)).get();
    shape.law = law;
    shapes_.push_back(shape);
  }
}

void TriangleTerm::find_edges() {
  std::map<std::pair<int, int>, std::pair<int, int>>
      open;  // the ends of an edge: its triangle and first corner
  for (int t = 0; t < count(); ++t) {
    for (int a = 0; a < 3; ++a) {
      const int b = (a + 1) % 3, from = elements_.corners[t][a], to = elements_.corners[t][b];
      const auto found = open.find({to, from});  // the neighbour goes the other way
      if (found == open.end()) {
        open[{from, to}] = {t, a};
        continue;
      }
      const auto [other, start] = found->second;
      const Vector2 along = rest_.segment<2>(place(t, a)) - rest_.segment<2>(place(t, b));
      edges_.push_back({{other, t},
                        {{start, (start + 1) % 3}, {b, a}},
                        Vector2(along[1], -along[0]).normalized(),
                        along.norm()});
    }
  }
}

Vector2 TriangleTerm::displacement(int triangle, int corner, const Vector& x) const {
  const Index at = place(triangle, corner);
  return x.segment<2>(at) - rest_.segment<2>(at);
}

TriangleTerm::Corners TriangleTerm::displacements(int triangle, const Vector& x) const {
  Corners u;
  for (int a = 0; a < 3; ++a) u.segment<2>(2 * a) = displacement(triangle, a, x);
  return u;
}

// F_ij = sum_a u_a,i g_a,j, beside the identity.
Eigen::Matrix<double, 4, 6> TriangleTerm::strain_map(int triangle) const {
  Eigen::Matrix<double, 4, 6> B = Eigen::Matrix<double, 4, 6>::Zero();
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) B(2 * i + j, 2 * a + i) = shapes_[triangle].gradients(j, a);
  return B;
}

PlaneLaw::Strain TriangleTerm::deformation(int triangle, const Vector& x) const {
  return PlaneLaw::Strain(1, 0, 0, 1) + strain_map(triangle).lazyProduct(displacements(triangle, x));
}

double TriangleTerm::energy(const Vector& x) const {
  double W = 0;
  for (int t = 0; t < count(); ++t) W += shapes_[t].area * shapes_[t].law->psi(deformation(t, x));  // (1)
  for (const Edge& edge : edges_) {
    Vector2 jump[2], traction = Vector2::Zero();
    for (int end = 0; end < 2; ++end)
      jump[end] = displacement(edge.triangle[0], edge.corner[0][end], x) -
                  displacement(edge.triangle[1], edge.corner[1][end], x);
    // int |d|^2 of a linear d.
    W += elements_.penalty * edge.length / 3 *
         (jump[0].squaredNorm() + jump[0].dot(jump[1]) + jump[1].squaredNorm());  // (2)
    if (elements_.continuity != Continuity::interior_penalty) continue;
    for (const int t : edge.triangle)
      traction += 0.5 * normal_map(edge.normal) * shapes_[t].law->P(deformation(t, x));
    W -= edge.length * (0.5 * (jump[0] + jump[1])).dot(traction);  // (3)
  }
  return W;
}

void TriangleTerm::add_force(const Vector& x, Vector& f) const {
  const auto add = [&](int triangle, const Corners& of_corners) {
    for (int a = 0; a < 3; ++a) f.segment<2>(place(triangle, a)) += of_corners.segment<2>(2 * a);
  };
  for (int t = 0; t < count(); ++t)
    add(t, -shapes_[t].area * strain_map(t).transpose().lazyProduct(shapes_[t].law->P(deformation(t, x))));
  for (const Edge& edge : edges_) {
    Vector2 jump[2], pull[2];  // pull: -dW/dd at the ends
    for (int end = 0; end < 2; ++end)
      jump[end] = displacement(edge.triangle[0], edge.corner[0][end], x) -
                  displacement(edge.triangle[1], edge.corner[1][end], x);
    for (int end = 0; end < 2; ++end)
      pull[end] = -elements_.penalty * edge.length / 3 * (2 * jump[end] + jump[1 - end]);
    if (elements_.continuity == Continuity::interior_penalty) {  // (4)
      const PlaneLaw::Strain A = outer(0.5 * (jump[0] + jump[1]), edge.normal);
      Vector2 traction = Vector2::Zero();
      for (const int t : edge.triangle) {
        const PlaneLaw::Strain F = deformation(t, x);
        traction += 0.5 * normal_map(edge.normal) * shapes_[t].law->P(F);
        add(t, 0.5 * edge.length * strain_map(t).transpose() * (shapes_[t].law->dP(F) * A));
      }
      for (Vector2& of_end : pull) of_end += 0.5 * edge.length * traction;
    }
    for (int end = 0; end < 2; ++end) {
      f.segment<2>(place(edge.triangle[0], edge.corner[0][end])) += pull[end];
      f.segment<2>(place(edge.triangle[1], edge.corner[1][end])) -= pull[end];
    }
  }
}

TriangleTerm::CornerMatrix TriangleTerm::triangle_stiffness(int triangle, const PlaneLaw::Hessian& H) const {
  const Eigen::Matrix<double, 4, 6> B = strain_map(triangle);
  const Eigen::Matrix<double, 4, 6> HB = H.lazyProduct(B);
  return shapes_[triangle].area * B.transpose().lazyProduct(HB);
}

TriangleTerm::LocalMatrix TriangleTerm::edge_stiffness(const Edge& edge, const Vector& x) const {
  Eigen::Matrix<double, 2, 12> D[2] = {Eigen::Matrix<double, 2, 12>::Zero(),
                                       Eigen::Matrix<double, 2, 12>::Zero()};
  for (int end = 0; end < 2; ++end)
    for (int i = 0; i < 2; ++i) {
      D[end](i, 2 * edge.corner[0][end] + i) = 1;
      D[end](i, 6 + 2 * edge.corner[1][end] + i) = -1;
    }
  LocalMatrix K = elements_.penalty * edge.length / 3 *
                  (2 * D[0].transpose().lazyProduct(D[0]) + 2 * D[1].transpose().lazyProduct(D[1]) +
                   D[0].transpose().lazyProduct(D[1]) + D[1].transpose().lazyProduct(D[0]));
  if (elements_.continuity != Continuity::interior_penalty) return K;

  const Eigen::Matrix<double, 2, 12> mean = 0.5 * (D[0] + D[1]);
  Local u;
  u << displacements(edge.triangle[0], x), displacements(edge.triangle[1], x);
  const PlaneLaw::Strain A = outer(mean * u, edge.normal);
  for (int side = 0; side < 2; ++side) {  // (5)
    const int t = edge.triangle[side];
    Eigen::Matrix<double, 4, 12> B = Eigen::Matrix<double, 4, 12>::Zero();
    B.middleCols<6>(6 * side) = strain_map(t);
    const PlaneLaw::Strain F = deformation(t, x);
    const Eigen::Matrix<double, 2, 4> NH = normal_map(edge.normal).lazyProduct(shapes_[t].law->dP(F));
    const Eigen::Matrix<double, 2, 12> NHB = NH.lazyProduct(B);
    const LocalMatrix across = mean.transpose().lazyProduct(NHB);
    const Eigen::Matrix<double, 4, 12> SB = shapes_[t].law->d2P(F, A).lazyProduct(B);
    K -= 0.5 * edge.length * (across + across.transpose() + B.transpose().lazyProduct(SB));
  }
  return K;
}

void TriangleTerm::add_stiffness_product(const Vector& x, const Vector& dx, Vector& y) const {
  const auto gathered = [&](int t) {
    Corners d;
    for (int a = 0; a < 3; ++a) d.segment<2>(2 * a) = dx.segment<2>(place(t, a));
    return d;
  };
  const auto add = [&](int t, const auto& of_corners) {
    for (int a = 0; a < 3; ++a) y.segment<2>(place(t, a)) += of_corners.template segment<2>(2 * a);
  };
  for (int t = 0; t < count(); ++t) {
    const Corners product =
        triangle_stiffness(t, shapes_[t].law->dP(deformation(t, x))).lazyProduct(gathered(t));
    add(t, product);
  }
  for (const Edge& edge : edges_) {
    Local d;
    d << gathered(edge.triangle[0]), gathered(edge.triangle[1]);
    const Local product = edge_stiffness(edge, x).lazyProduct(d);
    for (int side = 0; side < 2; ++side) {
      const Corners part = product.segment<6>(6 * side);
      add(edge.triangle[side], part);
    }
  }
}

void TriangleTerm::add_couplings(std::vector<Coupling>& couplings) const {
  const auto& nodes = elements_.nodes;
  for (const auto& [a, b, c] : nodes) couplings.insert(couplings.end(), {{a, b}, {a, c}, {b, c}});
  for (const Edge& edge : edges_)
    for (const int a : nodes[edge.triangle[0]])
      for (const int b : nodes[edge.triangle[1]]) couplings.push_back({a, b});
}

class TriangleTerm::Assembler final : public StiffnessAssembler {
 public:
  Assembler(const TriangleTerm& term, const FreeVertices& free, const SparsityPattern& pattern, Part part)
      : term_(term), part_(part) {
    if (pattern.block() != kBlock)
      throw std::invalid_argument("TriangleTerm: its matrices have blocks of two rows");
    const auto find = [&](int a, int b) {
      const int row = free.row_of_vertex[a], col = free.row_of_vertex[b];
      return row < 0 || col < 0 ? -1 : pattern.find(row, col);
    };
    for (const auto& nodes : term.elements_.nodes)
      for (const int a : nodes)
        for (const int b : nodes) triangles_.push_back(find(a, b));
    if (part == Part::triangles) return;
    for (const Edge& edge : term.edges_) {
      std::array<int, 6> nodes;
      for (int i = 0; i < 6; ++i) nodes[i] = term.elements_.nodes[edge.triangle[i / 3]][i % 3];
      for (const int a : nodes)
        for (const int b : nodes) edges_.push_back(find(a, b));
    }
  }

  Index add_stiffness(const Vector& x, Definiteness definiteness, SparseMatrix& K) const override {
    const bool exact = definiteness == Definiteness::exact;
    Index changed = 0;
    for (int t = 0; t < term_.count(); ++t) {
      const PlaneLaw& law = *term_.shapes_[t].law;
      const PlaneLaw::Strain F = term_.deformation(t, x);
      PlaneLaw::Hessian H = law.dP(F);
      if (!exact) {
        const PlaneLaw::Hessian projected = law.projected_dP(F);
        changed += differ(H, projected);
        H = projected;
      }
      add(term_.triangle_stiffness(t, H), triangles_.data() + 9 * std::size_t(t), K);
    }
    if (part_ == Part::triangles) return changed;
    for (std::size_t e = 0; e < term_.edges_.size(); ++e) {
      LocalMatrix local = term_.edge_stiffness(term_.edges_[e], x);
      if (!exact) {
        const LocalMatrix projected = positive_part(local);
        changed += differ(local, projected);
        local = projected;
      }
      add(local, edges_.data() + 36 * e, K);
    }
    return changed;
  }

 private:
  template <class Matrix>
  static void add(const Matrix& local, const int* places, SparseMatrix& K) {
    const int nodes = static_cast<int>(local.rows()) / kBlock;
    for (int a = 0; a < nodes; ++a)
      for (int b = 0; b < nodes; ++b) {
        const int to = places[nodes * a + b];
        if (to < 0) continue;
        double* block = K.block(to);
        for (int i = 0; i < kBlock; ++i)
          for (int j = 0; j < kBlock; ++j) block[kBlock * i + j] += local(kBlock * a + i, kBlock * b + j);
      }
  }

  const TriangleTerm& term_;
  Part part_;
  std::vector<int> triangles_, edges_;  // numbers of blocks, nine and thirty-six each; -1: held
};

std::unique_ptr<StiffnessAssembler> TriangleTerm::make_assembler(const FreeVertices& free,
                                                                 const SparsityPattern& pattern) const {
  return std::make_unique<Assembler>(*this, free, pattern, Part::all);
}
std::unique_ptr<StiffnessAssembler> TriangleTerm::make_stiff_assembler(const FreeVertices& free,
                                                                       const SparsityPattern& pattern) const {
  return std::make_unique<Assembler>(*this, free, pattern, Part::triangles);
}
std::unique_ptr<TwoStateTerm> TriangleTerm::make_two_state(const FreeVertices&,
                                                           const SparsityPattern&) const {
  return nullptr;
}

std::string TriangleTerm::diagnose(const Vector& x) const {
  int bad = 0;
  std::string first;
  for (int t = 0; t < count(); ++t) {
    const PlaneLaw::Strain F = deformation(t, x);
    if (std::isfinite(shapes_[t].law->psi(F))) continue;
    if (bad++ == 0) first = fmt::format("triangle {} is inverted: J = {:.3g}", t, F[0] * F[3] - F[1] * F[2]);
  }
  return bad > 1 ? fmt::format("{}, and {} more", first, bad - 1) : first;
}

void TriangleTerm::element_densities(const Vector& x, std::span<double> densities) const {
  for (int t = 0; t < count(); ++t) densities[std::size_t(t)] = shapes_[t].law->psi(deformation(t, x));
}

void TriangleTerm::element_states(const Vector& x, std::span<ElementState> states) const {
  for (int t = 0; t < count(); ++t) {
    const PlaneLaw::Strain strain = deformation(t, x), stress = shapes_[t].law->P(strain);
    const Mat3<double> F = {strain[0], strain[1], 0, strain[2], strain[3], 0, 0, 0, 1};
    const Mat3<double> P = {
        stress[0], stress[1], 0, stress[2], stress[3], 0, 0, 0, shapes_[t].law->P_across(strain)};
    const double J = determinant(F);
    states[std::size_t(t)] = {area(t), J, gram(F), (1 / J) * symmetric_part(P * transpose(F))};
  }
}

double TriangleTerm::largest_gap(const Vector& x) const {
  double largest = 0;
  for (const Edge& edge : edges_)
    for (int end = 0; end < 2; ++end)
      largest = std::max(largest, (displacement(edge.triangle[0], edge.corner[0][end], x) -
                                   displacement(edge.triangle[1], edge.corner[1][end], x))
                                      .norm());
  return largest;
}

}  // namespace phiflex
