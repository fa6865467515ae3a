// The energy terms that the contracts are tested on, each at a deformed state away from its kinks.
#pragma once

#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "phiflex/energy/elastic_term.h"
#include "phiflex/energy/fibre.h"
#include "phiflex/energy/floor_term.h"
#include "phiflex/energy/gravity_term.h"
#include "phiflex/energy/spring_network.h"
#include "phiflex/energy/spring_term.h"
#include "phiflex/material/catalogue.h"
#include "phiflex/mesh/generators.h"
#include "phiflex/mesh/mid_edges.h"
#include "tests/material/designed_spline.h"
#include "tests/material/example_material.h"

namespace phiflex {

inline constexpr double kEps = std::numeric_limits<double>::epsilon();

using test::all_laws;

// d/ds of g(s) at 0 by five points: error h^4 g^(5)/30 + eps g/h. Moduli and sizes are chosen such that a
// change of x by 1 changes everything by its own size at most some 1e2 times per derivative (edges are a
// third long): with h = 1e-4 both errors stay below 1e-7 of the scale.
template <class Function>
auto derivative(const Function& g) -> decltype(g(0.0)) {
  constexpr double h = 1e-4;
  return (8 * (g(h) - g(-h)) - (g(2 * h) - g(-2 * h))) / (12 * h);
}

inline Vector stacked(const std::vector<Point3>& points) {
  Vector x(3 * Index(points.size()));
  for (std::size_t v = 0; v < points.size(); ++v)
    for (int i = 0; i < 3; ++i) x[3 * v + i] = points[v][i];
  return x;
}

// Numbers in [-1, 1] that repeat in every run.
inline Vector wiggle(Index size, double seed) {
  Vector x(size);
  for (Index i = 0; i < size; ++i) x[i] = std::sin(12.9898 * double(i + 1) + seed);
  return x;
}

struct TermCase {
  std::string name;
  std::unique_ptr<PotentialTerm> term;
  Vector rest, x;        // at rest, and deformed
  bool internal = true;  // forces between its own vertices: they have no resultant
};

// Whether it is of that law; the name of a case may say more after a comma.
inline bool is_of(const TermCase& c, const std::string& law) {
  return c.name.substr(0, c.name.find(',')) == law;
}
// The law that a case is of; null: of none.
inline const MaterialInfo* law_of(const TermCase& c) {
  return find_material(c.name.substr(0, c.name.find(',')));
}
// Takes a rotation for a strain.
inline bool is_small_strain(const TermCase& c) {
  const MaterialInfo* law = law_of(c);
  return law && law->function_of_C == FunctionOfC::nowhere;
}

// A box of 6 * cells^3 tetrahedra, less one: the last batch is not full. The stiffness
// grows from element to element.
struct ElasticBox {
  TetMesh mesh;
  Vector rest;
  ElasticElements elements;
};

// young, poisson: of a tetrahedron.
inline std::vector<double> same_parameters(const std::string& law, double young, double poisson,
                                           std::size_t tets) {
  std::vector<double> all;
  const std::vector<double> one = test::example_parameters(law, young, poisson);
  for (std::size_t e = 0; e < tets; ++e) all.insert(all.end(), one.begin(), one.end());
  return all;
}

inline ElasticBox elastic_box(int cells, const std::string& law = "neo-hookean") {
  ElasticBox box{generate_box({.size = {1, 1, 1}, .cells = {cells, cells, cells}}), {}, {}};
  box.mesh.tets.pop_back();
  box.rest = stacked(box.mesh.vertices);
  box.elements.tets = box.mesh.tets;
  for (std::size_t e = 0; e < box.mesh.tets.size(); ++e) {
    const std::vector<double> one =
        test::example_parameters(law, 1000 + 10 * double(e % 7), 0.3 + 0.01 * double(e % 5));
    box.elements.parameters.insert(box.elements.parameters.end(), one.begin(), one.end());
  }
  return box;
}

// The same of quadratic tetrahedra.
inline ElasticBox quadratic_box(int cells, const std::string& law = "neo-hookean") {
  ElasticBox box = elastic_box(cells, law);
  box.elements.quadratic = add_mid_edge_nodes(box.mesh);
  box.rest = stacked(box.mesh.vertices);
  return box;
}

// Turned, stretched and sheared, and every vertex moved by a fifth of an edge at most: J stays positive.
inline Vector deformed(const Vector& rest, int cells) {
  const double c = std::cos(0.7), s = std::sin(0.7);
  const Mat3<double> A =
      Mat3<double>{c, -s, 0, s, c, 0, 0, 0, 1} * Mat3<double>{1.2, 0.1, 0, 0, 0.85, 0, 0.1, 0, 1.0};
  Vector x(rest.size());
  for (Index v = 0; v < rest.size() / 3; ++v) {
    const Vec3<double> y = A * Vec3<double>{rest[3 * v], rest[3 * v + 1], rest[3 * v + 2]};
    for (int i = 0; i < 3; ++i) x[3 * v + i] = y[i];
  }
  return x + 0.08 / cells * wiggle(x.size(), 0.3);
}

// Of a law whose second derivative jumps where fibres begin to act: all of them stretched.
inline Vector deformed_for(const std::string& material, const Vector& rest, int cells) {
  return (material_info(material).properties.smooth ? 1.0 : 1.4) * deformed(rest, cells);
}

inline TermCase elastic_case(const std::string& material, int cells) {
  const ElasticBox box = elastic_box(cells, material);
  return {material, make_elastic_term(material, box.rest, box.elements), box.rest,
          deformed_for(material, box.rest, cells)};
}

inline TermCase quadratic_case(const std::string& material, int cells) {
  const ElasticBox box = quadratic_box(cells, material);
  return {material + ", tet10", make_elastic_term(material, box.rest, box.elements), box.rest,
          deformed_for(material, box.rest, 2 * cells)};
}

inline TermCase designed_spline_case(int cells) {
  ElasticBox box = elastic_box(cells, "spline");
  box.elements.curves = std::make_shared<SplineCurves>(test::DesignedSpline::curves());
  return {"spline, designed", make_elastic_term("spline", box.rest, box.elements), box.rest,
          deformed(box.rest, cells)};
}

inline TermCase cloth_case(int cells, std::string_view law = "linear") {
  const SpringNetwork cloth = generate_cloth({.size = {1, 1.3},
                                              .cells = {cells, cells},
                                              .strength = {.value = 50},
                                              .shear = 0.5,
                                              .bending = 0.1,
                                              .area_density = 0.2});
  const Vector rest = stacked(cloth.vertices);
  return {"springs, " + std::string(law), find_spring_law(law).make_springs(cloth.springs), rest,
          deformed(rest, cells)};
}

// Vertices of tetrahedra to the centres of the opposite faces.
inline TermCase centre_springs_case(int cells, std::string_view law) {
  const ElasticBox box = elastic_box(cells);
  const SpringNetwork network =
      tet_springs(box.mesh, {.strength = {.value = 20}, .diagonal = 3, .density = 1});
  return {"springs to faces, " + std::string(law),
          find_spring_law(law).make_centre_springs(network.centre_springs), box.rest,
          deformed(box.rest, cells)};
}

// The faces of fibres as thick as their segments are long.
inline TermCase scissors_case(int cells) {
  std::vector<FibreRoot> roots(cells);
  for (int i = 0; i < cells; ++i) roots[i] = {{0.3 * i, 0.1, 0.2}, {0.1, 1, 0.3}};
  const SpringNetwork network = generate_fibres(roots, {.length = 0.5 * cells,
                                                        .segments = cells,
                                                        .thickness = {0.6, 0.4},
                                                        .young = 100,
                                                        .shear_modulus = 40,
                                                        .density = 1});
  const Vector rest = stacked(network.vertices);
  return {"springs, scissors", std::make_unique<ScissorSpringTerm>(network.scissors), rest,
          deformed(rest, cells)};
}

inline TermCase gravity_case(int cells) {
  const ElasticBox box = elastic_box(cells);
  std::vector<double> masses(box.mesh.vertices.size());
  std::iota(masses.begin(), masses.end(), 1.0);
  return {"gravity", std::make_unique<GravityTerm>(masses, std::array{1.0, -9.81, 0.5}, box.rest), box.rest,
          deformed(box.rest, cells), false};
}

// Half of the vertices are under the floor, none closer to it than the steps of the differences.
inline TermCase floor_case(int cells) {
  const Vector rest = elastic_box(cells).rest;
  Vector x = rest;
  for (Index v = 0; v < x.size() / 3; ++v) x[3 * v + 1] = 0.5 + (v % 2 ? 0.1 : -0.1) - 0.01 * double(v % 5);
  return {"floor", std::make_unique<FloorTerm>(int(x.size() / 3), 0.5, 300.0), rest + Vector::Ones(x.size()),
          x, false};
}

inline std::vector<TermCase> term_cases(int cells) {
  std::vector<TermCase> cases;
  for (const std::string& law : all_laws()) {
    cases.push_back(elastic_case(law, cells));
    cases.push_back(quadratic_case(law, cells));
  }
  cases.push_back(designed_spline_case(cells));
  for (const SpringLawInfo& law : spring_law_catalogue()) {
    cases.push_back(cloth_case(cells, law.name));
    cases.push_back(centre_springs_case(cells, law.name));
  }
  cases.push_back(scissors_case(cells));
  cases.push_back(gravity_case(cells));
  cases.push_back(floor_case(cells));
  return cases;
}

// Every vertex free except those whose number is a multiple of `every`; 0: all free.
inline FreeVertices free_except(Index vertices, int every) {
  FreeVertices free;
  for (int v = 0; v < int(vertices); ++v) {
    const bool fixed = every > 0 && v % every == 0;
    free.row_of_vertex.push_back(fixed ? -1 : int(free.vertex_of_row.size()));
    if (!fixed) free.vertex_of_row.push_back(v);
  }
  return free;
}

inline std::shared_ptr<const SparsityPattern> free_pattern(const PotentialTerm& term,
                                                           const FreeVertices& free) {
  std::vector<Coupling> couplings, kept;
  term.add_couplings(couplings);
  for (const auto& [a, b] : couplings) {
    const int i = free.row_of_vertex[a], j = free.row_of_vertex[b];
    if (i >= 0 && j >= 0) kept.push_back({i, j});
  }
  return std::make_shared<const SparsityPattern>(3, int(free.vertex_of_row.size()), kept);
}

inline Vector force(const PotentialTerm& term, const Vector& x) {
  Vector f = Vector::Zero(x.size());
  term.add_force(x, f);
  return f;
}

inline Vector stiffness_product(const PotentialTerm& term, const Vector& x, const Vector& dx) {
  Vector y = Vector::Zero(x.size());
  term.add_stiffness_product(x, dx, y);
  return y;
}

// The stiffness over the free vertices; *changed, when given, counts the projected elements.
inline SparseMatrix stiffness(const PotentialTerm& term, const Vector& x, const FreeVertices& free,
                              Definiteness definiteness, Index* changed = nullptr) {
  SparseMatrix K(free_pattern(term, free));
  const Index count = term.make_assembler(free, K.pattern())->add_stiffness(x, definiteness, K);
  if (changed) *changed = count;
  return K;
}

inline Matrix dense(const SparseMatrix& K) {
  return Matrix(K.to_eigen());
}

}  // namespace phiflex
