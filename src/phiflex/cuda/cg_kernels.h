// The kernels of conjugate_gradients.h, whose labels they cite.
#pragma once

#include "phiflex/base/sym3.h"
#include "phiflex/cuda/tet_body.h"

namespace phiflex::device {

struct CgNumbers {
  double alpha, beta, gamma, gamma_start, tolerance2, mass_scale;
  int iterations, limit;
  double omega = 0, left = 0;  // of stabilized gradients
  bool update = false;
  enum Status { going, converged, not_positive, out_of_iterations, not_finite } status;
};

struct StartNumbers {
  CgNumbers start;
  CgNumbers* numbers;
  PHIFLEX_HD void operator()(int) const { *numbers = start; }
};

// The inverse of  s m_i 1 - sum_j K_ij,  by its entries 00 11 22 12 02 01.
struct InvertDiagonal {
  RowMatrix K;
  const double* mass;
  double scale;
  Float4* inverse;  // two for each row

  PHIFLEX_HD void operator()(int i) const {
    const int count = load(K.row_start + i + 1) - load(K.row_start + i);
    Mat3<double> diagonal = Mat3<double>::scaled_identity(scale * load(mass + i));
    for (int j = 0; j < count; ++j) {
      const RowMatrix::Block block = K.block(i, j);
      for (int k = 0; k < 9; ++k) diagonal.e[k] -= block.entry(k);
    }
    const Sym3<double> block = symmetric_part(diagonal), minors = cofactor(block);
    const double factor = 1 / determinant(block, minors);
    float e[6];
    for (int k = 0; k < 6; ++k) e[k] = float(factor * minors.e[k]);
    inverse[2 * i] = {{e[0], e[1], e[2], e[3]}};
    inverse[2 * i + 1] = {{e[4], e[5], 0.0f, 0.0f}};
  }
};
PHIFLEX_HD inline Vec3<double> precondition(const Float4* inverse, int i, const Vec3<double>& r) {
  const Float4 a = load(inverse + 2 * i), b = load(inverse + 2 * i + 1);
  const Sym3<double> block = {double(a.e[0]), double(a.e[1]), double(a.e[2]),
                              double(a.e[3]), double(b.e[0]), double(b.e[1])};
  return block * r;
}

struct StartCg {
  const Float4* inverse;
  double *x, *r, *p, *z;
  Float4* u;
  PHIFLEX_HD void operator()(int i) const {
    const Vec3<double> zero = {0.0, 0.0, 0.0};
    store3(x, i, zero);
    store3(p, i, zero);
    store3(z, i, zero);
    const double* at = r + 3 * static_cast<std::size_t>(i);
    store3(u, i, precondition(inverse, i, {at[0], at[1], at[2]}));
  }
};

// (1)
template <int Lanes>
struct CgProduct {
  RowMatrix K;
  const double* mass;
  const CgNumbers* numbers;
  const Float4* u;
  const double* r;
  double* w;
  PHIFLEX_HD Vec3<double> part(int i, int lane) const {
    if (numbers->status != CgNumbers::going) return {0.0, 0.0, 0.0};
    return K.part<Lanes>(u, i, lane);
  }
  PHIFLEX_HD Sums<2> finish(int i, const Vec3<double>& Ku) const {
    if (numbers->status != CgNumbers::going) return {};
    const Vec3<double> own = load3(u, i), wi = (numbers->mass_scale * load(mass + i)) * own + Ku;
    store3(w, i, wi);
    return {{dot(load3(r, i), own), dot(wi, own)}};
  }
};
// (2)
struct CgScalars {
  CgNumbers* numbers;
  PHIFLEX_HD void operator()(const Sums<2>& sums) const {
    CgNumbers n = *numbers;
    if (n.status != CgNumbers::going) return;
    const double gamma = sums.e[0], delta = sums.e[1];
    if (n.iterations == 0) {
      n.gamma_start = gamma;
      n.beta = 0;
      n.alpha = gamma / delta;
    } else {
      n.beta = gamma / n.gamma;
      n.alpha = gamma / (delta - n.beta * gamma / n.alpha);
    }
    n.gamma = gamma;
    if (!(gamma - gamma == 0) || !(delta - delta == 0))  // infinite, or no number
      n.status = CgNumbers::not_finite;
    else if (gamma >= 0 && gamma <= n.tolerance2 * n.gamma_start)
      n.status = CgNumbers::converged;
    else if (!(gamma > 0) || !(n.alpha > 0))
      n.status = CgNumbers::not_positive;
    else if (n.iterations >= n.limit)
      n.status = CgNumbers::out_of_iterations;
    else
      ++n.iterations;
    *numbers = n;
  }
};
// (3), and u of the next (1)
struct CgUpdate {
  const CgNumbers* numbers;
  const Float4* inverse;
  double *x, *r, *p, *z;
  const double* w;
  Float4* u;
  PHIFLEX_HD void operator()(int i) const {
    if (numbers->status != CgNumbers::going) return;
    const double alpha = numbers->alpha, beta = numbers->beta;
    const std::size_t first = 3 * static_cast<std::size_t>(i);
    const Float4 own = u[i];
    Vec3<double> residual;
    for (int k = 0; k < 3; ++k) {
      const std::size_t q = first + std::size_t(k);
      p[q] = double(own.e[k]) + beta * p[q];
      z[q] = load(w + q) + beta * z[q];
      x[q] += alpha * p[q];
      residual[k] = r[q] -= alpha * z[q];
    }
    store3(u, i, precondition(inverse, i, residual));
  }
};

// ---- Stabilized bi-conjugate gradients (conjugate_gradients.h, (5)); products of vectors are weighed by 1/mass
// ------------

// r = b there; u = D^-1 p.
struct StartStabilized {
  const Float4* inverse;
  const double* mass;
  const double* r;
  double *x, *shadow, *p;
  Float4* u;
  PHIFLEX_HD Sums<1> operator()(int i) const {
    const Vec3<double> own = load3(r, i);
    store3(x, i, {0.0, 0.0, 0.0});
    store3(shadow, i, own);
    store3(p, i, own);
    store3(u, i, precondition(inverse, i, own));
    return {{dot(own, own) / load(mass + i)}};
  }
};
struct StartStabilizedNumbers {
  CgNumbers* numbers;
  PHIFLEX_HD void operator()(const Sums<1>& sums) const {
    numbers->gamma = numbers->gamma_start = numbers->left = sums.e[0];
    if (!(sums.e[0] - sums.e[0] == 0)) numbers->status = CgNumbers::not_finite;
    if (sums.e[0] == 0) numbers->status = CgNumbers::converged;
  }
};
// A u = s M u + K u, for both products of an iteration.
template <int Lanes>
struct StabilizedProduct {
  RowMatrix K;
  const double* mass;
  const CgNumbers* numbers;
  const Float4* u;
  PHIFLEX_HD bool going() const { return numbers->status == CgNumbers::going; }
  PHIFLEX_HD Vec3<double> part(int i, int lane) const {
    if (!going()) return {0.0, 0.0, 0.0};
    return K.part<Lanes>(u, i, lane);
  }
  PHIFLEX_HD Vec3<double> whole(int i, const Vec3<double>& Ku) const {
    return (numbers->mass_scale * load(mass + i)) * load3(u, i) + Ku;
  }
};
template <int Lanes>
struct FirstStabilized {
  StabilizedProduct<Lanes> A;
  const double* shadow;
  double* v;
  PHIFLEX_HD Vec3<double> part(int i, int lane) const { return A.part(i, lane); }
  PHIFLEX_HD Sums<1> finish(int i, const Vec3<double>& Ku) const {
    if (!A.going()) return {};
    const Vec3<double> own = A.whole(i, Ku);
    store3(v, i, own);
    return {{dot(load3(shadow, i), own) / load(A.mass + i)}};
  }
};
struct FirstStabilizedNumbers {
  CgNumbers* numbers;
  PHIFLEX_HD void operator()(const Sums<1>& sums) const {
    if (numbers->status == CgNumbers::going) numbers->alpha = numbers->gamma / sums.e[0];
  }
};
// x += alpha u, r -= alpha v, u = D^-1 r
struct HalfStabilized {
  const CgNumbers* numbers;
  const Float4* inverse;
  const double* v;
  double *x, *r;
  Float4* u;
  PHIFLEX_HD void operator()(int i) const {
    if (numbers->status != CgNumbers::going) return;
    const double alpha = numbers->alpha;
    const Float4 own = u[i];
    Vec3<double> residual;
    for (int k = 0; k < 3; ++k) {
      const std::size_t q = 3 * static_cast<std::size_t>(i) + std::size_t(k);
      x[q] += alpha * double(own.e[k]);
      residual[k] = r[q] -= alpha * load(v + q);
    }
    store3(u, i, precondition(inverse, i, residual));
  }
};
template <int Lanes>
struct SecondStabilized {
  StabilizedProduct<Lanes> A;
  const double *shadow, *r;
  double* t;
  PHIFLEX_HD Vec3<double> part(int i, int lane) const { return A.part(i, lane); }
  PHIFLEX_HD Sums<5> finish(int i, const Vec3<double>& Ku) const {
    if (!A.going()) return {};
    const Vec3<double> own = A.whole(i, Ku), s = load3(r, i), first = load3(shadow, i);
    store3(t, i, own);
    const double w = 1 / load(A.mass + i);
    return {{w * dot(own, s), w * dot(own, own), w * dot(s, s), w * dot(first, s), w * dot(first, own)}};
  }
};
struct SecondStabilizedNumbers {
  CgNumbers* numbers;
  PHIFLEX_HD void operator()(const Sums<5>& sums) const {
    CgNumbers n = *numbers;
    n.update = n.status == CgNumbers::going;
    if (n.update) {
      const double ts = sums.e[0], tt = sums.e[1];
      n.omega = tt > 0 ? ts / tt : 0;
      n.left = sums.e[2] - 2 * n.omega * ts + n.omega * n.omega * tt;
      const double gamma = sums.e[3] - n.omega * sums.e[4];
      n.beta = gamma / n.gamma * (n.alpha / n.omega);
      n.gamma = gamma;
      ++n.iterations;
      if (!(n.left - n.left == 0))
        n.status = CgNumbers::not_finite;
      else if (n.left <= n.tolerance2 * n.gamma_start)
        n.status = CgNumbers::converged;
      else if (!(n.beta - n.beta == 0))
        n.status = CgNumbers::not_positive;  // it has broken down
      else if (n.iterations >= n.limit)
        n.status = CgNumbers::out_of_iterations;
    }
    *numbers = n;
  }
};
// x += omega u, r -= omega t, p = r + beta (p - omega v), u = D^-1 p
struct UpdateStabilized {
  const CgNumbers* numbers;
  const Float4* inverse;
  const double *v, *t;
  double *x, *r, *p;
  Float4* u;
  PHIFLEX_HD void operator()(int i) const {
    if (!numbers->update) return;
    const double omega = numbers->omega, beta = numbers->beta;
    const Float4 own = u[i];
    Vec3<double> next;
    for (int k = 0; k < 3; ++k) {
      const std::size_t q = 3 * static_cast<std::size_t>(i) + std::size_t(k);
      x[q] += omega * double(own.e[k]);
      const double residual = r[q] -= omega * load(t + q);
      next[k] = p[q] = residual + beta * (p[q] - omega * load(v + q));
    }
    store3(u, i, precondition(inverse, i, next));
  }
};

}  // namespace phiflex::device
