// Builds a model from arrays: bodies, what holds them, what acts on them, what they must not enter.
//
//   ModelBuilder builder;
//   const Material rubber{"neo-hookean", {{"young", 2e5}, {"poisson", 0.4}}, 1000};
//   const int bar = builder.add_solid({.name = "bar", .mesh = mesh, .material = rubber});
//   builder.hold(bar, {0, 1, 2, 3});
//   builder.set_gravity({0, -9.81, 0});
//   const Assembly assembly = builder.build();
//   const std::unique_ptr<DeformableModel> model = assembly.make_model(0);
//
// Scenes (run/scene_model.h), C++ programs and bindings to other languages use this one class. Calls may come in any
// order; a body must be added before a call that names it. The builder copies what it is given and refers to nothing.
//
// Bad input is collected: build() throws one InputError with every problem. `place` says where in the user's input
// a call comes from (a JSON pointer of a scene); by default it is the name of the body or the number of the
// obstacle or load. A call about a body that is bad itself is ignored. A number that is no body's is misuse:
// std::invalid_argument.
//
// Vertices are numbers of the body, from 0; SI units.
#pragma once

#include <Eigen/Core>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "phiflex/build/assembly.h"
#include "phiflex/build/body_skin.h"
#include "phiflex/build/choices.h"
#include "phiflex/contact/contact_candidates.h"
#include "phiflex/energy/obstacle_law.h"
#include "phiflex/energy/solid_shape.h"
#include "phiflex/model/modulation.h"
#include "phiflex/model/motor_load.h"
#include "phiflex/model/stokes_load.h"
#include "phiflex/model/wind_load.h"

namespace phiflex {

// The third: quadratic, with the stiff part of the volume change by its mean over each element, for nearly
// incompressible materials (energy/dilatation_term.h).
enum class ElementOrder { linear, quadratic, quadratic_mean };

struct SolidSettings {
  std::string name;
  TetMesh mesh = {};
  Material material = {};                // of all elements
  std::vector<Material> materials = {};  // one for each element; empty: `material` for all
  ElementOrder order = ElementOrder::linear;
  MassKind mass = MassKind::lumped;
  BodyDamping damping = {};
};

struct PlaneSettings {
  std::string name;
  SurfaceMesh mesh = {};
  Material material = {};
  std::vector<Material> materials = {};
  Continuity continuity = Continuity::continuous;
  double penalty = 0;  // N/m^3, of discontinuous triangles
  BodyDamping damping = {};
};

struct SpringSettings {
  std::string name;
  SpringNetwork network = {};
  std::string law = "linear";
  BodyDamping damping = {};
};

// A force on vertices.
struct VertexLoad {
  enum class Measure {
    each_vertex,     // N, on every vertex
    shared_by_mass,  // N in all, shared in proportion to the masses
    acceleration,    // m/s^2
    per_volume       // N/m^3, of solids and plane bodies
  };
  Measure measure = Measure::each_vertex;
  Eigen::Vector3d value = Eigen::Vector3d::Zero();
  std::vector<int> vertices = {};  // empty: all of the body
  ActiveTime active = {};
  Modulation strength = {};
};

struct ObstacleSettings {
  ContactMode mode = ContactMode::barrier;
  double friction = 0;                              // Coulomb's coefficient
  std::optional<double> slip_speed = std::nullopt;  // m/s; absent: 0.001 of a barrier, 0.01 of a penalty
  double thickness = 0;                             // m, kept between vertex and surface
  // Of a penalty: N/m per vertex; of a barrier: its modulus, Pa. Absent: by mesh and material (body_skin.h).
  std::optional<double> stiffness = std::nullopt;
  std::optional<double> distance = std::nullopt;  // reach of a barrier, m; absent: by the mesh
  // Absent: error for `project`, nothing for `penalty`. A body that starts within the reach of a barrier, or at most as
  // deep inside, is set at the edge of the reach without energy: a free one is moved away as a whole, for the vertices
  // of another the surface is lowered. Deeper, it is an error.
  std::optional<AtStart> at_start = std::nullopt;
  std::optional<int> body = std::nullopt;     // absent: every body
  std::optional<Path> motion = std::nullopt;  // of the obstacle; absent: it stays
};

// Contact of bodies with each other and with themselves, by barriers between their surfaces.
struct BodyContactSettings {
  bool between_all = true;                     // every two bodies
  std::vector<std::array<int, 2>> pairs = {};  // and these
  enum class Self { none, sheets, all };       // sheets: cloths and other springs with a surface
  Self self = Self::all;
  double friction = 0;                              // Coulomb's coefficient
  std::optional<double> slip_speed = std::nullopt;  // m/s; absent: 0.001
  std::optional<double> distance = std::nullopt;    // reach, m; absent: by the mesh (body_skin.h)
  std::optional<double> stiffness = std::nullopt;   // modulus, Pa; absent: by the softer of two bodies
};

class ModelBuilder {
 public:
  // source: how messages name the input, a scene file for example.
  explicit ModelBuilder(std::string source = "") : problems_(std::move(source)) {}

  // -- Bodies; each returns the body's number
  int add_solid(SolidSettings solid, std::string place = "");
  int add_plane(PlaneSettings plane, std::string place = "");
  int add_springs(SpringSettings springs, std::string place = "");
  // A body made in steps (build/body.h): regions of several materials, refined or measured ones.
  int add_body(Body body, std::string place = "");
  // Other materials of the body's elements from a time on; mass and geometry stay.
  void change_materials(int body, double from, BodyMaterials materials);
  const std::vector<Body>& bodies() const { return parts_.bodies; }
  const Body& body(int number) const;
  int number_of(const std::string& body) const;       // by its name; std::invalid_argument when there is none
  std::vector<double> vertex_masses(int body) const;  // lumped, kg
  int nearest_vertex(int body,
                     const Eigen::Vector3d& point) const;  // in the rest shape; the lowest of several

  // -- Where bodies are at the start; by default at rest
  // The time of the start, s. Constraints and obstacles on paths are then where their paths are at that time, and held
  // vertices are led on from where they start.
  void set_start_time(double time) { parts_.start_time = time; }
  void set_initial(int body, const std::vector<Point3>& positions, const std::vector<Point3>& velocities,
                   std::string place = "");
  std::vector<Point3> initial_positions(int body) const;
  std::vector<Point3> initial_velocities(int body) const;

  // -- What holds vertices: where they start, along a path, or as recorded. until: when they are released, s.
  // name: of the reaction (build/reactions.h); empty: "constraint" and its number.
  void hold(int body, std::vector<int> vertices, Path path = {}, double until = kForever,
            std::string place = "", std::string name = "");
  // The record holds positions of these vertices in this order.
  void hold_recorded(int body, std::vector<int> vertices, std::shared_ptr<const RecordedMotion> record,
                     double until = kForever, std::string place = "", std::string name = "");

  // -- What acts on bodies
  void set_gravity(const Eigen::Vector3d& acceleration) { gravity_ = acceleration; }  // m/s^2
  void add_load(int body, VertexLoad load, std::string place = "");
  // Of every vertex of every body, m/s^2. Unlike gravity it has no energy, and it may change with time.
  void add_acceleration(const Eigen::Vector3d& acceleration, ActiveTime active = {},
                        Modulation strength = {});
  void add_wind(const Wind& wind, ActiveTime active = {}, std::optional<int> body = std::nullopt,
                std::string place = "");
  // On the triangles of the body's surface whose corners are all among the vertices. follower: of the deformed surface.
  void add_pressure(int body, const std::vector<int>& vertices, double pressure, bool follower = true,
                    ActiveTime active = {}, Modulation strength = {}, std::string place = "");
  // The same as a force per area of the rest shape, Pa.
  void add_traction(int body, const std::vector<int>& vertices, const Eigen::Vector3d& traction,
                    ActiveTime active = {}, Modulation strength = {}, std::string place = "");
  // N m, constant in space (model/surface_load.h).
  void add_torque(int body, const std::vector<int>& vertices, const Eigen::Vector3d& torque,
                  ActiveTime active = {}, Modulation strength = {}, std::string place = "");
  // An active stress along fibres (model/muscle_load.h) of a solid's elements, Pa. directions: at rest, of each of the
  // elements, or one for all of them; of any length, 0: no fibres there.
  void add_muscle(int body, const std::vector<int>& elements, std::vector<Eigen::Vector3d> directions,
                  double stress, ActiveTime active = {}, Modulation activation = {}, std::string place = "");
  // Pressure in a hollow of a solid (model/chamber_load.h), Pa. vertices: of its wall; empty: of every closed inner
  // surface of the body. name: of its volume in measures; empty: "chamber" and its number.
  void add_chamber(int body, const std::vector<int>& vertices, double pressure, ActiveTime active = {},
                   Modulation strength = {}, std::string place = "", std::string name = "");
  void add_stokes_fluid(int body, std::vector<int> vertices, const StokesFluid& fluid,
                        std::string place = "");
  // parts: vertices of the body. torque: N m.
  void add_motor(int body, MotorLoad::Parts parts, double torque, ActiveTime active = {},
                 std::string place = "");
  // By the model's vertices: Body::first_vertex + the body's number.
  void add_load(std::shared_ptr<const Load> load);
  // Numbers of a file that a load follows, so that Assembly::hash() tells two such files apart.
  void add_to_hash(std::span<const double> numbers);
  void add_term(TermPointer term);  // an energy that is no body's own and is not damped

  // -- What bodies must not enter
  void add_obstacle(std::shared_ptr<const SolidShape> shape, ObstacleSettings settings = {},
                    std::string place = "");
  // Under y = height.
  void add_floor(double height, ObstacleSettings settings = {}, std::string place = "");
  // Bodies that start intersected are an error. Those that start within reach are moved apart, as a whole, or their
  // reach is shortened: there is no contact energy at the start. A pair may be described once.
  void add_body_contact(BodyContactSettings settings = {}, std::string place = "");
  // Vertices that keep a distance from each other; empty `bodies`: of all bodies.
  void add_particles(std::vector<int> bodies, double distance, double friction);

  // What was done to the input and what else its user should know: Assembly::messages().
  Messages& messages() { return problems_.messages(); }
  // Problems found so far; callers may add their own.
  ProblemList& problems() { return problems_; }
  // InputError with the problems found so far, if there are any.
  void check() const { problems_.throw_if_any(); }
  // InputError with every problem.
  Assembly build() const& { return ModelBuilder(*this).finish(); }
  Assembly build() && { return finish(); }

 private:
  // An obstacle in which no vertex may start.
  struct Start {
    Obstacle obstacle;
    AtStart at_start;
    std::string place;
  };
  struct PendingObstacle {
    std::shared_ptr<const SolidShape> shape;
    ObstacleSettings settings;
    std::optional<double> floor_height;
    std::string place;
  };
  struct PendingParticles {
    std::vector<int> bodies;
    double distance, friction;
  };

  // A list of problems that is as long as `before` says that the body is good.
  int add_made(Body body, const std::string& place, std::size_t before);
  bool is_usable(int body) const;  // std::invalid_argument when there is no such body
  std::string place_of(int body, const std::string& place) const;
  // The vertices by the model's numbers; nothing, with a problem, when one is not there.
  std::optional<std::vector<int>> in_model(int body, const std::vector<int>& vertices,
                                           const std::string& place);
  // Triangles of the model; empty, with a problem, when the selection has none.
  std::vector<std::array<int, 3>> surface_of(int body, const std::vector<int>& vertices,
                                             const std::string& place);
  // On the rest shape: per_area(area vector) is the force on a triangle, N.
  void add_dead_surface_load(const std::vector<std::array<int, 3>>& triangles,
                             const std::function<Eigen::Vector3d(const Eigen::Vector3d&)>& force,
                             ActiveTime active, Modulation strength);
  std::vector<int> with_mass(std::optional<int> body) const;  // vertices of the model
  void add_constraint(int body, VertexConstraint hold, double until, const std::string& place,
                      std::string name);

  // One body at one barrier.
  struct Barrier {
    const PendingObstacle* pending;
    int body;
    Obstacle obstacle;  // its vertices: of the surface, those that are not held forever
    double reach;       // m
    double modulus;     // Pa
    std::vector<double> weights;
    std::vector<double> lowered;  // of each vertex, m
  };

  struct PendingBodies {
    BodyContactSettings settings;
    std::string place;
  };
  // One of these, with the surfaces of all bodies.
  struct BodyContacts {
    const PendingBodies* pending;
    std::vector<SurfacePart> parts;
    std::vector<double> modulus;  // of each, Pa
    std::shared_ptr<const ContactSurface> surface;
    PartPairs pairs;
    double slack() const;  // of ContactCandidates
  };

  Assembly finish();
  void check_constraints();
  void lead_back();
  void finish_obstacle(const PendingObstacle& pending);
  void finish_penalty(const PendingObstacle& pending, Obstacle obstacle);
  void add_obstacle_term(const Obstacle& obstacle, const ObstacleLaw& law, std::vector<double> weights,
                         std::vector<double> lowered);
  void add_barriers(const PendingObstacle& pending);
  void leave_obstacles();
  void describe_barriers();
  void make_barrier_terms();
  std::vector<bool> held_forever() const;  // of each vertex
  const BodySkin& skin(std::size_t body);
  // body_contacts.cpp
  void prepare_body_contacts();
  void refuse_crossed_starts();
  void refuse_deep_starts();
  std::vector<char> unheld_bodies() const;
  template <class Function>
  void for_each_near_pair(const BodyContacts& contacts, Function function) const;
  void start_without_contact();
  void lower_surface(Barrier& barrier, double first, int vertex, const std::vector<Eigen::Vector3d>& moved);
  void shorten_reach(BodyContacts& contacts);
  void make_contact_terms();

  ProblemList problems_;
  ModelParts parts_;
  std::vector<bool> usable_;  // of each body: nothing is wrong with it
  Eigen::Vector3d gravity_ = Eigen::Vector3d::Zero();
  std::vector<TermPointer> more_terms_;
  // What covers bodies that may be added later; made by finish(), in this order.
  std::vector<std::function<std::shared_ptr<const Load>(const ModelParts&)>> pending_loads_;
  std::vector<PendingObstacle> pending_obstacles_;
  std::vector<PendingParticles> pending_particles_;
  std::vector<PendingBodies> pending_bodies_;
  // Made from the obstacles
  std::vector<Start> starts_;
  std::vector<std::optional<BodySkin>> skins_;  // of the bodies, as they are asked for
  std::vector<Barrier> barriers_;
  std::vector<BodyContacts> body_contacts_;
  std::vector<TermPointer> contact_terms_;
  std::vector<std::shared_ptr<const Load>> friction_;
};

}  // namespace phiflex
