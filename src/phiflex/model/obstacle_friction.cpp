#include "phiflex/model/obstacle_friction.h"

#include <cmath>

namespace phiflex {
namespace {

class FrictionDrag final : public DragAssembler {
 public:
  FrictionDrag(const ObstacleFriction& friction, const FreeVertices& free, const SparsityPattern& pattern)
      : friction_(friction) {
    const std::vector<int>& vertices = friction.obstacle().vertices();
    for (std::size_t i = 0; i < vertices.size(); ++i)
      if (const int row = free.row_of_vertex[std::size_t(vertices[i])]; row >= 0) {
        items_.push_back(i);
        blocks_.push_back(pattern.diagonal(row));
      }
  }

  void add_drag(const Motion& at, SparseMatrix& D) const override {
    using Block = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
    const Path::Pose pose = friction_.path().pose(at.t);
    const Path::Twist twist = friction_.path().twist(at.t);
    for (std::size_t n = 0; n < items_.size(); ++n) {
      const ObstacleFriction::Slip s = friction_.slip(at, items_[n], pose, twist);
      if (s.pressed == 0) continue;
      const Block across = Block::Identity() - s.normal * s.normal.transpose();
      Eigen::Map<Block>(D.block(blocks_[n])) +=
          s.pressed / s.q * (across - s.w_t * s.w_t.transpose() / (s.q * s.q));  // (2)
    }
  }

 private:
  const ObstacleFriction& friction_;
  std::vector<std::size_t> items_;  // of the obstacle's vertices, those that are free
  std::vector<int> blocks_;
};

}  // namespace

ObstacleFriction::Slip ObstacleFriction::slip(const Motion& at, std::size_t i, const Path::Pose& pose,
                                              const Path::Twist& twist) const {
  const Eigen::Vector3d x = at.x.segment<3>(3 * Index(obstacle_->vertices()[i]));
  const ObstacleLaw& law = obstacle_->law();
  const SurfaceDistance near = obstacle_->shape().at(pose.start_of(x));
  Slip slip;
  const double e = obstacle_->skin_distance(i, near.distance), w = obstacle_->weight(i),
               mu = law.friction.coefficient;
  if (!obstacle_law::touches(law, e)) return slip;
  slip.pressed = mu * obstacle_law::pressure(law, w, e);
  slip.rate = mu * obstacle_law::stiffness(law, w, e);
  slip.normal = pose.R * near.normal;
  slip.u = twist.at(x);
  const Eigen::Vector3d v = at.v.segment<3>(3 * Index(obstacle_->vertices()[i])) - slip.u;
  slip.w_t = v - v.dot(slip.normal) * slip.normal;
  slip.q = std::sqrt(slip.w_t.squaredNorm() + law.friction.slip_speed * law.friction.slip_speed);
  return slip;
}

template <class Function>
void ObstacleFriction::for_each_slip(const Motion& at, Function function) const {
  const Path::Pose pose = path_.pose(at.t);
  const Path::Twist twist = path_.twist(at.t);
  for (std::size_t i = 0; i < obstacle_->vertices().size(); ++i)
    if (const Slip s = slip(at, i, pose, twist); s.pressed != 0)
      function(3 * Index(obstacle_->vertices()[i]), s);
}

void ObstacleFriction::add_force(const Motion& at, Vector& f) const {
  for_each_slip(at,
                [&](Index place, const Slip& s) { f.segment<3>(place) -= s.pressed / s.q * s.w_t; });  // (1)
}

double ObstacleFriction::mover_power(const Motion& at) const {
  double power = 0;
  if (path_.moves())
    for_each_slip(at, [&](Index, const Slip& s) { power -= s.pressed / s.q * s.w_t.dot(s.u); });
  return power;
}

void ObstacleFriction::add_force_rate(const Motion& at, Vector& g) const {
  if (!path_.moves()) return;
  for_each_slip(at, [&](Index place, const Slip& s) {
    g.segment<3>(place) -= s.rate * s.normal.dot(s.u) / s.q * s.w_t;  // (3)
  });
}

std::unique_ptr<DragAssembler> ObstacleFriction::make_drag_assembler(const FreeVertices& free,
                                                                     const SparsityPattern& pattern) const {
  return std::make_unique<FrictionDrag>(*this, free, pattern);
}

}  // namespace phiflex
