// The energies of a body's elements as terms of a model, and what can be observed of the elements one by one.
#pragma once

#include <memory>
#include <vector>

#include "phiflex/build/body.h"
#include "phiflex/energy/dilatation_term.h"
#include "phiflex/energy/elastic_term.h"
#include "phiflex/energy/knot_range_counter.h"
#include "phiflex/energy/prony_term.h"
#include "phiflex/energy/spring_term.h"
#include "phiflex/energy/triangle_term.h"
#include "phiflex/model/model_description.h"

namespace phiflex {

struct BodyTerms {
  // A term and the model's numbers of its elements.
  template <class Term>
  struct Group {
    std::shared_ptr<const Term> term;
    std::vector<int> elements;
  };

  std::vector<TermPointer> terms;  // all of them
  std::vector<Group<ElasticTerm>> elastic;
  // Of SolidBody::mean_volume: what a law's volume stiffness has beyond Poisson's ratio 0.4 is here, in all of the
  // body's elements that have any; else empty.
  Group<DilatationTerm> dilatation;
  std::vector<PronyElements> branches;  // of viscoelastic elements; each model makes its own terms of them
  std::vector<Group<AnySpringTerm>> springs;
  std::vector<KnotRangeCounter> knot_range_counters;
  std::shared_ptr<const TriangleTerm> triangles;  // null: not a plane body

  // Without viscoelastic branches. Per tetrahedron and triangle [J/m^3], per spring [J/m], into the places of `body` in
  // the model's list.
  void strain_energy_densities(const Body& body, const Vector& x, std::vector<double>& densities) const;
  // Of tetrahedra and triangles, into the same places; springs have none and keep what is there.
  void element_states(const Body& body, const Vector& x, std::vector<ElementState>& states) const;
};

// rest: of all vertices of the model up to the last one of this body, m.
BodyTerms make_terms(const Body& body, const Vector& rest);

struct BodyMasses {
  std::vector<double> lumped;  // of each vertex of the body, kg
  std::vector<double> weight;  // ModelDescription::vertex_weight
  ConsistentMass consistent;   // by the model's vertices
};
BodyMasses make_masses(const Body& body, const BodyTerms& terms);
// A problem at `place` where a mass is not a finite number above 0: volume times density may overflow.
void check_masses(const Body& body, const std::vector<double>& masses, const std::string& place,
                  ProblemList& problems);

// Each element's volume, shared by its nodes as its mass is, m^3; for a body that is no body of springs.
std::vector<double> vertex_volumes(const Body& body, const BodyTerms& terms);

}  // namespace phiflex
