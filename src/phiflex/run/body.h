// A body of the scene made real: its mesh or springs at their place, every element with its own material.
#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "phiflex/base/errors.h"
#include "phiflex/energy/spring_network.h"
#include "phiflex/energy/triangle_term.h"
#include "phiflex/material/spline.h"
#include "phiflex/mesh/mid_edges.h"
#include "phiflex/scene/scene.h"

namespace phiflex {

// Collects what is wrong with a scene while it is built, so that a user hears of everything at once.
class SceneProblems {
 public:
  explicit SceneProblems(std::string scene_file) : scene_file_(std::move(scene_file)) {}
  // place: a JSON pointer into the scene.
  void problem(std::string place, std::string message);
  // `place`: of the problems that name no file.
  void add_all(const InputError& error, const std::string& place);
  void add(const FileError& error) { unreadable_.push_back(error.what()); }
  void warning(std::string message) { warnings_.push_back(std::move(message)); }
  const std::vector<std::string>& warnings() const { return warnings_; }
  // InputError with every problem; FileError when all there is are files that cannot be read.
  void throw_if_any() const;
  const std::string& scene_file() const { return scene_file_; }

 private:
  std::string scene_file_;
  std::vector<Problem> problems_;
  std::vector<std::string> unreadable_;
  std::vector<std::string> warnings_;
};

// What one element is made of.
struct ElementMaterial {
  std::string law;  // a name of the material catalogue
  double young = 0, poisson = 0, density = 0;
  int curves = -1;  // of the body's, for a spline; -1: none
};

// Triangles of a body that lies in a plane z = const.
struct Plane {
  std::vector<std::array<int, 3>> nodes;    // vertices of the body; discontinuous ones have their own
  std::vector<std::array<int, 3>> corners;  // vertices of the mesh
  Continuity continuity = Continuity::continuous;
  double penalty = 0;  // N/m^3
};

struct Body {
  std::string name;
  TetMesh mesh;                            // empty for springs; vertices at rest, after `transform`
  Plane plane;                             // empty unless the body lies in a plane; its vertices are the mesh's
  SpringNetwork springs;                   // empty for a solid; vertices at rest, after `transform`
  std::vector<QuadraticTet> quadratic;     // nodes of each tetrahedron when they are quadratic, else empty
  std::vector<ElementMaterial> materials;  // of each tetrahedron or triangle
  std::vector<std::shared_ptr<const SplineCurves>> curves;  // of materials
  std::vector<int> region;                  // of each element: 0, or 1 + the last region that holds it
  std::vector<std::string> spring_laws;     // of the body and of each region, by the names of the catalogue
  std::vector<std::array<int, 3>> surface;  // triangles that the air sees
  int first_vertex = 0;                     // of this body in the model
  int first_element = 0;                    // tetrahedra, triangles and springs counted together, in the model

  bool solid() const { return !mesh.tets.empty(); }
  bool in_plane() const { return !plane.nodes.empty(); }
  const std::vector<Point3>& rest() const { return solid() || in_plane() ? mesh.vertices : springs.vertices; }
  int vertex_count() const { return static_cast<int>(rest().size()); }
  int element_count() const {
    return static_cast<int>(solid()      ? mesh.tets.size()
                            : in_plane() ? plane.nodes.size()
                                         : springs.springs.size());
  }
};

// The body of the scene at `pointer` (/bodies/0). What is wrong goes to the problems, and the body is then
// not to be used.
// refinements: how often its tetrahedra are divided into eight.
Body build_body(const BodySpec& spec, const std::string& pointer, SceneProblems& problems, int refinements = 0);

// The mesh as the scene says, before `transform`. Throws what reading and generating throw.
TetMesh make_mesh(const MeshSpec& spec);
// The materials of a body's elements, by its own material and its regions.
void assign_materials(const BodySpec& spec, const std::string& pointer, Body& body, SceneProblems& problems);
// Scales, turns and shifts.
void place(const TransformSpec& transform, std::vector<Point3>& points);

// The body of that name; there is one: the scene's rules have seen to it.
const Body& find_body(const std::vector<Body>& bodies, const std::string& name);

// From a body's numbers of vertices or elements to the model's.
std::vector<int> shifted(std::vector<int> numbers, int first);
// The body's tetrahedra by the model's vertices.
std::vector<std::array<int, 4>> model_tets(const Body& body);
std::vector<QuadraticTet> model_quadratic(const Body& body);

inline Eigen::Vector3d vector3(const Triple& a) {
  return {a[0], a[1], a[2]};
}

}  // namespace phiflex
