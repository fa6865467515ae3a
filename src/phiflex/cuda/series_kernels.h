// The kernels of ere_stepper.h, whose labels they cite. Two vectors are taken through a series side by side, so that
// each block of K is read once for both: six numbers for each vertex, those of the first and then those of the second.
#pragma once

#include "phiflex/cuda/tet_kernels.h"

namespace phiflex::device {

PHIFLEX_HD inline void store_two(Double2* p, int i, const TwoVec3& v) {
  Double2* at = p + 3 * static_cast<std::size_t>(i);
  at[0] = {{v.a[0], v.a[1]}};
  at[1] = {{v.a[2], v.b[0]}};
  at[2] = {{v.b[1], v.b[2]}};
}
// As load3, of numbers that the same kernel writes.
PHIFLEX_HD inline TwoVec3 read_two(const Double2* p, int i) {
  const Double2* at = p + 3 * static_cast<std::size_t>(i);
  return {{at[0].e[0], at[0].e[1], at[1].e[0]}, {at[1].e[1], at[2].e[0], at[2].e[1]}};
}

// Coefficients of one degree: of both rows of (2), first row first.
struct SeriesTerm {
  double c[4];
  PHIFLEX_HD TwoVec3 of(const TwoVec3& t) const { return {c[0] * t.a + c[1] * t.b, c[2] * t.a + c[3] * t.b}; }
};

// a = (f + load)/m + gravity, without damping; v'M v and a'M a.
struct SeriesSizes {
  Outside outside;
  const double *mass, *f, *v;
  PHIFLEX_HD Vec3<double> acceleration(int i) const {
    const double m = load(mass + i);
    return (1 / m) * outside.force(load3(f, i), i, m, load3(v, i)) + outside.gravity;
  }
  PHIFLEX_HD Sums<2> operator()(int i) const {
    const double m = load(mass + i);
    const Vec3<double> vi = load3(v, i), a = acceleration(i);
    return {{m * dot(vi, vi), m * dot(a, a)}};
  }
};
// T_0 and the sum with it; T_-1 = 0.
struct StartSeries {
  SeriesSizes of;
  SeriesTerm term;
  Double2 *now, *before, *sum;
  PHIFLEX_HD void operator()(int i) const {
    const TwoVec3 start = {load3(of.v, i), of.acceleration(i)};
    store_two(now, i, start);
    store_two(before, i, {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}});
    store_two(sum, i, term.of(start));
  }
};
// (3) of one degree, in the place of T_(k-1), and the sum with it.
template <int Lanes>
struct NextTerm {
  RowMatrix K;
  const double* mass;
  double factor, middle;  // of M^-1 K and of T_k
  SeriesTerm term;
  const Double2* now;
  Double2 *before, *sum;
  PHIFLEX_HD TwoVec3 part(int i, int lane) const { return K.part<Lanes>(now, i, lane); }
  PHIFLEX_HD void finish(int i, const TwoVec3& Kt) const {
    const double of_K = factor / load(mass + i);
    const TwoVec3 own = load3(now, i), older = read_two(before, i);
    const TwoVec3 next = {of_K * Kt.a - middle * own.a - older.a, of_K * Kt.b - middle * own.b - older.b};
    store_two(before, i, next);
    TwoVec3 total = read_two(sum, i);
    total += term.of(next);
    store_two(sum, i, total);
  }
};
// Squares in the norm of M: of T_k of both vectors, and of the two sums.
struct SeriesNorms {
  const double* mass;
  const Double2 *now, *sum;
  PHIFLEX_HD Sums<4> operator()(int i) const {
    const double m = load(mass + i);
    const TwoVec3 t = load3(now, i), s = load3(sum, i);
    return {{m * dot(t.a, t.a), m * dot(t.b, t.b), m * dot(s.a, s.a), m * dot(s.b, s.b)}};
  }
};
// x+ = x + first, v+ = v + second; v+'M v+, and x+'x+, which is finite where x+ is.
struct AddSeries {
  const double *mass, *x, *v;
  const Double2* sum;
  double *next_x, *next_v;
  PHIFLEX_HD Sums<2> operator()(int i) const {
    const TwoVec3 s = load3(sum, i);
    const Vec3<double> xi = load3(x, i) + s.a, vi = load3(v, i) + s.b;
    store3(next_x, i, xi);
    store3(next_v, i, vi);
    return {{load(mass + i) * dot(vi, vi), dot(xi, xi)}};
  }
};

// Lanczos steps in the inner product of M (4). p and before have a place for every vertex, 0 for held ones.
//
// p = random numbers, the same in every run; p'M p.
struct StartLanczos {
  const double* mass;
  double *p, *before;
  PHIFLEX_HD static double number(unsigned q) {  // -1/2..1/2, from the bits of q
    q = (q ^ 61u) ^ (q >> 16);
    q *= 9u;
    q ^= q >> 4;
    q *= 0x27d4eb2du;
    q ^= q >> 15;
    return double(q) / 4294967295.0 - 0.5;
  }
  PHIFLEX_HD Sums<1> operator()(int i) const {
    const unsigned q = 3u * unsigned(i);
    const Vec3<double> own = {number(q), number(q + 1), number(q + 2)};
    store3(p, i, own);
    store3(before, i, {0.0, 0.0, 0.0});
    return {{load(mass + i) * dot(own, own)}};
  }
};
// M r of the same numbers.
struct RandomRightSide {
  const double* mass;
  double* b;
  PHIFLEX_HD void operator()(int i) const {
    const unsigned q = 3u * unsigned(i);
    const double m = load(mass + i);
    store3(b, i,
           {m * StartLanczos::number(q), m * StartLanczos::number(q + 1), m * StartLanczos::number(q + 2)});
  }
};
// p /= |p|, with the square of that norm on the device.
struct Normalize {
  const double* square;
  double* p;
  PHIFLEX_HD void operator()(int i) const {
    const double factor = *square > 0 ? 1 / std::sqrt(*square) : 0;
    for (int k = 0; k < 3; ++k) p[3 * static_cast<std::size_t>(i) + std::size_t(k)] *= factor;
  }
};
// y = M^-1 K p; p'K p.
template <int Lanes>
struct LanczosProduct {
  RowMatrix K;
  const double *mass, *p;
  double* y;
  PHIFLEX_HD Vec3<double> part(int i, int lane) const { return K.part<Lanes>(p, i, lane); }
  PHIFLEX_HD Sums<1> finish(int i, const Vec3<double>& Kp) const {
    store3(y, i, (1 / load(mass + i)) * Kp);
    return {{dot(load3(p, i), Kp)}};
  }
};
// before = y - alpha p - beta before, with beta^2 = *square of the step before (null at first); before'M before.
struct LanczosNext {
  const double *mass, *alpha, *square, *y, *p;
  double* before;
  PHIFLEX_HD Sums<1> operator()(int i) const {
    const double beta = square ? std::sqrt(*square) : 0;
    const double* at = before + 3 * static_cast<std::size_t>(i);
    const Vec3<double> older = {at[0], at[1], at[2]};
    const Vec3<double> next = load3(y, i) - *alpha * load3(p, i) - beta * older;
    store3(before, i, next);
    return {{load(mass + i) * dot(next, next)}};
  }
};

}  // namespace phiflex::device
