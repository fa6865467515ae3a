#include "phiflex/model/constraint_map.h"

#include <array>

namespace phiflex {

ConstraintMap::ConstraintMap(const ModelDescription& description)
    : dimension_(description.dimension),
      rest_(description.rest),
      held_(description.start.size() > 0 ? description.start : description.rest) {
  const int vertices = static_cast<int>(rest_.size() / 3);
  constexpr int kFree = -1, kUnused = -2;
  std::vector<int> hold(vertices, kFree);
  std::vector<std::size_t> number(vertices, 0);
  for (std::size_t i = 0; i < description.constraints.size(); ++i) {
    const VertexConstraint& from = description.constraints[i];
    holds_.push_back({from.path, from.record, {}, {}});
    for (std::size_t n = 0; n < from.vertices.size(); ++n) {
      hold[from.vertices[n]] = static_cast<int>(i);
      number[from.vertices[n]] = n;
    }
  }
  for (int vertex = 0; vertex < vertices; ++vertex)
    if (description.vertex_mass[vertex] == 0) {
      hold[vertex] = kUnused;
      ++unused_;
    }

  const Share* share = description.share.get();
  free_.row_of_vertex.assign(vertices, -1);
  for (int vertex = 0; vertex < vertices; ++vertex) {
    if (hold[vertex] == kFree && share && !share->owned[std::size_t(vertex)]) {
      ghosts_.push_back(vertex);
    } else if (hold[vertex] == kFree) {
      free_.row_of_vertex[vertex] = static_cast<int>(free_.vertex_of_row.size());
      free_.vertex_of_row.push_back(vertex);
    } else if (hold[vertex] != kUnused) {
      Moved& by = holds_[hold[vertex]];
      if (by.record || by.path.moves()) {
        moved_.push_back(vertex);
        by.vertices.push_back(vertex);
        by.numbers.push_back(number[vertex]);
      } else {  // the same at all times
        const Eigen::Vector3d start = held_.segment<3>(3 * Index(vertex));
        held_.segment<3>(3 * Index(vertex)) = by.path.pose(0).place(start);
      }
    }
  }
  moves_ = !moved_.empty();
  if (!share) return;
  for (const Moved& by : holds_) moves_ = moves_ || by.record || by.path.moves();
  for (std::size_t i = 0; i < ghosts_.size(); ++i)
    free_.row_of_vertex[std::size_t(ghosts_[i])] = static_cast<int>(free_.vertex_of_row.size() + i);
  halo_ = share->make_halo(free_);
}

template <class Function>
void ConstraintMap::each_position(double t, Function function) const {
  for (const Moved& hold : holds_) {
    if (hold.vertices.empty()) continue;
    const Path::Pose pose = hold.path.pose(t);
    for (std::size_t n = 0; n < hold.vertices.size(); ++n) {
      const int vertex = hold.vertices[n];
      function(vertex, hold.record ? hold.record->position(hold.numbers[n], t)
                                   : pose.place(held_.segment<3>(3 * Index(vertex))));
    }
  }
}

void ConstraintMap::set_moved_velocities(double t, Side side, Vector& v) const {
  for (const Moved& hold : holds_) {
    if (hold.vertices.empty()) continue;
    const Path::Pose pose = hold.path.pose(t);
    const Path::Twist twist = hold.path.twist(t, side);
    for (std::size_t n = 0; n < hold.vertices.size(); ++n) {
      const Index at = 3 * Index(hold.vertices[n]);
      v.segment<3>(at) = hold.record ? hold.record->velocity(hold.numbers[n], t, side)
                                     : twist.at(pose.place(held_.segment<3>(at)));
    }
  }
}

void ConstraintMap::expand(const State& at, Vector& x, Vector& v, Side side) const {
  x = held_;
  v.setZero(held_.size());
  each_position(at.t, [&](int vertex, const Eigen::Vector3d& p) { x.segment<3>(3 * Index(vertex)) = p; });
  set_moved_velocities(at.t, side, v);
  if (dimension_ == 3) {
    const double *rest = rest_.data(), *q = at.q.data(), *u = at.v.data();
    double *place = x.data(), *velocity = v.data();
    for (const int vertex : free_.vertex_of_row) {
      const Index to = 3 * Index(vertex);
      for (Index i = 0; i < 3; ++i) place[to + i] = rest[to + i] + *q++;
      for (Index i = 0; i < 3; ++i) velocity[to + i] = *u++;
    }
  } else {
    for (std::size_t row = 0; row < free_.vertex_of_row.size(); ++row) {
      const Index to = 3 * Index(free_.vertex_of_row[row]), from = dimension_ * Index(row);
      for (int i = 0; i < dimension_; ++i) {
        x[to + i] = rest_[to + i] + at.q[from + i];
        v[to + i] = at.v[from + i];
      }
    }
  }
  if (!halo_) return;
  thread_local Vector q, u;
  q.resize(3 * Index(ghosts_.size()));
  u.resize(q.size());
  halo_->fetch(std::array{at.q.data(), at.v.data()}, std::array{q.data(), u.data()});
  for (std::size_t i = 0; i < ghosts_.size(); ++i) {
    const Index to = 3 * Index(ghosts_[i]), from = 3 * Index(i);
    x.segment<3>(to) = rest_.segment<3>(to) + q.segment<3>(from);
    v.segment<3>(to) = u.segment<3>(from);
  }
}

void ConstraintMap::fetch(double factor, const Vector& x, Vector& full) const {
  if (!halo_) return;
  thread_local Vector of_ghosts;
  of_ghosts.resize(3 * Index(ghosts_.size()));
  halo_->fetch(std::array{x.data()}, std::array{of_ghosts.data()});
  for (std::size_t i = 0; i < ghosts_.size(); ++i)
    full.segment<3>(3 * Index(ghosts_[i])) = factor * of_ghosts.segment<3>(3 * Index(i));
}

void ConstraintMap::restrict_to_free(double t, const Vector& x, const Vector& v, State& at) const {
  at.t = t;
  at.q.resize(dofs());
  for (std::size_t row = 0; row < free_.vertex_of_row.size(); ++row) {
    const Index from = 3 * Index(free_.vertex_of_row[row]);
    for (int i = 0; i < dimension_; ++i) at.q[dimension_ * Index(row) + i] = x[from + i] - rest_[from + i];
  }
  gather(v, at.v);
}

void ConstraintMap::gather(const Vector& full, Vector& free) const {
  free.resize(dofs());
  for (std::size_t row = 0; row < free_.vertex_of_row.size(); ++row)
    for (int i = 0; i < dimension_; ++i)
      free[dimension_ * Index(row) + i] = full[3 * Index(free_.vertex_of_row[row]) + i];
}

void ConstraintMap::moved_velocities(double t, Vector& v) const {
  v.setZero(held_.size());
  set_moved_velocities(t, Side::after, v);
}

void ConstraintMap::moved_change(double from, double to, Vector& dx) const {
  dx.setZero(held_.size());
  each_position(to, [&](int vertex, const Eigen::Vector3d& p) { dx.segment<3>(3 * Index(vertex)) = p; });
  each_position(from, [&](int vertex, const Eigen::Vector3d& p) { dx.segment<3>(3 * Index(vertex)) -= p; });
}

}  // namespace phiflex
