#include "phiflex/fem/mass.h"

#include <stdexcept>

namespace phiflex {

std::vector<double> tet_volumes(const Vector& rest, std::span<const Tet> tets) {
  const auto point = [&](int v) {
    return Point3{rest[3 * Index(v)], rest[3 * Index(v) + 1], rest[3 * Index(v) + 2]};
  };
  std::vector<double> volumes;
  volumes.reserve(tets.size());
  for (const Tet& t : tets) volumes.push_back(tet_volume(point(t[0]), point(t[1]), point(t[2]), point(t[3])));
  return volumes;
}

void add_lumped_masses(std::span<const Tet> tets, std::span<const double> tet_masses,
                       std::span<double> masses) {
  for (std::size_t e = 0; e < tets.size(); ++e)
    for (int v : tets[e]) masses[v] += tet_masses[e] / 4;  // (1)
}

void add_consistent_mass(std::span<const Tet> tets, std::span<const double> tet_masses,
                         std::span<const int> row_of_vertex, SparseMatrix& M) {
  const int block = M.pattern().block();
  for (std::size_t e = 0; e < tets.size(); ++e) {
    for (int a : tets[e]) {
      for (int b : tets[e]) {
        const int row = row_of_vertex[a], col = row_of_vertex[b];
        if (row < 0 || col < 0) continue;
        const int k = M.pattern().find(row, col);
        if (k < 0) throw std::invalid_argument("add_consistent_mass: a block is missing in the pattern");
        for (int i = 0; i < block; ++i)
          M.block(k)[i * block + i] += tet_masses[e] * (a == b ? 2 : 1) / 20;  // (2)
      }
    }
  }
}

}  // namespace phiflex
