// Gmsh's element types, by number.
#pragma once

#include <cstdint>

#include "phiflex/mesh/mesh_formats.h"

namespace phiflex {

enum class MshShape { point, line, triangle, quadrilateral, tetrahedron, other_volume };

struct MshElement {
  int number;
  const char* name;  // plural for tetrahedra, as notes say it
  MshShape shape;
  int dimension;
  int nodes;
  int corners;  // they come first
};

inline constexpr MshElement kMshElements[] = {
    {1, "line", MshShape::line, 1, 2, 2},
    {2, "triangle", MshShape::triangle, 2, 3, 3},
    {3, "quadrilateral", MshShape::quadrilateral, 2, 4, 4},
    {4, "tetrahedra", MshShape::tetrahedron, 3, 4, 4},
    {5, "hexahedron", MshShape::other_volume, 3, 8, 8},
    {6, "prism", MshShape::other_volume, 3, 6, 6},
    {7, "pyramid", MshShape::other_volume, 3, 5, 5},
    {8, "line", MshShape::line, 1, 3, 2},
    {9, "triangle", MshShape::triangle, 2, 6, 3},
    {10, "quadrilateral", MshShape::quadrilateral, 2, 9, 4},
    {11, kQuadraticTetrahedra, MshShape::tetrahedron, 3, 10, 4},
    {12, "hexahedron", MshShape::other_volume, 3, 27, 8},
    {13, "prism", MshShape::other_volume, 3, 18, 6},
    {14, "pyramid", MshShape::other_volume, 3, 14, 5},
    {15, "point", MshShape::point, 0, 1, 1},
    {16, "quadrilateral", MshShape::quadrilateral, 2, 8, 4},
    {17, "hexahedron", MshShape::other_volume, 3, 20, 8},
    {18, "prism", MshShape::other_volume, 3, 15, 6},
    {19, "pyramid", MshShape::other_volume, 3, 13, 5},
    {20, "triangle", MshShape::triangle, 2, 9, 3},
    {21, "triangle", MshShape::triangle, 2, 10, 3},
    {22, "triangle", MshShape::triangle, 2, 12, 3},
    {23, "triangle", MshShape::triangle, 2, 15, 3},
    {24, "triangle", MshShape::triangle, 2, 15, 3},
    {25, "triangle", MshShape::triangle, 2, 21, 3},
    {26, "line", MshShape::line, 1, 4, 2},
    {27, "line", MshShape::line, 1, 5, 2},
    {28, "line", MshShape::line, 1, 6, 2},
    {29, "cubic tetrahedra (20 nodes)", MshShape::tetrahedron, 3, 20, 4},
    {30, "quartic tetrahedra (35 nodes)", MshShape::tetrahedron, 3, 35, 4},
    {31, "quintic tetrahedra (56 nodes)", MshShape::tetrahedron, 3, 56, 4},
    {92, "hexahedron", MshShape::other_volume, 3, 64, 8},
    {93, "hexahedron", MshShape::other_volume, 3, 125, 8},
};

inline const MshElement* find_msh_element(std::int64_t number) {
  for (const MshElement& element : kMshElements)
    if (element.number == number) return &element;
  return nullptr;
}

}  // namespace phiflex
