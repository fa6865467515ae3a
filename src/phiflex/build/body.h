// A body of a model as plain data: what its elements are and what they are made of. Vertices are numbered from 0
// within the body; first_vertex and first_element are its places in the model, which ModelBuilder::add_body()
// sets.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "phiflex/base/problem_list.h"
#include "phiflex/build/choices.h"
#include "phiflex/energy/spring_network.h"
#include "phiflex/energy/triangle_term.h"
#include "phiflex/material/prony.h"
#include "phiflex/mesh/mid_edges.h"
#include "phiflex/model/body_damping.h"

namespace phiflex {

struct SplineCurves;  // material/spline_curves.h

// A material by the names of its law's parameters (`phiflex list materials`). Those that have a default may be left
// out.
struct Material {
  std::string law = "neo-hookean";                                      // a name of the material catalogue
  std::map<std::string, std::variant<double, Point3>> parameters = {};  // numbers and directions
  double density = 0;                                                   // kg/m^3
  PronySeries prony = {};                                               // empty: elastic
};

// What one element is made of.
struct ElementMaterial {
  std::string law = "neo-hookean";
  std::vector<double>
      parameters;          // numbers of the law's parameters in their order (MaterialInfo::parameters)
  double density = 0;      // kg/m^3
  int curves = -1;         // of BodyMaterials::curves, for a spline; -1: none
  PronySeries prony = {};  // empty: elastic
};

// Young's modulus near rest, Pa. curves: those of the body, for splines.
double young_at_rest(const ElementMaterial& material,
                     const std::vector<std::shared_ptr<const SplineCurves>>& curves);

// Poisson's ratio near rest.
double poisson_at_rest(const ElementMaterial& material,
                       const std::vector<std::shared_ptr<const SplineCurves>>& curves);

struct BodyMaterials {
  std::vector<ElementMaterial> elements;  // one for each tetrahedron or triangle
  std::vector<std::shared_ptr<const SplineCurves>> curves;
};

// Tetrahedra, linear or quadratic.
struct SolidBody {
  TetMesh mesh;                         // at rest; with the mid-edge nodes when the elements are quadratic
  std::vector<QuadraticTet> quadratic;  // nodes of each tetrahedron when they are quadratic, else empty
  BodyMaterials materials;
  MassKind mass = MassKind::lumped;
  bool mean_volume = false;  // quadratic ones: volume change by its mean over each (energy/dilatation_term.h)
};

// Triangles in a plane z = const, plane strain, unit thickness.
struct PlaneBody {
  std::vector<Point3> vertices;             // at rest
  std::vector<std::array<int, 3>> nodes;    // vertices of the body; discontinuous triangles have their own
  std::vector<std::array<int, 3>> corners;  // vertices of the mesh: equal numbers are the same point
  Continuity continuity = Continuity::continuous;
  double penalty = 0;  // N/m^3, between discontinuous triangles
  BodyMaterials materials;
};

// Springs between vertices with masses.
struct SpringBody {
  SpringNetwork network;  // at rest
  std::vector<std::string> laws = {
      "linear"};  // of the body and of each region, names of the catalogue of springs
};

struct Body {
  std::string name;
  std::variant<SolidBody, PlaneBody, SpringBody> kind;
  std::vector<int> region = {};                  // of each element: 0, or 1 + the last region that holds it
  std::vector<std::array<int, 3>> surface = {};  // triangles that the air sees
  BodyDamping damping = {};
  int first_vertex = 0;   // of this body in the model
  int first_element = 0;  // tetrahedra, triangles and springs counted together, in the model

  const SolidBody* solid() const { return std::get_if<SolidBody>(&kind); }
  const PlaneBody* plane() const { return std::get_if<PlaneBody>(&kind); }
  const SpringBody* springs() const { return std::get_if<SpringBody>(&kind); }
  SolidBody* solid() { return std::get_if<SolidBody>(&kind); }
  PlaneBody* plane() { return std::get_if<PlaneBody>(&kind); }
  SpringBody* springs() { return std::get_if<SpringBody>(&kind); }

  const std::vector<Point3>& rest() const;  // positions of its vertices at rest, m
  const BodyMaterials* materials() const;   // null for springs
  BodyMaterials* materials();
  int vertex_count() const { return static_cast<int>(rest().size()); }
  int element_count() const;
};

// -- Bodies are made in these steps, each of which leaves a body that can be added to a ModelBuilder. What is
// wrong goes to the problems at `place`; the body is then not to be used.

// Tetrahedra without materials. mesh_name: how messages about the mesh begin.
Body make_solid(std::string name, TetMesh mesh, const std::string& mesh_name, const std::string& place,
                ProblemList& problems);
// Triangles that lie in one plane z = const. penalty: of discontinuous ones.
Body make_plane(std::string name, SurfaceMesh mesh, Continuity continuity, double penalty,
                const std::string& mesh_name, const std::string& place, ProblemList& problems);
// law: of every spring.
Body make_springs(std::string name, SpringNetwork network, std::string law);

// The parameters in the order of the law. Unknown laws and parameters, and those that are missing, are problems at
// `place`; the result is then not to be used.
ElementMaterial element_material(const Material& material, const std::string& place, ProblemList& problems);
// The same material for all elements.
void set_material(Body& body, const ElementMaterial& material);
// And for some, which become the given region (1, 2, ...).
void set_material(Body& body, const std::vector<int>& elements, const ElementMaterial& material, int region);
// Divides each tetrahedron of a solid into eight, which inherit its material and region.
void refine(Body& body);
// Makes the tetrahedra of a solid quadratic: straight edges with a node in the middle.
void make_quadratic(Body& body);
// Multiplies all parameters in Pa.
void scale_stiffness(Body& body, double factor);

// -- Checks with the sentences of the scene's. add_body() calls them.
void check_materials(const Body& body, const std::string& place, ProblemList& problems);
void check_materials(const Body& body, const std::vector<int>& elements, const std::string& place,
                     ProblemList& problems);
void check_springs(const Body& body, const std::string& place, ProblemList& problems);

// From a body's numbers of vertices or elements to the model's.
std::vector<int> shifted(std::vector<int> numbers, int first);
// The body's elements by the model's vertices.
std::vector<std::array<int, 4>> model_tets(const Body& body);
std::vector<QuadraticTet> model_quadratic(const Body& body);

// The body of that name; std::invalid_argument when there is none.
const Body& find_body(const std::vector<Body>& bodies, const std::string& name);

}  // namespace phiflex
