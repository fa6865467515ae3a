// Elastic energy of tetrahedra of one material law, linear or quadratic ones (fem/tet_element.h):
//
//   W(x) = sum_e V_e sum_q w_q psi(F_eq(x))    over the elements e and their points q                     (1)
//
// Elements may differ in their parameters; a body with several laws has one term for each.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "phiflex/energy/element_state.h"
#include "phiflex/energy/potential_term.h"
#include "phiflex/fem/tet_batches.h"

namespace phiflex {

struct SplineCurves;  // material/spline_curves.h

struct ElasticElements {
  std::vector<Tet> tets;  // vertices of the model
  // The law's parameters of each tetrahedron, one after the other (MaterialInfo::parameters, material/catalogue.h).
  std::vector<double> parameters;
  // For messages only: the user's number of each tetrahedron (empty: its place in tets), and the first of the
  // model's vertices that belongs to the user's mesh.
  std::vector<int> number = {};
  int first_vertex = 0;
  // Given: the elements are quadratic; the nodes of each of tets, its corners first.
  std::vector<QuadraticTet> quadratic = {};
  std::shared_ptr<const SplineCurves> curves = nullptr;  // of material `spline`; null: its own lines
};

class ElasticTerm : public PotentialTerm {
 public:
  Account account() const final { return Account::elastic; }
  // Mean psi of each tetrahedron [J/m^3, per rest volume] in the order of ElasticElements::tets.
  virtual void element_densities(const Vector& x, std::span<double> densities) const = 0;
  // Strain and stress of each tetrahedron, in the same order.
  virtual void element_states(const Vector& x, std::span<ElementState> states) const = 0;
};

// material: a name of the catalogue (material/catalogue.h). rest: three coordinates for each of the model's
// vertices [m]. Throws std::invalid_argument for an unknown name, sizes that do not fit, or a tetrahedron
// without positive volume. The assemblers it makes refer to the term.
std::unique_ptr<ElasticTerm> make_elastic_term(const std::string& material, const Vector& rest,
                                               const ElasticElements& elements);

}  // namespace phiflex
