#include "phiflex/run/body.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "phiflex/base/mat3.h"
#include "phiflex/mesh/generators.h"
#include "phiflex/mesh/mesh_check.h"
#include "phiflex/mesh/mesh_io.h"
#include "phiflex/mesh/refine.h"
#include "phiflex/run/law_name.h"
#include "phiflex/run/plane_body.h"
#include "phiflex/run/selection.h"
#include "phiflex/run/spring_body.h"

namespace phiflex {

void SceneProblems::problem(std::string place, std::string message) {
  problems_.push_back({scene_file_, std::move(place), std::move(message)});
}
void SceneProblems::add_all(const InputError& error, const std::string& place) {
  const InputError placed = error.in_file(scene_file_, place);
  problems_.insert(problems_.end(), placed.problems().begin(), placed.problems().end());
}
void SceneProblems::throw_if_any() const {
  if (problems_.empty() && unreadable_.empty()) return;
  if (problems_.empty()) throw FileError(fmt::format("{}", fmt::join(unreadable_, "\n")));
  std::vector<Problem> all = problems_;
  for (const std::string& file : unreadable_) all.push_back({"", "", file});
  throw InputError(std::move(all));
}

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

namespace {

struct MakeMesh {
  TetMesh operator()(const FileMesh& spec) const { return read_tet_mesh(spec.file); }
  TetMesh operator()(const BoxMesh& spec) const {
    return generate_mesh("box",
                         {{"size", {spec.size.begin(), spec.size.end()}},
                          {"cells", {double(spec.cells[0]), double(spec.cells[1]), double(spec.cells[2])}}});
  }
  TetMesh operator()(const BallMesh& spec) const {
    return generate_mesh(
        "ball",
        {{"radius", {spec.radius}}, {"resolution", {double(spec.resolution)}}, {"shell", {spec.shell}}});
  }
  TetMesh operator()(const CylinderMesh& spec) const {
    GeneratorArguments arguments{
        {"radius", {spec.radius}}, {"length", {spec.length}}, {"resolution", {double(spec.resolution)}}};
    if (spec.cells_along > 0) arguments["cells_along"] = {double(spec.cells_along)};
    return generate_mesh("cylinder", arguments);
  }
  TetMesh operator()(const HelixMesh& spec) const {
    return generate_mesh("helix", {{"coil_radius", {spec.coil_radius}},
                                   {"height", {spec.height}},
                                   {"turns", {spec.turns}},
                                   {"rope_radius", {spec.rope_radius}},
                                   {"resolution", {double(spec.resolution)}},
                                   {"cells_along", {double(spec.cells_along)}}});
  }
  TetMesh operator()(const HoneycombMesh& spec) const {
    return generate_mesh("honeycomb", {{"cells", {double(spec.cells[0]), double(spec.cells[1])}},
                                       {"side", {spec.side}},
                                       {"wall", {spec.wall}},
                                       {"thickness", {spec.thickness}},
                                       {"divisions", {double(spec.divisions)}},
                                       {"layers", {double(spec.layers)}}});
  }
  TetMesh operator()(const SpheroidMesh& spec) const {
    return generate_mesh(
        "spheroid", {{"radii", {spec.radii.begin(), spec.radii.end()}}, {"cells", {double(spec.cells)}}});
  }
  template <class Figure>
  requires std::same_as<decltype(Figure::fill), LatticeFill> TetMesh operator()(const Figure& spec) const {
    return generate_mesh(Figure::signature.word,
                         {{"size", {spec.fill.size}}, {"cells", {double(spec.fill.cells)}}});
  }
  TetMesh operator()(const RectangleMesh&) const { refuse_flat(); }
  TetMesh operator()(const RightTriangleMesh&) const { refuse_flat(); }
  [[noreturn]] static void refuse_flat() {
    throw InputError("", "", "the mesh is flat; expected tetrahedra");
  }
};

}  // namespace

TetMesh make_mesh(const MeshSpec& spec) {
  return std::visit(MakeMesh{}, spec);
}

namespace {

// A number for every tetrahedron: the same, or the mesh file's field.
class PerElement {
 public:
  PerElement(const MaterialValue& value, const TetMesh& mesh, const std::string& pointer,
             SceneProblems& problems) {
    if (const double* number = std::get_if<double>(&value)) {
      number_ = *number;
      return;
    }
    const std::string& name = std::get<MeshField>(value).field;
    const auto found = mesh.element_fields.find(name);
    if (found != mesh.element_fields.end()) {
      field_ = &found->second;
      return;
    }
    missing_ = true;
    std::string known;
    for (const auto& [field, values] : mesh.element_fields) known += (known.empty() ? "" : ", ") + field;
    problems.problem(pointer + "/field", fmt::format("the mesh has no field '{}'; its fields: {}", name,
                                                     known.empty() ? "none" : known));
  }
  bool missing() const { return missing_; }
  double operator()(int tet) const { return field_ ? (*field_)[tet] : number_; }

 private:
  double number_ = 0;
  const std::vector<double>* field_ = nullptr;
  bool missing_ = false;
};

// The curves of a spline material; null, with the reason among the problems, when rest is not where they rest.
// A material whose curves make another modulus than its `young` says is as its user wants it, but worth a word.
std::shared_ptr<const SplineCurves> make_curves(const MaterialSpec& spec, const Lame<double>& lame,
                                                const std::string& pointer, SceneProblems& problems) {
  const auto made = [](const std::optional<CurveSpec>& curve) {
    return curve ? std::optional(CubicSpline(curve->knots, curve->values)) : std::nullopt;
  };
  const auto curves = std::make_shared<SplineCurves>(SplineCurves{made(spec.f), made(spec.g), made(spec.h)});
  const Spline::Parameters<double> p(lame, curves.get());
  const auto [mu, lambda] = Spline::at_rest(p);
  const auto young_of = [](double m, double l) { return m * (3 * l + 2 * m) / (l + m); };
  const double young = young_of(lame.mu, lame.lambda), stress = Spline::rest_stress(p);
  if (std::abs(stress) > 1e-6 * young) {
    problems.problem(pointer,
                     fmt::format("the rest shape is under stress: f'(1) + 2 g'(1) + h'(1) is {:.6g} of "
                                 "`young`; expected 0",
                                 stress / young));
    return nullptr;
  }
  if (!(mu > 0 && 3 * lambda + 2 * mu > 0)) {
    problems.problem(pointer,
                     fmt::format("the rest shape is unstable: the curves give a shear modulus of {:.6g} "
                                 "and a bulk modulus of {:.6g} Pa there; expected both above 0",
                                 mu, lambda + 2 * mu / 3));
    return nullptr;
  }
  if (std::abs(young_of(mu, lambda) / young - 1) > 0.05)
    problems.warning(
        fmt::format("{}: near rest the curves make Young's modulus {:.4g} Pa; `young` is {:.4g} Pa", pointer,
                    young_of(mu, lambda), young));
  return curves;
}

void set_materials(const MaterialSpec& spec, const std::vector<int>& tets, const std::string& pointer,
                   Body& body, SceneProblems& problems) {
  const PerElement young(spec.young, body.mesh, pointer + "/young", problems);
  const PerElement poisson(spec.poisson, body.mesh, pointer + "/poisson", problems);
  const PerElement density(spec.density, body.mesh, pointer + "/density", problems);
  if (young.missing() || poisson.missing() || density.missing()) return;
  const std::string law = law_name(spec);
  int curves = -1;
  if ((spec.f || spec.g || spec.h) && !tets.empty()) {
    body.curves.push_back(
        make_curves(spec, lame_from_young(young(tets[0]), poisson(tets[0])), pointer, problems));
    if (!body.curves.back()) return;
    curves = static_cast<int>(body.curves.size()) - 1;
  }
  for (const int tet : tets) {
    const ElementMaterial made{law, young(tet), poisson(tet), density(tet), curves};
    const bool possible = made.young > 0 && made.density > 0 && made.poisson > -1 && made.poisson < 0.5 &&
                          std::isfinite(made.young) && std::isfinite(made.density);
    if (!possible) {
      problems.problem(
          pointer, fmt::format("tetrahedron {} gets young {}, poisson {}, density {} from the mesh's fields; "
                               "allowed: young > 0, -1 < poisson < 0.5, density > 0",
                               tet, made.young, made.poisson, made.density));
      return;
    }
    body.materials[tet] = made;
  }
}

}  // namespace

void assign_materials(const BodySpec& spec, const std::string& pointer, Body& body, SceneProblems& problems) {
  const int count = body.element_count();
  body.materials.resize(count);
  body.region.assign(count, 0);
  std::vector<int> all(count);
  for (int tet = 0; tet < count; ++tet) all[tet] = tet;
  set_materials(*spec.material, all, pointer + "/material", body, problems);
  for (std::size_t r = 0; r < spec.regions.size(); ++r) {
    const std::string place_of_region = fmt::format("{}/regions/{}", pointer, r);
    const std::vector<int> tets =
        select_elements(spec.regions[r].where, body, place_of_region + "/where", problems);
    set_materials(changed(*spec.material, *spec.regions[r].material), tets, place_of_region + "/material",
                  body, problems);
    for (const int tet : tets) body.region[tet] = static_cast<int>(r) + 1;
  }
}

namespace {

constexpr double kMostElements = 2e7;  // of a refined mesh

void check_refinements(const TetMesh& mesh, int refinements, const SceneProblems& problems) {
  if (double(mesh.tets.size()) * std::pow(8, refinements) > kMostElements)
    throw InputError(problems.scene_file(), "/coarsening/fine/refine",
                     fmt::format("{} refinements of {} tetrahedra; at most {:g} are made", refinements,
                                 mesh.tets.size(), kMostElements));
}

template <class Value>
void repeat_for_children(std::vector<Value>& values) {
  std::vector<Value> repeated;
  repeated.reserve(8 * values.size());
  for (const Value& value : values) repeated.insert(repeated.end(), 8, value);
  values = std::move(repeated);
}

// The same body, finer: a region is made of the parts of its tetrahedra, and not chosen again, which would move its
// border to where the smaller tetrahedra have their centres.
void refine(Body& body) {
  body.mesh = refined(std::move(body.mesh));
  repeat_for_children(body.materials);
  repeat_for_children(body.region);
}

void build_solid(const BodySpec& spec, const std::string& pointer, int refinements, Body& body,
                 SceneProblems& problems) {
  const auto* file = std::get_if<FileMesh>(&*spec.mesh);
  const std::string mesh_name =
      file ? file->file.string() : fmt::format("{}: {}/mesh", problems.scene_file(), pointer);
  try {
    body.mesh = make_mesh(*spec.mesh);
    check_refinements(body.mesh, refinements, problems);
    place(spec.transform, body.mesh.vertices);  // before the check: an extreme transform flattens elements
    for (const std::string& warning : check_for_simulation(body.mesh, mesh_name))
      problems.warning(mesh_name + ": " + warning);
  } catch (const InputError& error) {
    problems.add_all(error, pointer + "/mesh");
    body.mesh = {};
    return;
  } catch (const FileError& error) {
    problems.add(error);
    return;
  }
  assign_materials(spec, pointer, body, problems);
  for (int i = 0; i < refinements; ++i) refine(body);
  if (spec.element == ElementKind::tet10) {
    body.quadratic = add_mid_edge_nodes(body.mesh);
    body.surface = quadratic_boundary(body.quadratic).triangles;
  } else {
    body.surface = boundary_triangles(body.mesh);
  }
}

}  // namespace

Body build_body(const BodySpec& spec, const std::string& pointer, SceneProblems& problems, int refinements) {
  Body body;
  body.name = spec.name;
  if (spec.mesh && is_plane(spec.element)) {
    build_plane(spec, pointer, body, problems);
  } else if (spec.mesh) {
    build_solid(spec, pointer, refinements, body, problems);
  } else if (spec.springs) {
    build_springs(spec, pointer, body, problems);
  }
  return body;
}

const Body& find_body(const std::vector<Body>& bodies, const std::string& name) {
  return *std::find_if(bodies.begin(), bodies.end(), [&](const Body& body) { return body.name == name; });
}

std::vector<int> shifted(std::vector<int> numbers, int first) {
  for (int& number : numbers) number += first;
  return numbers;
}

namespace {

template <class Tets>
Tets in_model(Tets tets, const Body& body) {
  for (auto& tet : tets)
    for (int& v : tet) v += body.first_vertex;
  return tets;
}

}  // namespace

std::vector<std::array<int, 4>> model_tets(const Body& body) {
  return in_model(body.mesh.tets, body);
}
std::vector<QuadraticTet> model_quadratic(const Body& body) {
  return in_model(body.quadratic, body);
}

}  // namespace phiflex
