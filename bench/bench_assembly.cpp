// What it costs to assemble the force and the stiffness of a neo-Hookean box of 98,304 tetrahedra, in units
// of Eigen's row-major product with the assembled stiffness matrix; one thread each, both measured in turn.
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <memory>
#include <vector>

#include "phiflex/base/parallel.h"
#include "phiflex/energy/elastic_term.h"
#include "phiflex/mesh/generators.h"

using namespace phiflex;

namespace {

// Seconds of this thread: what other programs take of the machine does not count.
double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

template <class Work>
double seconds(const Work& work) {
  const double start = now();
  work();
  return now() - start;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

}  // namespace

int main() {
  constexpr int kRepeats = 41;
  set_thread_count(1);
  const TetMesh mesh = generate_box({.size = {4, 1, 1}, .cells = {64, 16, 16}});
  const std::size_t tets = mesh.tets.size();
  Vector rest(3 * Index(mesh.vertices.size()));
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    for (int i = 0; i < 3; ++i) rest[3 * v + i] = mesh.vertices[v][i];
  ElasticElements elements{.tets = mesh.tets, .parameters = {}};
  for (std::size_t e = 0; e < mesh.tets.size(); ++e)
    elements.parameters.insert(elements.parameters.end(), {1e6, 0.45});
  const auto term = make_elastic_term("neo-hookean", rest, elements);

  FreeVertices free;
  for (int v = 0; v < static_cast<int>(mesh.vertices.size()); ++v) {
    const bool fixed = mesh.vertices[v][0] == 0;
    free.row_of_vertex.push_back(fixed ? -1 : static_cast<int>(free.vertex_of_row.size()));
    if (!fixed) free.vertex_of_row.push_back(v);
  }
  std::vector<Coupling> couplings, free_couplings;
  term->add_couplings(couplings);
  for (const auto& [a, b] : couplings) {
    if (free.row_of_vertex[a] >= 0 && free.row_of_vertex[b] >= 0)
      free_couplings.push_back({free.row_of_vertex[a], free.row_of_vertex[b]});
  }
  const auto pattern =
      std::make_shared<const SparsityPattern>(3, int(free.vertex_of_row.size()), free_couplings);
  const auto assembler = term->make_assembler(free, *pattern);

  Vector x = rest;
  for (Index i = 0; i < x.size(); ++i) x[i] += 0.002 * std::sin(12.9898 * double(i));
  SparseMatrix K(pattern);
  Vector f(x.size());
  assembler->add_stiffness(x, Definiteness::exact, K);
  const Eigen::SparseMatrix<double, Eigen::RowMajor> eigen = K.to_eigen();
  Vector u = Vector::Ones(eigen.cols()), y(eigen.rows());

  std::vector<double> force, stiffness, projected, product, energy, eigen_product;
  double W = 0;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    eigen_product.push_back(seconds([&] { y.noalias() = eigen * u; }));
    energy.push_back(seconds([&] { W = term->energy(x); }));
    force.push_back(seconds([&] {
      f.setZero();
      term->add_force(x, f);
    }));
    stiffness.push_back(seconds([&] {
      K.set_zero();
      assembler->add_stiffness(x, Definiteness::exact, K);
    }));
    projected.push_back(seconds([&] {
      K.set_zero();
      assembler->add_stiffness(x, Definiteness::projected, K);
    }));
    product.push_back(seconds([&] {
      f.setZero();
      term->add_stiffness_product(x, rest, f);
    }));
  }

  const double unit = median(eigen_product);
  std::printf("%zu tetrahedra, %ld unknowns, %ld nonzeros, one thread, medians of %d; W = %.6g J\n", tets,
              long(eigen.rows()), long(eigen.nonZeros()), kRepeats, W);
  std::printf("%-28s %9s %9s %9s\n", "", "ms", "ns/tet", "products");
  const auto print = [&](const char* name, double time) {
    std::printf("%-28s %9.3f %9.1f %9.2f\n", name, 1e3 * time, 1e9 * time / double(tets), time / unit);
  };
  print("Eigen's row-major product", unit);
  print("energy", median(energy));
  print("force", median(force));
  print("stiffness", median(stiffness));
  print("projected stiffness", median(projected));
  print("product without a matrix", median(product));
  const double both = median(force) + median(stiffness);
  print("force and stiffness", both);
  std::printf("assembly costs %.2f products (at most 12 wanted)\n", both / unit);
  return both / unit <= 12 ? 0 : 1;
}
