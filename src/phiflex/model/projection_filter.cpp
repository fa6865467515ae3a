#include "phiflex/model/projection_filter.h"

#include <algorithm>

namespace phiflex {

ProjectionFilter::ProjectionFilter(const DeformableModel& model, std::vector<Obstacle> obstacles)
    : model_(model), obstacles_(std::move(obstacles)) {}

FilterReport ProjectionFilter::apply(double, State& at) {
  FilterReport report;
  for (int pass = 0; pass < kPasses; ++pass) {
    bool pushed = false;
    for (const Obstacle& obstacle : obstacles_) pushed = project_out_of(obstacle, at, report) || pushed;
    if (!pushed || obstacles_.size() == 1) break;
  }
  return report;
}

bool ProjectionFilter::project_out_of(const Obstacle& obstacle, State& at, FilterReport& report) {
  const Path::Pose pose = obstacle.path.pose(at.t);
  const Path::Twist twist = obstacle.path.twist(at.t, Side::before);
  const FreeVertices& free = model_.constraints().free();
  bool pushed = false;
  for (const int vertex : obstacle.vertices) {
    const int row = free.row_of_vertex[vertex];
    if (row < 0) continue;
    auto q = at.q.segment<3>(3 * Index(row));
    auto v = at.v.segment<3>(3 * Index(row));
    const Eigen::Vector3d x = model_.description().rest.segment<3>(3 * Index(vertex)) + q;
    const SurfaceDistance near = distance_to(obstacle, pose, x);
    const double depth = obstacle.thickness - near.distance;
    if (!(depth > 0)) continue;
    q += depth * near.normal;  // (1)
    ++report.projected;
    pushed = true;

    const Eigen::Vector3d u = twist.at(x), w = v - u;
    const double w_n = w.dot(near.normal);
    if (w_n >= 0) continue;
    const Eigen::Vector3d w_t = w - w_n * near.normal;
    const double slip = w_t.norm(), stopped = obstacle.friction * -w_n;
    const double kept = slip > stopped ? 1 - stopped / slip : 0.0;
    const Eigen::Vector3d after = u + kept * w_t;  // (2)
    const double mass = model_.description().vertex_mass[vertex];
    report.external += mass * (after - v).dot(u);
    if (obstacle.friction > 0) report.friction += 0.5 * mass * (1 - kept * kept) * w_t.squaredNorm();
    v = after;
  }
  return pushed;
}

SurfaceDistance distance_to(const Obstacle& obstacle, const Path::Pose& pose, const Eigen::Vector3d& x) {
  SurfaceDistance near = obstacle.shape->at(pose.start_of(x));
  near.normal = pose.R * near.normal;
  near.curvature = pose.R * near.curvature * pose.R.transpose();
  return near;
}

}  // namespace phiflex
