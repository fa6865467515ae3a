// A model that is shared by several ranks (src/phiflex/mpi): each has a model of its own vertices and of those around
// them.
//
// Every vertex is owned by one rank. A rank's model holds the vertices it owns and those of all elements that touch one
// of them, in ascending order. Free vertices that it owns have rows; free ones of others are ghosts, whose motion is
// fetched. Forces on owned vertices are whole, others are not read. Sums count what is owned: energies of elements by
// their term (mpi/part.cpp), everything else by clear_others().
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "phiflex/energy/potential_term.h"
#include "phiflex/linalg/halo.h"
#include "phiflex/linalg/team.h"

namespace phiflex {

class Share {
 public:
  virtual ~Share() = default;
  virtual const Team& team() const = 0;
  // free.vertex_of_row: the owned free vertices; row_of_vertex: ghosts have the rows behind them.
  virtual std::shared_ptr<const Halo> make_halo(const FreeVertices& free) const = 0;
  // DeformableModel::diagnose() of the whole; x, v: of this rank's vertices.
  virtual std::string diagnose(double t, const Vector& x, const Vector& v) const = 0;

  std::vector<char> owned;     // of each vertex of this rank's model
  std::vector<int> component;  // of each of them: which of the connected sets of all vertices
  int components = 0;          // over all ranks
  double extent = 0;           // of all bodies, m

  // Sets the three numbers of each vertex that is not owned to zero.
  void clear_others(Vector& x) const {
    for (std::size_t v = 0; v < owned.size(); ++v)
      if (!owned[v]) x.segment<3>(3 * Index(v)).setZero();
  }
};

}  // namespace phiflex
