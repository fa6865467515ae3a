#include "phiflex/run/scene_parts.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <numbers>

#include "phiflex/mesh/mesh_io.h"

namespace phiflex {
namespace {

using ShapePointer = std::shared_ptr<const SolidShape>;

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

struct AddContact {
  const std::string& pointer;
  ModelBuilder& builder;

  void operator()(const SurfaceContact& contact) const {
    ProblemList& problems = builder.problems();
    const std::string name = mesh_name(contact.mesh, problems, pointer);
    problems.collect(pointer + "/mesh", [&] {
      SurfaceMesh mesh = surface_of(contact.mesh);
      place(contact.transform, mesh.vertices);
      builder.add_obstacle(std::make_shared<SurfaceSolid>(ClosedSurface(mesh, name)), settings(contact.how),
                           pointer);
    });
  }
  void operator()(const BodiesContact& contact) const {
    BodyContactSettings settings;
    settings.between_all = false;
    if (const auto* word = std::get_if<BetweenBodies>(&contact.between))
      settings.between_all = *word == BetweenBodies::all;
    else
      for (const auto& [a, b] : std::get<std::vector<std::array<std::string, 2>>>(contact.between))
        settings.pairs.push_back({builder.number_of(a), builder.number_of(b)});
    using Self = BodyContactSettings::Self;
    settings.self = contact.self == Switch::on ? Self::all : Self::none;
    settings.friction = contact.friction;
    settings.slip_speed = contact.slip_speed;
    settings.distance = contact.distance;
    settings.stiffness = contact.stiffness;
    builder.add_body_contact(std::move(settings), pointer);
  }
  void operator()(const ParticlesContact& contact) const {
    std::vector<int> bodies;
    for (const std::string& name : contact.bodies) bodies.push_back(builder.number_of(name));
    builder.add_particles(std::move(bodies), contact.distance, contact.friction);
  }
  void operator()(const FloorContact& floor) const {
    builder.add_floor(floor.height, settings(floor.how), pointer);
  }
  template <class Contact>
  void operator()(const Contact& contact) const {
    builder.add_obstacle(make_shape(contact), settings(contact.how), pointer);
  }

  ObstacleSettings settings(const ObstacleSpec& how) const {
    return {mode_of(how),
            how.friction,
            how.slip_speed,
            how.thickness,
            how.stiffness,
            how.distance,
            how.at_start,
            how.body ? std::optional(builder.number_of(*how.body)) : std::nullopt,
            how.motion ? std::optional(make_path(*how.motion)) : std::nullopt};
  }
};

}  // namespace

void add_default_contact(const Scene& scene, ModelBuilder& builder) {
  if (scene.bodies.size() < 2) return;
  for (const ContactSpec& contact : scene.contacts)
    if (std::holds_alternative<BodiesContact>(contact) || std::holds_alternative<ParticlesContact>(contact))
      return;
  builder.add_body_contact({.self = BodyContactSettings::Self::sheets}, "/contacts");
}

void add_contact(const ContactSpec& contact, const std::string& pointer, ModelBuilder& builder) {
  std::visit(AddContact{pointer, builder}, contact);
}

}  // namespace phiflex
