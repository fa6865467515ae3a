// Small values that kernels load and store at once, and the loads themselves. On a card a load through load() goes
// through the read-only cache; everywhere else it is a plain one.
#pragma once

#include "phiflex/base/mat3.h"

// Before a loop whose numbers shall stay in registers on a card, or of which so many rounds shall be under way at once.
#ifdef __CUDA_ARCH__
#define PHIFLEX_UNROLL _Pragma("unroll")
#define PHIFLEX_UNROLL_BY(rounds) PHIFLEX_PRAGMA(unroll rounds)
#define PHIFLEX_PRAGMA(text) _Pragma(#text)
#else
#define PHIFLEX_UNROLL
#define PHIFLEX_UNROLL_BY(rounds)
#endif

namespace phiflex::device {

struct alignas(16) Int4 {
  int e[4];
};
struct alignas(16) Float4 {
  float e[4];
};
struct alignas(16) Double2 {
  double e[2];
};

// N numbers that are summed together.
template <int N>
struct Sums {
  double e[N];
};

// Two vectors of a vertex, where a kernel takes both at once: six numbers, those of the first and then those of the
// second.
struct TwoVec3 {
  Vec3<double> a, b;
  PHIFLEX_HD friend TwoVec3 operator-(const TwoVec3& x, const TwoVec3& y) { return {x.a - y.a, x.b - y.b}; }
  PHIFLEX_HD TwoVec3& operator+=(const TwoVec3& more) {
    a += more.a;
    b += more.b;
    return *this;
  }
};

PHIFLEX_HD inline int load(const int* p) {
#ifdef __CUDA_ARCH__
  return __ldg(p);
#else
  return *p;
#endif
}
PHIFLEX_HD inline float load(const float* p) {
#ifdef __CUDA_ARCH__
  return __ldg(p);
#else
  return *p;
#endif
}
PHIFLEX_HD inline double load(const double* p) {
#ifdef __CUDA_ARCH__
  return __ldg(p);
#else
  return *p;
#endif
}
PHIFLEX_HD inline Int4 load(const Int4* p) {
#ifdef __CUDA_ARCH__
  const int4 v = __ldg(reinterpret_cast<const int4*>(p));
  return {{v.x, v.y, v.z, v.w}};
#else
  return *p;
#endif
}
PHIFLEX_HD inline Float4 load(const Float4* p) {
#ifdef __CUDA_ARCH__
  const float4 v = __ldg(reinterpret_cast<const float4*>(p));
  return {{v.x, v.y, v.z, v.w}};
#else
  return *p;
#endif
}
PHIFLEX_HD inline Double2 load(const Double2* p) {
#ifdef __CUDA_ARCH__
  const double2 v = __ldg(reinterpret_cast<const double2*>(p));
  return {{v.x, v.y}};
#else
  return *p;
#endif
}

// Of what a kernel reads once: it does not take the place of what is read again.
PHIFLEX_HD inline Float4 load_once(const Float4* p) {
#ifdef __CUDA_ARCH__
  Float4 v;
  asm("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
      : "=f"(v.e[0]), "=f"(v.e[1]), "=f"(v.e[2]), "=f"(v.e[3])
      : "l"(p));
  return v;
#else
  return *p;
#endif
}

// Three numbers of vertex i: of a vector in double, three a vertex; of one in float, four a vertex, the last unused. Of
// two vectors side by side: those of both.
PHIFLEX_HD inline Vec3<double> load3(const double* x, int i) {
  const double* at = x + 3 * static_cast<std::size_t>(i);
  return {load(at), load(at + 1), load(at + 2)};
}
PHIFLEX_HD inline Vec3<double> load3(const Float4* x, int i) {
  const Float4 v = load(x + i);
  return {double(v.e[0]), double(v.e[1]), double(v.e[2])};
}
PHIFLEX_HD inline TwoVec3 load3(const Double2* p, int i) {
  const Double2* at = p + 3 * static_cast<std::size_t>(i);
  const Double2 first = load(at), second = load(at + 1), third = load(at + 2);
  return {{first.e[0], first.e[1], second.e[0]}, {second.e[1], third.e[0], third.e[1]}};
}
PHIFLEX_HD inline void store3(double* x, int i, const Vec3<double>& v) {
  double* at = x + 3 * static_cast<std::size_t>(i);
  for (int k = 0; k < 3; ++k) at[k] = v[k];
}
PHIFLEX_HD inline void store3(Float4* x, int i, const Vec3<double>& v) {
  x[i] = {{float(v[0]), float(v[1]), float(v[2]), 0.0f}};
}

}  // namespace phiflex::device
