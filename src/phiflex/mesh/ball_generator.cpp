#include "phiflex/mesh/generators.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "phiflex/mesh/generator_catalogue.h"
#include "phiflex/mesh/lattice_vertices.h"
#include "phiflex/mesh/mesh_check.h"
#include "phiflex/mesh/vec3.h"

namespace phiflex {

template <class V>
void fields(V& v, BallShape& s) {
  v({.key = "radius",
     .doc = "radius; the centre lies at the origin",
     .unit = "m",
     .range = ranges::positive,
     .need = Need::required},
    s.radius);
  v({.key = "resolution",
     .doc = "number n of layers from the centre to the surface: 20 n^3 tetrahedra",
     .range = at_least_one},
    s.resolution);
  v({.key = "shell",
     .doc = "thickness of the outer region, tagged `shell`; 0: no regions",
     .unit = "m",
     .range = ranges::not_negative},
    s.shell);
}

namespace {

// The point of the lattice in direction of the weighted corners (unit vectors) at a given distance.
Point3 on_sphere(const std::vector<Point3>& corners, const LatticeVertices::Weights& weights, double radius) {
  Point3 sum = {0, 0, 0};
  for (const auto& [corner, weight] : weights) sum = sum + static_cast<double>(weight) * corners[corner];
  const double length = norm(sum);
  return length > 0 ? (radius / length) * sum : Point3{0, 0, 0};
}

std::vector<Point3> icosahedron_corners() {
  const double golden = (1 + std::sqrt(5.0)) / 2, length = std::sqrt(1 + golden * golden);
  const double s = 1 / length, l = golden / length;
  return {{-s, l, 0},  {s, l, 0},  {-s, -l, 0}, {s, -l, 0}, {0, -s, l},  {0, s, l},
          {0, -s, -l}, {0, s, -l}, {l, 0, -s},  {l, 0, s},  {-l, 0, -s}, {-l, 0, s}};
}

// Corners of the twenty faces, ascending: neighbouring cones then cut their common faces alike.
std::vector<std::array<int, 3>> icosahedron_faces(const std::vector<Point3>& corners) {
  // The edge length is 4 / sqrt(10 + 2 sqrt 5) = 1.05; the next distance between corners is 1.7.
  const auto are_neighbours = [&](int a, int b) { return norm(corners[a] - corners[b]) < 1.4; };
  std::vector<std::array<int, 3>> faces;
  for (int a = 0; a < 12; ++a)
    for (int b = a + 1; b < 12; ++b)
      for (int c = b + 1; c < 12; ++c)
        if (are_neighbours(a, b) && are_neighbours(b, c) && are_neighbours(a, c)) faces.push_back({a, b, c});
  return faces;
}

// Distances of the layers from the centre: even inside the core and inside the shell.
std::vector<double> layer_radii(const BallShape& shape, int shell_layers) {
  const int core_layers = shape.resolution - shell_layers;
  const double core_radius = shape.radius - shape.shell;
  std::vector<double> radii;
  for (int k = 0; k <= core_layers; ++k) radii.push_back(part(core_radius, k, core_layers));
  for (int k = 1; k <= shell_layers; ++k) radii.push_back(core_radius + part(shape.shell, k, shell_layers));
  radii.back() = shape.radius;
  return radii;
}

std::optional<ShapeFault> ball_fault(const BallShape& shape) {
  if (shape.shell >= shape.radius)
    return ShapeFault{"shell",
                      fmt::format("{} m is not thinner than the ball; expected less than its radius, {} m",
                                  shape.shell, shape.radius)};
  if (shape.shell > 0 && shape.resolution < 2)
    return ShapeFault{"resolution", "1 leaves no layer for the shell; expected at least 2"};
  return std::nullopt;
}

}  // namespace

TetMesh generate_ball(const BallShape& shape) {
  require_in_range(shape);
  require_none(ball_fault(shape));
  const int n = shape.resolution;
  const int shell_layers =
      shape.shell > 0 ? std::clamp(static_cast<int>(std::lround(n * shape.shell / shape.radius)), 1, n - 1)
                      : 0;
  const std::vector<double> radii = layer_radii(shape, shell_layers);
  const std::vector<Point3> corners = icosahedron_corners();

  TetMesh mesh;
  LatticeVertices lattice;
  for (const auto& [a, b, c] : icosahedron_faces(corners)) {
    // Lattice points of a cone are n >= x >= y >= z >= 0: x is the layer, and the corners weigh x-y, y-z, z.
    const auto vertex = [&, a = a, b = b, c = c](const std::array<int, 3>& at) {
      LatticeVertices::Weights weights;
      const auto& [x, y, z] = at;
      if (x > y) weights[a] = x - y;
      if (y > z) weights[b] = y - z;
      if (z > 0) weights[c] = z;
      return lattice.find(weights, mesh.vertices, [&] { return on_sphere(corners, weights, radii[at[0]]); });
    };
    for (int x = 0; x < n; ++x) {
      for (int y = 0; y <= x; ++y) {
        for (int z = 0; z <= y; ++z) {
          for (const auto& path : kPaths) {
            std::array<int, 3> at = {x, y, z};
            std::array<std::array<int, 3>, 4> points = {at};
            bool inside = true;
            for (int step = 0; step < 3; ++step) {
              ++at[path[step]];
              points[step + 1] = at;
              inside = inside && at[0] >= at[1] && at[1] >= at[2];
            }
            if (!inside) continue;
            std::array<int, 4> tet;
            for (int k = 0; k < 4; ++k) tet[k] = vertex(points[k]);
            mesh.tets.push_back(tet);
            if (shell_layers > 0) mesh.tags.push_back(x >= n - shell_layers ? 1 : 0);
          }
        }
      }
    }
  }
  if (shell_layers > 0) mesh.tag_names = {{0, "core"}, {1, "shell"}};
  fix_orientation(mesh);
  return mesh;
}

Generator ball_generator() {
  return make_generator<BallShape, TetMesh>(
      {.name = "ball",
       .summary = "a ball around the origin, 20 resolution^3 tetrahedra; with a shell region (tag 1) when "
                  "`shell` is given",
       .count = [](const BallShape& shape) { return 20 * std::pow(double(shape.resolution), 3); },
       .generate = generate_ball,
       .fault = ball_fault});
}

}  // namespace phiflex
