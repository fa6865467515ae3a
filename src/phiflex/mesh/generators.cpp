#include "phiflex/mesh/generators.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "phiflex/mesh/mesh_check.h"
#include "phiflex/mesh/vec3.h"

namespace phiflex {
namespace {

// The orders in which a path can step along three axes. A cube (or a simplex of a lattice) is cut into the
// tetrahedra of these paths from one corner to the opposite one, after Kuhn ("Some combinatorial lemmas in
// topology", 1960); neighbours are cut alike or as mirror images, so faces match.
constexpr int kPaths[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

void require(bool holds, const char* message) {
  if (!holds) throw std::invalid_argument(message);
}

// The i-th of n equal parts of a length; the n-th is the length itself, exactly.
double part(double length, int i, int n) {
  return length * (static_cast<double>(i) / n);
}

// Vertices of a lattice on several simplices that meet: a point is a whole-number combination of corners,
// and the same combination is the same vertex wherever it appears.
class LatticeVertices {
 public:
  using Weights = std::map<int, int>;  // weight of each corner that takes part

  template <class MakePoint>
  int find(const Weights& weights, std::vector<Point3>& vertices, MakePoint make_point) {
    const auto [at, is_new] = numbers_.try_emplace(weights, static_cast<int>(vertices.size()));
    if (is_new) vertices.push_back(make_point());
    return at->second;
  }

 private:
  std::map<Weights, int> numbers_;
};

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

}  // namespace

TetMesh generate_box(const BoxShape& shape) {
  for (const double size : shape.size)
    require(size > 0 && std::isfinite(size), "a box's size must be positive");
  for (const int cells : shape.cells) require(cells > 0, "a box needs at least one cell in every direction");
  // Vertex numbers are ints: even a row of single cells has four vertices for each.
  require(static_cast<double>(shape.cells[0]) * shape.cells[1] * shape.cells[2] < 3e8,
          "a box has too many cells");
  const auto& [nx, ny, nz] = shape.cells;
  const auto vertex = [&, rows = ny + 1, columns = nx + 1](int i, int j, int k) {
    return (k * rows + j) * columns + i;
  };
  TetMesh mesh;
  mesh.vertices.reserve(static_cast<std::size_t>(nx + 1) * (ny + 1) * (nz + 1));
  for (int k = 0; k <= nz; ++k)
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i)
        mesh.vertices.push_back(
            {part(shape.size[0], i, nx), part(shape.size[1], j, ny), part(shape.size[2], k, nz)});
  mesh.tets.reserve(static_cast<std::size_t>(6) * nx * ny * nz);
  for (int k = 0; k < nz; ++k) {
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) {
        // Neighbours are mirror images: the paths start at the cell's corner of even numbers. Were all
        // diagonals parallel, a bar pushed down would swing sideways too, and bend less.
        const std::array<int, 3> start = {i + i % 2, j + j % 2, k + k % 2};
        const std::array<int, 3> stride = {1 - 2 * (i % 2), 1 - 2 * (j % 2), 1 - 2 * (k % 2)};
        for (const auto& path : kPaths) {
          std::array<int, 3> at = start;
          std::array<int, 4> tet = {vertex(at[0], at[1], at[2]), 0, 0, 0};
          for (int step = 0; step < 3; ++step) {
            at[path[step]] += stride[path[step]];
            tet[step + 1] = vertex(at[0], at[1], at[2]);
          }
          mesh.tets.push_back(tet);
        }
      }
    }
  }
  fix_orientation(mesh);  // every other path runs the other way round
  return mesh;
}

TetMesh generate_ball(const BallShape& shape) {
  require(shape.radius > 0 && std::isfinite(shape.radius), "a ball's radius must be positive");
  require(shape.resolution >= (shape.shell > 0 ? 2 : 1), "a ball needs a layer, and two with a shell");
  require(shape.shell >= 0 && shape.shell < shape.radius, "a shell must be thinner than the radius");
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

TetMesh generate_cylinder(const CylinderShape& shape) {
  require(shape.radius > 0 && std::isfinite(shape.radius), "a cylinder's radius must be positive");
  require(shape.length > 0 && std::isfinite(shape.length), "a cylinder's length must be positive");
  require(shape.resolution > 0 && shape.cells_along >= 0, "a cylinder needs at least one ring");
  const int n = shape.resolution;
  const double slices = std::round(shape.length * n / shape.radius);
  require(shape.cells_along > 0 || slices < 1e6, "a cylinder this thin needs cells_along");
  const int along = shape.cells_along > 0 ? shape.cells_along : std::max(1, static_cast<int>(slices));

  // Six sectors, each cut like a triangle into n^2; ring x has 6 x vertices at even angles.
  std::vector<Point3> disc;
  std::vector<std::array<int, 3>> triangles;
  LatticeVertices lattice;
  for (int sector = 0; sector < 6; ++sector) {
    const auto vertex = [&](int x, int y) {
      LatticeVertices::Weights weights;
      if (x > y) weights[sector] = x - y;
      if (y > 0) weights[(sector + 1) % 6] = y;
      return lattice.find(weights, disc, [&] {
        const double angle = x > 0 ? (sector + static_cast<double>(y) / x) * std::acos(-1.0) / 3 : 0;
        const double r = part(shape.radius, x, n);
        return Point3{0, r * std::cos(angle), r * std::sin(angle)};
      });
    };
    for (int x = 0; x < n; ++x) {
      for (int y = 0; y <= x; ++y) {
        triangles.push_back({vertex(x, y), vertex(x + 1, y), vertex(x + 1, y + 1)});
        if (y < x) triangles.push_back({vertex(x, y), vertex(x + 1, y + 1), vertex(x, y + 1)});
      }
    }
  }

  TetMesh mesh;
  const int per_slice = static_cast<int>(disc.size());
  for (int k = 0; k <= along; ++k)
    for (const Point3& p : disc) mesh.vertices.push_back({part(shape.length, k, along), p[1], p[2]});
  // Prisms are cut along paths that step up at one of the ascending corners:
  // neighbours agree on every diagonal.
  for (int k = 0; k < along; ++k) {
    for (auto triangle : triangles) {
      std::sort(triangle.begin(), triangle.end());
      const int low = k * per_slice, high = low + per_slice;
      const auto& [a, b, c] = triangle;
      mesh.tets.push_back({low + a, low + b, low + c, high + c});
      mesh.tets.push_back({low + a, low + b, high + b, high + c});
      mesh.tets.push_back({low + a, high + a, high + b, high + c});
    }
  }
  fix_orientation(mesh);
  return mesh;
}

}  // namespace phiflex
