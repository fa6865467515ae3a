// Kernels on vectors of the vertices that several steppers share.
#pragma once

#include "phiflex/cuda/device_values.h"

namespace phiflex::device {

// y = a x + b z
struct Combine {
  double a, b;
  const double *x, *z;
  double* y;
  PHIFLEX_HD void operator()(int i) const {
    for (int k = 0; k < 3; ++k) {
      const std::size_t q = 3 * static_cast<std::size_t>(i) + std::size_t(k);
      y[q] = a * x[q] + b * z[q];
    }
  }
};
// d'M d
struct SquareInMass {
  const double *mass, *d;
  PHIFLEX_HD Sums<1> operator()(int i) const {
    const Vec3<double> own = load3(d, i);
    return {{load(mass + i) * dot(own, own)}};
  }
};
// a'a and b'b: finite only where both vectors are.
struct SquaresOfTwo {
  const double *a, *b;
  PHIFLEX_HD Sums<2> operator()(int i) const {
    const Vec3<double> ai = load3(a, i), bi = load3(b, i);
    return {{dot(ai, ai), dot(bi, bi)}};
  }
};
// What acts on the vertices beside the forces of the elements: M gravity + load - alpha M v.
struct Outside {
  Vec3<double> gravity;           // m/s^2
  const double* load = nullptr;   // N, of the free vertices; null: none
  const double* alpha = nullptr;  // 1/s, of the free vertices; null: none
  // f, the load and the drag on a vertex of that mass and velocity.
  PHIFLEX_HD Vec3<double> force(Vec3<double> f, int i, double m, const Vec3<double>& v) const {
    if (load) f += load3(load, i);
    return alpha ? f - device::load(alpha + i) * m * v : f;
  }
};

// b = f + m gravity - h K v: the right-hand side of a step that is linearized at its beginning. f with the load,
struct SiRightSide {
  double h;
  Outside outside;
  const double *mass, *f, *v, *Kv;
  double* b;
  PHIFLEX_HD void operator()(int i) const {
    const double m = load(mass + i);
    store3(b, i, outside.force(load3(f, i), i, m, load3(v, i)) + m * outside.gravity - h * load3(Kv, i));
  }
};

}  // namespace phiflex::device
