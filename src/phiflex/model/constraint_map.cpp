#include "phiflex/model/constraint_map.h"

namespace phiflex {

ConstraintMap::ConstraintMap(const ModelDescription& description)
    : rest_(description.rest), held_(description.start.size() > 0 ? description.start : description.rest) {
  const int vertices = static_cast<int>(rest_.size() / 3);
  constexpr int kFree = -1, kUnused = -2;
  std::vector<int> hold(vertices, kFree);
  for (std::size_t i = 0; i < description.holds.size(); ++i) {
    paths_.push_back(description.holds[i].path);
    for (int vertex : description.holds[i].vertices) hold[vertex] = static_cast<int>(i);
  }
  for (int vertex = 0; vertex < vertices; ++vertex)
    if (description.vertex_mass[vertex] == 0) {
      hold[vertex] = kUnused;
      ++unused_;
    }

  free_.row_of_vertex.assign(vertices, -1);
  for (int vertex = 0; vertex < vertices; ++vertex) {
    if (hold[vertex] == kFree) {
      free_.row_of_vertex[vertex] = static_cast<int>(free_.vertex_of_row.size());
      free_.vertex_of_row.push_back(vertex);
    } else if (hold[vertex] != kUnused && paths_[hold[vertex]].moves()) {
      moved_.push_back(vertex);
      path_of_moved_.push_back(hold[vertex]);
    } else if (hold[vertex] != kUnused) {
      held_.segment<3>(3 * Index(vertex)) += paths_[hold[vertex]].offset(0);  // the same at all times
    }
  }
}

void ConstraintMap::expand(const State& at, Vector& x, Vector& v, Side side) const {
  x = held_;
  v.setZero(held_.size());
  for (std::size_t i = 0; i < moved_.size(); ++i) {
    const Path& path = paths_[path_of_moved_[i]];
    x.segment<3>(3 * Index(moved_[i])) += path.offset(at.t);
    v.segment<3>(3 * Index(moved_[i])) = path.velocity(at.t, side);
  }
  for (std::size_t row = 0; row < free_.vertex_of_row.size(); ++row) {
    const Index to = 3 * Index(free_.vertex_of_row[row]), from = 3 * Index(row);
    x.segment<3>(to) = rest_.segment<3>(to) + at.q.segment<3>(from);
    v.segment<3>(to) = at.v.segment<3>(from);
  }
}

void ConstraintMap::restrict_to_free(double t, const Vector& x, const Vector& v, State& at) const {
  at.t = t;
  at.q.resize(dofs());
  for (std::size_t row = 0; row < free_.vertex_of_row.size(); ++row) {
    const Index from = 3 * Index(free_.vertex_of_row[row]);
    at.q.segment<3>(3 * Index(row)) = x.segment<3>(from) - rest_.segment<3>(from);
  }
  gather(v, at.v);
}

void ConstraintMap::gather(const Vector& full, Vector& free) const {
  free.resize(dofs());
  for (std::size_t row = 0; row < free_.vertex_of_row.size(); ++row)
    free.segment<3>(3 * Index(row)) = full.segment<3>(3 * Index(free_.vertex_of_row[row]));
}

void ConstraintMap::moved_velocities(double t, Vector& v) const {
  v.setZero(held_.size());
  for (std::size_t i = 0; i < moved_.size(); ++i)
    v.segment<3>(3 * Index(moved_[i])) = paths_[path_of_moved_[i]].velocity(t);
}

void ConstraintMap::moved_change(double from, double to, Vector& dx) const {
  dx.setZero(held_.size());
  for (std::size_t i = 0; i < moved_.size(); ++i) {
    const Path& path = paths_[path_of_moved_[i]];
    dx.segment<3>(3 * Index(moved_[i])) = path.offset(to) - path.offset(from);
  }
}

}  // namespace phiflex
