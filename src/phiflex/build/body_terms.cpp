#include "phiflex/build/body_terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "phiflex/energy/law_kernels.h"
#include "phiflex/fem/mass.h"
#include "phiflex/material/catalogue.h"

namespace phiflex {
namespace {

// Takes the volume stiffness beyond that of Poisson's ratio nu = 0.4 out of a law's parameters, and leaves its shear
// modulus mu; returns its modulus, Pa. By
//   lambda = 2 mu nu / (1 - 2 nu),   bulk modulus = 2 mu (1 + nu) / (3 (1 - 2 nu))
double take_stiff_volume(ElementMaterial& material) {
  constexpr double nu = 0.4;
  const MaterialInfo& law = material_info(material.law);
  const auto number = [&](std::string_view key) -> double& {
    return material.parameters[std::size_t(law.place_of(key))];
  };
  if (law.place_of("poisson") < 0) {
    double& bulk = number("bulk");
    const double mu = law_kernels(material.law).at_rest(material.parameters, nullptr).mu;
    const double stiff = std::max(0.0, bulk - 2 * mu * (1 + nu) / (3 * (1 - 2 * nu)));
    bulk -= stiff;
    return stiff;
  }
  double &young = number("young"), &poisson = number("poisson");
  if (!(poisson > nu)) return 0;
  const double mu = young / (2 * (1 + poisson));
  const double stiff = 2 * mu * (poisson / (1 - 2 * poisson) - nu / (1 - 2 * nu));
  young = 2 * mu * (1 + nu);
  poisson = nu;
  return stiff;
}

// One elastic term for each law of a solid, and for each set of curves.
void add_elastic_terms(const Body& body, const SolidBody& solid, const Vector& rest, BodyTerms& made) {
  const std::vector<Tet> tets = model_tets(body);
  const std::vector<QuadraticTet> quadratic = model_quadratic(body);
  std::map<std::pair<std::string, int>, ElasticElements> by_law;
  std::vector<double> kappa;  // of stiff volumes
  std::vector<QuadraticTet> stiff_tets;
  std::vector<int> stiff_numbers;
  std::vector<PronyElements> branches;
  for (std::size_t e = 0; e < tets.size(); ++e) {
    ElementMaterial softer;
    if (solid.mean_volume) softer = solid.materials.elements[e];
    const ElementMaterial& material = solid.mean_volume ? softer : solid.materials.elements[e];
    if (const double stiff = solid.mean_volume ? take_stiff_volume(softer) : 0; stiff > 0) {
      kappa.push_back(stiff);
      stiff_tets.push_back(quadratic[e]);
      stiff_numbers.push_back(static_cast<int>(e));
    }
    ElasticElements& elements = by_law[{material.law, material.curves}];
    elements.tets.push_back(tets[e]);
    if (!quadratic.empty()) elements.quadratic.push_back(quadratic[e]);
    if (material.curves >= 0) elements.curves = solid.materials.curves[std::size_t(material.curves)];
    elements.parameters.insert(elements.parameters.end(), material.parameters.begin(),
                               material.parameters.end());
    elements.number.push_back(static_cast<int>(e));
    elements.first_vertex = body.first_vertex;
    if (material.prony.empty()) continue;
    const auto same = [&](const PronyElements& group) { return group.series == material.prony; };
    auto group = std::find_if(branches.begin(), branches.end(), same);
    if (group == branches.end()) {
      group = branches.insert(branches.end(), PronyElements{});
      group->series = material.prony;
      group->first_vertex = body.first_vertex;
    }
    group->tets.push_back(tets[e]);
    if (!quadratic.empty()) group->quadratic.push_back(quadratic[e]);
    const SplineCurves* curves = elements.curves.get();
    group->modulus.push_back(law_kernels(material.law).at_rest(material.parameters, curves).mu);
    group->elements.push_back(body.first_element + static_cast<int>(e));
    group->number.push_back(static_cast<int>(e));
  }
  made.branches = std::move(branches);
  for (const auto& [law, elements] : by_law) {
    std::shared_ptr<const ElasticTerm> term = make_elastic_term(law.first, rest, elements);
    made.terms.push_back(term);
    made.elastic.push_back({term, shifted(elements.number, body.first_element)});
    if (elements.curves) made.knot_range_counters.emplace_back(rest, elements);
  }
  if (kappa.empty()) return;
  made.dilatation = {std::make_shared<const DilatationTerm>(rest, stiff_tets, kappa),
                     shifted(std::move(stiff_numbers), body.first_element)};
  made.terms.push_back(made.dilatation.term);
}

void add_triangle_term(const Body& body, const PlaneBody& plane, const Vector& rest, BodyTerms& made) {
  TriangleElements elements{{}, plane.corners, {}, plane.continuity, plane.penalty};
  for (std::array<int, 3> nodes : plane.nodes) {
    for (int& v : nodes) v += body.first_vertex;
    elements.nodes.push_back(nodes);
  }
  for (const ElementMaterial& material : plane.materials.elements)
    elements.materials.push_back({material.law, material.parameters});
  made.triangles = std::make_shared<const TriangleTerm>(rest, std::move(elements));
  made.terms.push_back(made.triangles);
}

// One term for each law of the springs between two vertices, and one for each other kind of spring.
void add_spring_terms(const Body& body, const SpringBody& springs, BodyTerms& made) {
  const SpringNetwork& network = springs.network;
  const auto in_model = [&](int v) { return v + body.first_vertex; };
  std::map<std::string, std::pair<std::vector<Spring>, std::vector<int>>> by_law;  // and their numbers
  for (const std::string& law : springs.laws) {
    by_law[law].first.reserve(network.springs.size());
    by_law[law].second.reserve(network.springs.size());
  }
  for (std::size_t s = 0; s < network.springs.size(); ++s) {
    Spring spring = network.springs[s];
    spring.a = in_model(spring.a), spring.b = in_model(spring.b);
    auto& [chosen, numbers] = by_law[springs.laws[std::size_t(body.region[s])]];
    chosen.push_back(spring);
    numbers.push_back(static_cast<int>(s));
  }
  for (auto& [law, chosen] : by_law) {
    if (chosen.first.empty()) continue;
    chosen.first.shrink_to_fit();
    chosen.second.shrink_to_fit();
    std::shared_ptr<const AnySpringTerm> term = find_spring_law(law).make_springs(std::move(chosen.first));
    made.terms.push_back(term);
    made.springs.push_back({term, shifted(std::move(chosen.second), body.first_element)});
  }
  if (!network.centre_springs.empty()) {
    std::vector<CentreSpring> centre = network.centre_springs;
    for (CentreSpring& spring : centre) {
      spring.vertex = in_model(spring.vertex);
      for (int& v : spring.face) v = in_model(v);
    }
    made.terms.push_back(find_spring_law(springs.laws[0]).make_centre_springs(std::move(centre)));
  }
  if (!network.scissors.empty()) {
    std::vector<ScissorSpring> scissors = network.scissors;
    for (ScissorSpring& s : scissors)
      for (int* v : {&s.a, &s.b, &s.c, &s.d}) *v = in_model(*v);
    made.terms.push_back(std::make_shared<ScissorSpringTerm>(std::move(scissors)));
  }
}

Vector stacked(const std::vector<Point3>& points) {
  Vector x(3 * Index(points.size()));
  for (std::size_t v = 0; v < points.size(); ++v)
    for (int i = 0; i < 3; ++i) x[3 * Index(v) + i] = points[v][std::size_t(i)];
  return x;
}

// Masses or volumes of a solid's tetrahedra, each shared by its nodes.
std::vector<double> lumped(const SolidBody& solid, const std::vector<double>& of_tets) {
  std::vector<double> shares(solid.mesh.vertices.size(), 0.0);
  if (solid.quadratic.empty())
    add_lumped_masses(solid.mesh.tets, of_tets, shares);
  else
    add_lumped_masses(solid.quadratic, of_tets, shares);
  return shares;
}

void add_solid_masses(const Body& body, const SolidBody& solid, BodyMasses& masses) {
  std::vector<double> of_tets = tet_volumes(stacked(solid.mesh.vertices), solid.mesh.tets);
  for (std::size_t e = 0; e < of_tets.size(); ++e) of_tets[e] *= solid.materials.elements[e].density;
  masses.lumped = lumped(solid, of_tets);
  masses.weight = masses.lumped;
  if (solid.mass != MassKind::consistent) return;
  if (solid.quadratic.empty()) {
    masses.consistent.tets = model_tets(body);
    masses.consistent.tet_masses = std::move(of_tets);
  } else {
    masses.weight.assign(solid.mesh.vertices.size(), 0.0);
    add_consistent_weights(solid.quadratic, of_tets, masses.weight);
    masses.consistent.quadratic = model_quadratic(body);
    masses.consistent.quadratic_masses = std::move(of_tets);
  }
}

}  // namespace

BodyTerms make_terms(const Body& body, const Vector& rest) {
  BodyTerms made;
  if (const SolidBody* solid = body.solid())
    add_elastic_terms(body, *solid, rest, made);
  else if (const PlaneBody* plane = body.plane())
    add_triangle_term(body, *plane, rest, made);
  else
    add_spring_terms(body, *body.springs(), made);
  return made;
}

BodyMasses make_masses(const Body& body, const BodyTerms& terms) {
  BodyMasses masses;
  if (const SolidBody* solid = body.solid()) {
    add_solid_masses(body, *solid, masses);
  } else if (const PlaneBody* plane = body.plane()) {  // unit thickness
    masses.lumped.assign(plane->vertices.size(), 0.0);
    for (std::size_t t = 0; t < plane->nodes.size(); ++t)
      for (const int v : plane->nodes[t])
        masses.lumped[std::size_t(v)] +=
            plane->materials.elements[t].density * terms.triangles->area(int(t)) / 3;
    masses.weight = masses.lumped;
  } else {
    masses.lumped = masses.weight = body.springs()->network.masses;
  }
  return masses;
}

void check_masses(const Body& body, const std::vector<double>& masses, const std::string& place,
                  ProblemList& problems) {
  std::vector<bool> used(masses.size(), false);
  const auto use = [&](const auto& elements) {
    for (const auto& element : elements)
      for (const int v : element) used[std::size_t(v)] = true;
  };
  if (const SolidBody* solid = body.solid()) {
    use(solid->mesh.tets);
    use(solid->quadratic);
  }
  if (const PlaneBody* plane = body.plane()) use(plane->nodes);
  std::size_t bad = 0, first = 0;
  for (std::size_t v = 0; v < masses.size(); ++v)
    if ((!std::isfinite(masses[v]) || (used[v] && !(masses[v] > 0))) && bad++ == 0) first = v;
  if (bad > 0)
    problems.problem(
        place, fmt::format("{} of {} vertices get a mass that is no number above 0, vertex {} first with {} "
                           "kg, from the size and the density of their elements; expected a finite mass",
                           bad, masses.size(), first, masses[first]));
  else if (!std::isfinite(std::accumulate(masses.begin(), masses.end(), 0.0)))
    problems.problem(place, "has no finite mass; expected a smaller body or a smaller density");
}

std::vector<double> vertex_volumes(const Body& body, const BodyTerms& terms) {
  if (const SolidBody* solid = body.solid())
    return lumped(*solid, tet_volumes(stacked(solid->mesh.vertices), solid->mesh.tets));
  const PlaneBody& plane = *body.plane();
  std::vector<double> volumes(plane.vertices.size(), 0.0);
  for (std::size_t t = 0; t < plane.nodes.size(); ++t)  // unit thickness
    for (const int v : plane.nodes[t]) volumes[std::size_t(v)] += terms.triangles->area(int(t)) / 3;
  return volumes;
}

void BodyTerms::element_states(const Body& body, const Vector& x, std::vector<ElementState>& states) const {
  if (triangles)
    triangles->element_states(
        x, std::span(states).subspan(std::size_t(body.first_element), std::size_t(body.element_count())));
  std::vector<ElementState> of_group;
  for (const auto& group : elastic) {
    of_group.resize(group.elements.size());
    group.term->element_states(x, of_group);
    for (std::size_t e = 0; e < group.elements.size(); ++e)
      states[std::size_t(group.elements[e])] = of_group[e];
  }
  for (std::size_t e = 0; e < dilatation.elements.size(); ++e) {
    const double pressure = dilatation.term->elements()[e].kappa * (dilatation.term->mean_J(e, x) - 1);
    states[std::size_t(dilatation.elements[e])].stress += Sym3<double>::scaled_identity(pressure);
  }
}

void BodyTerms::strain_energy_densities(const Body& body, const Vector& x,
                                        std::vector<double>& densities) const {
  if (triangles)
    triangles->element_densities(
        x, std::span(densities).subspan(std::size_t(body.first_element), std::size_t(body.element_count())));
  std::vector<double> of_group;
  for (const auto& group : elastic) {
    of_group.resize(group.elements.size());
    group.term->element_densities(x, of_group);
    for (std::size_t e = 0; e < group.elements.size(); ++e)
      densities[std::size_t(group.elements[e])] = of_group[e];
  }
  for (std::size_t e = 0; e < dilatation.elements.size(); ++e) {
    const double change = dilatation.term->mean_J(e, x) - 1;
    densities[std::size_t(dilatation.elements[e])] +=
        0.5 * dilatation.term->elements()[e].kappa * change * change;
  }
  for (const auto& group : springs) {
    of_group.resize(group.elements.size());
    group.term->element_energies(x, of_group);
    for (std::size_t s = 0; s < group.elements.size(); ++s)
      densities[std::size_t(group.elements[s])] = of_group[s];
  }
  if (const SpringBody* network = body.springs())  // per rest length
    for (std::size_t s = 0; s < network->network.springs.size(); ++s)
      densities[std::size_t(body.first_element) + s] /= network->network.springs[s].rest_length;
}

}  // namespace phiflex
