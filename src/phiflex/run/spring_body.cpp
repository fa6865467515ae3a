#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "phiflex/energy/fibre_roots.h"
#include "phiflex/mesh/mesh_check.h"
#include "phiflex/mesh/mesh_io.h"
#include "phiflex/run/scene_body.h"
#include "phiflex/run/selection.h"

namespace phiflex {
namespace {

SpringStrength strength(const SpringStiffness& spring) {
  if (spring.spring_constant) return {SpringStrength::Measure::per_length, *spring.spring_constant};
  return {SpringStrength::Measure::per_strain, spring.stiffness.value_or(0)};
}

Point3 scaled(double factor, const Triple& p) {
  return {factor * p[0], factor * p[1], factor * p[2]};
}

std::array<double, 2> scaled(double factor, const std::array<double, 2>& p) {
  return {factor * p[0], factor * p[1]};
}

std::array<int, 2> whole(const std::array<std::int64_t, 2>& cells) {
  return {static_cast<int>(cells[0]), static_cast<int>(cells[1])};
}

FibreShape fibre_shape(const FibreMaterial& spec, double length, double scale) {
  return {length,
          static_cast<int>(spec.segments),
          scaled(scale, spec.thickness),
          spec.young,
          spec.shear_modulus,
          spec.density};
}

struct FindRoots {
  double scale;
  int count;
  std::vector<FibreRoot> operator()(const SphereGround& on) const {
    return roots_on_sphere(scaled(scale, on.sphere.center), scale * on.sphere.radius,
                           on.sphere.cap * std::numbers::pi / 180, count);
  }
  std::vector<FibreRoot> operator()(const PlateGround& on) const {
    return roots_on_plate(scaled(scale, on.plate.center), scaled(scale, on.plate.size), count);
  }
  std::vector<FibreRoot> operator()(const FileGround& on) const {
    const AnyMesh read = read_mesh(on.file);
    const TetMesh* solid = std::get_if<TetMesh>(&read);
    SurfaceMesh surface = solid ? extract_surface(*solid) : std::get<SurfaceMesh>(read);
    for (Point3& p : surface.vertices) p = scaled(scale, p);
    std::vector<FibreRoot> roots = roots_on_surface(surface, count);
    if (roots.empty()) throw InputError(on.file.string(), "", "has no triangles on which fibres could grow");
    return roots;
  }
};

// Bodies scale before their springs are made: rest lengths by the factor; constants stay what the user gave.
// A generator of the scene is an alternative of SpringsSpec and a line here.
struct MakeSprings {
  double scale;
  const std::string& place;  // for warnings about a mesh
  ProblemList& problems;

  SpringNetwork operator()(const RopeSprings& spec) const {
    return generate_rope({scaled(scale, spec.from), scaled(scale, spec.to), static_cast<int>(spec.segments),
                          strength(spec.spring), spec.linear_density});
  }
  SpringNetwork operator()(const ClothSprings& spec) const { return sheet(spec, ClothShape::Plane::lying); }
  SpringNetwork operator()(const FlagSprings& spec) const { return sheet(spec, ClothShape::Plane::upright); }
  SpringNetwork operator()(const FibreSprings& spec) const {
    const Point3 from = scaled(scale, spec.from), to = scaled(scale, spec.to);
    const FibreRoot root{from, {to[0] - from[0], to[1] - from[1], to[2] - from[2]}};
    const double length = std::hypot(root.direction[0], root.direction[1], root.direction[2]);
    return generate_fibres({&root, 1}, fibre_shape(spec.fibre, length, scale));
  }
  SpringNetwork operator()(const FibresSprings& spec) const {
    std::vector<FibreRoot> roots = std::visit(FindRoots{scale, static_cast<int>(spec.count)}, spec.on);
    if (spec.direction)
      for (FibreRoot& root : roots) root.direction = *spec.direction;
    return generate_fibres(roots, fibre_shape(spec.fibre, scale * spec.length, scale));
  }
  SpringNetwork operator()(const TetraSprings& spec) const {
    TetMesh mesh = in_file(problems.source(), place + "/mesh", [&] { return make_mesh(spec.mesh); });
    for (Point3& p : mesh.vertices) p = scaled(scale, p);
    const std::string name = mesh_name(spec.mesh, problems, place);
    for (const std::string& warning : check_for_simulation(mesh, name))
      problems.messages().warn(name + ": " + warning);
    return tet_springs(mesh, {strength(spec.spring), spec.diagonal, spec.density});
  }
  SpringNetwork operator()(const GirderSprings& spec) const {
    return generate_girder({scaled(scale, spec.size), static_cast<int>(spec.bays), strength(spec.spring),
                            spec.shear, spec.linear_density});
  }
  SpringNetwork operator()(const FileSprings& spec) const {
    SurfaceMesh mesh = read_surface_mesh(spec.file);
    for (Point3& p : mesh.vertices) p = scaled(scale, p);
    const auto missing = [&](const char* key, const char* what) {
      problems.problem(fmt::format("{}/{}", place, key),
                       fmt::format("is missing; {} has {} and they need a mass", spec.file.string(), what));
    };
    if (!mesh.triangles.empty() && !spec.area_density) missing("area_density", "triangles");
    if (!mesh.edges.empty() && !spec.linear_density) missing("linear_density", "lines");
    return mesh_springs(mesh, {strength(spec.spring), spec.bending, spec.area_density.value_or(0),
                               spec.linear_density.value_or(0)});
  }

 private:
  template <class Sheet>
  SpringNetwork sheet(const Sheet& spec, ClothShape::Plane plane) const {
    return generate_cloth({scaled(scale, spec.size), whole(spec.cells), strength(spec.spring), spec.shear,
                           spec.bending, spec.area_density, plane});
  }
};

std::string law_of(const SpringsSpec& spec) {
  return std::visit(
      [](const auto& springs) -> std::string {
        if constexpr (requires { springs.spring.law; })
          return springs.spring.law.text;
        else
          return SpringLawName{}.text;  // fibres
      },
      spec);
}

Point3 middle(const std::vector<Point3>& vertices, const std::array<int, 4>& nodes) {
  Point3 c{};
  for (const int v : nodes)
    for (int i = 0; i < 3; ++i) c[i] += vertices[v][i] / 4;
  return c;
}

// `base`: the network before any region changed it, so that the last one wins.
void change_springs(const RegionSpec& region, const std::vector<int>& selected, const SpringNetwork& base,
                    SpringNetwork& network) {
  const SpringChange& change = *region.springs;
  const double factor = change.factor.value_or(1);
  const bool replaced = change.stiffness || change.spring_constant;
  const SpringStrength other = strength({change.stiffness, change.spring_constant});
  for (const int s : selected) {
    Spring& spring = network.springs[s];
    const double of_kind = network.strength_of_kind[static_cast<std::size_t>(network.kinds[s])];
    spring.k = factor * (replaced ? of_kind * other.constant(spring.rest_length) : base.springs[s].k);
  }
  // What belongs to faces follows the factor of the region that holds its middle.
  const auto change_faces = [&](const auto& before, auto& faces) {
    for (std::size_t i = 0; i < faces.size(); ++i)
      if (holds(region.where, middle(network.vertices, faces[i].nodes()))) faces[i].k = factor * before[i].k;
  };
  change_faces(base.scissors, network.scissors);
  change_faces(base.centre_springs, network.centre_springs);
}

void change_regions(const BodySpec& spec, const std::string& pointer, Body& body, ProblemList& problems) {
  SpringBody& springs = *body.springs();
  const SpringNetwork base = springs.network;
  for (std::size_t r = 0; r < spec.regions.size(); ++r) {
    const RegionSpec& region = spec.regions[r];
    const std::vector<int> selected =
        select_elements(region.where, body, fmt::format("{}/regions/{}/where", pointer, r), problems);
    change_springs(region, selected, base, springs.network);
    for (const int s : selected) body.region[std::size_t(s)] = static_cast<int>(r) + 1;
    springs.laws.push_back(region.springs->law ? region.springs->law->text : springs.laws[0]);
  }
}

}  // namespace

Body build_springs(const BodySpec& spec, const std::string& pointer, ProblemList& problems) {
  const std::string springs_at = pointer + "/springs";
  SpringNetwork network;
  if (!problems.collect(springs_at, [&] {
        network = std::visit(MakeSprings{spec.transform.scale, springs_at, problems}, *spec.springs);
      }))
    return {};
  TransformSpec unscaled = spec.transform;
  unscaled.scale = 1;
  place(unscaled, network.vertices);
  Body body = make_springs(spec.name, std::move(network), law_of(*spec.springs));
  if (!spec.regions.empty()) change_regions(spec, pointer, body, problems);
  return body;
}

}  // namespace phiflex
