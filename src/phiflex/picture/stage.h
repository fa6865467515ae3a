// What stands before the camera at one moment: surfaces, tubes and a ground, in metres, y upwards.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "phiflex/mesh/vec3.h"
#include "phiflex/picture/crease_normals.h"
#include "phiflex/picture/image.h"

namespace phiflex {

struct Surface {
  std::vector<Point3> vertices;
  std::vector<std::array<int, 3>> triangles;
  CornerNormals normals;                       // one triple per triangle
  std::vector<std::array<Colour, 3>> colours;  // the same; of the material, 0..1
};

// A round rod with spherical ends.
struct Tube {
  std::array<Point3, 2> ends{};
  double radius = 0;
  std::array<Colour, 2> colours{};
};

struct Stage {
  std::vector<Surface> surfaces;
  std::vector<Tube> tubes;
  std::optional<double> ground;  // height of a plane that catches shadows and is else the colour of the paper
  Point3 middle{};               // of what is to be seen
  double radius = 1;             // of a sphere round it: the ground fades away a few of these from the middle
};

}  // namespace phiflex
