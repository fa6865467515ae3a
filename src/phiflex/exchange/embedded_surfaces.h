// Surfaces that bodies carry (run/embedded_surface.h), moved with their tetrahedra: with the barycentric coordinates
// L_a of a vertex in its tetrahedron at rest,
//
//   x = sum_a L_a x_a     of linear ones,     sum_a L_a (2 L_a - 1) x_a + sum_ab 4 L_a L_b x_ab     of quadratic ones   (1)
//
// A vertex outside of the body has the coordinates of the nearest place in it, and keeps its distance from there.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "phiflex/mesh/obj_text.h"
#include "phiflex/record/motion_reader.h"

namespace phiflex {

struct EmbeddedSurface {
  std::string name;  // of its body
  ObjText text;
  std::vector<Point3> rest;  // m
  // Of each vertex: the frames' points and their weights (1), and what is added.
  struct Anchor {
    std::vector<int> points;
    std::vector<double> weights;
    Point3 offset;  // m
  };
  std::vector<Anchor> anchors;

  // points: of a frame.
  std::vector<Point3> at(const std::vector<Point3>& points) const;
};

// Of a run's folder; none where it has none.
std::vector<EmbeddedSurface> embedded_surfaces(const MotionReader& motion);
// Positions of all points of a frame, m.
std::vector<Point3> all_points(const MotionReader& motion, std::size_t frame);

}  // namespace phiflex
