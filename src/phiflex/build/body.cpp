#include "phiflex/build/body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "phiflex/build/plane_check.h"
#include "phiflex/energy/law_kernels.h"
#include "phiflex/energy/spring_term.h"
#include "phiflex/material/catalogue.h"
#include "phiflex/mesh/mesh_check.h"
#include "phiflex/mesh/refine.h"

namespace phiflex {

const std::vector<Point3>& Body::rest() const {
  if (const SolidBody* tetrahedra = solid()) return tetrahedra->mesh.vertices;
  if (const PlaneBody* triangles = plane()) return triangles->vertices;
  return springs()->network.vertices;
}

namespace {

Lame<double> lame_at_rest(const ElementMaterial& material,
                          const std::vector<std::shared_ptr<const SplineCurves>>& curves) {
  const SplineCurves* own = material.curves >= 0 ? curves[std::size_t(material.curves)].get() : nullptr;
  return law_kernels(material.law).at_rest(material.parameters, own);
}

}  // namespace

double young_at_rest(const ElementMaterial& material,
                     const std::vector<std::shared_ptr<const SplineCurves>>& curves) {
  const auto [mu, lambda] = lame_at_rest(material, curves);
  return mu * (3 * lambda + 2 * mu) / (lambda + mu);
}

double poisson_at_rest(const ElementMaterial& material,
                       const std::vector<std::shared_ptr<const SplineCurves>>& curves) {
  const auto [mu, lambda] = lame_at_rest(material, curves);
  return lambda / (2 * (lambda + mu));
}

const BodyMaterials* Body::materials() const {
  if (const SolidBody* tetrahedra = solid()) return &tetrahedra->materials;
  if (const PlaneBody* triangles = plane()) return &triangles->materials;
  return nullptr;
}
BodyMaterials* Body::materials() {
  return const_cast<BodyMaterials*>(static_cast<const Body*>(this)->materials());
}

int Body::element_count() const {
  if (const SolidBody* tetrahedra = solid()) return static_cast<int>(tetrahedra->mesh.tets.size());
  if (const PlaneBody* triangles = plane()) return static_cast<int>(triangles->nodes.size());
  return static_cast<int>(springs()->network.springs.size());
}

Body make_solid(std::string name, TetMesh mesh, const std::string& mesh_name, const std::string& place,
                ProblemList& problems) {
  Body body{std::move(name), SolidBody{}};
  try {
    for (const std::string& warning : check_for_simulation(mesh, mesh_name))
      problems.messages().warn(mesh_name + ": " + warning);
  } catch (const InputError& error) {
    problems.add_all(error, place + "/mesh");
    return body;
  }
  body.surface = boundary_triangles(mesh);
  body.region.assign(mesh.tets.size(), 0);
  body.solid()->mesh = std::move(mesh);
  return body;
}

Body make_plane(std::string name, SurfaceMesh mesh, Continuity continuity, double penalty,
                const std::string& mesh_name, const std::string& place, ProblemList& problems) {
  Body body{std::move(name), PlaneBody{}};
  try {
    check_triangles(mesh, mesh_name, problems);
  } catch (const InputError& error) {
    problems.add_all(error, place + "/mesh");
    return body;
  }
  PlaneBody& plane = *body.plane();
  plane.corners = mesh.triangles;
  plane.penalty = penalty;
  plane.continuity = continuity;
  if (continuity == Continuity::continuous) {
    plane.nodes = mesh.triangles;
    plane.vertices = std::move(mesh.vertices);
  } else {  // corner a of triangle t is vertex 3 t + a
    for (const auto& triangle : mesh.triangles) {
      const int first = static_cast<int>(plane.vertices.size());
      plane.nodes.push_back({first, first + 1, first + 2});
      for (const int v : triangle) plane.vertices.push_back(mesh.vertices[std::size_t(v)]);
    }
  }
  body.region.assign(plane.nodes.size(), 0);
  return body;
}

Body make_springs(std::string name, SpringNetwork network, std::string law) {
  Body body{std::move(name), SpringBody{}};
  body.surface = std::move(network.triangles);
  body.region.assign(network.springs.size(), 0);
  body.springs()->network = std::move(network);
  body.springs()->laws = {std::move(law)};
  return body;
}

namespace {

std::string names_of_laws() {
  std::string names;
  for (const MaterialInfo& info : material_catalogue())
    names += (names.empty() ? "one of " : ", ") + std::string(info.name);
  return names;
}

std::string keys_of(const MaterialInfo& law) {
  std::string keys;
  for (const ParameterInfo& parameter : law.parameters)
    if (parameter.count() > 0) keys += (keys.empty() ? "" : ", ") + std::string(parameter.key);
  return keys;
}

}  // namespace

ElementMaterial element_material(const Material& material, const std::string& place, ProblemList& problems) {
  ElementMaterial made{
      .law = material.law, .parameters = {}, .density = material.density, .prony = material.prony};
  const MaterialInfo* law = find_material(material.law);
  if (!law) {
    problems.problem(place + "/type",
                     fmt::format("{} is not allowed; expected {}", material.law, names_of_laws()));
    return made;
  }
  for (const auto& [key, value] : material.parameters)
    if (law->place_of(key) < 0)
      problems.problem(place + "/" + key,
                       fmt::format("\"{}\" has no such parameter; it has {}", material.law, keys_of(*law)));
  for (const ParameterInfo& parameter : law->parameters) {
    if (parameter.count() == 0) continue;
    const auto given = material.parameters.find(parameter.key);
    if (given == material.parameters.end()) {
      if (!parameter.fallback)
        problems.problem(place + "/" + parameter.key,
                         fmt::format("missing; expected {}: {}", expectation(parameter), parameter.doc));
      made.parameters.insert(made.parameters.end(), std::size_t(parameter.count()),
                             parameter.fallback.value_or(0));
    } else if (const double* number = std::get_if<double>(&given->second);
               number && parameter.kind == ParameterKind::number) {
      made.parameters.push_back(*number);
    } else if (const Point3* direction = std::get_if<Point3>(&given->second);
               direction && parameter.kind == ParameterKind::direction) {
      made.parameters.insert(made.parameters.end(), direction->begin(), direction->end());
    } else {
      problems.problem(place + "/" + parameter.key, fmt::format("expected {}", expectation(parameter)));
    }
  }
  return made;
}

void set_material(Body& body, const ElementMaterial& material) {
  body.materials()->elements.assign(static_cast<std::size_t>(body.element_count()), material);
}

void set_material(Body& body, const std::vector<int>& elements, const ElementMaterial& material, int region) {
  BodyMaterials& materials = *body.materials();
  materials.elements.resize(static_cast<std::size_t>(body.element_count()));
  for (const int element : elements) {
    materials.elements.at(static_cast<std::size_t>(element)) = material;
    body.region[static_cast<std::size_t>(element)] = region;
  }
}

namespace {

template <class Value>
void repeat_for_children(std::vector<Value>& values) {
  std::vector<Value> repeated;
  repeated.reserve(8 * values.size());
  for (const Value& value : values) repeated.insert(repeated.end(), 8, value);
  values = std::move(repeated);
}

}  // namespace

// A region is made of the parts of its tetrahedra, and not selected again: that would move its border to where the
// smaller tetrahedra have their centres.
void refine(Body& body) {
  SolidBody& solid = *body.solid();
  solid.mesh = refined(std::move(solid.mesh));
  repeat_for_children(solid.materials.elements);
  repeat_for_children(body.region);
  body.surface = boundary_triangles(solid.mesh);
}

void make_quadratic(Body& body) {
  SolidBody& solid = *body.solid();
  solid.quadratic = add_mid_edge_nodes(solid.mesh);
  body.surface = quadratic_boundary(solid.quadratic).triangles;
}

void scale_stiffness(Body& body, double factor) {
  for (ElementMaterial& material : body.materials()->elements)
    scale_stiffness(material_info(material.law), factor, material.parameters);
}

namespace {

// What one parameter may be. The first element with another value is named, unless all elements have that value.
template <class Value, class IsAllowed>
void check_parameter(const Body& body, const std::vector<int>& elements, const std::string& place,
                     Value value, IsAllowed is_allowed, const std::string& expected, ProblemList& problems) {
  const std::vector<ElementMaterial>& materials = body.materials()->elements;
  for (const int element : elements) {
    const auto found = value(materials[std::size_t(element)]);
    if (is_allowed(found)) continue;
    const bool is_shared = std::none_of(elements.begin(), elements.end(), [&](int other) {
      return is_allowed(value(materials[std::size_t(other)]));
    });
    const std::string which =
        is_shared ? "" : fmt::format("{} {}: ", body.solid() ? "tetrahedron" : "triangle", element);
    problems.problem(place, fmt::format("{}{} is not allowed; expected {}", which, found, expected));
    return;
  }
}

}  // namespace

namespace {

// Of a Prony series; the first fault is told.
void check_series(const Body& body, const std::vector<int>& elements, const std::string& place,
                  ProblemList& problems) {
  for (const int element : elements) {
    const ElementMaterial& material = body.materials()->elements[std::size_t(element)];
    if (material.prony.empty()) continue;
    if (!body.solid()) {
      problems.problem(place + "/prony",
                       "is for bodies of tetrahedra; this one has triangles in a plane: leave it out");
      return;
    }
    if (material_info(material.law).function_of_C == FunctionOfC::nowhere) {
      problems.problem(place + "/prony",
                       fmt::format("\"{}\" takes a turned body for a strained one, and branches do not; "
                                   "expected another law, such as \"stvk\" or \"neo-hookean\"",
                                   material.law));
      return;
    }
    for (std::size_t i = 0; i < material.prony.size(); ++i) {
      const auto check_branch = [&](const char* key, double value) {
        if (value > 0 && std::isfinite(value)) return true;
        problems.problem(fmt::format("{}/prony/{}/{}", place, i, key),
                         fmt::format("{} is not allowed; expected a number > 0", value));
        return false;
      };
      if (!check_branch("ratio", material.prony[i].ratio) || !check_branch("time", material.prony[i].time))
        return;
    }
  }
}

}  // namespace

void check_materials(const Body& body, const std::vector<int>& elements, const std::string& place,
                     ProblemList& problems) {
  const auto check = [&](const char* key, auto value, auto is_allowed, const std::string& expected) {
    check_parameter(body, elements, place + "/" + key, value, is_allowed, expected, problems);
  };
  const std::size_t before = problems.size();
  check(
      "type", [](const ElementMaterial& m) { return m.law; },
      [](const std::string& law) { return find_material(law) != nullptr; }, names_of_laws());
  if (problems.size() != before) return;
  // Each parameter of the laws that have it.
  const std::vector<ElementMaterial>& materials = body.materials()->elements;
  std::map<std::string, std::vector<int>> of_law;
  for (const int element : elements) of_law[materials[std::size_t(element)].law].push_back(element);
  for (const auto& [name, of_this] : of_law) {
    const MaterialInfo& law = material_info(name);
    const auto count = static_cast<std::size_t>(law.number_count());
    const auto short_one = std::find_if(of_this.begin(), of_this.end(), [&](int element) {
      return materials[std::size_t(element)].parameters.size() != count;
    });
    if (short_one != of_this.end()) {
      problems.problem(place, fmt::format("{} numbers for the parameters of \"{}\"; expected {}: {}",
                                          materials[std::size_t(*short_one)].parameters.size(), name, count,
                                          keys_of(law)));
      continue;
    }
    for (const ParameterInfo& parameter : law.parameters) {
      if (parameter.count() == 0) continue;
      const auto first = static_cast<std::size_t>(law.place_of(parameter.key));
      // Of a direction, its length.
      const auto value = [&](const ElementMaterial& m) {
        const double* number = &m.parameters[first];
        return parameter.kind == ParameterKind::direction ? std::hypot(number[0], number[1], number[2])
                                                          : *number;
      };
      const Range range = parameter.kind == ParameterKind::direction ? ranges::positive : parameter.range;
      const auto is_allowed = [&](double number) { return range.contains(number) && std::isfinite(number); };
      check_parameter(
          body, of_this, place + "/" + parameter.key, value, is_allowed,
          parameter.kind == ParameterKind::direction ? "a direction of some length" : expectation(parameter),
          problems);
    }
  }
  check(
      "density", [](const ElementMaterial& m) { return m.density; },
      [](double density) { return density > 0 && std::isfinite(density); }, "a number > 0");
  check_series(body, elements, place, problems);
}

void check_materials(const Body& body, const std::string& place, ProblemList& problems) {
  const std::size_t given = body.materials()->elements.size();
  if (given != static_cast<std::size_t>(body.element_count())) {
    problems.problem(place, fmt::format("{} of {} elements have a material; expected one for each", given,
                                        body.element_count()));
    return;
  }
  std::vector<int> all(given);
  std::iota(all.begin(), all.end(), 0);
  const std::size_t before = problems.size();
  check_materials(body, all, place, problems);
  if (problems.size() != before || !body.solid() || !body.solid()->mean_volume) return;
  for (const ElementMaterial& material : body.materials()->elements) {
    const MaterialInfo& law = material_info(material.law);
    const bool has_volume = law.place_of("poisson") >= 0 || law.place_of("bulk") >= 0;
    if (has_volume && law.function_of_C != FunctionOfC::nowhere && law.properties.volume_part) continue;
    problems.problem(place,
                     fmt::format("the volume change of \"{}\" is no part of its own that could be taken by "
                                 "its mean; expected another law, or another \"element\" than \"tet10-mean\"",
                                 law.name));
    return;
  }
}

namespace {

// Springs need a length and a constant, and their ends a mass.
class NetworkCheck {
 public:
  NetworkCheck(const SpringNetwork& network, const std::string& place, ProblemList& problems)
      : network_(network), place_(place), problems_(problems), used_(network.vertices.size(), false) {}

  void check() {
    if (network_.springs.empty()) {
      problems_.problem(place_, "has no springs");
      return;
    }
    if (network_.masses.size() != network_.vertices.size()) {
      problems_.problem(place_, fmt::format("{} masses for {} vertices; expected one for each",
                                            network_.masses.size(), network_.vertices.size()));
      return;
    }
    for (std::size_t s = 0; s < network_.springs.size(); ++s) {
      const Spring& spring = network_.springs[s];
      check_spring(spring, spring.rest_length > 0, [&] {
        return fmt::format("spring {} between the vertices {} and {}", s, spring.a, spring.b);
      });
    }
    for (const CentreSpring& spring : network_.centre_springs)
      check_spring(spring, spring.rest_length > 0, [&] {
        return fmt::format("the spring from vertex {} to the face {}, {}, {}", spring.vertex, spring.face[0],
                           spring.face[1], spring.face[2]);
      });
    for (const ScissorSpring& spring : network_.scissors)
      check_spring(spring, true, [&] {
        return fmt::format("the shear spring of the face {}, {}, {}, {}", spring.a, spring.b, spring.c,
                           spring.d);
      });
    if (bad_ > 0)
      problems_.problem(place_, first_ + (bad_ > 1 ? fmt::format(", and {} more like it", bad_ - 1) : "") +
                                    "; expected springs of some length");
    if (missing_ > 0)
      problems_.problem(
          place_,
          fmt::format("{} ends of springs name a vertex that is not there, {} first; 0 to {} are there",
                      missing_, first_missing_, int(used_.size()) - 1));
    check_masses();
  }

 private:
  template <class Element, class Name>
  void check_spring(const Element& spring, bool has_length, Name name) {
    for (const int v : spring.nodes()) {
      if (v < 0 || v >= int(used_.size())) {
        if (missing_++ == 0) first_missing_ = v;
        return;
      }
      used_[v] = true;
    }
    if (has_length && std::isfinite(spring.rest_length) && std::isfinite(spring.k)) return;
    if (bad_++ > 0) return;
    const Point3& at = network_.vertices[spring.nodes()[0]];
    first_ = fmt::format("{}, at [{:.6g}, {:.6g}, {:.6g}], has the length {} m and the constant {} N/m",
                         name(), at[0], at[1], at[2], spring.rest_length, spring.k);
  }

  void check_masses() {
    std::size_t massless = 0, unused = 0, infinite = 0, first_massless = 0;
    for (std::size_t v = 0; v < used_.size(); ++v) {
      const double mass = network_.masses[v];
      if (used_[v] && mass == 0 && massless++ == 0) first_massless = v;
      unused += !used_[v];
      infinite += !std::isfinite(mass);
    }
    if (massless > 0)
      problems_.problem(place_, fmt::format("{} of {} vertices have springs but no mass, vertex {} first: "
                                            "their elements have no extent, or no density",
                                            massless, used_.size(), first_massless));
    if (unused > 0)
      problems_.messages().warn(
          fmt::format("{}: {}: {} of {} vertices have no springs and stay where they are", problems_.source(),
                      place_, unused, used_.size()));
    if (infinite > 0) problems_.problem(place_, "the mass of a vertex is not finite");
  }

  const SpringNetwork& network_;
  const std::string& place_;
  ProblemList& problems_;
  std::vector<bool> used_;  // some spring ends at the vertex
  std::size_t bad_ = 0, missing_ = 0;
  int first_missing_ = 0;
  std::string first_;
};

}  // namespace

void check_springs(const Body& body, const std::string& place, ProblemList& problems) {
  const SpringBody& springs = *body.springs();
  for (const std::string& law : springs.laws) {
    const auto laws = spring_law_catalogue();
    if (std::none_of(laws.begin(), laws.end(), [&](const SpringLawInfo& info) { return info.name == law; }))
      problems.problem(place + "/law", fmt::format("\"{}\" is no law of springs", law));
  }
  NetworkCheck(springs.network, place, problems).check();
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
  return in_model(body.solid()->mesh.tets, body);
}
std::vector<QuadraticTet> model_quadratic(const Body& body) {
  return in_model(body.solid()->quadratic, body);
}

const Body& find_body(const std::vector<Body>& bodies, const std::string& name) {
  const auto found =
      std::find_if(bodies.begin(), bodies.end(), [&](const Body& body) { return body.name == name; });
  if (found == bodies.end()) throw std::invalid_argument(fmt::format("there is no body \"{}\"", name));
  return *found;
}

}  // namespace phiflex
