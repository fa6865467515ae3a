// Everything a scene describes, built once: bodies, terms, masses, loads, constraints, probes. From it come
// the models of the run, one for each set of constraints that are active together.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "phiflex/energy/elastic_term.h"
#include "phiflex/energy/knot_watch.h"
#include "phiflex/energy/spring_term.h"
#include "phiflex/energy/triangle_term.h"
#include "phiflex/model/deformable_model.h"
#include "phiflex/record/frames.h"
#include "phiflex/run/body.h"
#include "phiflex/run/contacts.h"
#include "phiflex/scene/scene.h"

namespace phiflex {

// What coarsening makes of a body (coarsening.h).
struct BodyChange {
  std::string body;  // empty: of none
  int refinements = 0;
  double young_factor = 1;
};
// The same from a moment on: a factor depends on the constraints, which are released one after the other.
struct TimedChange {
  double from = 0;  // s
  BodyChange change;
};

class World {
 public:
  // scene_file: how the user named it, for messages. InputError with every problem of
  // the scene and its meshes.
  World(const Scene& scene, const std::string& scene_file);
  // With one body changed, for good, and without the scene's coarsening.
  World(const Scene& scene, const std::string& scene_file, const BodyChange& change);

  const std::vector<Body>& bodies() const { return bodies_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  // What was done to the scene: vertices pushed out of obstacles, a coarsened body.
  const std::vector<std::string>& notes() const { return notes_; }
  const std::string& scene_file() const { return scene_file_; }
  int vertices() const { return static_cast<int>(description_.rest.size() / 3); }
  int tetrahedra() const { return tetrahedra_; }
  int triangles() const { return triangles_; }  // of plane bodies
  int springs() const { return springs_; }

  // The model with the constraints that are active at t; those with `until` at or before t are released.
  std::unique_ptr<DeformableModel> make_model(double t) const;
  // The same at rest, whatever moves: held vertices where the rest shape has them, no loads.
  std::unique_ptr<DeformableModel> make_rest_model(double t) const;
  // The scene on the finer mesh of its coarsening; null where there is none.
  const World* fine() const { return fine_.get(); }
  // How many constraints are active at t: when it changes, so does the model.
  int active_constraints(double t) const;
  // When constraints are released, ascending, each moment once.
  std::vector<double> release_times() const;
  State initial_state(const DeformableModel& model) const;
  // What contacts do at the ends of steps; the filters refer to the model and the world.
  std::vector<std::unique_ptr<StepFilter>> make_filters(const DeformableModel& model) const;

  const std::vector<std::string>& probe_names() const { return probe_names_; }
  // Positions of the probes, x: of all vertices.
  void probe_positions(const Vector& x, std::vector<Point3>& positions) const;

  FrameGeometry frame_geometry() const;
  // Per tetrahedron and triangle [J/m^3] and per spring [J/m], in the order of the frame geometry's cells; at t, since
  // materials may change with the constraints.
  void strain_energy_densities(double t, const Vector& x, std::vector<double>& densities) const;
  // Between discontinuous triangles: the largest jump at the ends of their edges, m; 0 where there are none.
  double largest_gap(const Vector& x) const;
  bool has_splines() const { return !knot_watches_.empty(); }
  int outside_knots(
      const Vector& x) const;  // tetrahedra of spline materials beyond the knots of their curves
  const Vector& rest() const { return description_.rest; }

  // One number for the geometry, masses and connections: a resumed run must meet the world it left.
  std::string hash() const;

 private:
  struct Constraint {
    Hold hold;
    double until;
  };
  // Where a term's element numbers land among the model's elements.
  template <class Term>
  struct ElementGroup {
    std::shared_ptr<const Term> term;
    std::vector<int> cells;
  };

  World(const std::vector<TimedChange>& changes, const Scene& scene, const std::string& scene_file);
  const World& at(double t) const;  // this world, or what it has become

  void add_terms(const Body& body, BodyPart& part);
  void add_spring_terms(const Body& body, BodyPart& part);
  void add_triangle_term(const Body& body, BodyPart& part);
  void add_masses(const Body& body, MassKind kind);
  // A problem where a mass is not a finite number above 0: volume times density may overflow. `pointer`: of the body.
  void check_masses(const Body& body, const std::string& pointer, SceneProblems& problems) const;
  void add_constraints(const Scene& scene, SceneProblems& problems);
  ModelDescription description_at(double t) const;  // with the constraints that are active
  void add_initial_motion(const BodySpec& spec, const Body& body, const std::string& pointer,
                          SceneProblems& problems);
  // Of one body: a mode of its own at rest, whatever the others do.
  void add_initial_mode(const ModeSpec& spec, const Body& body, const std::string& pointer,
                        SceneProblems& problems);

  std::string scene_file_;
  std::unique_ptr<World> fine_;
  std::vector<std::unique_ptr<World>> later_;  // after the releases that change a body, in their order
  std::vector<double> later_from_;             // s
  std::vector<Body> bodies_;
  std::vector<std::string> warnings_, notes_;
  ModelDescription description_;  // without holds
  Vector initial_velocity_;       // of all vertices
  std::vector<Constraint> constraints_;
  Contacts contacts_;
  std::vector<ElementGroup<ElasticTerm>> elastic_groups_;
  std::vector<ElementGroup<AnySpringTerm>> spring_groups_;
  std::vector<KnotWatch> knot_watches_;
  std::shared_ptr<const TriangleTerm> triangle_term_;  // null: no plane body
  std::vector<std::string> probe_names_;
  std::vector<int> probe_vertices_;
  int tetrahedra_ = 0, triangles_ = 0, springs_ = 0;
};

}  // namespace phiflex
