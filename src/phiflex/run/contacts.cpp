#include "phiflex/run/contacts.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <numbers>

#include "phiflex/energy/floor_term.h"
#include "phiflex/energy/obstacle_term.h"
#include "phiflex/mesh/mesh_io.h"
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
      problems_.add_all(error);
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
      made_.terms.push_back(make_penalty(contact, std::move(obstacle)));
    }
  }

  template <class Contact>
  TermPointer make_penalty(const Contact& contact, Obstacle obstacle) const {
    if constexpr (std::is_same_v<Contact, FloorContact>) {
      if (!contact.how.body && contact.how.thickness == 0)
        return std::make_shared<FloorTerm>(static_cast<int>(vertex_mass_.size()), contact.height,
                                           contact.how.stiffness);
    }
    return std::make_shared<ObstacleTerm>(obstacle.shape, std::move(obstacle.vertices), obstacle.thickness,
                                          contact.how.stiffness);
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

void leave_obstacles(const FreeVertices& free, Contacts& contacts, Vector& start, SceneProblems& problems) {
  for (const Contacts::Start& begins : contacts.starts) {
    const Path::Pose pose = begins.obstacle.path.pose(0);
    int inside = 0;
    double deepest = 0;
    for (const int vertex : begins.obstacle.vertices) {
      if (free.row_of_vertex[vertex] < 0) continue;
      auto x = start.segment<3>(3 * Index(vertex));
      const SurfaceDistance near = distance_to(begins.obstacle, pose, x);
      const double depth = begins.obstacle.thickness - near.distance;
      if (!(depth > 1e-9 * (1 + x.norm()))) continue;  // touching is allowed, up to rounding
      ++inside;
      deepest = std::max(deepest, depth);
      if (begins.at_start == AtStart::push) x += depth * near.normal;
    }
    if (inside == 0) continue;
    if (begins.at_start == AtStart::push) {
      contacts.notes.push_back(
          fmt::format("{} vertices started inside the obstacle {} and were pushed out, by up to {:.3g} m",
                      inside, begins.pointer, deepest));
    } else {
      problems.problem(
          begins.pointer,
          fmt::format("{} vertices start inside this obstacle, up to {:.3g} m deep; expected bodies "
                      "outside, or \"at_start\": \"push\"",
                      inside, deepest));
    }
  }
}

}  // namespace phiflex
