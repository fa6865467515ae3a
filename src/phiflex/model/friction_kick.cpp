#include "phiflex/model/friction_kick.h"

#include <algorithm>
#include <cmath>

#include "phiflex/model/obstacle_friction.h"

namespace phiflex {
namespace {

constexpr int kRounds = 4;           // of (1)
constexpr double kSettled = 1e-2;    // the last round's change, relative to the whole one
constexpr int kMostIterations = 60;  // of conjugate gradients
constexpr double kTolerance = 1e-6;

// Two directions across n, of unit length.
std::array<Eigen::Vector3d, 2> across(const Eigen::Vector3d& n) {
  Index smallest = 0;
  n.cwiseAbs().minCoeff(&smallest);
  const Eigen::Vector3d s = n.cross(Eigen::Vector3d::Unit(smallest)).normalized();
  return {s, n.cross(s)};
}

}  // namespace

bool ModelFrictionKick::can(const DeformableModel& model) {
  if (model.constraints().dimension() != 3 || model.dofs() == 0) return false;
  bool any = false;
  for (const auto& load : model.description().loads) {
    if (!load->is_friction()) continue;
    const bool knows = load->has_drag_blocks() || dynamic_cast<const ObstacleFriction*>(load.get());
    if (!knows || (model.share() && load->has_drag_blocks())) return false;
    any = true;
  }
  return any;
}

ModelFrictionKick::ModelFrictionKick(const DeformableModel& model) : model_(model) {
  others_depend_ = !model.damping().none();
  for (const auto& load : model.description().loads) others_depend_ = others_depend_ || !load->is_friction();
}

bool ModelFrictionKick::look(const State& at) {
  const FreeVertices& free = model_.constraints().free();
  model_.expand(at, x_, v_);
  all_.setZero(x_.size());
  blocks_.clear();
  const Motion motion{at.t, x_, v_};
  for (const auto& load : model_.description().loads) {
    if (!load->is_friction()) continue;
    load->add_force(motion, all_);
    if (load->has_drag_blocks()) {
      load->add_drag_blocks(motion, free, blocks_);
      continue;
    }
    const auto& friction = dynamic_cast<const ObstacleFriction&>(*load);
    const Path::Pose pose = friction.path().pose(at.t);
    const Path::Twist twist = friction.path().twist(at.t);
    const std::vector<int>& vertices = friction.obstacle().vertices();
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      const int row = free.row_of_vertex[std::size_t(vertices[i])];
      if (row < 0 || row >= int(free.vertex_of_row.size())) continue;
      const ObstacleFriction::Slip slip = friction.slip(motion, i, pose, twist);
      if (slip.pressed == 0) continue;
      for (const Eigen::Vector3d& s : across(slip.normal)) {
        StencilBlocks::Term term{{row, -1, -1, -1}, slip.pressed / slip.q, {}};
        for (Index k = 0; k < 3; ++k) term.g[std::size_t(k)] = s[k];
        blocks_.add(term);
      }
    }
  }
  if (!any(model_.team(), !blocks_.empty())) return false;
  model_.constraints().gather(all_, r_);
  return true;
}

void ModelFrictionKick::solve(double length) {
  const Team& team = model_.team();
  const MassMatrix& mass = model_.mass();
  diagonal_ = mass.diagonal();
  blocks_.add_diagonal(length, diagonal_);
  d_.setZero(residual_.size());
  z_ = residual_.cwiseQuotient(diagonal_);
  p_ = z_;
  double along = dot(team, residual_, z_);
  const double enough = kTolerance * kTolerance * along;
  for (int k = 0; k < kMostIterations && along > enough; ++k) {
    mass.apply(p_, product_);
    blocks_.add_product(length, p_, product_);
    const double step = along / dot(team, p_, product_);
    d_ += step * p_;
    residual_ -= step * product_;
    z_ = residual_.cwiseQuotient(diagonal_);
    const double next = dot(team, residual_, z_);
    p_ = z_ + (next / along) * p_;
    along = next;
  }
}

double ModelFrictionKick::kick(State& at, double length) {
  if (!look(at)) return 0;
  const MassMatrix& mass = model_.mass();
  start_ = at.v;
  for (int round = 0; round < kRounds; ++round) {
    if (round > 0) look(at);
    residual_ = length * r_;
    if (round > 0) {
      change_ = start_ - at.v;
      mass.apply(change_, product_);
      residual_ += product_;
    }
    solve(length);
    at.v += d_;
    change_ = at.v - start_;
    if (mass.dot(d_, d_) <= kSettled * kSettled * mass.dot(change_, change_)) break;
  }
  z_ = 0.5 * (start_ + at.v);
  return -mass.dot(change_, z_);
}

}  // namespace phiflex
