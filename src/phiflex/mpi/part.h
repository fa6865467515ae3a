// One rank's part of a scene: an ordinary scene model of the vertices it owns and of those around them (model/share.h).
//
// Every rank builds the whole scene as a serial run does, so that selections, masses, loads and messages are the same;
// then it keeps its part. An element is evaluated by every rank that owns one of its vertices, and counted, in energies
// and rates, by the owner of its lowest one. Loads stay whole: each rank gives them the positions it knows and takes
// the forces on its vertices.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "phiflex/mpi/mpi_team.h"
#include "phiflex/run/scene_model.h"

namespace phiflex {

class Part {
 public:
  // owner: of each vertex of the whole. The team must outlive it, and so must `whole`.
  Part(const SceneModel& whole, const Scene& scene, std::vector<int> owner, const MpiTeam& team);

  const SceneModel& model() const { return *model_; }  // of this rank's vertices
  int owned() const { return owned_; }                 // vertices
  int ghosts() const { return int(vertices_.size()) - owned_; }
  int neighbours() const { return neighbours_; }
  std::int64_t evaluated() const { return evaluated_; }  // elements
  std::int64_t counted() const { return std::int64_t(elements_.size()); }
  // Of the whole: the numbers of this model's vertices, ascending, and of the elements that this rank counts.
  const std::vector<int>& vertices() const { return vertices_; }
  const std::vector<int>& elements() const { return elements_; }

  // Three numbers of each vertex of the whole, on rank 0; elsewhere empty. x: of this rank's vertices.
  Vector gather(const Vector& x) const;
  // Numbers of the free degrees of freedom of the whole at time t, in the order of a serial run, on rank 0; elsewhere
  // empty. x: of this rank's.
  Vector gather_free(double t, const Vector& x) const;
  // Of vertices of the whole, on every rank. x: of this rank's vertices.
  std::vector<Point3> positions(const std::vector<int>& vertices, const Vector& x) const;

 private:
  void add_shared_terms(const Scene& scene, const Share& share, ModelParts& parts) const;

  const SceneModel& whole_;
  const MpiTeam& team_;
  std::vector<int> owner_;
  std::vector<int> vertices_;  // of the whole, ascending: those of this rank's model
  std::vector<int> local_;     // of each vertex of the whole: its number in this rank's model, or -1
  int owned_ = 0, neighbours_ = 0;
  std::vector<int> elements_;
  std::int64_t evaluated_ = 0;
  std::unique_ptr<SceneModel> model_;
};

// What phiflex-mpi does not do: a problem for each thing in the scene that it would have to. ranks: how many.
void refuse_what_is_not_shared(const Scene& scene, const SceneModel& whole, int ranks);  // throws InputError

}  // namespace phiflex
