// The sparse product against the memory it reads and against Eigen's, on the pattern of the 98,304-tetrahedra
// box (64 x 16 x 16 cubes, six tetrahedra each). One thread; the best of many repeats.
//
//   bytes the format needs = values + columns + row starts + x + y,  each once                            (1)
//   triad  a[i] = b[i] + s c[i]  over three arrays that have the bytes of (1), together or each           (2)
//
// Together they fit where the matrix fits (a large cache holds both): the harder comparison. Each, they come
// from memory. The matrix asks for huge pages; the triad is measured on plain vectors, as a user would write
// it, and on arrays with huge pages like the matrix's own, which is the fair one.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "phiflex/base/parallel.h"
#include "phiflex/linalg/huge_pages.h"
#include "phiflex/linalg/sparse_matrix.h"

namespace {

using namespace phiflex;

constexpr int kRounds = 10, kRepeats = 30;

// Seconds of this thread: what other programs take of the machine does not count.
double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

// The shortest time of a task, measured in turn with the others.
struct Task {
  const char* name;
  double bytes;
  std::function<void()> run;
  double seconds = std::numeric_limits<double>::infinity();

  void measure() {
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
      const double start = now();
      run();
      seconds = std::min(seconds, now() - start);
    }
  }
  void print() const {
    std::printf("%-34s %8.3f ms %8.2f GB/s\n", name, 1e3 * seconds, 1e-9 * bytes / seconds);
  }
};

template <class Array>
class Triad {
 public:
  explicit Triad(double bytes_of_all)
      : a_(std::size_t(bytes_of_all / 24)), b_(a_.size(), 1.0), c_(a_.size(), 2.0) {}
  void operator()() {  // (2)
    for (std::size_t i = 0; i < a_.size(); ++i) a_[i] = b_[i] + s_ * c_[i];
    s_ = a_[a_.size() / 2] > 1e300 ? 0.25 : 0.5;  // keeps the loop from being dropped
  }

 private:
  Array a_, b_, c_;
  double s_ = 0.5;
};

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
  return std::make_shared<SparsityPattern>(3, (nx + 1) * (ny + 1) * (nz + 1), couplings);
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
  Triad<std::vector<double>> together(bytes), each(3 * bytes);
  Triad<LargeArray<double>> like_the_matrix(bytes);
  Task tasks[] = {{"triad, arrays of that size together", bytes, [&] { together(); }},
                  {"triad, arrays of that size each", 3 * bytes, [&] { each(); }},
                  {"phiflex", bytes, [&] { A.apply(x, y); }},
                  {"Eigen, row-major", bytes, [&] { y_eigen.noalias() = eigen * x; }},
                  {"triad, together, in huge pages", bytes, [&] { like_the_matrix(); }}};
  for (int round = 0; round < kRounds; ++round)
    for (Task& task : tasks) task.measure();

  const double share = tasks[0].seconds / tasks[2].seconds, gain = tasks[3].seconds / tasks[2].seconds;
  const double share_of_memory = tasks[1].seconds / 3 / tasks[2].seconds;
  const double share_of_huge_pages = tasks[4].seconds / tasks[2].seconds;
  const double difference = (y - y_eigen).norm() / y_eigen.norm();
  std::printf("sparse product, %ld rows, %ld blocks of 3x3, %.1f MB, one thread\n", long(A.rows()),
              long(pattern->blocks()), bytes * 1e-6);
  for (const Task& task : tasks) task.print();
  std::printf(
      "%.2f of the triad's bandwidth (at least 0.80 wanted); %.2f of that in huge pages, %.2f of that from "
      "memory\n",
      share, share_of_huge_pages, share_of_memory);
  std::printf("%.2f times as fast as Eigen (more than 1 wanted); relative difference %.1e\n", gain,
              difference);
  return share >= 0.8 && gain > 1 && difference < 1e-14 ? 0 : 1;
}
