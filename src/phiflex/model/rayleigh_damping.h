// Rayleigh damping, each body with its own numbers:
//
//   f = -(alpha M + beta K*) v,      K* = K(rest) or K(x) of the body's own terms.                        (1)
//
// beta K(rest) is assembled once, over all vertices (in a plane: x and y of each); beta K(x) v is a product without a
// matrix.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "phiflex/linalg/mass_matrix.h"
#include "phiflex/linalg/pencil.h"
#include "phiflex/model/constraint_map.h"
#include "phiflex/model/model_description.h"

namespace phiflex {

class RayleighDamping {
 public:
  RayleighDamping(const ModelDescription& description, const FreeVertices& free);

  bool has_alpha() const { return has_alpha_; }
  bool has_beta() const { return rest_ || !current_.empty(); }
  bool none() const { return !has_alpha() && !has_beta(); }
  double beta_of_current(const PotentialTerm& term) const;  // 0: its current stiffness does not damp
  // The same alpha on every free row and the same beta on the current stiffness of all these terms; empty when
  // the damping is of another form.
  std::optional<Rayleigh> as_one(std::span<const TermPointer> terms) const;

  // y += factor beta K* v over all vertices; z is working memory of the same size.
  void add_stiffness_part(double factor, const Vector& x, const Vector& v, Vector& y, Vector& z) const;
  // y += factor alpha M v over the free vertices; z is working memory of the same size.
  void add_mass_part(double factor, const MassMatrix& mass, const Vector& v, Vector& y, Vector& z) const;
  // D += alpha M, over the free vertices.
  void add_mass_matrix(const MassMatrix& mass, SparseMatrix& D) const;
  // D += alpha M + beta K(rest), over the free vertices: the part that never changes.
  void add_constant_part(const MassMatrix& mass, const FreeVertices& free, SparseMatrix& D) const;

 private:
  // A term whose current stiffness damps.
  struct CurrentTerm {
    const PotentialTerm* term;
    double beta;
  };

  bool has_alpha_ = false;
  Vector alpha_;                      // of each free row, where some body has any
  std::optional<SparseMatrix> rest_;  // sum of beta K(rest) over all vertices
  std::vector<CurrentTerm> current_;
};

}  // namespace phiflex
