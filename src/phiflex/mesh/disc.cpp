#include "phiflex/mesh/disc.h"

#include <cmath>

#include "phiflex/mesh/lattice_vertices.h"

namespace phiflex {

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

}  // namespace phiflex
