#include "phiflex/run/contacts.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <numbers>

#include "phiflex/energy/floor_term.h"
#include "phiflex/energy/obstacle_term.h"
#include "phiflex/mesh/mesh_io.h"
#include "phiflex/model/penalty_friction.h"
#include "phiflex/run/holds.h"

namespace phiflex {
namespace {

using ShapePointer = std::shared_ptr<const SolidShape>;

ShapePointer make_shape(const FloorContact& floor) {
  return std::make_shared<PlaneSolid>(Eigen::Vector3d(0, floor.height, 0), Eigen::Vector3d::UnitY());
}
ShapePointer make_shape(const PlaneContact& plane) {
  return std::make_shared<PlaneSolid>(vector3(plane.point), vector3(plane.normal));
}
ShapePointer make_shape(const SphereContact& sphere) {
  return std::make_shared<SphereSolid>(vector3(sphere.center), sphere.radius);
}
ShapePointer make_shape(const CapsuleContact& capsule) {
  return std::make_shared<CapsuleSolid>(vector3(capsule.from), vector3(capsule.to), capsule.radius);
}
ShapePointer make_shape(const BoxContact& box) {
  const Eigen::AngleAxisd turn(box.rotate.angle * std::numbers::pi / 180,
                               vector3(box.rotate.axis).normalized());
  return std::make_shared<CuboidShape>(vector3(box.center), vector3(box.size), turn.toRotationMatrix());
}

// The boundary of what a file or a generator gives.
SurfaceMesh surface_of(const MeshSpec& spec) {
  if (const auto* file = std::get_if<FileMesh>(&spec)) {
    AnyMesh mesh = read_mesh(file->file);
    if (auto* surface = std::get_if<SurfaceMesh>(&mesh)) return std::move(*surface);
    return extract_surface(std::get<TetMesh>(mesh));
  }
  return extract_surface(make_mesh(spec));
}

class ContactMaker {
 public:
  ContactMaker(const std::vector<Body>& bodies, const Vector& vertex_mass, SceneProblems& problems,
               Contacts& made)
      : bodies_(bodies), vertex_mass_(vertex_mass), problems_(problems), made_(made) {}

  void add(const SurfaceContact& contact, const std::string& pointer) {
    const auto* file = std::get_if<FileMesh>(&contact.mesh);
    const std::string name =
        file ? file->file.string() : fmt::format("{}: {}/mesh", problems_.scene_file(), pointer);
    try {
      SurfaceMesh mesh = surface_of(contact.mesh);
      place(contact.transform, mesh.vertices);
      add_obstacle(contact, std::make_shared<SurfaceSolid>(ClosedSurface(mesh, name)), pointer);
    } catch (const InputError& error) {
      problems_.add_all(error, pointer + "/mesh");
    } catch (const FileError& error) {
      problems_.add(error);
    }
  }

  void add(const ParticlesContact& contact, const std::string&) {
    ParticleContact made{{}, contact.distance, contact.friction};
    for (const Body& body : bodies_)
      if (contact.bodies.empty() ||
          std::find(contact.bodies.begin(), contact.bodies.end(), body.name) != contact.bodies.end())
        add_vertices(body, made.vertices);
    made_.particles.push_back(std::move(made));
  }

  template <class Contact>
  void add(const Contact& contact, const std::string& pointer) {
    add_obstacle(contact, make_shape(contact), pointer);
  }

 private:
  template <class Contact>
  void add_obstacle(const Contact& contact, ShapePointer shape, const std::string& pointer) {
    const ObstacleSpec& how = contact.how;
    Obstacle obstacle{std::move(shape), how.motion ? make_path(*how.motion) : Path(), vertices_of(how.body),
                      how.thickness, how.friction};
    const bool projects = how.mode == ContactMode::project;
    if (projects || how.at_start)
      made_.starts.push_back({obstacle, how.at_start.value_or(AtStart::error), pointer});
    if (projects) {
      made_.obstacles.push_back(std::move(obstacle));
    } else {
      add_penalty(contact, std::move(obstacle));
    }
  }

  template <class Contact>
  void add_penalty(const Contact& contact, Obstacle obstacle) {
    const ObstacleSpec& how = contact.how;
    if constexpr (std::is_same_v<Contact, FloorContact>) {
      if (!how.body && how.thickness == 0 && how.friction == 0 && !how.motion) {
        made_.terms.push_back(std::make_shared<FloorTerm>(static_cast<int>(vertex_mass_.size()),
                                                          contact.height, how.stiffness));
        return;
      }
    }
    auto term = std::make_shared<ObstacleTerm>(obstacle.shape, std::move(obstacle.vertices),
                                               obstacle.thickness, how.stiffness);
    if (how.friction > 0)
      made_.friction.push_back(
          std::make_shared<PenaltyFriction>(term, obstacle.path, how.friction, how.slip_speed));
    if (how.motion)
      made_.carried.push_back(std::make_shared<CarriedObstacle>(std::move(term), std::move(obstacle.path)));
    else
      made_.terms.push_back(std::move(term));
  }

  std::vector<int> vertices_of(const std::optional<std::string>& body) const {
    std::vector<int> vertices;
    for (const Body& b : bodies_) {
      if (!body || *body == b.name) add_vertices(b, vertices);
    }
    return vertices;
  }
  void add_vertices(const Body& body, std::vector<int>& vertices) const {
    for (int v = body.first_vertex; v < body.first_vertex + body.vertex_count(); ++v)
      if (vertex_mass_[v] > 0) vertices.push_back(v);
  }

  const std::vector<Body>& bodies_;
  const Vector& vertex_mass_;
  SceneProblems& problems_;
  Contacts& made_;
};

}  // namespace

Contacts make_contacts(const Scene& scene, const std::vector<Body>& bodies, const Vector& vertex_mass,
                       SceneProblems& problems) {
  Contacts made;
  ContactMaker maker(bodies, vertex_mass, problems, made);
  for (std::size_t c = 0; c < scene.contacts.size(); ++c)
    std::visit([&](const auto& contact) { maker.add(contact, fmt::format("/contacts/{}", c)); },
               scene.contacts[c]);
  return made;
}

namespace {

struct Inside {
  int count = 0;
  double deepest = 0;  // m
};

// The free vertices inside an obstacle at the start; with `push` they are put to its surface.
Inside start_inside(const Obstacle& obstacle, const FreeVertices& free, bool push, Vector& start) {
  const Path::Pose pose = obstacle.path.pose(0);
  Inside inside;
  for (const int vertex : obstacle.vertices) {
    if (free.row_of_vertex[vertex] < 0) continue;
    auto x = start.segment<3>(3 * Index(vertex));
    const SurfaceDistance near = distance_to(obstacle, pose, x);
    const double depth = obstacle.thickness - near.distance;
    if (!(depth > 1e-9 * (1 + x.norm()))) continue;  // touching is allowed, up to rounding
    ++inside.count;
    inside.deepest = std::max(inside.deepest, depth);
    if (push) x += depth * near.normal;
  }
  return inside;
}

}  // namespace

void leave_obstacles(const FreeVertices& free, Contacts& contacts, Vector& start, SceneProblems& problems) {
  const std::vector<Contacts::Start>& starts = contacts.starts;
  const auto refuse = [&](const Contacts::Start& begins, const Inside& inside, const char* expected) {
    problems.problem(begins.pointer,
                     fmt::format("{} vertices start inside this obstacle, up to {:.3g} m deep; expected {}",
                                 inside.count, inside.deepest, expected));
  };
  bool refused = false;
  for (const Contacts::Start& begins : starts) {
    if (begins.at_start == AtStart::push) continue;
    const Inside inside = start_inside(begins.obstacle, free, false, start);
    if (inside.count == 0) continue;
    refuse(begins, inside, "bodies outside, or \"at_start\": \"push\"");
    refused = true;
  }
  if (refused) return;

  // What one obstacle pushes out may come to lie in another: as at the ends of steps, all are repeated.
  std::vector<Inside> pushed(starts.size());
  bool again = true;
  for (int pass = 0; again && pass < ProjectionFilter::kPasses; ++pass) {
    again = false;
    for (std::size_t i = 0; i < starts.size(); ++i) {
      if (starts[i].at_start != AtStart::push) continue;
      const Inside inside = start_inside(starts[i].obstacle, free, true, start);
      pushed[i].count = std::max(pushed[i].count, inside.count);
      pushed[i].deepest = std::max(pushed[i].deepest, inside.deepest);
      again = again || inside.count > 0;
    }
  }
  for (std::size_t i = 0; i < starts.size(); ++i) {
    if (pushed[i].count > 0)
      contacts.notes.push_back(
          fmt::format("{} vertices started inside the obstacle {} and were pushed out, by up to {:.3g} m",
                      pushed[i].count, starts[i].pointer, pushed[i].deepest));
    if (const Inside inside = start_inside(starts[i].obstacle, free, false, start); inside.count > 0)
      refuse(starts[i], inside, "room beside the obstacles that push them there");
  }
}

}  // namespace phiflex
