// Pack<W>: W doubles that are computed with as if they were one number.
//
// A kernel written as a template on its number type runs on `double` (tests), on a dual number (derivatives)
// and on Pack<W> (W elements at once). Branches become select(mask, a, b). The functions below exist for
// double too, so that a kernel calls them unqualified:  sqrt, log, abs, min, max, select, any.
#pragma once

#include <cmath>
#include <cstddef>

namespace phiflex {

// The lane count of the element kernels: one AVX2 register of doubles.
inline constexpr int kLanes = 4;

// The compiler's vector types; GCC wants their size as a plain constant.
template <int W>
struct Register;
template <>
struct Register<4> {
  using Numbers = double __attribute__((vector_size(32)));
  using Mask = long __attribute__((vector_size(32)));
};
template <>
struct Register<8> {
  using Numbers = double __attribute__((vector_size(64)));
  using Mask = long __attribute__((vector_size(64)));
};

template <int W>
struct Pack {
  using Raw = typename Register<W>::Numbers;
  using Mask = typename Register<W>::Mask;
  Raw raw;

  Pack() = default;
  Pack(double x) : raw(Raw{} + x) {}
  explicit Pack(Raw r) : raw(r) {}

  double operator[](int lane) const { return raw[lane]; }
  void set(int lane, double x) { raw[lane] = x; }

  friend Pack operator+(Pack a, Pack b) { return Pack(a.raw + b.raw); }
  friend Pack operator-(Pack a, Pack b) { return Pack(a.raw - b.raw); }
  friend Pack operator*(Pack a, Pack b) { return Pack(a.raw * b.raw); }
  friend Pack operator/(Pack a, Pack b) { return Pack(a.raw / b.raw); }
  friend Pack operator-(Pack a) { return Pack(-a.raw); }
  Pack& operator+=(Pack b) {
    raw += b.raw;
    return *this;
  }
  Pack& operator-=(Pack b) {
    raw -= b.raw;
    return *this;
  }
  Pack& operator*=(Pack b) {
    raw *= b.raw;
    return *this;
  }
  Pack& operator/=(Pack b) {
    raw /= b.raw;
    return *this;
  }

  friend Mask operator<(Pack a, Pack b) { return a.raw < b.raw; }
  friend Mask operator>(Pack a, Pack b) { return a.raw > b.raw; }
  friend Mask operator<=(Pack a, Pack b) { return a.raw <= b.raw; }
  friend Mask operator>=(Pack a, Pack b) { return a.raw >= b.raw; }
};

template <int W>
Pack<W> select(typename Pack<W>::Mask mask, Pack<W> yes, Pack<W> no) {
  return Pack<W>(mask ? yes.raw : no.raw);
}
template <int W>
Pack<W> lane_by_lane(Pack<W> x, double (*f)(double)) {
  Pack<W> y;
  for (int lane = 0; lane < W; ++lane) y.set(lane, f(x[lane]));
  return y;
}
template <int W>
Pack<W> sqrt(Pack<W> x) {
  Pack<W> y;
  for (int lane = 0; lane < W; ++lane) y.raw[lane] = __builtin_sqrt(x.raw[lane]);
  return y;
}
template <int W>
Pack<W> log(Pack<W> x) {
  return lane_by_lane(x, static_cast<double (*)(double)>(std::log));
}
template <int W>
Pack<W> cbrt(Pack<W> x) {
  return lane_by_lane(x, static_cast<double (*)(double)>(std::cbrt));
}
template <int W>
Pack<W> abs(Pack<W> x) {
  return Pack<W>(x.raw < 0 ? -x.raw : x.raw);
}
template <int W>
Pack<W> min(Pack<W> a, Pack<W> b) {
  return Pack<W>(a.raw < b.raw ? a.raw : b.raw);
}
template <int W>
Pack<W> max(Pack<W> a, Pack<W> b) {
  return Pack<W>(a.raw > b.raw ? a.raw : b.raw);
}
template <int W>
bool any_lane(typename Pack<W>::Mask mask) {
  for (int lane = 0; lane < W; ++lane)
    if (mask[lane]) return true;
  return false;
}

// The same vocabulary for plain doubles.
inline double sqrt(double x) {
  return std::sqrt(x);
}
inline double log(double x) {
  return std::log(x);
}
inline double cbrt(double x) {
  return std::cbrt(x);
}
inline double abs(double x) {
  return std::fabs(x);
}
inline double min(double a, double b) {
  return a < b ? a : b;
}
inline double max(double a, double b) {
  return a > b ? a : b;
}
inline double select(bool mask, double yes, double no) {
  return mask ? yes : no;
}

// How many elements one number holds, and access to each of them.
template <class Real>
inline constexpr int lanes_of = 1;
template <int W>
inline constexpr int lanes_of<Pack<W>> = W;

inline double lane(double x, int) {
  return x;
}
template <int W>
double lane(Pack<W> x, int i) {
  return x[i];
}
inline void set_lane(double& x, int, double value) {
  x = value;
}
template <int W>
void set_lane(Pack<W>& x, int i, double value) {
  x.set(i, value);
}

}  // namespace phiflex
