#include "phiflex/run/scene_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "phiflex/base/mat3.h"
#include "phiflex/build/body_curves.h"
#include "phiflex/material/catalogue.h"
#include "phiflex/mesh/generator_catalogue.h"
#include "phiflex/mesh/lattice_fill.h"
#include "phiflex/mesh/mesh_io.h"
#include "phiflex/run/selection.h"

namespace phiflex {

namespace {

// Rodrigues' formula: R = I + sin(a) [n] + (1 - cos(a)) [n]^2, n the unit axis.
Mat3<double> rotation(const Triple& axis, double degrees) {
  const Vec3<double> a{axis[0], axis[1], axis[2]};
  const double length = norm(a);
  if (degrees == 0 || length == 0) return Mat3<double>::identity();
  const Vec3<double> n = (1 / length) * a;
  const Mat3<double> cross_n{0, -n[2], n[1], n[2], 0, -n[0], -n[1], n[0], 0};
  const double angle = degrees * kRadiansPerDegree;
  return Mat3<double>::identity() + std::sin(angle) * cross_n + (1 - std::cos(angle)) * (cross_n * cross_n);
}

}  // namespace

void place(const TransformSpec& transform, std::vector<Point3>& points) {
  const Mat3<double> R = rotation(transform.rotate.axis, transform.rotate.angle);
  for (Point3& p : points) {
    const Vec3<double> x =
        R * Vec3<double>{transform.scale * p[0], transform.scale * p[1], transform.scale * p[2]};
    for (int i = 0; i < 3; ++i) p[i] = x[i] + transform.translate[i];
  }
}

std::string mesh_name(const MeshSpec& spec, const ProblemList& problems, const std::string& pointer) {
  const auto* file = std::get_if<FileMesh>(&spec);
  return file ? file->file.string() : fmt::format("{}: {}/mesh", problems.source(), pointer);
}

TetMesh make_mesh(const MeshSpec& spec) {
  if (const auto* file = std::get_if<FileMesh>(&spec)) {
    AnyMesh mesh = read_mesh(file->file);
    if (auto* tets = std::get_if<TetMesh>(&mesh)) return std::move(*tets);
    const auto& surface = std::get<SurfaceMesh>(mesh);
    if (surface.triangles.empty()) return read_tet_mesh(file->file);  // says why not
    return fill_with_tetrahedra(surface, file->file.string(), static_cast<int>(file->cells));
  }
  const auto& generated = std::get<GeneratedMesh>(spec);
  return generate_mesh(generated.kind, generated.arguments);
}

namespace {

using MeshFields = std::map<std::string, std::vector<double>>;

std::string known_fields(const MeshFields& fields) {
  std::string known;
  for (const auto& [name, values] : fields) known += (known.empty() ? "" : ", ") + name;
  return known.empty() ? "none" : known;
}

// A number for every element: the same, or the mesh file's field.
class PerElement {
 public:
  explicit PerElement(double number) : number_(number) {}
  explicit PerElement(const std::vector<double>& field) : field_(&field) {}
  double operator()(int element) const { return field_ ? (*field_)[std::size_t(element)] : number_; }

 private:
  double number_ = 0;
  const std::vector<double>* field_ = nullptr;
};

// Adds one value, or a problem at pointer + "/field".
void add_value(const MaterialValue& value, const MeshFields& fields, const std::string& pointer,
               std::vector<PerElement>& values, ProblemList& problems) {
  if (const double* number = std::get_if<double>(&value)) {
    values.emplace_back(*number);
    return;
  }
  const std::string& name = std::get<MeshField>(value).field;
  const auto found = fields.find(name);
  if (found != fields.end())
    values.emplace_back(found->second);
  else
    problems.problem(pointer + "/field",
                     fmt::format("the mesh has no field '{}'; its fields: {}", name, known_fields(fields)));
}

// Adds the three components of a direction. Vectors of a mesh file turn with the body's transform.
void add_direction(const MaterialSpec& spec, const std::string& key, const MeshFields& fields,
                   const std::string& pointer, std::vector<PerElement>& values, ProblemList& problems) {
  if (!spec.law.field) {
    const auto given = spec.law.directions.find(key);
    if (given == spec.law.directions.end())
      problems.problem(pointer + "/" + key, "missing; expected a direction");
    else
      for (const double x : given->second) values.emplace_back(x);
    return;
  }
  const std::string& name = *spec.law.field;
  for (const char* component : {".x", ".y", ".z"}) {
    const auto found = fields.find(name + component);
    if (found == fields.end()) {
      problems.problem(
          pointer + "/field",
          fmt::format("the mesh has no field '{}' of vectors; its fields: {}", name, known_fields(fields)));
      return;
    }
    values.emplace_back(found->second);
  }
}

SplineCurves curves_of(const MaterialSpec& spec) {
  const auto made = [&](const char* key) {
    const auto curve = spec.law.curves.find(key);
    return curve == spec.law.curves.end()
               ? std::nullopt
               : std::optional(CubicSpline(curve->second.knots, curve->second.values));
  };
  return {made("f"), made("g"), made("h")};
}

void turn_directions(const MaterialInfo& law, const Mat3<double>& turn, std::vector<double>& parameters) {
  for (const ParameterInfo& parameter : law.parameters) {
    if (parameter.kind != ParameterKind::direction) continue;
    double* direction = &parameters[std::size_t(law.place_of(parameter.key))];
    const Vec3<double> turned = turn * Vec3<double>{direction[0], direction[1], direction[2]};
    std::copy(turned.e, turned.e + 3, direction);
  }
}

// The materials of some elements; region: 0 for the body's own.
void set_materials(MaterialSpec spec, const Mat3<double>& turn, const std::vector<int>& elements,
                   const std::string& pointer, int region, Body& body, ProblemList& problems) {
  static const MeshFields none;
  const MeshFields& fields = body.solid() ? body.solid()->mesh.element_fields : none;
  if (!find_material(spec.type.text)) {  // of a scene made in code
    problems.problem(pointer + "/type", fmt::format("\"{}\" is not known", spec.type.text));
    return;
  }
  complete(spec);
  const MaterialInfo& law = material_info(law_name(spec));
  const std::size_t before = problems.size();
  std::vector<PerElement> numbers, density;
  for (const ParameterInfo& parameter : law.parameters) {
    if (parameter.kind == ParameterKind::number)
      add_value(spec.law.numbers[parameter.key], fields, pointer + "/" + parameter.key, numbers, problems);
    if (parameter.kind == ParameterKind::direction)
      add_direction(spec, parameter.key, fields, pointer, numbers, problems);
  }
  add_value(spec.density, fields, pointer + "/density", density, problems);
  if (problems.size() != before) return;

  BodyMaterials& materials = *body.materials();
  for (const int element : elements) {
    ElementMaterial& material = materials.elements[std::size_t(element)];
    material = {std::string(law.name), {}, density[0](element), -1, spec.prony};
    for (const PerElement& number : numbers) material.parameters.push_back(number(element));
    if (spec.law.field) turn_directions(law, turn, material.parameters);
    body.region[std::size_t(element)] = region;
  }
  check_materials(body, elements, pointer, problems);
  if (problems.size() == before && !spec.law.curves.empty())
    set_curves(body, elements, curves_of(spec), pointer, problems);
}

}  // namespace

std::vector<Point3> element_directions(const Body& body, const std::string& field,
                                       const TransformSpec& transform, const std::string& pointer,
                                       ProblemList& problems) {
  const MeshFields& fields = body.solid()->mesh.element_fields;
  const auto x = fields.find(field + ".x"), y = fields.find(field + ".y"), z = fields.find(field + ".z");
  if (x == fields.end() || y == fields.end() || z == fields.end()) {
    problems.problem(pointer, fmt::format("the mesh has no field '{}' of vectors; its fields: {}", field,
                                          known_fields(fields)));
    return {};
  }
  const Mat3<double> turn = rotation(transform.rotate.axis, transform.rotate.angle);
  std::vector<Point3> directions;
  for (std::size_t e = 0; e < x->second.size(); ++e) {
    const Vec3<double> n = turn * Vec3<double>{x->second[e], y->second[e], z->second[e]};
    directions.push_back({n[0], n[1], n[2]});
  }
  return directions;
}

void assign_materials(const BodySpec& spec, const std::string& pointer, Body& body, ProblemList& problems) {
  std::vector<int> all(std::size_t(body.element_count()));
  std::iota(all.begin(), all.end(), 0);
  body.materials()->elements.resize(all.size());
  const Mat3<double> turn = rotation(spec.transform.rotate.axis, spec.transform.rotate.angle);
  set_materials(*spec.material, turn, all, pointer + "/material", 0, body, problems);
  for (std::size_t r = 0; r < spec.regions.size(); ++r) {
    const std::string place_of_region = fmt::format("{}/regions/{}", pointer, r);
    const std::vector<int> elements =
        select_elements(spec.regions[r].where, body, place_of_region + "/where", problems);
    set_materials(changed(*spec.material, *spec.regions[r].material), turn, elements,
                  place_of_region + "/material", static_cast<int>(r) + 1, body, problems);
  }
}

namespace {

constexpr double kMostElements = 2e7;  // of a refined mesh

void check_refinements(const TetMesh& mesh, int refinements, const ProblemList& problems) {
  if (double(mesh.tets.size()) * std::pow(8, refinements) > kMostElements)
    throw InputError(problems.source(), "/coarsening/fine/refine",
                     fmt::format("{} refinements of {} tetrahedra; at most {:g} are made", refinements,
                                 mesh.tets.size(), kMostElements));
}

Body build_solid(const BodySpec& spec, const std::string& pointer, int refinements, ProblemList& problems) {
  const std::string name = mesh_name(*spec.mesh, problems, pointer);
  TetMesh mesh;
  if (!problems.collect(pointer + "/mesh", [&] {
        mesh = make_mesh(*spec.mesh);
        check_refinements(mesh, refinements, problems);
        place(spec.transform, mesh.vertices);  // before the check: an extreme transform flattens elements
      }))
    return {};
  Body body = make_solid(spec.name, std::move(mesh), name, pointer, problems);
  if (body.element_count() == 0) return body;
  body.solid()->mass = spec.mass;
  assign_materials(spec, pointer, body, problems);
  for (int i = 0; i < refinements; ++i) refine(body);
  body.solid()->mean_volume = spec.element == ElementKind::tet10_mean;
  if (spec.element == ElementKind::tet10 || body.solid()->mean_volume) make_quadratic(body);
  return body;
}

Body build_kind(const BodySpec& spec, const std::string& pointer, ProblemList& problems, int refinements) {
  if (spec.mesh && is_plane(spec.element)) return build_plane(spec, pointer, problems);
  if (spec.mesh) return build_solid(spec, pointer, refinements, problems);
  if (spec.springs) return build_springs(spec, pointer, problems);
  return {};
}

}  // namespace

Body build_body(const BodySpec& spec, const std::string& pointer, ProblemList& problems, int refinements) {
  Body body = build_kind(spec, pointer, problems, refinements);
  body.name = spec.name;
  body.damping = {spec.damping.mass, spec.damping.stiffness, spec.damping.stiffness_of};
  return body;
}

}  // namespace phiflex
