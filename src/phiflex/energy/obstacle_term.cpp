#include "phiflex/energy/obstacle_term.h"

#include <Eigen/Eigenvalues>

#include "phiflex/energy/penalty_chord.h"
#include "phiflex/energy/two_state_term.h"

namespace phiflex {
namespace {

// The part of a symmetric matrix with eigenvalues above zero.
Eigen::Matrix3d positive_part(const Eigen::Matrix3d& A) {
  if (A.isZero(0)) return A;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> of(A);
  return of.eigenvectors() * of.eigenvalues().cwiseMax(0.0).asDiagonal() * of.eigenvectors().transpose();
}

// The free vertices that meet the obstacle, and their diagonal blocks.
struct Places {
  std::vector<int> vertices, blocks;
  Places(const std::vector<int>& all, const FreeVertices& free, const SparsityPattern& pattern) {
    for (const int vertex : all)
      if (const int row = free.row_of_vertex[vertex]; row >= 0) {
        vertices.push_back(vertex);
        blocks.push_back(pattern.diagonal(row));
      }
  }
};

void add_block(const Eigen::Matrix3d& A, double* block) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) block[3 * i + j] += A(i, j);
}

class ObstacleAssembler final : public StiffnessAssembler {
 public:
  ObstacleAssembler(const ObstacleTerm& term, Places places) : term_(term), places_(std::move(places)) {}

  Index add_stiffness(const Vector& x, Definiteness definiteness, SparseMatrix& K) const override {
    for (std::size_t i = 0; i < places_.vertices.size(); ++i) {
      const Eigen::Matrix3d A = term_.block(x.segment<3>(3 * Index(places_.vertices[i])), definiteness);
      add_block(A, K.block(places_.blocks[i]));
    }
    return 0;
  }

 private:
  const ObstacleTerm& term_;
  Places places_;
};

class ObstacleTwoState final : public TwoStateTerm {
 public:
  ObstacleTwoState(const ObstacleTerm& term, Places places) : term_(term), places_(std::move(places)) {}

  void begin(const Vector& x, const StepDamping&) override { x_ = &x; }

  void add_force(const Vector& dx, Vector& f) override {
    for (const int vertex : term_.vertices()) {
      const Push push = along(dx, vertex);
      f.segment<3>(3 * Index(vertex)) += term_.stiffness() * push.chord.value * push.g;  // (4)
    }
  }

  void add_tangent(const Vector& dx, Definiteness definiteness, SparseMatrix& K) override {
    for (std::size_t i = 0; i < places_.vertices.size(); ++i) {
      const Push push = along(dx, places_.vertices[i]);
      const Eigen::Matrix3d bent = -push.chord.value * push.curvature;
      const Eigen::Matrix3d A = push.chord.slope * push.g * push.g.transpose() +
                                (definiteness == Definiteness::projected ? positive_part(bent) : bent);
      add_block(term_.stiffness() * A, K.block(places_.blocks[i]));  // (5)
    }
  }

  bool turns_bodies() const override { return true; }

 private:
  struct Push {
    PenaltyChord chord;
    Eigen::Vector3d g = Eigen::Vector3d::Zero();
    Eigen::Matrix3d curvature = Eigen::Matrix3d::Zero();
  };
  Push along(const Vector& dx, int vertex) const {
    const Eigen::Vector3d x = x_->segment<3>(3 * Index(vertex)), d = dx.segment<3>(3 * Index(vertex));
    const double now = term_.shape().at(x).distance, next = term_.shape().at(x + d).distance;
    Push push;
    push.chord = penalty_chord(term_.thickness() - now, term_.thickness() - next);
    if (push.chord.value == 0) return push;
    const SurfaceDistance middle = term_.shape().at(x + 0.5 * d);
    push.g = middle.normal;
    push.curvature = middle.curvature;
    if (const double square = d.squaredNorm(); square > 0)
      push.g += d * ((next - now - middle.normal.dot(d)) / square);  // (3)
    return push;
  }

  const ObstacleTerm& term_;
  Places places_;
  const Vector* x_ = nullptr;
};

}  // namespace

ObstacleTerm::ObstacleTerm(std::shared_ptr<const SolidShape> shape, std::vector<int> vertices,
                           double thickness, double stiffness)
    : shape_(std::move(shape)),
      vertices_(std::move(vertices)),
      thickness_(thickness),
      stiffness_(stiffness) {}

double ObstacleTerm::energy(const Vector& x) const {
  double W = 0;
  for (const int vertex : vertices_) {
    const double p = std::max(0.0, thickness_ - shape_->at(x.segment<3>(3 * Index(vertex))).distance);
    W += 0.5 * stiffness_ * p * p;
  }
  return W;
}

void ObstacleTerm::add_force(const Vector& x, Vector& f) const {
  for (const int vertex : vertices_) {
    const SurfaceDistance near = shape_->at(x.segment<3>(3 * Index(vertex)));
    if (near.distance < thickness_)
      f.segment<3>(3 * Index(vertex)) += stiffness_ * (thickness_ - near.distance) * near.normal;
  }
}

void ObstacleTerm::add_stiffness_product(const Vector& x, const Vector& dx, Vector& y) const {
  for (const int vertex : vertices_) {
    const Index i = 3 * Index(vertex);
    y.segment<3>(i) += block(x.segment<3>(i), Definiteness::exact) * dx.segment<3>(i);
  }
}

Eigen::Matrix3d ObstacleTerm::block(const Eigen::Vector3d& x, Definiteness definiteness) const {
  const SurfaceDistance near = shape_->at(x);
  const double p = thickness_ - near.distance;
  if (!(p > 0)) return Eigen::Matrix3d::Zero();
  const Eigen::Matrix3d bent = -p * near.curvature;
  return stiffness_ * (near.normal * near.normal.transpose() +
                       (definiteness == Definiteness::projected ? positive_part(bent) : bent));  // (1), (2)
}

std::unique_ptr<StiffnessAssembler> ObstacleTerm::make_assembler(const FreeVertices& free,
                                                                 const SparsityPattern& pattern) const {
  return std::make_unique<ObstacleAssembler>(*this, Places(vertices_, free, pattern));
}

std::unique_ptr<TwoStateTerm> ObstacleTerm::make_two_state(const FreeVertices& free,
                                                           const SparsityPattern& pattern) const {
  return std::make_unique<ObstacleTwoState>(*this, Places(vertices_, free, pattern));
}

}  // namespace phiflex
