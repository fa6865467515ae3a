#include "phiflex/mesh/generators.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "phiflex/mesh/mesh_check.h"
#include "phiflex/mesh/prisms.h"
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

struct Disc {
  std::vector<Point3> vertices;  // x = 0
  std::vector<std::array<int, 3>> triangles;
};

Disc make_disc(double radius, int n) {
  Disc disc;
  // Six sectors, each cut like a triangle into n^2; ring x has 6 x vertices at even angles.
  LatticeVertices lattice;
  for (int sector = 0; sector < 6; ++sector) {
    const auto vertex = [&](int x, int y) {
      LatticeVertices::Weights weights;
      if (x > y) weights[sector] = x - y;
      if (y > 0) weights[(sector + 1) % 6] = y;
      return lattice.find(weights, disc.vertices, [&] {
        const double angle = x > 0 ? (sector + static_cast<double>(y) / x) * std::acos(-1.0) / 3 : 0;
        const double r = part(radius, x, n);
        return Point3{0, r * std::cos(angle), r * std::sin(angle)};
      });
    };
    for (int x = 0; x < n; ++x) {
      for (int y = 0; y <= x; ++y) {
        disc.triangles.push_back({vertex(x, y), vertex(x + 1, y), vertex(x + 1, y + 1)});
        if (y < x) disc.triangles.push_back({vertex(x, y), vertex(x + 1, y + 1), vertex(x, y + 1)});
      }
    }
  }
  return disc;
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

  const auto [disc, triangles] = make_disc(shape.radius, n);
  TetMesh mesh;
  const int per_slice = static_cast<int>(disc.size());
  for (int k = 0; k <= along; ++k)
    for (const Point3& p : disc) mesh.vertices.push_back({part(shape.length, k, along), p[1], p[2]});
  add_prisms(triangles, per_slice, along, mesh);
  fix_orientation(mesh);
  return mesh;
}

TetMesh generate_helix(const HelixShape& shape) {
  require(shape.rope_radius > 0 && shape.coil_radius > shape.rope_radius && std::isfinite(shape.coil_radius),
          "a coil must be wider than its rope");
  require(shape.turns > 0 && shape.height >= 0 && std::isfinite(shape.height), "a coil needs turns");
  require(shape.resolution > 0 && shape.cells_along > 0, "a rope needs rings and slices");
  const double angle = 2 * std::acos(-1.0) * shape.turns, rise = shape.height / angle;
  // A loop of the rope stands on the one below: they must not touch.
  require(shape.turns <= 1 || shape.height / shape.turns > 2 * shape.rope_radius,
          "a coil's turns must be further apart than its rope is thick");
  const auto [disc, triangles] = make_disc(shape.rope_radius, shape.resolution);
  TetMesh mesh;
  const double slope = std::hypot(shape.coil_radius, rise);
  for (int k = 0; k <= shape.cells_along; ++k) {
    const double a = part(angle, k, shape.cells_along);
    const Point3 out = {std::cos(a), 0, std::sin(a)};
    const Point3 tangent = {-shape.coil_radius / slope * std::sin(a), rise / slope,
                            shape.coil_radius / slope * std::cos(a)};
    const Point3 up = cross(tangent, out);  // the section's other direction
    const Point3 centre = shape.coil_radius * out + Point3{0, rise * a, 0};
    for (const Point3& p : disc) mesh.vertices.push_back(centre + p[1] * out + p[2] * up);
  }
  add_prisms(triangles, static_cast<int>(disc.size()), shape.cells_along, mesh);
  fix_orientation(mesh);
  return mesh;
}

TetMesh generate_honeycomb(const HoneycombShape& shape) {
  require(
      shape.side > 0 && shape.thickness > 0 && std::isfinite(shape.side) && std::isfinite(shape.thickness),
      "a honeycomb's lengths must be positive");
  const double root3 = std::sqrt(3.0);
  require(shape.wall > 0 && shape.wall < root3 * shape.side, "a honeycomb's walls must leave holes");
  require(shape.cells[0] > 0 && shape.cells[1] > 0 && shape.divisions > 0 && shape.layers > 0,
          "a honeycomb needs cells, divisions and layers");
  // Between a cell's outline, a hexagon of the given side, and its hole lies one row of quadrilaterals: half a wall.
  // A point of an outline is known by whole numbers: its x in steps of sqrt(3) side / (2 n), its y of side / (2 n).
  const int n = shape.divisions;
  constexpr int kCorners[6][2] = {{1, -1}, {1, 1}, {0, 2}, {-1, 1}, {-1, -1}, {0, -2}};
  const double shrink = 1 - shape.wall / (root3 * shape.side);
  std::vector<Point3> sheet;
  std::vector<std::array<int, 3>> triangles;
  std::map<std::array<int, 2>, int> outline;
  for (int row = 0; row < shape.cells[1]; ++row) {
    for (int column = 0; column < shape.cells[0]; ++column) {
      const std::array<int, 2> centre = {2 * column + 1 + row % 2, 3 * row + 2};
      const auto place = [&](double x, double y) {
        return Point3{root3 / 2 * shape.side / n * x, shape.side / 2 / n * y, 0};
      };
      std::vector<int> outer, inner;
      for (int edge = 0; edge < 6; ++edge) {
        for (int i = 0; i < n; ++i) {
          std::array<int, 2> around{};  // from the centre, in the steps above
          for (int a = 0; a < 2; ++a)
            around[a] = (n - i) * kCorners[edge][a] + i * kCorners[(edge + 1) % 6][a];
          const std::array<int, 2> at = {n * centre[0] + around[0], n * centre[1] + around[1]};
          const auto [found, is_new] = outline.try_emplace(at, static_cast<int>(sheet.size()));
          if (is_new) sheet.push_back(place(at[0], at[1]));
          outer.push_back(found->second);
          inner.push_back(static_cast<int>(sheet.size()));
          sheet.push_back(place(n * centre[0] + shrink * around[0], n * centre[1] + shrink * around[1]));
        }
      }
      for (std::size_t i = 0; i < outer.size(); ++i) {
        const std::size_t next = (i + 1) % outer.size();
        // The diagonal that makes a corner's quadrilateral two good triangles is the shorter one.
        if (norm(sheet[outer[i]] - sheet[inner[next]]) <= norm(sheet[outer[next]] - sheet[inner[i]])) {
          triangles.push_back({outer[i], outer[next], inner[next]});
          triangles.push_back({outer[i], inner[next], inner[i]});
        } else {
          triangles.push_back({outer[i], outer[next], inner[i]});
          triangles.push_back({outer[next], inner[next], inner[i]});
        }
      }
    }
  }
  TetMesh mesh;
  for (int k = 0; k <= shape.layers; ++k)
    for (const Point3& p : sheet)
      mesh.vertices.push_back({p[0], p[1], part(shape.thickness, k, shape.layers)});
  add_prisms(triangles, static_cast<int>(sheet.size()), shape.layers, mesh);
  fix_orientation(mesh);
  return mesh;
}

}  // namespace phiflex
