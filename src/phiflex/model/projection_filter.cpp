#include "phiflex/model/projection_filter.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace phiflex {
namespace {

constexpr int kMostRelaxations = 40;   // of (4)
constexpr int kMostStepHalvings = 20;  // of s in (4)
constexpr int kMostDrawings = 10;      // of (5), before theta = 0
constexpr double kRoundingOf = 1e-12;  // of the energies in (3)
constexpr double kSmall = 0.01;        // of T of the bodies in contact: what (6) may take at once

}  // namespace

ProjectionFilter::ProjectionFilter(const DeformableModel& model, std::vector<Obstacle> obstacles)
    : model_(model),
      obstacles_(std::move(obstacles)),
      body_of_vertex_(std::size_t(model.vertices()), 0),
      touched_(model.description().bodies.size(), 0) {
  const std::vector<ModelBody>& bodies = model.description().bodies;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    std::fill_n(body_of_vertex_.begin() + bodies[b].first_vertex, bodies[b].vertex_count, int(b));
}

FilterReport ProjectionFilter::apply(const StepEnd& step, State& at) {
  FilterReport report;
  std::fill(touched_.begin(), touched_.end(), char(0));
  trial_ = at;
  project(Change::place_and_velocity, at, report);
  if (const Team& team = model_.team(); team.size() > 1) {
    std::array sums{double(report.projected), report.external, report.friction};
    team.sum(sums);
    report.projected = long(sums[0]), report.external = sums[1], report.friction = sums[2];
    std::vector<double> touched(touched_.begin(), touched_.end());
    team.largest(touched);
    touched_.assign(touched.begin(), touched.end());
  }
  if (report.projected == 0) return report;
  const double end = potential(trial_) + model_.kinetic_energy(trial_);
  limit_energy(step, end + step.lost + report.external - report.friction, at, report);
  return report;
}

void ProjectionFilter::project(Change change, State& at, FilterReport& report) {
  for (int pass = 0; pass < kPasses; ++pass) {
    bool pushed = false;
    for (const Obstacle& obstacle : obstacles_)
      pushed = project_out_of(obstacle, change, at, report) || pushed;
    if (obstacles_.size() == 1 || !any(model_.team(), pushed)) break;
  }
}

bool ProjectionFilter::project_out_of(const Obstacle& obstacle, Change change, State& at,
                                      FilterReport& report) {
  const Path::Pose pose = obstacle.path.pose(at.t);
  const Path::Twist twist = obstacle.path.twist(at.t, Side::before);
  const FreeVertices& free = model_.constraints().free();
  bool pushed = false;
  for (const int vertex : obstacle.vertices) {
    const int row = free.row_of_vertex[std::size_t(vertex)];
    if (row < 0) continue;
    auto q = at.q.segment<3>(3 * Index(row));
    auto v = at.v.segment<3>(3 * Index(row));
    const Eigen::Vector3d x = model_.description().rest.segment<3>(3 * Index(vertex)) + q;
    const SurfaceDistance near = distance_to(obstacle, pose, x);
    const double depth = obstacle.thickness - near.distance;
    if (!(depth > 0)) continue;
    q += depth * near.normal;  // (2)
    pushed = true;
    if (change == Change::place) continue;
    ++report.projected;
    touched_[std::size_t(body_of_vertex_[std::size_t(vertex)])] = 1;

    const Eigen::Vector3d u = twist.at(x), w = v - u;
    const double w_n = w.dot(near.normal);
    if (w_n >= 0) continue;
    const Eigen::Vector3d w_t = w - w_n * near.normal;
    const double slip = w_t.norm(), stopped = obstacle.friction * -w_n;
    const double kept = slip > stopped ? 1 - stopped / slip : 0.0;
    const Eigen::Vector3d after = u + kept * w_t;  // (1)
    const double mass = model_.description().vertex_mass[vertex];
    report.external += mass * (after - v).dot(u);
    if (obstacle.friction > 0) report.friction += 0.5 * mass * (1 - kept * kept) * w_t.squaredNorm();
    v = after;
  }
  return pushed;
}

void ProjectionFilter::limit_energy(const StepEnd& step, double bound, State& at, FilterReport& report) {
  double W = potential(at), T = model_.kinetic_energy(at);
  const double rounding = kRoundingOf * (std::abs(W) + T);
  if (!(W + T > bound + rounding)) return;
  const FreeVertices& free = model_.constraints().free();
  inverse_mass_.setZero(at.q.size());
  rest_.setZero(at.q.size());
  for (std::size_t row = 0; row < free.vertex_of_row.size(); ++row) {
    const auto vertex = std::size_t(free.vertex_of_row[row]);
    if (!touched_[std::size_t(body_of_vertex_[vertex])]) continue;
    inverse_mass_.segment<3>(3 * Index(row)).setConstant(1 / model_.description().vertex_mass[Index(vertex)]);
    rest_.segment<3>(3 * Index(row)) = at.v.segment<3>(3 * Index(row));
  }
  trial_ = at;
  trial_.v -= rest_;
  const double others = model_.kinetic_energy(trial_);  // T of the bodies that touch nothing
  if (W + T - bound > kSmall * (T - others)) relax(bound - T, at);
  if (potential(at) > bound - others && step.from && !draw_back(*step.from, bound - others, at) &&
      std::any_of(obstacles_.begin(), obstacles_.end(), [](const Obstacle& o) { return o.path.moves(); }))
    report.external += std::max(0., potential(at) + others - bound);
  W = potential(at);
  T = model_.kinetic_energy(at);
  if (W + T > bound) slow_down(std::max(0., bound - W - others), at);
  // A body that is back where it was has not slid as far as its velocity times the step.
  const double above = potential(at) + model_.kinetic_energy(at) - bound;
  if (above > 0) report.friction -= std::min(above, report.friction);
}

// The length s is that of Barzilai and Borwein, halved until W falls; the first moves no vertex farther than 1/100 of
// the extent.
void ProjectionFilter::relax(double enough, State& at) {
  still_ = at;
  still_.v.setZero();
  double W = potential(still_), s = 0;
  model_.force(still_, f_);
  for (int n = 0; n < kMostRelaxations && W > enough; ++n) {
    mean_ = inverse_mass_.cwiseProduct(f_);
    const double longest = largest(model_.team(), mean_.lpNorm<Eigen::Infinity>());
    if (!(longest > 0) || !std::isfinite(longest)) break;
    s = std::min(s > 0 ? s : 1, 0.01 * model_.extent() / longest);
    bool falls = false;
    for (int halving = 0; halving < kMostStepHalvings && !falls; ++halving) {
      if (halving > 0) s /= 2;
      trial_ = still_;
      trial_.q += s * mean_;  // (4)
      FilterReport unused;
      project(Change::place, trial_, unused);
      falls = potential(trial_) < W;
    }
    if (!falls) break;
    W = potential(trial_);
    f_before_ = f_;
    model_.force(trial_, f_);
    mean_ = trial_.q - still_.q;
    const auto masses = inverse_mass_.array();
    std::array sums{mean_.dot(f_before_ - f_), (masses > 0).select(mean_.array().square() / masses, 0).sum()};
    model_.team().sum(sums);
    const auto [bent, moved] = sums;
    s = bent > 0 ? moved / bent : 2 * s;
    still_.q = trial_.q;
  }
  at.q = still_.q;
}

bool ProjectionFilter::draw_back(const State& from, double bound, State& at) {
  mean_ = (inverse_mass_.array() > 0).select(at.q - from.q, 0);
  const Vector& way = mean_;
  rest_ = at.q - way;
  double theta = 0.5;
  for (int n = 0; n <= kMostDrawings; ++n, theta = n == kMostDrawings ? 0 : theta / 2) {
    at.q = rest_ + theta * way;
    FilterReport unused;
    project(Change::place, at, unused);  // (5)
    if (potential(at) <= bound) return true;
  }
  return false;
}

void ProjectionFilter::slow_down(double most, State& at) {
  const FreeVertices& free = model_.constraints().free();
  momentum_.assign(touched_.size(), Eigen::Vector4d::Zero());
  const auto body = [&](std::size_t row) {
    return std::size_t(body_of_vertex_[std::size_t(free.vertex_of_row[row])]);
  };
  for (std::size_t row = 0; row < free.vertex_of_row.size(); ++row) {
    const double m = model_.description().vertex_mass[free.vertex_of_row[row]];
    const Eigen::Vector3d v = at.v.segment<3>(3 * Index(row));
    momentum_[body(row)] += m * Eigen::Vector4d(v[0], v[1], v[2], 1);
  }
  if (!momentum_.empty()) model_.team().sum({momentum_.front().data(), 4 * momentum_.size()});
  mean_.setZero(at.v.size());
  rest_.setZero(at.v.size());
  for (std::size_t row = 0; row < free.vertex_of_row.size(); ++row) {
    if (!touched_[body(row)]) continue;
    const Eigen::Vector4d& p = momentum_[body(row)];
    const Index place = 3 * Index(row);
    if (p[3] > 0) mean_.segment<3>(place) = p.head<3>() / p[3];
    rest_.segment<3>(place) = at.v.segment<3>(place) - mean_.segment<3>(place);
  }
  at.v -= mean_ + rest_;
  const double c = 0.5 * model_.mass().dot(mean_, mean_);
  if (c > most) {
    at.v += std::sqrt(most / c) * mean_;  // (6), b = 0
    return;
  }
  // T(mean + b rest) = c + k b + e b^2, at most `most`.
  const double e = 0.5 * model_.mass().dot(rest_, rest_), k = model_.mass().dot(mean_, rest_);
  const double root = std::sqrt(std::max(0., k * k + 4 * e * (most - c)));
  const double b = e > 0 ? std::clamp((root - k) / (2 * e), 0., 1.) : 0;
  at.v += mean_ + b * rest_;  // (6), a = 1
}

SurfaceDistance distance_to(const Obstacle& obstacle, const Path::Pose& pose, const Eigen::Vector3d& x) {
  SurfaceDistance near = obstacle.shape->at(pose.start_of(x));
  near.normal = pose.R * near.normal;
  near.curvature = pose.R * near.curvature * pose.R.transpose();
  return near;
}

}  // namespace phiflex
