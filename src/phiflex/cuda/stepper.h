// What the steppers share: the body that they move, and launches on its free vertices.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "phiflex/cuda/conjugate_gradients.h"
#include "phiflex/cuda/loads.h"
#include "phiflex/cuda/vector_kernels.h"

namespace phiflex::device {

// All are referred to. mass: of each vertex, kg. extent: of the body at rest, m.
template <class BackEnd>
struct StepperParts {
  TetBody<BackEnd>& body;
  const DeviceArray<BackEnd, double>& mass;
  Loads<BackEnd>& loads;
  MovedVertices<BackEnd>& moved;
  double extent;
  ConjugateGradients<BackEnd>& solver;
};

template <class BackEnd>
class Stepper {
 protected:
  using Array = DeviceArray<BackEnd, double>;

  explicit Stepper(const StepperParts<BackEnd>& parts)
      : on_(parts.body.back_end()),
        body_(parts.body),
        mass_(parts.mass.data()),
        loads_(parts.loads),
        moved_(parts.moved),
        solver_(parts.solver),
        sums_(on_, kMostSums) {}

  std::size_t all() const { return 3 * std::size_t(body_.vertices()); }
  std::size_t of_free() const { return 3 * std::size_t(body_.free()); }

  // The sum of kernel(i) over the free vertices.
  template <class Kernel>
  auto sum(const Kernel& kernel) {
    using Result = decltype(kernel(0));
    constexpr int count = sizeof(Result) / sizeof(double);
    on_.template sum<count>(body_.free(), kernel, StoreSums<count>{sums_.data()});
    return read_sums<count>();
  }
  // What launches left in sums_.
  template <int N>
  Sums<N> read_sums() const {
    Sums<N> sums;
    sums_.read(sums.e);
    return sums;
  }
  // |d|_M
  double size_in_mass(const double* d) { return std::sqrt(sum(SquareInMass{mass_, d}).e[0]); }
  // y = a x + b z of the free vertices.
  void combine(double a, const double* x, double b, const double* z, double* y) {
    on_.for_each(body_.free(), Combine{a, b, x, z, y});
  }
  void combine(double a, const Array& x, double b, const Array& z, Array& y) {
    combine(a, x.data(), b, z.data(), y.data());
  }

  BackEnd& on_;
  TetBody<BackEnd>& body_;
  const double* mass_;
  Loads<BackEnd>& loads_;
  MovedVertices<BackEnd>& moved_;
  ConjugateGradients<BackEnd>& solver_;
  Array sums_;
};

// The mass of the free vertices, kg.
template <class BackEnd>
double free_mass(const StepperParts<BackEnd>& parts) {
  std::vector<double> masses(parts.mass.size());
  parts.mass.read(masses);
  double total = 0;
  for (int i = 0; i < parts.body.free(); ++i) total += masses[std::size_t(i)];
  return total;
}

}  // namespace phiflex::device
