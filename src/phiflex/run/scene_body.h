// A body as a scene describes it (build/body.h): its mesh or springs at their place, every element with its material.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "phiflex/base/problem_list.h"
#include "phiflex/build/body.h"
#include "phiflex/scene/scene.h"

namespace phiflex {

// The body of the scene at `pointer` (/bodies/0). What is wrong goes to the problems; the body is then not to be used.
// refinements: how often its tetrahedra are divided into eight.
Body build_body(const BodySpec& spec, const std::string& pointer, ProblemList& problems, int refinements = 0);
// Its parts: a body of triangles in a plane (plane_body.cpp), and one of springs (spring_body.cpp).
Body build_plane(const BodySpec& spec, const std::string& pointer, ProblemList& problems);
Body build_springs(const BodySpec& spec, const std::string& pointer, ProblemList& problems);

// The mesh as the scene says, before `transform`. Throws what reading and generating throw.
TetMesh make_mesh(const MeshSpec& spec);
// What messages call the mesh of the body or obstacle at `pointer`: its file, or its place in the scene.
std::string mesh_name(const MeshSpec& spec, const ProblemList& problems, const std::string& pointer);
// The materials of a solid's or a plane body's elements, by its own material and its regions.
void assign_materials(const BodySpec& spec, const std::string& pointer, Body& body, ProblemList& problems);
// A field of the mesh file with one vector per element of a solid, turned as the body is; none, with a problem, when it
// has no such field.
std::vector<Point3> element_directions(const Body& body, const std::string& field,
                                       const TransformSpec& transform, const std::string& pointer,
                                       ProblemList& problems);
// Scales, turns and shifts.
void place(const TransformSpec& transform, std::vector<Point3>& points);

inline Eigen::Vector3d vector3(const Triple& a) {
  return {a[0], a[1], a[2]};
}

}  // namespace phiflex
