#include "phiflex/energy/obstacle_term.h"

#include "phiflex/energy/two_state_term.h"
#include "phiflex/linalg/small_symmetric.h"

namespace phiflex {
namespace {

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
      const ObstaclePush push = along(dx, vertex);
      f.segment<3>(3 * Index(vertex)) += term_.stiffness() * push.chord.value * push.g;  // (4)
    }
  }

  void add_tangent(const Vector& dx, Definiteness definiteness, SparseMatrix& K) override {
    for (std::size_t i = 0; i < places_.vertices.size(); ++i) {
      const Eigen::Matrix3d A = along(dx, places_.vertices[i]).tangent(definiteness);
      add_block(term_.stiffness() * A, K.block(places_.blocks[i]));  // (5)
    }
  }

  bool turns_bodies() const override { return true; }

 private:
  ObstaclePush along(const Vector& dx, int vertex) const {
    return term_.push(x_->segment<3>(3 * Index(vertex)), dx.segment<3>(3 * Index(vertex)));
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

Eigen::Matrix3d ObstaclePush::tangent(Definiteness definiteness) const {
  const Eigen::Matrix3d bent = -chord.value * curvature;
  return chord.slope * g * g.transpose() +
         (definiteness == Definiteness::projected ? positive_part(bent) : bent);
}

double ObstacleTerm::energy_of(const Eigen::Vector3d& x) const {
  const double p = std::max(0.0, thickness_ - shape_->at(x).distance);
  return 0.5 * stiffness_ * p * p;  // (1)
}

Eigen::Vector3d ObstacleTerm::force_on(const Eigen::Vector3d& x) const {
  const SurfaceDistance near = shape_->at(x);
  if (!(near.distance < thickness_)) return Eigen::Vector3d::Zero();
  return stiffness_ * (thickness_ - near.distance) * near.normal;  // (1)
}

ObstaclePush ObstacleTerm::push(const Eigen::Vector3d& x, const Eigen::Vector3d& dx) const {
  const double now = shape_->at(x).distance, next = shape_->at(x + dx).distance;
  ObstaclePush push;
  push.chord = penalty_chord(thickness_ - now, thickness_ - next);
  if (push.chord.value == 0) return push;
  const SurfaceDistance middle = shape_->at(x + 0.5 * dx);
  push.g = middle.normal;
  push.curvature = middle.curvature;
  if (const double square = dx.squaredNorm(); square > 0)
    push.g += dx * ((next - now - middle.normal.dot(dx)) / square);  // (3)
  return push;
}

double ObstacleTerm::energy(const Vector& x) const {
  double W = 0;
  for (const int vertex : vertices_) W += energy_of(x.segment<3>(3 * Index(vertex)));
  return W;
}

void ObstacleTerm::add_force(const Vector& x, Vector& f) const {
  for (const int vertex : vertices_)
    f.segment<3>(3 * Index(vertex)) += force_on(x.segment<3>(3 * Index(vertex)));
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
