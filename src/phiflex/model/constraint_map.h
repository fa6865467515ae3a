// Which vertices are free and where the others are:
//
//   x_i(t) = X_i + q_row(i)                   free vertices, three rows each (two, x and y, in a plane), ascending,
//   x_i(t) = p + R(t) (start_i - p) + o(t)    held vertices, by the path of their constraint (path.h),
//   x_i(t) = as recorded                      held vertices whose constraint has a record (recorded_motion.h).
//
// Vertices without mass (in no element and no spring) are held where they start, too. Of a model that is shared
// (share.h) the free vertices are those that this rank owns; expand() fetches the others.
#pragma once

#include <vector>

#include "phiflex/energy/potential_term.h"
#include "phiflex/model/model_description.h"
#include "phiflex/system/state.h"

namespace phiflex {

class ConstraintMap {
 public:
  explicit ConstraintMap(const ModelDescription& description);

  const FreeVertices& free() const { return free_; }
  int dimension() const { return dimension_; }  // rows of a free vertex
  Index dofs() const { return dimension_ * static_cast<Index>(free_.vertex_of_row.size()); }
  Index vertices() const { return static_cast<Index>(free_.row_of_vertex.size()); }
  Index unused_vertices() const { return unused_; }
  bool moves() const { return moves_; }  // some held vertex moves at some time, on any rank
  const std::shared_ptr<const Halo>& halo() const { return halo_; }  // null: the model is whole

  // All vertices' positions and velocities; Side says which velocity a path has at its knots.
  void expand(const State& at, Vector& x, Vector& v, Side side = Side::after) const;
  void restrict_to_free(double t, const Vector& x, const Vector& v, State& at) const;
  void gather(const Vector& full, Vector& free) const;  // the free vertices' part of a full vector
  // full = factor times the ghosts' numbers of x, which is over the free vertices; without ghosts nothing happens.
  void fetch(double factor, const Vector& x, Vector& full) const;
  // Zero but for the velocities of moved vertices.
  void moved_velocities(double t, Vector& v) const;
  // Zero but for the changes of moved vertices' positions.
  void moved_change(double from, double to, Vector& dx) const;
  const std::vector<int>& moved_vertices() const { return moved_; }

 private:
  // The vertices that move by one constraint, and their numbers in it.
  struct Moved {
    Path path;
    std::shared_ptr<const RecordedMotion> record;
    std::vector<int> vertices;
    std::vector<std::size_t> numbers;
  };
  // Calls function(vertex, position) for every moved vertex.
  template <class Function>
  void each_position(double t, Function function) const;
  void set_moved_velocities(double t, Side side, Vector& v) const;

  int dimension_;
  Vector rest_, held_;  // held_: where held vertices are, or start when they move
  FreeVertices free_;
  std::vector<Moved> holds_;
  std::vector<int> moved_;
  Index unused_ = 0;
  bool moves_ = false;
  std::shared_ptr<const Halo> halo_;
  std::vector<int> ghosts_;  // vertices, in the order of their rows
};

}  // namespace phiflex
