#include "phiflex/fem/mass.h"

#include <stdexcept>

namespace phiflex {
namespace {

double part(double mass, MassShare share) {
  return mass * share.numerator / share.denominator;
}

template <class Element>
void add_lumped(std::span<const typename Element::Nodes> tets, std::span<const double> tet_masses,
                std::span<double> masses) {
  for (std::size_t e = 0; e < tets.size(); ++e)
    for (int a = 0; a < Element::kNodes; ++a)
      masses[tets[e][a]] += part(tet_masses[e], Element::lumped(a));  // (1)
}

template <class Element>
void add_consistent(std::span<const typename Element::Nodes> tets, std::span<const double> tet_masses,
                    std::span<const int> row_of_vertex, SparseMatrix& M) {
  const int block = M.pattern().block();
  for (std::size_t e = 0; e < tets.size(); ++e) {
    for (int a = 0; a < Element::kNodes; ++a) {
      for (int b = 0; b < Element::kNodes; ++b) {
        const int row = row_of_vertex[tets[e][a]], col = row_of_vertex[tets[e][b]];
        if (row < 0 || col < 0) continue;
        const int k = M.pattern().find(row, col);
        if (k < 0) throw std::invalid_argument("add_consistent_mass: a block is missing in the pattern");
        for (int i = 0; i < block; ++i)
          M.block(k)[i * block + i] += part(tet_masses[e], Element::consistent(a, b));  // (2)
      }
    }
  }
}

}  // namespace

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
  add_lumped<Tet4>(tets, tet_masses, masses);
}
void add_lumped_masses(std::span<const QuadraticTet> tets, std::span<const double> tet_masses,
                       std::span<double> masses) {
  add_lumped<Tet10>(tets, tet_masses, masses);
}

void add_consistent_weights(std::span<const QuadraticTet> tets, std::span<const double> tet_masses,
                            std::span<double> weights) {
  for (std::size_t e = 0; e < tets.size(); ++e)
    for (int a = 0; a < Tet10::kNodes; ++a)
      for (int b = 0; b < Tet10::kNodes; ++b)
        weights[tets[e][a]] += part(tet_masses[e], Tet10::consistent(a, b));  // (3)
}

void add_consistent_mass(std::span<const Tet> tets, std::span<const double> tet_masses,
                         std::span<const int> row_of_vertex, SparseMatrix& M) {
  add_consistent<Tet4>(tets, tet_masses, row_of_vertex, M);
}
void add_consistent_mass(std::span<const QuadraticTet> tets, std::span<const double> tet_masses,
                         std::span<const int> row_of_vertex, SparseMatrix& M) {
  add_consistent<Tet10>(tets, tet_masses, row_of_vertex, M);
}

}  // namespace phiflex
