// A finished model: bodies, terms, masses, loads, constraints, contacts. Made by ModelBuilder::build().
//
// An assembly never changes. Copies share what it holds, so that it is cheap to pass and to keep by value, also in
// several threads. What it makes (models, states, filters) does not refer to it.
//
// Constraints and materials may change at given times. A DeformableModel has one set of them: a simulation makes a new
// model when active_constraints() changes and carries the state over with hand_over() (model/deformable_model.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "phiflex/build/model_parts.h"
#include "phiflex/model/deformable_model.h"
#include "phiflex/model/step_filter.h"

namespace phiflex {

class Assembly {
 public:
  explicit Assembly(ModelParts parts) : parts_(std::make_shared<const ModelParts>(std::move(parts))) {}

  const ModelParts& parts() const { return *parts_; }
  const std::vector<Body>& bodies() const { return parts_->bodies; }
  const Messages& messages() const { return parts_->messages; }
  const std::vector<std::string>& contacts() const { return parts_->contacts; }  // in sentences
  const Vector& rest() const { return parts_->description.rest; }  // positions of all vertices, m
  int vertices() const { return parts_->vertices(); }
  int tetrahedra() const;
  int triangles() const;  // of plane bodies
  int springs() const;

  // What make_model() makes the model of; for models with further terms or loads.
  ModelDescription description(double t) const;
  // The model with the constraints that are active at t; those with `until` at or before t are released.
  std::unique_ptr<DeformableModel> make_model(double t) const;
  // The same at rest: held vertices where the rest shape has them, no loads, no viscoelastic branches.
  std::unique_ptr<DeformableModel> make_rest_model(double t) const;
  // One body of that model at rest: all vertices of the others are held, no contact and no gravity.
  std::unique_ptr<DeformableModel> make_rest_model_of(int body, double t) const;
  State initial_state(const DeformableModel& model) const;
  double start_time() const { return parts_->start_time; }  // of the initial state, s
  // Contacts that act at the ends of steps. The filters refer to the model.
  std::vector<std::unique_ptr<StepFilter>> make_filters(const DeformableModel& model) const;

  // Measures what constraints and obstacles exert; it shares the assembly's parts.
  Reactions make_reactions() const { return Reactions(parts_); }

  const std::vector<std::shared_ptr<const ChamberLoad>>& chambers() const { return parts_->chambers; }

  bool has_projections() const { return !parts_->obstacles.empty(); }  // by the first of make_filters()

  int active_constraints(double t) const;
  std::vector<double> release_times() const;  // ascending, each time once

  // Per tetrahedron and triangle [J/m^3] and per spring [J/m], body by body; x: of all vertices, at time t.
  // model: with its memory of viscoelastic branches; null: without them.
  void strain_energy_densities(double t, const Vector& x, std::vector<double>& densities,
                               const DeformableModel* model = nullptr) const;
  // Strain and stress of the same elements; springs have none.
  void element_states(double t, const Vector& x, std::vector<ElementState>& states,
                      const DeformableModel* model = nullptr) const;
  // Between discontinuous triangles: the largest jump at the ends of their edges, m; 0 where there are none.
  double largest_gap(const Vector& x) const;
  bool has_splines() const;
  int outside_knots(
      const Vector& x) const;  // tetrahedra of spline materials beyond the knots of their curves

  // One number for the geometry, masses and connections: a resumed run must meet the model it left.
  std::string hash() const;

 private:
  std::shared_ptr<const ModelParts> parts_;
};

}  // namespace phiflex
