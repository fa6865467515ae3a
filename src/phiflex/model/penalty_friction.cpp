#include "phiflex/model/penalty_friction.h"

#include <cmath>

namespace phiflex {
namespace {

class FrictionDrag final : public DragAssembler {
 public:
  FrictionDrag(const PenaltyFriction& friction, const FreeVertices& free, const SparsityPattern& pattern)
      : friction_(friction) {
    for (const int vertex : friction.obstacle().vertices())
      if (const int row = free.row_of_vertex[vertex]; row >= 0) {
        vertices_.push_back(vertex);
        blocks_.push_back(pattern.diagonal(row));
      }
  }

  void add_drag(const Motion& at, SparseMatrix& D) const override {
    using Block = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
    const Path::Pose pose = friction_.path().pose(at.t);
    const Path::Twist twist = friction_.path().twist(at.t);
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
      const PenaltyFriction::Slip s = friction_.slip(at, vertices_[i], pose, twist);
      if (s.pressed == 0) continue;
      const Block across = Block::Identity() - s.normal * s.normal.transpose();
      Eigen::Map<Block>(D.block(blocks_[i])) +=
          s.pressed / s.q * (across - s.w_t * s.w_t.transpose() / (s.q * s.q));  // (2)
    }
  }

 private:
  const PenaltyFriction& friction_;
  std::vector<int> vertices_, blocks_;
};

}  // namespace

PenaltyFriction::Slip PenaltyFriction::slip(const Motion& at, int vertex, const Path::Pose& pose,
                                            const Path::Twist& twist) const {
  const Eigen::Vector3d x = at.x.segment<3>(3 * Index(vertex));
  const SurfaceDistance near = obstacle_->shape().at(pose.start_of(x));
  Slip slip;
  const double p = obstacle_->thickness() - near.distance;
  if (!(p > 0)) return slip;
  slip.pressed = friction_ * obstacle_->stiffness() * p;
  slip.normal = pose.R * near.normal;
  slip.u = twist.at(x);
  const Eigen::Vector3d w = at.v.segment<3>(3 * Index(vertex)) - slip.u;
  slip.w_t = w - w.dot(slip.normal) * slip.normal;
  slip.q = std::sqrt(slip.w_t.squaredNorm() + slip_speed_ * slip_speed_);
  return slip;
}

void PenaltyFriction::add_force(const Motion& at, Vector& f) const {
  const Path::Pose pose = path_.pose(at.t);
  const Path::Twist twist = path_.twist(at.t);
  for (const int vertex : obstacle_->vertices())
    if (const Slip s = slip(at, vertex, pose, twist); s.pressed > 0)
      f.segment<3>(3 * Index(vertex)) -= s.pressed / s.q * s.w_t;  // (1)
}

void PenaltyFriction::add_force_rate(const Motion& at, Vector& g) const {
  if (!path_.moves()) return;
  const Path::Pose pose = path_.pose(at.t);
  const Path::Twist twist = path_.twist(at.t);
  const double mu_k = friction_ * obstacle_->stiffness();
  for (const int vertex : obstacle_->vertices())
    if (const Slip s = slip(at, vertex, pose, twist); s.pressed > 0)
      g.segment<3>(3 * Index(vertex)) -= mu_k * s.normal.dot(s.u) / s.q * s.w_t;  // (3)
}

std::unique_ptr<DragAssembler> PenaltyFriction::make_drag_assembler(const FreeVertices& free,
                                                                    const SparsityPattern& pattern) const {
  return std::make_unique<FrictionDrag>(*this, free, pattern);
}

}  // namespace phiflex
