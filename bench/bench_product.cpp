// The sparse product against the memory it reads and against Eigen's, on the pattern of the 98,304-tetrahedra
// box (64 x 16 x 16 cubes, six tetrahedra each). Best of many repeats, one thread.
//
//   bytes the format needs = values + columns + row starts + x + y,  each once                           (1)
//   triad  a[i] = b[i] + s c[i]  over three arrays that together have the bytes of (1)                    (2)
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "phiflex/base/parallel.h"
#include "phiflex/linalg/sparse_matrix.h"

namespace {

using namespace phiflex;

constexpr int kRepeats = 300;

double seconds_of(const std::function<void()>& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The couplings of a grid of cubes, each split along its main diagonal into six tetrahedra: two vertices of a
// cube share an edge when no coordinate of one step is negative and that of the other positive.
std::shared_ptr<const SparsityPattern> kuhn_pattern(int nx, int ny, int nz) {
  const auto vertex = [&](int x, int y, int z) { return (z * (ny + 1) + y) * (nx + 1) + x; };
  std::vector<Coupling> couplings;
  for (int z = 0; z <= nz; ++z)
    for (int y = 0; y <= ny; ++y)
      for (int x = 0; x <= nx; ++x)
        for (int step = 1; step < 8; ++step) {
          const int dx = step & 1, dy = step >> 1 & 1, dz = step >> 2;
          if (x + dx <= nx && y + dy <= ny && z + dz <= nz)
            couplings.push_back({vertex(x, y, z), vertex(x + dx, y + dy, z + dz)});
        }
  return std::make_shared<SparsityPattern>(3, (nx + 1) * (ny + 1) * (nz + 1), std::move(couplings));
}

}  // namespace

int main() {
  set_thread_count(1);
  const auto pattern = kuhn_pattern(64, 16, 16);
  SparseMatrix A(pattern);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1, 1);
  std::generate(A.values(), A.values() + A.value_count(), [&] { return number(random); });
  const auto eigen = A.to_eigen();
  const Vector x = Vector::Random(A.rows());
  Vector y(A.rows()), y_eigen(A.rows());

  const double bytes = 8.0 * double(A.value_count()) + 4.0 * double(pattern->blocks()) +
                       4.0 * double(pattern->row_start().size()) + 16.0 * double(A.rows());  // (1)
  const auto length = static_cast<std::size_t>(bytes / 24);
  std::vector<double> a(length, 0.0), b(length, 1.0), c(length, 2.0);

  // Taken in turns, so that all three meet the same load of the machine.
  double triad = std::numeric_limits<double>::infinity(), ours = triad, eigens = triad, s = 0.5;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    triad = std::min(triad, seconds_of([&] {  // (2)
                       for (std::size_t i = 0; i < length; ++i) a[i] = b[i] + s * c[i];
                     }));
    s = a[length / 2] > 1e300 ? 0.25 : 0.5;  // keeps the loop from being dropped
    ours = std::min(ours, seconds_of([&] { A.apply(x, y); }));
    eigens = std::min(eigens, seconds_of([&] { y_eigen.noalias() = eigen * x; }));
  }

  const double difference = (y - y_eigen).norm() / y_eigen.norm();
  std::printf("sparse product, %ld rows, %ld blocks of 3x3, %.1f MB, one thread\n", long(A.rows()),
              long(pattern->blocks()), bytes * 1e-6);
  std::printf("  %-28s %8.3f ms %8.2f GB/s\n", "triad, same bytes", 1e3 * triad,
              24e-9 * double(length) / triad);
  std::printf("  %-28s %8.3f ms %8.2f GB/s\n", "phiflex", 1e3 * ours, 1e-9 * bytes / ours);
  std::printf("  %-28s %8.3f ms\n", "Eigen, row-major", 1e3 * eigens);
  std::printf("  share of the triad's bandwidth  %.2f  (at least 0.80)\n", triad / ours);
  std::printf("  faster than Eigen by            %.2f  (more than 1)\n", eigens / ours);
  std::printf("  relative difference to Eigen    %.1e\n", difference);
  return difference < 1e-14 ? 0 : 1;
}
