// Multigrid and factorization as solvers of M + h^2 K, h = 0.01 s: boxes of tetrahedra, clamped at one end, Young's
// modulus 1e5 to 1e9 Pa, one thread. Conjugate gradients to 1e-6 in the norm of the preconditioner.
//
//   bench_multigrid [largest=98304] [threads=1] [poisson=0.3] [FILE...]      boxes up to so many tetrahedra; then mesh files
//
// Set-up: the better of two (the first of a process pays for its pages of memory). Growth: the exponent p of n^p, n
// tetrahedra, from the smallest to the largest box. Returns 1 when a box takes more than 30 iterations or the
// iterations grow by more than half from the smallest to the largest box.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/moving_bar.h"
#include "phiflex/base/parallel.h"
#include "phiflex/linalg/cholesky.h"
#include "phiflex/linalg/multigrid.h"
#include "phiflex/mesh/mesh_io.h"

using namespace phiflex;

namespace {

// Of the processor, all threads together: other programs do not count.
double seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

struct Solve {
  int iterations = 0;
  double seconds = 0, error = 0;
};

// Conjugate gradients; error: the residual's size over that of the right-hand side.
template <class Precondition>
Solve solve(const SparseMatrix& A, const Vector& b, const Precondition& precondition) {
  const double start = seconds();
  Solve result;
  Vector x = Vector::Zero(b.size()), r = b, z(b.size()), p, Ap(b.size());
  precondition(r, z);
  double rz = r.dot(z);
  const double target = 1e-12 * rz;
  p = z;
  while (rz > target && result.iterations < 300) {
    A.apply(p, Ap);
    const double alpha = rz / p.dot(Ap);
    x += alpha * p;
    r -= alpha * Ap;
    precondition(r, z);
    const double before = rz;
    rz = r.dot(z);
    p = z + rz / before * p;
    ++result.iterations;
  }
  result.seconds = seconds() - start;
  A.apply(x, Ap);
  result.error = (b - Ap).norm() / b.norm();
  return result;
}

struct Case {
  std::unique_ptr<DeformableModel> model;
  std::unique_ptr<AssembledTangent> tangent;
  Vector positions;
};

Case make_case(const TetMesh& mesh, double young, double poisson) {
  Case result;
  ModelDescription description = bench::describe_body(mesh, {.young = young, .poisson = poisson});
  bench::clamp_ends(description, bench::Clamp::first_end);
  VertexConstraint unused;  // vertices of a mesh file in no element
  for (Index v = 0; v < description.vertex_mass.size(); ++v)
    if (description.vertex_mass[v] == 0) unused.vertices.push_back(int(v));
  description.constraints.push_back(std::move(unused));
  result.model = std::make_unique<DeformableModel>(std::move(description));
  State rest;
  rest.q = rest.v = Vector::Zero(result.model->dofs());
  result.tangent = result.model->assembled_tangent(Definiteness::exact);
  result.tangent->update(rest);
  Vector x, v;
  result.model->expand(rest, x, v);
  result.model->constraints().gather(x, result.positions);
  return result;
}

struct Measured {
  int iterations = 1000;
  double set_up = 0, solve = 0;  // s
};

Measured measure(const std::string& name, const TetMesh& mesh, double young, double poisson, bool factorize) {
  const Case body = make_case(mesh, young, poisson);
  constexpr double h = 0.01;
  SparseMatrix A(body.tangent->K().shared_pattern());
  A.set(h * h, body.tangent->K());
  body.model->mass().add_to(1, A);
  Vector b(A.rows());
  for (Index i = 0; i < b.size(); ++i) b[i] = std::sin(double(i) * 0.7) + 0.3 * std::cos(double(i) * 0.0013);

  double first = HUGE_VAL, start = 0;
  std::optional<Multigrid> made;
  for (int repeat = 0; repeat < 2; ++repeat) {
    made.reset();
    start = seconds();
    made.emplace(A.shared_pattern());
    const FactorStatus status = made->build(A, body.positions);
    first = std::min(first, seconds() - start);
    if (status != FactorStatus::ok) {
      fmt::print("{:<22} {:8.0e}  multigrid: not positive definite\n", name, young);
      return {};
    }
  }
  Multigrid& multigrid = *made;
  start = seconds();
  (void)multigrid.build(A, body.positions);
  const double again = seconds() - start;
  const Solve cycles = solve(A, b, [&](const Vector& r, Vector& z) { multigrid.precondition(r, z); });
  fmt::print(
      "{:<22} {:8.0e}  set-up {:7.2f} s, again {:6.2f} s, {:3} iterations {:7.3f} s, residual {:.0e}, {} "
      "levels, {:.2f} GB",
      name, young, first, again, cycles.iterations, cycles.seconds, cycles.error, multigrid.levels(),
      1e-9 * double(multigrid.bytes()));
  fmt::print(", operations per block: build {:.0f}, cycle {:.0f};",
             multigrid.build_operations() / double(A.pattern().blocks()),
             multigrid.cycle_operations() / double(A.pattern().blocks()));
  for (int l = 1; l < multigrid.levels(); ++l) fmt::print(" {}", multigrid.unknowns(l));
  if (factorize) {
    start = seconds();
    CholeskyFactorization cholesky(A.shared_pattern());
    (void)cholesky.factorize(A);
    const double factor = seconds() - start;
    Vector x(b.size());
    start = seconds();
    cholesky.solve(b, x);
    fmt::print("; CHOLMOD {:.2f} s, solve {:.3f} s, {:.2f} GB", factor, seconds() - start,
               1e-9 * double(cholesky.factor_bytes()));
  }
  fmt::print("\n");
  return {cycles.iterations, first, cycles.seconds};
}

}  // namespace

int main(int argc, char** argv) {
  int largest = 98304, threads = 1;
  double poisson = 0.3;
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.starts_with("largest=")) {
      largest = std::stoi(word.substr(8));
    } else if (word.starts_with("threads=")) {
      threads = std::stoi(word.substr(8));
    } else if (word.starts_with("poisson=")) {
      poisson = std::stod(word.substr(8));
    } else {
      files.push_back(word);
    }
  }
  set_thread_count(threads);
  set_blas_threads(threads);
  bool kept = true;
  for (const double young : {1e5, 1e7, 1e9}) {
    Measured smallest, last;
    int smallest_tets = 0, last_tets = 0;
    for (const int across : {10, 16, 26, 36}) {
      const int tets = 6 * 4 * across * across * across;
      if (tets > largest) continue;
      const TetMesh mesh = generate_box({.size = {0.4, 0.1, 0.1}, .cells = {4 * across, across, across}});
      last = measure(fmt::format("box {}", tets), mesh, young, poisson, tets < 500000 && young == 1e7);
      last_tets = tets;
      if (smallest_tets == 0) {
        smallest = last;
        smallest_tets = tets;
      }
      kept = kept && last.iterations <= 30 && last.iterations <= 1.5 * smallest.iterations + 3;
    }
    if (last_tets == smallest_tets) continue;
    const auto exponent = [&](double Measured::*part) {
      return std::log(last.*part / (smallest.*part)) / std::log(double(last_tets) / smallest_tets);
    };
    fmt::print("growth, {} to {} tetrahedra: set-up {:.2f}, solve {:.2f}\n", smallest_tets, last_tets,
               exponent(&Measured::set_up), exponent(&Measured::solve));
  }
  for (const std::string& file : files) {
    AnyMesh mesh = read_mesh(file);
    if (const TetMesh* tets = std::get_if<TetMesh>(&mesh))
      for (const double young : {1e5, 1e7, 1e9})
        measure(file.substr(file.find_last_of('/') + 1), *tets, young, poisson, false);
  }
  return kept ? 0 : 1;
}
